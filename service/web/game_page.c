#include "service/web/game_page.h"

#include "service/api_game.h"
#include "service/text.h"
#include "service/turn_words.h"
#include "service/web/game_words.h"
#include "service/web/pages.h"

#include <string.h>

/* Turns of one list: long games are shown in parts. */
enum { TURNS_SHOWN = 100 };

static void seats_write(const GameView *view)
{
	Page *page = view->page;
	markup_begin(page->markup, "dl", "class", "seats", NULL);
	for (int i = 0; i < GAME_SEATS; i++) {
		markup_line(page->markup, "dt", turn_words_side(view->rules, i + 1, page->language),
			    NULL);
		markup_begin(page->markup, "dd", NULL);
		markup_text(page->markup, view->game->seat[i].name);
		if (view->game->awaiting & SEATS_OF(i + 1)) {
			markup_text(page->markup, " ");
			markup_line(page->markup, "span",
				    text_get(page->language, "page.game.to-move"), "class", "badge",
				    NULL);
		}
		markup_end(page->markup);
	}
	markup_end(page->markup);
}

static void options_write(const GameView *view)
{
	if (view->rules->options == NULL)
		return;
	markup_begin(view->page->markup, "dl", NULL);
	game_words_options(view->page, view->rules, view->game->options);
	markup_end(view->page->markup);
}

static void times_write(const GameView *view)
{
	static const char *const keys[] = {"page.game.deadline", "page.game.began",
					   "page.game.ended"};
	const char *const instants[] = {view->game->deadline, view->game->created_at,
					view->game->ended_at};
	markup_begin(view->page->markup, "dl", "class", "times", NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		if (instants[i] == NULL)
			continue;
		page_say(view->page, "dt", keys[i]);
		markup_begin(view->page->markup, "dd", NULL);
		page_time(view->page, instants[i]);
		markup_end(view->page->markup);
	}
	markup_end(view->page->markup);
}

/* The game for other programs; those links know no session, so only of public games. */
static void files_write(const GameView *view)
{
	if (strcmp(view->game->visibility, "public") != 0)
		return;
	g_autofree char *base = g_strdup_printf("/v1/games/%" G_GINT64_FORMAT, view->game->id);
	g_autofree char *record = g_strconcat(base, "/record.txt", NULL);
	g_autofree char *text = g_strdup_printf("%s/board.txt?ply=%d", base, view->ply);
	g_autofree char *picture = g_strdup_printf("%s/board.png?ply=%d", base, view->ply);
	markup_begin(view->page->markup, "ul", "class", "files", NULL);
	const struct {
		const char *url, *key;
	} files[] = {{record, "page.game.record"},
		     {text, "page.game.board-text"},
		     {picture, "page.game.board-picture"}};
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		markup_begin(view->page->markup, "li", NULL);
		page_link(view->page, files[i].url, files[i].key);
		markup_end(view->page->markup);
	}
	markup_end(view->page->markup);
}

static bool body_write(const GameView *view, GError **error)
{
	Page *page = view->page;
	const bool laying = view->setup != NULL;
	g_autofree char *state =
		laying ? game_setup_state(view) : game_words_state(page, view->game);
	markup_line(page->markup, "p", state, "class", "state", NULL);
	if (!game_mail_unreachable(view, error))
		return false;
	markup_begin(page->markup, "div", "class", "game", NULL);
	markup_begin(page->markup, "div", "class", "game-board", NULL);
	if (laying)
		game_setup_board(view);
	else
		game_board_write(view);
	markup_end(page->markup);
	markup_begin(page->markup, "div", "class", "game-side", NULL);
	game_form_write(view);
	if (laying)
		game_setup_seats(view);
	else
		seats_write(view);
	if (!laying)
		game_board_turns(view);
	markup_end(page->markup);
	markup_end(page->markup);
	if (!game_mail_write(view, error))
		return false;
	page_say(page, "h2", "page.game.about");
	options_write(view);
	times_write(view);
	files_write(view);
	g_autofree char *rules_url = g_strconcat("/rules/", view->rules->key, NULL);
	page_link_line(page, rules_url, "page.game.rules");
	return true;
}

Response *game_page_show(Request *request, const Game *game, int ply, const GamePageFault *fault,
			 GError **error)
{
	const int part = MAX(ply - 1, 0) / TURNS_SHOWN * TURNS_SHOWN;
	const int first = MAX(part - 1, 0);
	g_autoptr(TurnList) turns =
		turn_list(request_db(request), game->id, first, TURNS_SHOWN + part - first, error);
	if (turns == NULL)
		return NULL;
	const Seat seat = game_seat(game, request_player(request));
	const bool laying = strcmp(game->phase, "setup") == 0;
	SetupView setup;
	if (laying &&
	    !setup_view(request_db(request), game, request_player(request), &setup, error))
		return NULL;
	/* Layouts are written as seat 1 sees the board. */
	GameView view = {.game = game,
			 .rules = rules_find(game->rules),
			 .ply = ply,
			 .seat = seat,
			 .below = seat == 0 || laying ? 1 : seat,
			 .first = first,
			 .from = part,
			 .turns = turns,
			 .setup = laying ? &setup : NULL,
			 .fault = fault};
	g_autofree char *title = game_words_title(game);
	view.page = page_open(request, title);
	const bool written = body_write(&view, error);
	const GError *refused = fault == NULL ? NULL : fault->fault;
	Response *response = page_close(
		view.page, refused == NULL ? 200 : problem_status(problem_code(refused)));
	/* A layout that is sealed from others stays in no cache. */
	if (laying)
		response_cache(response, "private, no-store");
	if (written)
		return response;
	response_free(response);
	return NULL;
}

Response *game_page_get(Request *request, GError **error)
{
	g_autoptr(Game) game = api_game_next(request, error);
	if (game == NULL)
		return NULL;
	int64_t ply = game->ply;
	if (!request_query_int(request, "ply", 0, INT32_MAX, &ply, error))
		return NULL;
	if (ply > game->ply) {
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
		return NULL;
	}
	return game_page_show(request, game, (int)ply, NULL, error);
}
