/*
 * What all pages have in common: language, head, navigation, notices, forms with their CSRF token,
 * and the cookies. No page has a script; GET changes nothing on the server.
 *
 *     Page *page = page_open(request, text_get(language, "page.login.title"));
 *     page_say(page, "p", "page.login.how");
 *     return page_close(page, 200);
 */
#ifndef SERVICE_WEB_PAGE_H
#define SERVICE_WEB_PAGE_H

#include "service/request.h"
#include "service/web/markup.h"

typedef struct Page {
	Request *request;
	Language language;
	Markup *markup;
	char *visitor;    /* cookie that a stranger's forms are bound to; NULL: no form yet */
	bool visitor_new; /* it must be set */
	int fields;       /* written so far: their ids are numbered */
} Page;

/* The language a page is shown in: "?lang=", the player's, the cookie's, Accept-Language's. */
Language page_language(const Request *request);
/* The same for a page that mails lead to: the language of the mail (by its code; NULL: none) stands
 * before Accept-Language. */
Language page_language_or(const Request *request, const char *code);
/* Begins a page up to its heading, which is also its title. The caller ends it by page_close. */
Page *page_open(Request *request, const char *heading);
Page *page_open_in(Request *request, Language language, const char *heading);
/* The same, the heading being a text of the catalogue. */
Page *page_open_key(Request *request, const char *key);
/* Ends it and makes the answer. Frees page. */
Response *page_close(Page *page, int status);

/* ---- pieces; the texts of keys are in service/text/<lang>.page.ini ---- */

/* A whole element with a text of the catalogue. */
void page_say(Page *page, const char *element, const char *key);
/* The same with {{name}} filled: pairs of name and value, then NULL. */
void page_say_with(Page *page, const char *element, const char *key, ...) G_GNUC_NULL_TERMINATED;
/* A link with a text of the catalogue. */
void page_link(Page *page, const char *url, const char *key);
/* A paragraph that holds nothing but such a link. */
void page_link_line(Page *page, const char *url, const char *key);
/* A table: label names it to screen readers, heads are the columns' keys, up to NULL. The rows
 * follow, then page_table_end. css_class: "scroll", or "scroll cards" if on narrow screens a row is
 * to be a card, each cell behind its head: such cells have it as "data-head". */
void page_table_begin(Page *page, const char *label, const char *css_class,
		      const char *const *heads);
void page_table_end(Page *page);
/* What went wrong, for people, above a form; screen readers say it at once. NULL: nothing. */
void page_error(Page *page, const GError *error);
/* An instant as the viewer's clock shows it, in a time element. As db rows have it; NULL: none. */
void page_time(Page *page, const char *instant);
/* The viewer's time zone; "UTC" for strangers. */
const char *page_time_zone(const Page *page);

/* ---- answers ---- */

/* To another page after a POST; done: a word of [page.done] that is shown there, or NULL. */
Response *page_redirect(const char *path, const char *done);
/* A page that only tells something: texts "page.<topic>.title" and "page.<topic>.text". */
Response *page_tell(Request *request, int status, const char *topic);
/* The page that shows a problem: see dispatch.h. */
Response *page_problem(Request *request, const GError *problem);

#endif
