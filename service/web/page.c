#include "service/web/page.h"

#include "service/secret.h"
#include "service/text.h"
#include "service/web/cookie.h"
#include "service/web/form.h"
#include "service/web/style.h"

#include <stdarg.h>
#include <string.h>

enum { LANGUAGE_SECONDS = 365 * 24 * 60 * 60, VISITOR_SECONDS = 24 * 60 * 60 };

#define HTML "text/html; charset=utf-8"

/* ---- language ---------------------------------------------------------------------------- */

Language page_language_or(const Request *request, const char *code)
{
	Language language = LANGUAGE_EN;
	if (language_parse(request_query(request, "lang"), &language))
		return language;
	const Actor *actor = request_actor(request);
	if (actor != NULL && language_parse(actor->language, &language))
		return language;
	if (language_parse(request_cookie(request, COOKIE_LANGUAGE), &language) ||
	    language_parse(code, &language))
		return language;
	return request_language(request);
}

Language page_language(const Request *request)
{
	return page_language_or(request, NULL);
}

/* The address of this page without what was only meant for once, and in another language: code;
 * NULL: in none. The caller frees. */
static char *page_url(const Request *request, const char *code)
{
	g_auto(GStrv) halves = g_strsplit(request_target(request), "?", 2);
	g_auto(GStrv) parameters = g_strsplit(halves[1] == NULL ? "" : halves[1], "&", -1);
	g_autoptr(GString) query = g_string_new(NULL);
	if (code != NULL)
		g_string_append_printf(query, "?lang=%s", code);
	for (int i = 0; parameters[i] != NULL; i++)
		if (*parameters[i] != '\0' && !g_str_has_prefix(parameters[i], "lang=") &&
		    !g_str_has_prefix(parameters[i], "done="))
			g_string_append_printf(query, "%c%s", query->len == 0 ? '?' : '&',
					       parameters[i]);
	return g_strconcat(halves[0], query->str, NULL);
}

/* A player's choice is kept with the account, so it is a POST. */
static void language_buttons(Page *page)
{
	form_begin(page, "/settings/language", "languages");
	g_autofree char *next = page_url(page->request, NULL);
	form_hidden(page, "next", next);
	for (int i = 0; i < LANGUAGE_COUNT; i++) {
		const char *code = language_code((Language)i);
		markup_line(page->markup, "button", text_get((Language)i, "language.name"), "name",
			    "language", "value", code, "lang", code, "class", "link",
			    "aria-current", page->language == (Language)i ? "true" : NULL, NULL);
	}
	form_end(page);
}

static void language_links(Page *page)
{
	markup_begin(page->markup, "p", "class", "languages", NULL);
	for (int i = 0; i < LANGUAGE_COUNT; i++) {
		const char *code = language_code((Language)i);
		g_autofree char *url = page_url(page->request, code);
		markup_line(page->markup, "a", text_get((Language)i, "language.name"), "href", url,
			    "lang", code, "hreflang", code, "aria-current",
			    page->language == (Language)i ? "true" : NULL, NULL);
		markup_text(page->markup, " ");
	}
	markup_end(page->markup);
}

/* ---- head and foot ----------------------------------------------------------------------- */

static void head_write(Page *page, const char *heading)
{
	Markup *markup = page->markup;
	g_autofree char *title = g_strdup_printf("%s – Ludopost", heading);
	markup_begin(markup, "head", NULL);
	markup_empty(markup, "meta", "charset", "utf-8", NULL);
	markup_line(markup, "title", title, NULL);
	markup_empty(markup, "meta", "name", "viewport", "content",
		     "width=device-width, initial-scale=1", NULL);
	markup_empty(markup, "meta", "name", "color-scheme", "content", "light dark", NULL);
	markup_empty(markup, "link", "rel", "stylesheet", "href", style_url(), NULL);
	markup_empty(markup, "link", "rel", "icon", "type", "image/svg+xml", "href", "/icon.svg",
		     NULL);
	markup_end(markup);
}

static void nav_item(Page *page, const char *path, const char *key)
{
	const char *target = request_target(page->request);
	size_t size = strcspn(target, "?");
	bool here = strlen(path) == size && strncmp(path, target, size) == 0;
	markup_begin(page->markup, "li", NULL);
	markup_line(page->markup, "a", text_get(page->language, key), "href", path, "aria-current",
		    here ? "page" : NULL, NULL);
	markup_end(page->markup);
}

