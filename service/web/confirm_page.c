#include "service/api_account.h"
#include "service/mail_words.h"
#include "service/secret.h"
#include "service/web/cookie.h"
#include "service/web/form.h"
#include "service/web/login_page.h"
#include "service/web/pages.h"

static const struct {
	const char *title, *text, *button, *done;
} will[] = {
	[ACCOUNT_SIGNED_UP] = {"page.confirm.sign-up.title", "page.confirm.sign-up.text",
			       "page.confirm.sign-up.button", "signed-up"},
	[ACCOUNT_LOGGED_IN] = {"page.confirm.login.title", "page.confirm.login.text",
			       "page.confirm.login.button", "logged-in"},
	[ACCOUNT_ADDRESS_ADDED] = {"page.confirm.address.title", "page.confirm.address.text",
				   "page.confirm.address.button", "address-added"},
	[ACCOUNT_ADDRESS_REVERTED] = {"page.confirm.revert.title", "page.confirm.revert.text",
				      "page.confirm.revert.button", "address-reverted"},
	[ACCOUNT_MAIL_ACTED] = {"page.confirm.mail.title", "page.confirm.mail.text",
				"page.confirm.mail.button", "mail-acted"},
};

/* ---- codes that are not good any more ---------------------------------------------------- */

/* Who clicked twice is in already; others ask for another mail. */
static Response *used_answer(Request *request)
{
	const bool known = request_actor(request) != NULL;
	Page *page = page_open_key(request, "page.confirm.used.title");
	page_say(page, "p", known ? "page.confirm.used.known" : "page.confirm.used.text");
	if (known)
		page_link_line(page, "/games", "page.nav.games");
	else
		page_link_line(page, "/login", "page.nav.login");
	return page_close(page, known ? 200 : problem_status(PROBLEM_CODE_USED));
}

static Response *bad_code_answer(Request *request, const GError *error)
{
	if (problem_code(error) == PROBLEM_CODE_USED)
		return used_answer(request);
	Page *page = page_open_key(request, "page.confirm.title");
	page_error(page, error);
	login_page_code_form(page, error);
	page_link_line(page, "/login", "page.mailed.again");
	return page_close(page, problem_status(problem_code(error)));
}

static bool is_about_code(const GError *error)
{
	const ProblemCode code = problem_code(error);
	return code == PROBLEM_CODE_UNKNOWN || code == PROBLEM_CODE_USED ||
	       code == PROBLEM_CODE_EXPIRED;
}

/* ---- the page with the button ------------------------------------------------------------ */

/* Whose mail it is said to be, and what it asks for. */
static void held_write(Page *page, const AccountCode *look)
{
	g_autofree char *game = g_strdup_printf("%" G_GINT64_FORMAT, look->game_id);
	g_autofree char *what = mail_words_held(game, look->written, page->language);
	page_say_with(page, "p", "page.confirm.mail.from", "from", look->from, NULL);
	markup_line(page->markup, "blockquote", what, NULL);
}

/* error: what was wrong with the name that was sent; NULL: nothing. */
static Response *look_answer(Request *request, const char *code, const GError *fault,
			     GError **error)
{
	const AccountAccess access = api_account_access(request);
	g_autoptr(GError) bad = NULL;
	g_autoptr(AccountCode) look = account_code_look(&access, code, &bad);
	if (look == NULL && is_about_code(bad))
		return bad_code_answer(request, bad);
	if (look == NULL) {
		g_propagate_error(error, g_steal_pointer(&bad));
		return NULL;
	}
	g_autofree char *action = g_strconcat("/confirm/", code, NULL);
	Page *page = page_open_key(request, will[look->will].title);
	page_say_with(page, "p", will[look->will].text, "email", look->email, "player",
		      look->name == NULL ? "" : look->name, NULL);
	if (look->from != NULL)
		held_write(page, look);
	page_error(page, fault);
	form_begin(page, action, NULL);
	if (fault != NULL)
		form_field(page, &(FormField){.name = "name",
					      .hint = "page.field.name.hint",
					      .max = NAME_LENGTH_MAX,
					      .error = fault});
	form_button(page, &(FormButton){.key = will[look->will].button});
	form_end(page);
	page_say(page, "p", "page.confirm.not-you");
	return page_close(page, fault == NULL ? 200 : problem_status(problem_code(fault)));
}

Response *confirm_page_get(Request *request, GError **error)
{
	return look_answer(request, request_path_text(request, "code"), NULL, error);
}

Response *confirm_page_type(Request *request, GError **error)
{
	(void)error;
	Page *page = page_open_key(request, "page.confirm.title");
	page_say(page, "p", "page.confirm.type");
	login_page_code_form(page, NULL);
	return page_close(page, 200);
}

/* ---- doing it ---------------------------------------------------------------------------- */

/* Where somebody wanted to go before the login. The caller frees. */
static char *next_path(const Request *request)
{
	const char *cookie = request_cookie(request, COOKIE_NEXT);
	g_autofree char *next = cookie == NULL ? NULL : g_uri_unescape_string(cookie, NULL);
	return g_strdup(login_page_is_own(next) ? next : "/games");
}

/* The session of before is over: each login has a new one. */
static Response *in_answer(Request *request, const AccountConfirmed *confirmed, GError **error)
{
	const Config *config = request_config(request);
	const Actor *actor = request_actor(request);
	if (actor != NULL && !account_log_out(request_db(request), actor, false, error))
		return NULL;
	g_autofree char *next = confirmed->did == ACCOUNT_ADDRESS_REVERTED ? g_strdup("/settings")
									   : next_path(request);
	Response *response = page_redirect(next, will[confirmed->did].done);
	cookie_session_set(response, config, confirmed->secret);
	if (request_cookie(request, COOKIE_NEXT) != NULL)
		cookie_set(response, config, COOKIE_NEXT, "", 0);
	return response;
}

static Response *confirm(Request *request, const char *code, GError **error)
{
	const AccountAccess access = api_account_access(request);
	const AccountConfirm order = {.code = code,
				      .name = request_form(request, "name"),
				      .grant = ACCOUNT_GRANT_SESSION};
	g_autoptr(GError) fault = NULL;
	g_autoptr(AccountConfirmed) confirmed = account_confirm(&access, &order, &fault);
	if (confirmed != NULL && confirmed->secret != NULL)
		return in_answer(request, confirmed, error);
	if (confirmed != NULL && confirmed->did == ACCOUNT_MAIL_ACTED)
		return page_tell(request, 200, "mail-acted");
	if (confirmed != NULL)
		return request_actor(request) == NULL
			       ? page_tell(request, 200, "address-added")
			       : page_redirect("/settings", will[confirmed->did].done);
	if (is_about_code(fault))
		return bad_code_answer(request, fault);
	if (problem_code(fault) == PROBLEM_NAME_TAKEN ||
	    problem_code(fault) == PROBLEM_FIELD_INVALID)
		return look_answer(request, code, fault, error);
	g_propagate_error(error, g_steal_pointer(&fault));
	return NULL;
}

Response *confirm_page_post(Request *request, GError **error)
{
	return form_read(request, error)
		       ? confirm(request, request_path_text(request, "code"), error)
		       : NULL;
}

/* look_answer makes a link of the code, so it must be one. */
Response *confirm_page_typed(Request *request, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	const char *typed = request_form(request, "code");
	g_autofree char *code = secret_read(typed == NULL ? "" : typed);
	return confirm(request, code == NULL ? "" : code, error);
}
