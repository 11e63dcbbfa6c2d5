#include "db/challenge.h"
#include "service/lobby.h"
#include "service/text.h"
#include "service/web/form.h"
#include "service/web/game_words.h"
#include "service/web/pages.h"

#include <string.h>

static bool is(const char *text, const char *wanted)
{
	return strcmp(text, wanted) == 0;
}

static char *challenge_url(const Request *request, const char *what)
{
	return g_strdup_printf("/challenges/%" G_GINT64_FORMAT "%s", request_path_id(request, "id"),
			       what);
}

static void answer_form(Page *page, const char *what, const FormButton *button)
{
	g_autofree char *url = challenge_url(page->request, what);
	form_begin(page, url, "inline");
	form_button(page, button);
	form_end(page);
}

/* What the viewer can answer to an open challenge. */
static void answers_write(Page *page, const Challenge *challenge)
{
	if (request_actor(page->request) == NULL) {
		page_say(page, "p", "page.challenge.stranger");
		markup_begin(page->markup, "p", NULL);
		g_autofree char *url =
			g_strdup_printf("/login?next=/challenges/%" G_GINT64_FORMAT, challenge->id);
		page_link(page, url, "page.nav.login");
		markup_text(page->markup, " · ");
		page_link(page, "/sign-up", "page.nav.sign-up");
		markup_end(page->markup);
		return;
	}
	markup_begin(page->markup, "div", "class", "answers", NULL);
	if (challenge->challenger_id == request_player(page->request)) {
		answer_form(page, "/cancel",
			    &(FormButton){.key = "page.challenge.cancel", .css_class = "danger"});
	} else {
		answer_form(page, "/accept", &(FormButton){.key = "page.challenge.accept"});
		if (!is(challenge->kind, "open"))
			answer_form(page, "/decline",
				    &(FormButton){.key = "page.challenge.decline",
						  .css_class = "quiet"});
	}
	markup_end(page->markup);
}

static void state_write(Page *page, const Challenge *challenge)
{
	g_autofree char *key = g_strconcat("page.challenge.state.", challenge->state, NULL);
	page_say(page, "p", key);
	if (challenge->game_id == 0)
		return;
	g_autofree char *url = g_strdup_printf("/games/%" G_GINT64_FORMAT, challenge->game_id);
	page_link_line(page, url, "page.challenge.game");
}

/* A stranger whom it does not concern is sent to the login: it may concern him then. */
static Challenge *challenge_load(Request *request, GError **error)
{
	g_autoptr(Challenge) challenge = NULL;
	if (!challenge_find(request_db(request), request_path_id(request, "id"), &challenge, error))
		return NULL;
	if (challenge != NULL && lobby_visible(challenge, request_player(request)))
		return g_steal_pointer(&challenge);
	problem_set(error,
		    request_actor(request) == NULL ? PROBLEM_UNAUTHORIZED : PROBLEM_NOT_FOUND,
		    NULL);
	return NULL;
}

static Response *show(Request *request, const GError *fault, GError **error)
{
	g_autoptr(Challenge) challenge = challenge_load(request, error);
	if (challenge == NULL)
		return NULL;
	g_autofree char *title = text_format(page_language(request), "page.challenge.from",
					     "player", challenge->challenger_name, NULL);
	Page *page = page_open(request, title);
	page_error(page, fault);
	if (challenge->challenger_id == request_player(request)) {
		g_autofree char *addressee = game_words_addressee(page, challenge);
		markup_line(page->markup, "p", addressee, NULL);
	}
	game_words_terms(page, challenge);
	if (is(challenge->state, "open"))
		answers_write(page, challenge);
	else
		state_write(page, challenge);
	g_autofree char *rules_url = g_strconcat("/rules/", challenge->rules, NULL);
	page_link_line(page, rules_url, "page.game.rules");
	return page_close(page, fault == NULL ? 200 : problem_status(problem_code(fault)));
}

Response *challenge_page_get(Request *request, GError **error)
{
	return show(request, NULL, error);
}

/* What people can understand is told beside the challenge as it is now. */
static Response *refused_answer(Request *request, GError *fault, GError **error)
{
	const ProblemCode code = problem_code(fault);
	if (code != PROBLEM_CHALLENGE_CLOSED && code != PROBLEM_OWN_CHALLENGE) {
		g_propagate_error(error, fault);
		return NULL;
	}
	Response *response = show(request, fault, error);
	g_error_free(fault);
	return response;
}

Response *challenge_page_accept(Request *request, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	int64_t game_id;
	bool repeated;
	g_autoptr(GError) fault = NULL;
	if (!lobby_accept(request_db(request), request_path_id(request, "id"),
			  request_player(request), &game_id, &repeated, &fault))
		return refused_answer(request, g_steal_pointer(&fault), error);
	g_autofree char *url = g_strdup_printf("/games/%" G_GINT64_FORMAT, game_id);
	return page_redirect(url, "challenge-accepted");
}

typedef bool CloseFn(Db *db, int64_t challenge_id, int64_t player_id, bool *repeated_r,
		     GError **error);

static Response *close_answer(Request *request, CloseFn *close, const char *done, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	bool repeated;
	g_autoptr(GError) fault = NULL;
	if (!close(request_db(request), request_path_id(request, "id"), request_player(request),
		   &repeated, &fault))
		return refused_answer(request, g_steal_pointer(&fault), error);
	g_autofree char *url = challenge_url(request, "");
	return page_redirect(url, done);
}

Response *challenge_page_decline(Request *request, GError **error)
{
	return close_answer(request, lobby_decline, "challenge-declined", error);
}

Response *challenge_page_cancel(Request *request, GError **error)
{
	return close_answer(request, lobby_cancel, "challenge-cancelled", error);
}