static void header_write(Page *page)
{
	Markup *markup = page->markup;
	const bool known = request_actor(page->request) != NULL;
	markup_line(markup, "a", text_get(page->language, "page.skip"), "class", "skip", "href",
		    "#main", NULL);
	markup_begin(markup, "header", NULL);
	markup_line(markup, "a", "Ludopost", "class", "brand", "href", "/", NULL);
	markup_begin(markup, "nav", "aria-label", text_get(page->language, "page.nav"), NULL);
	markup_begin(markup, "ul", NULL);
	if (known)
		nav_item(page, "/games", "page.nav.games");
	nav_item(page, "/rules", "page.nav.rules");
	if (known) {
		nav_item(page, "/settings", "page.nav.settings");
	} else {
		nav_item(page, "/login", "page.nav.login");
		nav_item(page, "/sign-up", "page.nav.sign-up");
	}
	markup_end(markup);
	markup_end(markup);
	markup_end(markup);
}

static void account_write(Page *page)
{
	const Actor *actor = request_actor(page->request);
	if (actor == NULL)
		return;
	form_begin(page, "/logout", "account");
	page_say_with(page, "span", "page.logged-in", "player", actor->name, NULL);
	markup_text(page->markup, " ");
	form_button(page, &(FormButton){.key = "page.nav.logout", .css_class = "link"});
	form_end(page);
}

static void footer_write(Page *page)
{
	Markup *markup = page->markup;
	markup_begin(markup, "footer", NULL);
	if (strcmp(request_method(page->request), "GET") == 0) {
		markup_begin(markup, "nav", "aria-label",
			     text_get(page->language, "page.languages"), NULL);
		if (request_actor(page->request) != NULL)
			language_buttons(page);
		else
			language_links(page);
		markup_end(markup);
	}
	page_link_line(page, "/privacy", "page.privacy");
	account_write(page);
	markup_end(markup);
}

/* What the POST before did, by a word of [page.done]. */
static void notice_write(Page *page)
{
	const char *word = request_query(page->request, "done");
	if (word == NULL)
		return;
	g_autofree char *key = g_strconcat("page.done.", word, NULL);
	const char *text = text_find(page->language, key);
	if (text != NULL)
		markup_line(page->markup, "p", text, "class", "notice", "role", "status", NULL);
}

