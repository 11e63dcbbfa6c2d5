#include "service/json_text.h"
#include "service/link.h"
#include "service/view.h"

char *view_setup_etag_sealed(const Game *game, Seat seat)
{
	g_autofree char *etag = view_game_etag(game, game->version);
	return g_strdup_printf("%s-s%d", etag, seat);
}

char *view_setup_etag(const Game *game, const SetupView *view)
{
	return view->state.sealed && view->viewer != 0 ? view_setup_etag_sealed(game, view->viewer)
						       : view_game_etag(game, game->version);
}

/* null for what is not there, or sealed. */
static void layout_append(GString *out, const char *name, const char *layout)
{
	json_text_member(out, name, *layout == '\0' ? NULL : layout);
}

static void bool_append(GString *out, const char *name, bool value)
{
	g_string_append_printf(out, ",\"%s\":%s", name, value ? "true" : "false");
}

/* ,"territory":["a1",…]: where the seat's army may stand. */
static void territory_append(GString *out, const Picture *picture, Seat seat)
{
	g_string_append(out, ",\"territory\":[");
	for (unsigned square = 0; square < G_N_ELEMENTS(picture->square); square++) {
		char name[4];
		if (picture->square[square].territory != seat)
			continue;
		rules_square_name((Square)square, name);
		g_string_append_printf(out, "%s\"%s\"", out->str[out->len - 1] == '[' ? "" : ",",
				       name);
	}
	g_string_append_c(out, ']');
}

static void seat_append(GString *out, const Game *game, const SetupView *view,
			const Picture *picture, Seat seat)
{
	const SetupState *state = &view->state;
	json_text_first(out, "seat", seat);
	json_text_member(out, "side", view->rules->seat_names[seat - 1]);
	view_player_member(out, game->seat[seat - 1].player_id, game->seat[seat - 1].name);
	bool_append(out, "given", state->given & SEATS_OF(seat));
	bool_append(out, "accepted", state->accepted & SEATS_OF(seat));
	json_text_number(out, "changes_left", state->changes_left[seat - 1]);
	layout_append(out, "layout", view->layout[seat - 1]);
	layout_append(out, "copy", view->copy[seat - 1]);
	territory_append(out, picture, seat);
	g_string_append_c(out, '}');
}

static void links_append(GString *out, const Config *config, const Game *game)
{
	g_autofree char *path = g_strdup_printf("/v1/games/%" G_GINT64_FORMAT, game->id);
	g_autofree char *base = link_path(config, path);
	g_string_append_printf(out, ",\"links\":{\"self\":\"%s/setup\",\"game\":\"%s\"}", base,
			       base);
}

void view_setup(GString *out, const Config *config, const Game *game, const SetupView *view)
{
	Picture picture;
	view->rules->picture(&view->position, view->viewer, NULL, NULL, &picture);
	json_text_first(out, "game_id", game->id);
	json_text_member(out, "phase", game->phase);
	json_text_number(out, "round", view->state.round);
	bool_append(out, "sealed", view->state.sealed);
	view_awaiting(out, view->awaited);
	json_text_member(out, "board", view->board);
	g_string_append(out, ",\"seats\":[");
	for (Seat seat = 1; seat <= GAME_SEATS; seat++) {
		if (seat > 1)
			g_string_append_c(out, ',');
		seat_append(out, game, view, &picture, seat);
	}
	g_string_append_c(out, ']');
	links_append(out, config, game);
	g_string_append_c(out, '}');
}
