#include "service/web/login_page.h"

#include "service/api_account.h"
#include "service/text.h"
#include "service/web/cookie.h"
#include "service/web/form.h"
#include "service/web/pages.h"

#include <string.h>

enum { EMAIL_MAX = 254, NEXT_MAX = 500, NEXT_SECONDS = 60 * 60 };

/* ---- forms ------------------------------------------------------------------------------- */

void login_page_sign_up_form(Page *page, const GError *error)
{
	form_begin(page, "/sign-up", NULL);
	form_once(page);
	form_field(page, &(FormField){.name = "email",
				      .type = "email",
				      .autocomplete = "email",
				      .max = EMAIL_MAX,
				      .error = error});
	form_field(page, &(FormField){.name = "name",
				      .hint = "page.field.name.hint",
				      .autocomplete = "nickname",
				      .max = NAME_LENGTH_MAX,
				      .error = error});
	form_languages(page, language_code(page->language));
	form_time_zones(page, "UTC");
	form_button(page, &(FormButton){.key = "page.sign-up.button"});
	form_end(page);
}

void login_page_form(Page *page, const char *next, const GError *error)
{
	form_begin(page, "/login", NULL);
	form_once(page);
	if (next != NULL)
		form_hidden(page, "next", next);
	form_field(page, &(FormField){.name = "email",
				      .type = "email",
				      .autocomplete = "email",
				      .max = EMAIL_MAX,
				      .error = error});
	form_button(page, &(FormButton){.key = "page.login.button"});
	form_end(page);
}

void login_page_code_form(Page *page, const GError *error)
{
	form_begin(page, "/confirm", NULL);
	form_field(page, &(FormField){.name = "code",
				      .hint = "page.field.code.hint",
				      .autocomplete = "one-time-code",
				      .monospace = true,
				      .error = error});
	form_button(page, &(FormButton){.key = "page.confirm.button"});
	form_end(page);
}

/* ---- signing up -------------------------------------------------------------------------- */

static Response *sign_up_answer(Request *request, int status, const GError *error)
{
	Page *page = page_open_key(request, "page.sign-up.title");
	page_say(page, "p", "page.sign-up.how");
	page_error(page, error);
	login_page_sign_up_form(page, error);
	page_link_line(page, "/login", "page.sign-up.known");
	return page_close(page, status);
}

/* The same for known and unknown addresses. */
static Response *mailed_answer(Request *request, const char *email)
{
	Page *page = page_open_key(request, "page.mailed.title");
	page_say_with(page, "p", "page.mailed.text", "email", email, NULL);
	page_say(page, "p", "page.mailed.code");
	login_page_code_form(page, NULL);
	page_say(page, "p", "page.mailed.nothing");
	page_link_line(page, "/login", "page.mailed.again");
	return page_close(page, 200);
}

Response *login_page_sign_up_get(Request *request, GError **error)
{
	(void)error;
	return sign_up_answer(request, 200, NULL);
}

Response *login_page_sign_up_post(Request *request, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	AccountAccess access = api_account_access(request);
	access.once = request_form(request, "once");
	const AccountSignUp wish = {
		.email = request_form(request, "email"),
		.name = request_form(request, "name"),
		.language = request_form(request, "language"),
		.time_zone = request_form(request, "time_zone"),
	};
	g_autoptr(GError) fault = NULL;
	if (account_sign_up(&access, &wish, &fault))
		return mailed_answer(request, wish.email);
	return form_answer(request, sign_up_answer, g_steal_pointer(&fault), error);
}

/* ---- logging in -------------------------------------------------------------------------- */

bool login_page_is_own(const char *path)
{
	if (path == NULL || path[0] != '/' || path[1] == '/' || path[1] == '\\' ||
	    strlen(path) > NEXT_MAX)
		return false;
	for (const char *byte = path; *byte != '\0'; byte++)
		if (!g_ascii_isgraph(*byte))
			return false;
	return true;
}

static Response *login_answer(Request *request, int status, const GError *error)
{
	const char *next = request_query(request, "next");
	if (next == NULL)
		next = request_form(request, "next");
	Page *page = page_open_key(request, "page.login.title");
	page_say(page, "p", "page.login.how");
	page_error(page, error);
	login_page_form(page, login_page_is_own(next) ? next : NULL, error);
	page_link_line(page, "/confirm", "page.login.code");
	page_link_line(page, "/sign-up", "page.login.unknown");
	return page_close(page, status);
}

Response *login_page_get(Request *request, GError **error)
{
	(void)error;
	return request_actor(request) == NULL ? login_answer(request, 200, NULL)
					      : response_redirect("/games");
}

Response *login_page_post(Request *request, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	AccountAccess access = api_account_access(request);
	access.once = request_form(request, "once");
	const char *email = request_form(request, "email");
	const char *next = request_form(request, "next");
	g_autoptr(GError) fault = NULL;
	if (!account_login_request(&access, email, &fault))
		return form_answer(request, login_answer, g_steal_pointer(&fault), error);
	Response *response = mailed_answer(request, email);
	if (login_page_is_own(next)) {
		g_autofree char *value = g_uri_escape_string(next, NULL, FALSE);
		cookie_set(response, request_config(request), COOKIE_NEXT, value, NEXT_SECONDS);
	}
	return response;
}

Response *login_page_logout(Request *request, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	const Actor *actor = request_actor(request);
	if (actor != NULL && !account_log_out(request_db(request), actor, false, error))
		return NULL;
	Response *response = page_redirect("/", "logged-out");
	cookie_session_clear(response, request_config(request));
	return response;
}
