#include "service/api_game.h"
#include "service/board.h"
#include "service/setup.h"

#include <string.h>

/* One board of a game as it is to be drawn. */
typedef struct {
	const GameRules *rules;
	Picture picture;
	int ply;
	bool changes; /* a set-up goes on: even the board before all turns may change */
	Seat eyes;    /* the seat that sees what is sealed from others; 0: nothing is */
	Seat below;
	Language language;
} BoardView;

/* The board of a set-up: a seat sees the own layout while it is sealed. */
static bool setup_picture_make(Request *request, const Game *game, BoardView *view, GError **error)
{
	SetupView setup;
	if (!setup_view(request_db(request), game, api_game_viewer(request), &setup, error))
		return false;
	view->changes = true;
	view->eyes = setup.state.sealed ? setup.viewer : 0;
	view->rules->picture(&setup.position, setup.viewer, NULL, NULL, &view->picture);
	return true;
}

/* The board after a ply, with the turn that led there. */
static bool picture_make(Request *request, const Game *game, BoardView *view, GError **error)
{
	if (strcmp(game->phase, "setup") == 0)
		return setup_picture_make(request, game, view, error);
	g_autoptr(Turn) turn = NULL;
	if (view->ply > 0 && !turn_find(request_db(request), game->id, view->ply, &turn, error))
		return false;
	if (view->ply > 0 && turn == NULL) {
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
		return false;
	}
	Position position, before;
	Refusal refusal;
	const char *board = turn ? turn->board : game->start_board;
	const char *board_before = view->ply > 1 ? turn->board_before : game->start_board;
	const bool read = view->rules->parse(board, &position, &refusal) &&
			  view->rules->parse(board_before, &before, &refusal);
	g_assert(read);
	view->rules->picture(&position, 0, turn ? &before : NULL, turn ? turn->text : NULL,
			     &view->picture);
	return true;
}

static bool orientation_read(const Request *request, Seat *below_r, GError **error)
{
	static const struct {
		const char *text;
		Seat seat;
	} choices[] = {{"1", 1}, {"2", 2}, {"first", 1}, {"second", 2}};
	const char *text = request_query(request, "orientation");
	*below_r = 1;
	if (text == NULL)
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(choices); i++)
		if (strcmp(text, choices[i].text) == 0) {
			*below_r = choices[i].seat;
			return true;
		}
	problem_set_parameter(error, "orientation", FIELD_NOT_A_CHOICE, "choices",
			      "1, 2, first, second", NULL);
	return false;
}

static Game *view_load(Request *request, BoardView *view_r, GError **error)
{
	g_autoptr(Game) game = api_game_next(request, error);
	if (game == NULL)
		return NULL;
	*view_r = (BoardView){.rules = rules_find(game->rules),
			      .language = request_language(request)};
	int64_t ply = game->ply;
	if (!request_query_int(request, "ply", 0, INT32_MAX, &ply, error) ||
	    !orientation_read(request, &view_r->below, error))
		return NULL;
	view_r->ply = (int)ply;
	if (ply > game->ply) {
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
		return NULL;
	}
	return picture_make(request, game, view_r, error) ? g_steal_pointer(&game) : NULL;
}

static void etag_set(Response *response, const Game *game, const BoardView *view, const char *form)
{
	g_autoptr(GString) etag = g_string_new(NULL);
	g_string_printf(etag, "g%" G_GINT64_FORMAT "-p%d-%d-%s-%s", game->id, view->ply,
			view->below, form, language_code(view->language));
	if (view->changes)
		g_string_append_printf(etag, "-v%d", game->version);
	if (view->eyes != 0)
		g_string_append_printf(etag, "-s%d", view->eyes);
	response_etag(response, etag->str);
}

/* What is sealed is in nobody's cache. A board after a given ply never changes; without one it is
 * asked for anew. */
static const char *cache_rule(const Request *request, const Game *game, const BoardView *view)
{
	if (view->eyes != 0)
		return "private, no-store";
	if (strcmp(game->visibility, "public") != 0)
		return "private, no-cache";
	const bool fixed = request_query(request, "ply") != NULL && !view->changes;
	return fixed ? "public, max-age=3600" : "no-cache";
}

static Response *view_answer(const Request *request, const Game *game, const BoardView *view,
			     Response *response, const char *form)
{
	etag_set(response, game, view, form);
	response_header(response, "Vary", "Authorization, Accept-Language");
	response_header(response, "Content-Language", language_code(view->language));
	response_cache(response, cache_rule(request, game, view));
	return response;
}

Response *api_boards_svg(Request *request, GError **error)
{
	BoardView view;
	g_autoptr(Game) game = view_load(request, &view, error);
	if (game == NULL)
		return NULL;
	g_autofree char *title = board_alt(view.rules, &view.picture, view.language);
	g_autofree char *detail = board_spoken(view.rules, &view.picture, view.language);
	const BoardStyle style = {.below = view.below, .title = title, .detail = detail};
	g_autofree char *svg = board_svg(&view.picture, &style);
	Response *response = response_text(200, "image/svg+xml", g_string_new(svg));
	return view_answer(request, game, &view, response, "svg");
}

Response *api_boards_png(Request *request, GError **error)
{
	BoardView view;
	g_autoptr(Game) game = view_load(request, &view, error);
	if (game == NULL)
		return NULL;
	const BoardStyle style = {.below = view.below, .title = ""};
	g_autoptr(GBytes) png = board_png(&view.picture, &style);
	return view_answer(request, game, &view, response_bytes(200, "image/png", png), "png");
}

Response *api_boards_text(Request *request, GError **error)
{
	BoardView view;
	g_autoptr(Game) game = view_load(request, &view, error);
	if (game == NULL)
		return NULL;
	g_autofree char *text = board_text(view.rules, &view.picture, view.language, view.below);
	g_autofree char *spoken = board_spoken(view.rules, &view.picture, view.language);
	GString *body = g_string_new(text);
	g_string_append_c(body, '\n');
	g_string_append(body, spoken);
	Response *response = response_text(200, "text/plain; charset=utf-8", body);
	return view_answer(request, game, &view, response, "txt");
}
