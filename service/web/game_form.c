#include "service/api_game.h"
#include "service/idempotency.h"
#include "service/text.h"
#include "service/turn_words.h"
#include "service/web/form.h"
#include "service/web/game_page.h"
#include "service/web/pages.h"

#include <string.h>

/* ---- what the page shows ----------------------------------------------------------------- */

/* Each leads to the page with this turn in the field: nothing is played by a link. */
static void nearest_write(const GameView *view, const NearestTurns *nearest)
{
	if (nearest->count == 0)
		return;
	Page *page = view->page;
	page_say(page, "p", "page.game.nearest");
	markup_begin(page->markup, "ul", "class", "nearest", NULL);
	for (int i = 0; i < nearest->count; i++) {
		g_autofree char *turn = g_uri_escape_string(nearest->turn[i], NULL, FALSE);
		g_autofree char *url = g_strdup_printf("/games/%" G_GINT64_FORMAT "?turn=%s",
						       view->game->id, turn);
		markup_begin(page->markup, "li", NULL);
		markup_line(page->markup, "a", nearest->turn[i], "href", url, "class", "turn",
			    NULL);
		markup_end(page->markup);
	}
	markup_end(page->markup);
}

/* Why a turn was refused, and the legal ones close to it. */
static void refusal_write(const GameView *view)
{
	Page *page = view->page;
	const PlayAnswer *answer = view->fault->answer;
	if (answer == NULL || answer->refusal.code == REFUSAL_NONE) {
		page_error(page, view->fault->fault);
		return;
	}
	g_autofree char *why = turn_words_refusal(view->rules, &answer->refusal, page->language);
	markup_begin(page->markup, "div", "class", "error", "role", "alert", NULL);
	markup_line(page->markup, "p", why, NULL);
	nearest_write(view, &answer->nearest);
	markup_end(page->markup);
}

static char *action(const GameView *view, const char *what)
{
	return g_strdup_printf("/games/%" G_GINT64_FORMAT "/%s", view->game->id, what);
}

static void turn_form(const GameView *view)
{
	g_autofree char *ply = g_strdup_printf("%d", view->game->ply + 1);
	g_autofree char *url = action(view, "turns");
	form_begin(view->page, url, "turn-form");
	form_hidden(view->page, "ply", ply);
	g_autofree char *own_hint = g_strconcat("page.game.turn.hint.", view->rules->key, NULL);
	const bool own = text_find(view->page->language, own_hint) != NULL;
	form_field(view->page,
		   &(FormField){.name = "turn",
				.hint = own ? own_hint : "page.game.turn.hint",
				.value = request_query(view->page->request, "turn"),
				.max = RULES_TURN_MAX,
				.monospace = true,
				.wrong = view->fault != NULL && !view->fault->resigning});
	form_button(view->page, &(FormButton){.key = "page.game.play"});
	form_end(view->page);
}

static void resign_form(const GameView *view)
{
	Page *page = view->page;
	const bool open = view->fault != NULL && view->fault->resigning;
	g_autofree char *url = action(view, "resign");
	markup_begin(page->markup, "details", "class", "resign", "open", open ? "" : NULL, NULL);
	page_say(page, "summary", "page.game.resign");
	form_begin(page, url, NULL);
	form_check(page, "sure", text_get(page->language, "page.game.resign.sure"), false, true);
	form_button(page, &(FormButton){.key = "page.game.resign", .css_class = "danger"});
	form_end(page);
	markup_end(page->markup);
}

void game_form_write(const GameView *view)
{
	const bool laying = view->setup != NULL;
	if (laying)
		game_setup_forms(view);
	if (view->fault != NULL && (!laying || view->fault->resigning))
		refusal_write(view);
	if (view->seat == 0 || view->game->reason != NULL)
		return;
	if (view->ply != view->game->ply) {
		g_autofree char *url = g_strdup_printf("/games/%" G_GINT64_FORMAT, view->game->id);
		page_link_line(view->page, url, "page.game.now");
		return;
	}
	if (!laying && (view->game->awaiting & SEATS_OF(view->seat))) {
		page_say(view->page, "h2", "page.game.enter");
		turn_form(view);
		game_steps_write(view);
	}
	resign_form(view);
}

/* ---- what it does ------------------------------------------------------------------------ */

static bool order_read(Request *request, TurnOrder *order_r, GError **error)
{
	if (!form_read(request, error))
		return false;
	const char *ply = request_form(request, "ply");
	order_r->text = request_form(request, "turn");
	if (order_r->text == NULL) {
		problem_set_field(error, "turn", FIELD_MISSING, NULL);
		return false;
	}
	if (ply == NULL) {
		problem_set(error, PROBLEM_PLY_MISSING, NULL);
		return false;
	}
	if (g_ascii_string_to_signed(ply, 10, 1, INT32_MAX, &order_r->ply, NULL))
		return true;
	problem_set_field(error, "ply", FIELD_NOT_INTEGER, NULL);
	return false;
}

/* What a person can see on the game's page is shown there. */
static Response *refused_answer(Request *request, const Game *game, const GamePageFault *fault,
				GError **error)
{
	const ProblemCode code = problem_code(fault->fault);
	if (game != NULL && game_visible(game, request_player(request)) &&
	    code != PROBLEM_INTERNAL && code != PROBLEM_UNAVAILABLE)
		return game_page_show(request, game, game->ply, fault, error);
	g_propagate_error(error, g_error_copy(fault->fault));
	return NULL;
}

static Response *done_answer(const Request *request, const char *done)
{
	g_autofree char *url =
		g_strdup_printf("/games/%" G_GINT64_FORMAT, request_path_id(request, "id"));
	return page_redirect(url, done);
}

Response *game_form_turn(Request *request, GError **error)
{
	g_autoptr(Game) game = NULL;
	if (!game_find_next(request_db(request), &game, error))
		return NULL;
	TurnOrder order = {.player_id = request_player(request), .channel = "web"};
	if (!order_read(request, &order, error))
		return NULL;
	g_autoptr(GError) fault = NULL;
	g_auto(PlayAnswer) answer = {0};
	if (play_turn(request_db(request), g_steal_pointer(&game), &order, &answer, &fault))
		return done_answer(request, "turn-played");
	const GamePageFault shown = {.fault = fault, .answer = &answer};
	return refused_answer(request, answer.game, &shown, error);
}

Response *game_form_resign(Request *request, GError **error)
{
	g_autoptr(Game) game = NULL;
	if (!game_find_next(request_db(request), &game, error) || !form_read(request, error))
		return NULL;
	const ResignOrder order = {.player_id = request_player(request)};
	g_autoptr(GError) fault = NULL;
	bool repeated;
	if (request_form(request, "sure") == NULL)
		problem_set_field(&fault, "sure", FIELD_MISSING, NULL);
	else if (play_resign(request_db(request), &game, &order, &repeated, &fault))
		return done_answer(request, "resigned");
	const GamePageFault shown = {.fault = fault, .resigning = true};
	return refused_answer(request, game, &shown, error);
}
