#include "service/web/markup.h"

#include <string.h>

static void assert_document(Markup *markup, const char *expected)
{
	GString *text = markup_finish(markup);
	g_assert_true(g_str_has_prefix(text->str, "<!DOCTYPE html>\n"));
	g_assert_cmpstr(text->str + strlen("<!DOCTYPE html>\n"), ==, expected);
	g_string_free(text, TRUE);
}

static void text_and_values_are_escaped(void)
{
	Markup *markup = markup_new();
	markup_begin(markup, "p", "title", "\"><script>'", NULL);
	markup_text(markup, "<b>&amp;</b>");
	markup_end(markup);
	assert_document(markup, "<p title=\"&quot;&gt;&lt;script&gt;&#39;\">"
				"&lt;b&gt;&amp;amp;&lt;/b&gt;</p>\n");
}

static void elements_close_in_their_order(void)
{
	Markup *markup = markup_new();
	markup_begin(markup, "ul", NULL);
	markup_line(markup, "li", "one", NULL);
	markup_begin(markup, "li", NULL);
	markup_line(markup, "a", "two", "href", "/", NULL);
	markup_end(markup);
	markup_end(markup);
	assert_document(markup, "<ul><li>one</li>\n<li><a href=\"/\">two</a></li>\n</ul>\n");
}

static void a_missing_value_leaves_its_attribute_out(void)
{
	Markup *markup = markup_new();
	markup_empty(markup, "input", "value", NULL, "name", "turn", "required", "", NULL);
	assert_document(markup, "<input name=\"turn\" required>");
}

static void no_text_is_no_text(void)
{
	Markup *markup = markup_new();
	markup_line(markup, "td", NULL, NULL);
	assert_document(markup, "<td></td>\n");
}

static void an_element_left_open_ends_the_program(void)
{
	if (g_test_subprocess()) {
		Markup *markup = markup_new();
		markup_begin(markup, "p", NULL);
		markup_finish(markup);
		return;
	}
	g_test_trap_subprocess(NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
	g_test_trap_assert_failed();
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/markup/text_and_values_are_escaped", text_and_values_are_escaped);
	g_test_add_func("/markup/elements_close_in_their_order", elements_close_in_their_order);
	g_test_add_func("/markup/a_missing_value_leaves_its_attribute_out",
			a_missing_value_leaves_its_attribute_out);
	g_test_add_func("/markup/no_text_is_no_text", no_text_is_no_text);
	g_test_add_func("/markup/an_element_left_open_ends_the_program",
			an_element_left_open_ends_the_program);
	return g_test_run();
}
