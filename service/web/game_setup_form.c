/* What the forms of a set-up do: send a layout, one's own or a random one, or accept the pair. */
#include "service/api_game.h"
#include "service/idempotency.h"
#include "service/setup.h"
#include "service/web/form.h"
#include "service/web/game_page.h"
#include "service/web/pages.h"

#include <string.h>

static bool is(const char *text, const char *wanted)
{
	return g_strcmp0(text, wanted) == 0;
}

static bool order_read(Request *request, SetupOrder *order_r, GError **error)
{
	const char *round = request_form(request, "round");
	const char *what = request_form(request, "do");
	const char *layout = request_form(request, "layout");
	*order_r = (SetupOrder){.player_id = request_player(request), .channel = "web"};
	if (!is(what, "accept"))
		order_r->layout = is(what, "random") ? "random" : layout;
	if (!is(what, "accept") && (order_r->layout == NULL || *order_r->layout == '\0')) {
		problem_set_field(error, "layout", FIELD_MISSING, NULL);
		return false;
	}
	if (round != NULL &&
	    g_ascii_string_to_signed(round, 10, 1, INT32_MAX, &order_r->round, NULL))
		return true;
	problem_set_field(error, "round", FIELD_NOT_INTEGER, NULL);
	return false;
}

static Response *done_answer(const Request *request, const SetupOrder *order,
			     const SetupAnswer *answer)
{
	const bool accepted = order->layout == NULL || answer->accepted;
	g_autofree char *url =
		g_strdup_printf("/games/%" G_GINT64_FORMAT, request_path_id(request, "id"));
	return page_redirect(url, answer->began ? "play-began"
				  : accepted    ? "pair-accepted"
						: "layout-sent");
}

/* Shows on the game's page what a person can see there. */
static Response *refused_answer(Request *request, const SetupAnswer *answer, const GError *fault,
				GError **error)
{
	const GamePageFault shown = {.fault = fault, .layout = &answer->layout};
	const ProblemCode code = problem_code(fault);
	g_autoptr(Game) game = NULL;
	if (code == PROBLEM_INTERNAL || code == PROBLEM_UNAVAILABLE ||
	    !game_find(request_db(request), request_path_id(request, "id"), &game, NULL) ||
	    game == NULL || !game_visible(game, request_player(request))) {
		g_propagate_error(error, g_error_copy(fault));
		return NULL;
	}
	return game_page_show(request, game, game->ply, &shown, error);
}

static bool send(Request *request, const SetupOrder *order, SetupAnswer *answer, GError **error)
{
	return setup_send(request_db(request), request_path_id(request, "id"), order, answer,
			  error);
}

/* Drawn by lot once, however often the form is sent. */
static Response *random_work(Request *request, GError **error)
{
	g_auto(SetupAnswer) answer = {0};
	SetupOrder order;
	if (!order_read(request, &order, error) || !send(request, &order, &answer, error))
		return NULL;
	return done_answer(request, &order, &answer);
}

Response *game_setup_form_post(Request *request, GError **error)
{
	g_auto(SetupAnswer) answer = {0};
	g_autoptr(GError) fault = NULL;
	Response *response = NULL;
	SetupOrder order;
	if (!form_read(request, error))
		return NULL;
	/* A layout or an acceptance sent twice is known for the same by itself. */
	if (is(request_form(request, "do"), "random"))
		response = idempotency_run_form(request, random_work, &fault);
	else if (order_read(request, &order, &fault) && send(request, &order, &answer, &fault))
		response = done_answer(request, &order, &answer);
	return response != NULL ? response : refused_answer(request, &answer, fault, error);
}
