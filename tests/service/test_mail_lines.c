/* No line of a mail is a whole command, wherever its sentences are broken (service/mail_guard.h).
 */
#include "mail/template.h"
#include "service/embedded.h"
#include "service/mail_guard.h"
#include "service/text.h"
#include "tests/rules/check.h"

#include <string.h>

enum { WIDTH_LEAST = 30, WIDTHS = 50 };

/* How lines are broken: at so many widths, the first of them by the seed. */
static struct {
	size_t first, step;
} widths;

/* What is put where a text has a placeholder: the worst there can be. */
static const struct {
	const char *name, *value;
} values[] = {
	{"turn", "c2-c4"},
	{"turns", "c2-c4"},
	{"written", "c2-c4"},
	{"example", "legal\u00a0c2"},
	{"first", "c2-c4"},
	{"second", "c2-c4"},
	{"game", "7"},
	{"challenge", "7"},
	{"count", "7"},
	{"squares", "c2"},
	{"start", "c2"},
	{"command", "resign"},
	{"item", "resign"},
	{"word", "legal"},
	{"others", "resign"},
	{"accept", "accept"},
	{"options", "stop"},
	{"keys", "ordo"},
	{"rules", "Ordo X"},
	{"layout_word", "layout"},
	{"layout_whole", "layout\u00a0vhzvhzv/n+vznhng/vz+zhnhz"},
	{"accept_word", "accept"},
	{"help_word", "help"},
	{"rules_whole", "rules\u00a0xo"},
	{"example_word", "example"},
	{"layout_line", "vhzvhzv/n+vznhng/vz+zhnhz"},
};

static const char *value_of(const char *name, size_t length)
{
	for (size_t i = 0; i < G_N_ELEMENTS(values); i++)
		if (strlen(values[i].name) == length && strncmp(values[i].name, name, length) == 0)
			return values[i].value;
	return "Anna";
}

static char *line_fill(const char *line)
{
	GString *filled = g_string_new(NULL);
	const char *open;
	while ((open = strstr(line, "{{")) != NULL) {
		const char *close = strstr(open, "}}");
		g_assert_nonnull(close);
		g_string_append_len(filled, line, open - line);
		g_string_append(filled, value_of(open + 2, (size_t)(close - open - 2)));
		line = close + 2;
	}
	g_string_append(filled, line);
	return g_string_free(filled, FALSE);
}

/* A value alone in its paragraph is looked at where it is made. */
static bool is_placeholder_alone(const char *line)
{
	line += strspn(line, " ");
	const char *close = strstr(line, "}}");
	return g_str_has_prefix(line, "{{") && close != NULL && close[2] == '\0';
}

/* The line broken at a width, as mails are. */
static char *line_wrap(const char *line, size_t width)
{
	GString *text = g_string_new(NULL);
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	size_t used = 0;
	for (int i = 0; words[i] != NULL; i++) {
		const size_t length = (size_t)g_utf8_strlen(words[i], -1);
		const bool fits = used + 1 + length <= width;
		g_string_append_printf(text, "%s%s", i == 0 ? "" : fits ? " " : "\n", words[i]);
		used = i > 0 && fits ? used + 1 + length : length;
	}
	return g_string_free(text, FALSE);
}

static void widths_choose(void)
{
	g_autoptr(GRand) random = check_random();
	widths.step = (size_t)(WIDTHS / CLAMP(check_rounds(WIDTHS / 10), 1, WIDTHS));
	widths.first = WIDTH_LEAST + (size_t)g_rand_int_range(random, 0, (int)widths.step);
}

static void lines_check(const char *where, const char *text)
{
	g_autofree char *guarded = mail_guard_lines(text);
	g_auto(GStrv) lines = g_strsplit(guarded, "\n", -1);
	for (int i = 0; lines[i] != NULL; i++) {
		if (!mail_guard_is_command(lines[i]))
			continue;
		g_test_message("%s: a line is: %s", where, lines[i]);
		g_test_fail();
	}
}

static void line_check(const char *where, const char *line)
{
	if (is_placeholder_alone(line))
		return;
	g_autofree char *filled = line_fill(line);
	g_autofree char *before = NULL;
	for (size_t width = widths.first; width < WIDTH_LEAST + WIDTHS; width += widths.step) {
		g_autofree char *text = line_wrap(filled, width);
		if (g_strcmp0(text, before) != 0)
			lines_check(where, text);
		g_free(before);
		before = g_steal_pointer(&text);
	}
}

static void no_line_of_a_template_is_a_command_however_it_is_wrapped(void)
{
	for (size_t n = 0; mail_template_path(n) != NULL; n++) {
		g_auto(GStrv) lines = g_strsplit(mail_template_source(n), "\n", -1);
		for (int i = 1; lines[0] != NULL && lines[i] != NULL; i++)
			line_check(mail_template_path(n), lines[i]);
	}
}

/* Sections of which nothing stands in a mail, or only inside a line of another text. */
static bool is_elsewhere(const char *section, const char *key)
{
	static const char *const sections[] = {"page",   "nav",    "field", "words", "challenge",
					       "side",   "help",   "board", "turn",  "language",
					       "ground", "option", NULL};
	/* Headings of the rules are marked where they stand in a mail. */
	return g_strv_contains(sections, section) || strcmp(key, "subject") == 0 ||
	       g_str_has_suffix(key, ".heading");
}

static void section_check(GKeyFile *file, const char *path, const char *section)
{
	g_auto(GStrv) keys = g_key_file_get_keys(file, section, NULL, NULL);
	for (int i = 0; keys[i] != NULL; i++) {
		g_autofree char *text = g_key_file_get_string(file, section, keys[i], NULL);
		g_autofree char *where = g_strdup_printf("%s [%s] %s", path, section, keys[i]);
		if (!is_elsewhere(section, keys[i]))
			line_check(where, text);
	}
}

static void no_sentence_of_a_mail_ends_with_a_command(void)
{
	for (const EmbeddedFile *file = service_files; file->path != NULL; file++) {
		if (!g_str_has_suffix(file->path, ".ini") ||
		    g_str_has_suffix(file->path, ".page.ini"))
			continue;
		g_autoptr(GKeyFile) keys = g_key_file_new();
		g_assert_true(g_key_file_load_from_data(keys, (const char *)file->bytes, file->size,
							G_KEY_FILE_NONE, NULL));
		g_auto(GStrv) sections = g_key_file_get_groups(keys, NULL);
		for (int i = 0; sections[i] != NULL; i++)
			section_check(keys, file->path, sections[i]);
	}
}

static void a_line_that_would_be_a_command_gets_a_word_of_the_line_before(void)
{
	g_autofree char *text =
		mail_guard_lines("you can always write\nhelp.\n\nOr this is what I would\nsay to "
				 "you\n\nresign\n");
	g_assert_cmpstr(text, ==,
			"you can always\nwrite help.\n\nOr this is what I\nwould say to you\n\n"
			"resign\n");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	text_init();
	widths_choose();
#define TEST(name) g_test_add_func("/mail_lines/" #name, name)
	TEST(no_line_of_a_template_is_a_command_however_it_is_wrapped);
	TEST(no_sentence_of_a_mail_ends_with_a_command);
	TEST(a_line_that_would_be_a_command_gets_a_word_of_the_line_before);
	return g_test_run();
}
