#include "service/game_option.h"
#include "service/json_text.h"
#include "service/link.h"
#include "service/view.h"

char *view_game_etag(const Game *game, int version)
{
	g_autoptr(GString) etag = g_string_new(NULL);
	g_string_printf(etag, "g%" G_GINT64_FORMAT "-v%d", game->id, version);
	for (int i = 0; i < GAME_SEATS; i++)
		if (!game->seat[i].reachable)
			g_string_append_printf(etag, "-u%d", i + 1);
	return g_strdup(etag->str);
}

void view_awaiting(GString *out, unsigned awaiting)
{
	g_string_append(out, ",\"awaiting\":[");
	for (int seat = 1; seat <= GAME_SEATS; seat++)
		if (awaiting & SEATS_OF(seat)) {
			if (out->str[out->len - 1] != '[')
				g_string_append_c(out, ',');
			g_string_append_c(out, (char)('0' + seat));
		}
	g_string_append_c(out, ']');
}

void view_player_member(GString *out, int64_t id, const char *name)
{
	g_string_append(out, ",\"player\":");
	json_text_first(out, "id", id);
	json_text_member(out, "name", name);
	g_string_append_c(out, '}');
}

static void seats_append(GString *out, const Game *game)
{
	const GameRules *rules = rules_find(game->rules);
	g_string_append(out, ",\"seats\":[");
	for (int i = 0; i < GAME_SEATS; i++) {
		if (i > 0)
			g_string_append_c(out, ',');
		json_text_first(out, "seat", i + 1);
		json_text_member(out, "side", rules->seat_names[i]);
		view_player_member(out, game->seat[i].player_id, game->seat[i].name);
		g_string_append_printf(out, ",\"reachable\":%s}",
				       game->seat[i].reachable ? "true" : "false");
	}
	g_string_append_c(out, ']');
}

static void winner_append(GString *out, int winner, const char *reason)
{
	if (reason == NULL)
		g_string_append(out, ",\"winner\":null");
	else
		json_text_number(out, "winner", winner);
	json_text_member(out, "reason", reason);
}

static void turn_members(GString *out, const Turn *turn)
{
	json_text_member(out, "kind", "turn");
	json_text_number(out, "seat", turn->seat);
	view_player_member(out, turn->player_id, turn->player_name);
	json_text_member(out, "turn", turn->text);
	json_text_member(out, "board", turn->board);
	json_text_member(out, "channel", turn->channel);
	json_text_time(out, "played_at", turn->played_at);
}

void view_turn(GString *out, const Turn *turn)
{
	json_text_first(out, "ply", turn->ply);
	turn_members(out, turn);
	g_string_append_c(out, '}');
}

/* ,"links":{…}: base is the game's own address. */
static void links_append(GString *out, const Config *config, const Game *game)
{
	static const struct {
		const char *name, *suffix;
		bool setup; /* only where there is one */
	} links[] = {
		{"setup", "/setup", true},
		{"turns", "/turns", false},
		{"steps", "/steps", false},
		{"board_svg", "/board.svg", false},
		{"board_png", "/board.png", false},
		{"board_txt", "/board.txt", false},
		{"record", "/record.json", false},
		{"record_txt", "/record.txt", false},
		{"deliveries", "/deliveries", false},
	};
	g_autofree char *path = g_strdup_printf("/v1/games/%" G_GINT64_FORMAT, game->id);
	g_autofree char *base = link_path(config, path);
	g_autofree char *page = link_game(config, game->id, -1);
	const bool has_setup = rules_find(game->rules)->setup != NULL;
	g_string_append(out, ",\"links\":{\"self\":\"");
	g_string_append(out, base);
	for (size_t i = 0; i < G_N_ELEMENTS(links); i++) {
		if (links[i].setup && !has_setup)
			continue;
		g_string_append(out, "\",\"");
		g_string_append(out, links[i].name);
		g_string_append(out, "\":\"");
		g_string_append(out, base);
		g_string_append(out, links[i].suffix);
	}
	g_string_append(out, "\",\"page\":\"");
	g_string_append(out, page);
	g_string_append(out, "\"}");
}

static void last_turn_append(GString *out, const Game *game)
{
	g_string_append(out, ",\"last_turn\":");
	if (game->has_turn)
		view_turn(out, &game->last_turn);
	else
		g_string_append(out, "null");
}

void view_options(GString *out, const GameRules *rules, const char *options)
{
	g_string_append(out, ",\"options\":");
	game_option_append(out, rules, options);
}

void view_game(GString *out, const Config *config, const Game *game)
{
	json_text_first(out, "id", game->id);
	json_text_member(out, "rules", game->rules);
	view_options(out, rules_find(game->rules), game->options);
	json_text_member(out, "phase", game->phase);
	json_text_member(out, "visibility", game->visibility);
	json_text_member(out, "start_board", game->start_board);
	json_text_member(out, "board", game->board);
	json_text_number(out, "ply", game->ply);
	json_text_number(out, "next_ply", game->ply + 1);
	view_awaiting(out, game->awaiting);
	seats_append(out, game);
	last_turn_append(out, game);
	winner_append(out, game->winner, game->reason);
	json_text_raw(out, "clock", game->clock);
	json_text_time(out, "deadline", game->deadline);
	json_text_time(out, "created_at", game->created_at);
	json_text_time(out, "changed_at", game->changed_at);
	json_text_time(out, "ended_at", game->ended_at);
	json_text_number(out, "version", game->version);
	g_autofree char *etag = view_game_etag(game, game->version);
	json_text_member(out, "etag", etag);
	links_append(out, config, game);
	g_string_append_c(out, '}');
}

json_t *view_game_json(const Config *config, const Game *game)
{
	g_autoptr(GString) text = g_string_new(NULL);
	view_game(text, config, game);
	json_t *json = json_loadb(text->str, text->len, 0, NULL);
	g_assert(json != NULL);
	return json;
}

void view_turn_played(GString *out, const Config *config, const PlayAnswer *answer)
{
	g_autofree char *path =
		g_strdup_printf("/v1/games/%" G_GINT64_FORMAT, answer->turn.game_id);
	g_autofree char *link = link_path(config, path);
	json_text_first(out, "game_id", answer->turn.game_id);
	json_text_number(out, "ply", answer->turn.ply);
	turn_members(out, &answer->turn);
	json_text_number(out, "next_ply", answer->turn.ply + 1);
	json_text_member(out, "phase", answer->phase);
	view_awaiting(out, answer->awaiting);
	winner_append(out, answer->winner, answer->reason);
	g_string_append(out, ",\"links\":{\"game\":");
	json_text_string(out, link);
	g_string_append(out, "}}");
}