/* What somebody who is logged in ought to mend. */
static void reminders_write(Page *page)
{
	const Actor *actor = request_actor(page->request);
	const struct {
		bool due;
		const char *text;
	} reminders[] = {
		{actor != NULL && actor->unreachable, "page.reminder.unreachable"},
		{actor != NULL && actor->guest, "page.reminder.guest"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(reminders); i++) {
		if (!reminders[i].due)
			continue;
		markup_begin(page->markup, "p", "class", "warning", NULL);
		markup_text(page->markup, text_get(page->language, reminders[i].text));
		markup_text(page->markup, " ");
		page_link(page, "/settings", "page.nav.settings");
		markup_end(page->markup);
	}
}

Page *page_open_in(Request *request, Language language, const char *heading)
{
	Page *page = g_new0(Page, 1);
	page->request = request;
	page->language = language;
	page->markup = markup_new();
	markup_begin(page->markup, "html", "lang", language_code(page->language), NULL);
	head_write(page, heading);
	markup_begin(page->markup, "body", NULL);
	header_write(page);
	markup_begin(page->markup, "main", "id", "main", "tabindex", "-1", NULL);
	markup_line(page->markup, "h1", heading, NULL);
	notice_write(page);
	reminders_write(page);
	return page;
}

Page *page_open(Request *request, const char *heading)
{
	return page_open_in(request, page_language(request), heading);
}

Page *page_open_key(Request *request, const char *key)
{
	return page_open(request, text_get(page_language(request), key));
}

static void cookies_write(const Page *page, Response *response)
{
	const Config *config = request_config(page->request);
	if (page->visitor_new)
		cookie_set(response, config, COOKIE_VISITOR, page->visitor, VISITOR_SECONDS);
	Language language = LANGUAGE_EN;
	if (request_actor(page->request) == NULL &&
	    language_parse(request_query(page->request, "lang"), &language))
		cookie_set(response, config, COOKIE_LANGUAGE, language_code(language),
			   LANGUAGE_SECONDS);
}

Response *page_close(Page *page, int status)
{
	markup_end(page->markup);
	footer_write(page);
	markup_end(page->markup);
	markup_end(page->markup);
	Response *response = response_text(status, HTML, markup_finish(page->markup));
	response_header(response, "Content-Language", language_code(page->language));
	response_header(response, "Vary", "Cookie, Accept-Language");
	cookies_write(page, response);
	g_free(page->visitor);
	g_free(page);
	return response;
}

/* ---- pieces ------------------------------------------------------------------------------ */

void page_say(Page *page, const char *element, const char *key)
{
	markup_line(page->markup, element, text_get(page->language, key), NULL);
}

void page_say_with(Page *page, const char *element, const char *key, ...)
{
	g_autoptr(GPtrArray) pairs = g_ptr_array_new();
	va_list arguments;
	va_start(arguments, key);
	for (void *text = va_arg(arguments, void *); text != NULL; text = va_arg(arguments, void *))
		g_ptr_array_add(pairs, text);
	va_end(arguments);
	g_autofree char *text = text_format_pairs(page->language, key, pairs);
	markup_line(page->markup, element, text, NULL);
}

void page_link(Page *page, const char *url, const char *key)
{
	markup_line(page->markup, "a", text_get(page->language, key), "href", url, NULL);
}

void page_link_line(Page *page, const char *url, const char *key)
{
	markup_begin(page->markup, "p", NULL);
	page_link(page, url, key);
	markup_end(page->markup);
}

void page_table_begin(Page *page, const char *label, const char *css_class,
		      const char *const *heads)
{
	markup_begin(page->markup, "div", "class", css_class, "tabindex", "0", "role", "region",
		     "aria-label", text_get(page->language, label), NULL);
	markup_begin(page->markup, "table", NULL);
	markup_begin(page->markup, "thead", NULL);
	markup_begin(page->markup, "tr", NULL);
	for (; *heads != NULL; heads++)
		markup_line(page->markup, "th", text_get(page->language, *heads), "scope", "col",
			    NULL);
	markup_end(page->markup);
	markup_end(page->markup);
	markup_begin(page->markup, "tbody", NULL);
}

void page_table_end(Page *page)
{
	markup_end(page->markup);
	markup_end(page->markup);
	markup_end(page->markup);
}

void page_error(Page *page, const GError *error)
{
	if (error == NULL)
		return;
	g_autofree char *detail = form_fault(page, error);
	markup_line(page->markup, "p", detail, "class", "error", "role", "alert", NULL);
}

const char *page_time_zone(const Page *page)
{
	const Actor *actor = request_actor(page->request);
	return actor == NULL ? "UTC" : actor->time_zone;
}

void page_time(Page *page, const char *instant)
{
	if (instant == NULL)
		return;
	g_autofree char *text = text_time(page->language, instant, page_time_zone(page));
	markup_line(page->markup, "time", text, NULL);
}

/* ---- answers ----------------------------------------------------------------------------- */

Response *page_redirect(const char *path, const char *done)
{
	if (done == NULL)
		return response_redirect(path);
	g_autofree char *location =
		g_strdup_printf("%s%cdone=%s", path, strchr(path, '?') == NULL ? '?' : '&', done);
	return response_redirect(location);
}

Response *page_tell(Request *request, int status, const char *topic)
{
	g_autofree char *title = g_strdup_printf("page.%s.title", topic);
	g_autofree char *text = g_strdup_printf("page.%s.text", topic);
	Page *page = page_open_key(request, title);
	page_say(page, "p", text);
	page_link_line(page, "/", "page.home");
	return page_close(page, status);
}

Response *page_problem(Request *request, const GError *problem)
{
	ProblemCode code = problem_code(problem);
	Page *page = page_open(request, problem_title(code, page_language(request)));
	if (code == PROBLEM_UNAUTHORIZED) {
		page_say(page, "p", "page.problem.login");
		page_link_line(page, "/login", "page.nav.login");
	} else {
		page_error(page, problem);
	}
	if (code == PROBLEM_INTERNAL)
		page_say_with(page, "p", "page.problem.request", "request", request_name(request),
			      NULL);
	page_link_line(page, "/", "page.home");
	return page_close(page, problem_status(code));
}
