/* Invitations: the secret in the link stands for the address it was mailed to. */
#include "db/address.h"
#include "service/account.h"
#include "service/lobby.h"
#include "service/rule_book.h"
#include "service/text.h"
#include "service/web/cookie.h"
#include "service/web/form.h"
#include "service/web/game_words.h"
#include "service/web/pages.h"

#include <string.h>

typedef struct {
	Request *request;
	int64_t id;
	const char *secret;
	Challenge *challenge;
	bool never; /* the address is never to be written to */
} Invitation;

static void invitation_clear(Invitation *invitation)
{
	g_clear_pointer(&invitation->challenge, challenge_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Invitation, invitation_clear)

static bool invitation_load(Request *request, Invitation *invitation_r, GError **error)
{
	Db *db = request_db(request);
	*invitation_r = (Invitation){.request = request,
				     .id = request_path_id(request, "id"),
				     .secret = request_path_text(request, "secret")};
	g_autoptr(Challenge) challenge = lobby_invitation_find(
		db, request_config(request), invitation_r->id, invitation_r->secret, error);
	g_autoptr(Address) address = NULL;
	if (challenge == NULL || !address_find_id(db, challenge->address_id, &address, error))
		return false;
	invitation_r->never = address != NULL && strcmp(address->state, "never") == 0;
	invitation_r->challenge = g_steal_pointer(&challenge);
	return true;
}

static char *invitation_url(const Invitation *invitation)
{
	return g_strdup_printf("/invitations/%" G_GINT64_FORMAT "/%s", invitation->id,
			       invitation->secret);
}

static Language invitation_language(const Invitation *invitation)
{
	return page_language_or(invitation->request, invitation->challenge->language);
}

/* ---- the page ---------------------------------------------------------------------------- */

static void answer_form(Page *page, const Invitation *invitation, const char *answer,
			const FormButton *button)
{
	g_autofree char *url = invitation_url(invitation);
	form_begin(page, url, NULL);
	form_hidden(page, "answer", answer);
	form_button(page, button);
	form_end(page);
}

static void accept_form(Page *page, const Invitation *invitation, const GError *fault)
{
	g_autofree char *url = invitation_url(invitation);
	page_say(page, "h2", "page.invitation.accept");
	form_begin(page, url, NULL);
	form_hidden(page, "answer", "accept");
	if (invitation->challenge->address_player_id == 0) {
		page_say(page, "p", "page.invitation.accept.how");
		form_field(page, &(FormField){.name = "name",
					      .hint = "page.field.name.hint",
					      .autocomplete = "nickname",
					      .max = NAME_LENGTH_MAX,
					      .error = fault});
		form_languages(page, language_code(page->language));
		form_time_zones(page, "UTC");
	}
	form_button(page, &(FormButton){.key = "page.invitation.accept"});
	form_end(page);
}

static void open_write(Page *page, const Invitation *invitation, const GError *fault)
{
	accept_form(page, invitation, fault);
	markup_line(page->markup, "h2", text_get(page->language, "page.invitation.decline"), "id",
		    "decline", NULL);
	page_say(page, "p", "page.invitation.decline.how");
	answer_form(page, invitation, "decline",
		    &(FormButton){.key = "page.invitation.decline", .css_class = "quiet"});
}

static void never_write(Page *page, const Invitation *invitation)
{
	markup_line(page->markup, "h2", text_get(page->language, "page.invitation.never"), "id",
		    "never", NULL);
	page_say(page, "p",
		 invitation->never ? "page.invitation.never.is" : "page.invitation.never.how");
	if (invitation->never)
		answer_form(page, invitation, "allow",
			    &(FormButton){.key = "page.invitation.allow", .css_class = "quiet"});
	else
		answer_form(page, invitation, "never",
			    &(FormButton){.key = "page.invitation.never", .css_class = "danger"});
}

static void closed_write(Page *page, const Challenge *challenge)
{
	g_autofree char *key = g_strconcat("page.challenge.state.", challenge->state, NULL);
	page_say(page, "p", key);
	if (challenge->game_id == 0)
		return;
	g_autofree char *url = g_strdup_printf("/games/%" G_GINT64_FORMAT, challenge->game_id);
	page_link_line(page, url, "page.challenge.game");
}

static Response *show(const Invitation *invitation, const GError *fault)
{
	const Challenge *challenge = invitation->challenge;
	const GameRules *rules = rules_find(challenge->rules);
	const Language language = invitation_language(invitation);
	g_autofree char *title =
		text_format(language, "page.invitation.title", "player", challenge->challenger_name,
			    "rules", rules->name, NULL);
	Page *page = page_open_in(invitation->request, language, title);
	page_error(page, fault);
	markup_line(page->markup, "p", rule_book_summary(rules, language), NULL);
	g_autofree char *rules_url = g_strconcat("/rules/", rules->key, NULL);
	page_link_line(page, rules_url, "page.game.rules");
	game_words_terms(page, challenge);
	if (strcmp(challenge->state, "open") == 0)
		open_write(page, invitation, fault);
	else
		closed_write(page, challenge);
	if (challenge->address_player_id == 0)
		never_write(page, invitation);
	return page_close(page, fault == NULL ? 200 : problem_status(problem_code(fault)));
}

Response *invitation_page_get(Request *request, GError **error)
{
	g_auto(Invitation) invitation = {0};
	return invitation_load(request, &invitation, error) ? show(&invitation, NULL) : NULL;
}

/* ---- answers ----------------------------------------------------------------------------- */

/* A new player is let in at once: the secret proved the address. Whoever had an account logs in as
 * always, since this link stays in a mailbox for ever. */
static Response *accepted_answer(const Invitation *invitation, const InvitationAnswer *answer,
				 GError **error)
{
	Request *request = invitation->request;
	const bool made = invitation->challenge->address_player_id == 0 && !answer->repeated;
	if (!made && request_player(request) != answer->player_id)
		return page_tell(request, 200, "invitation-accepted");
	g_autofree char *url = g_strdup_printf("/games/%" G_GINT64_FORMAT, answer->game_id);
	if (!made)
		return page_redirect(url, "challenge-accepted");
	g_autofree char *cookie =
		account_session_new(request_db(request), answer->player_id, error);
	if (cookie == NULL)
		return NULL;
	Response *response = page_redirect(url, "signed-up");
	cookie_session_set(response, request_config(request), cookie);
	return response;
}

static Response *refused_answer(const Invitation *invitation, GError *fault, GError **error)
{
	switch (problem_code(fault)) {
	case PROBLEM_FIELD_INVALID:
	case PROBLEM_NAME_TAKEN:
	case PROBLEM_CHALLENGE_CLOSED:
	case PROBLEM_OWN_CHALLENGE: {
		Response *response = show(invitation, fault);
		g_error_free(fault);
		return response;
	}
	default:
		g_propagate_error(error, fault);
		return NULL;
	}
}

static Response *accept(const Invitation *invitation, GError **error)
{
	Request *request = invitation->request;
	const char *zone = request_form(request, "time_zone");
	const InvitationOrder order = {.challenge_id = invitation->id,
				       .secret = invitation->secret,
				       .name = request_form(request, "name"),
				       .language = form_language(request),
				       .time_zone = zone == NULL ? "UTC" : zone};
	InvitationAnswer answer = {0};
	g_autoptr(GError) fault = NULL;
	if (lobby_invitation_accept(request_db(request), request_config(request), &order, &answer,
				    &fault))
		return accepted_answer(invitation, &answer, error);
	return refused_answer(invitation, g_steal_pointer(&fault), error);
}

/* Back to the page, which shows what holds now. */
static Response *shown_answer(const Invitation *invitation, bool done, const char *word,
			      GError *fault, GError **error)
{
	if (!done)
		return refused_answer(invitation, fault, error);
	g_autofree char *url = invitation_url(invitation);
	return page_redirect(url, word);
}

Response *invitation_page_post(Request *request, GError **error)
{
	g_auto(Invitation) invitation = {0};
	if (!form_read(request, error) || !invitation_load(request, &invitation, error))
		return NULL;
	const Config *config = request_config(request);
	Db *db = request_db(request);
	const char *answer = request_form(request, "answer");
	GError *fault = NULL;
	if (g_strcmp0(answer, "accept") == 0)
		return accept(&invitation, error);
	if (g_strcmp0(answer, "allow") == 0) {
		const bool done = lobby_invitation_allow(db, config, invitation.id,
							 invitation.secret, &fault);
		return shown_answer(&invitation, done, "invitation-allowed", fault, error);
	}
	const bool never = g_strcmp0(answer, "never") == 0;
	if (!never && g_strcmp0(answer, "decline") != 0) {
		problem_set(error, PROBLEM_FORM_INVALID, NULL);
		return NULL;
	}
	const bool done = lobby_invitation_decline(db, config, invitation.id, invitation.secret,
						   never, &fault);
	return shown_answer(&invitation, done, never ? "invitation-never" : "challenge-declined",
			    fault, error);
}
