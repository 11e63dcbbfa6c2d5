#include "service/text.h"
#include "service/web/page.h"
#include "service/web/pages.h"

#include <string.h>

Response *problem_page_list(Request *request)
{
	Page *page = page_open_key(request, "page.problems.title");
	page_say(page, "p", "page.problems.text");
	markup_begin(page->markup, "ul", NULL);
	for (int code = 0; code < PROBLEM_COUNT; code++) {
		markup_begin(page->markup, "li", NULL);
		markup_line(page->markup, "a", problem_type((ProblemCode)code), "href",
			    problem_url((ProblemCode)code), NULL);
		markup_text(page->markup, " – ");
		markup_text(page->markup, problem_title((ProblemCode)code, page->language));
		markup_end(page->markup);
	}
	markup_end(page->markup);
	return page_close(page, 200);
}

Response *problem_page_get(Request *request, ProblemCode code)
{
	Page *page = page_open(request, problem_title(code, page_language(request)));
	g_autofree char *status = g_strdup_printf("%d", problem_status(code));
	const char *meaning = problem_meaning(code, page->language);
	if (meaning != NULL)
		markup_line(page->markup, "p", meaning, NULL);
	markup_begin(page->markup, "dl", NULL);
	page_say(page, "dt", "page.problems.type");
	markup_begin(page->markup, "dd", NULL);
	markup_line(page->markup, "code", problem_type(code), NULL);
	markup_end(page->markup);
	page_say(page, "dt", "page.problems.status");
	markup_line(page->markup, "dd", status, NULL);
	markup_end(page->markup);
	page_link_line(page, "/problems", "page.problems.title");
	return page_close(page, 200);
}
