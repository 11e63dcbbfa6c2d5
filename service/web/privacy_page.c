/* What is kept about people and how long, in their language. */
#include "service/text.h"
#include "service/web/page.h"
#include "service/web/pages.h"

#include <string.h>

/* The title is the page's own. */
static void part_write(Page *page, const char *name, GPtrArray *words)
{
	g_autofree char *key = g_strconcat("privacy.", name, NULL);
	if (strcmp(name, "title") == 0)
		return;
	g_autofree char *text = text_format_pairs(page->language, key, words);
	markup_line(page->markup, g_str_has_suffix(name, ".heading") ? "h2" : "p", text, NULL);
}

Response *privacy_page_get(Request *request, GError **error)
{
	(void)error;
	const Config *config = request_config(request);
	g_autofree char *days = g_strdup_printf("%d", config->inbox_days);
	g_autofree char *contact = g_strconcat("postmaster@", config->mail_domain, NULL);
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	void *const pairs[] = {"days", days, "contact", contact};
	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++)
		g_ptr_array_add(words, pairs[i]);
	Page *page = page_open_key(request, "privacy.title");
	for (const char *const *name = text_section("privacy"); *name != NULL; name++)
		part_write(page, *name, words);
	return page_close(page, 200);
}
