/* Layouts in mails: which lines are meant as such, and which words would give one away. */
#include "service/mail_layout.h"

#include "service/mail_command.h"

#include <glib.h>
#include <string.h>

static void lines_that_are_ranks_of_a_layout(void)
{
	static const struct {
		const char *line;
		bool is;
	} rows[] = {
		{"vhzvhzv", true},
		{"n+vznhng", true},
		{"v h z v h z v", true},
		{"|-/\\+|g", true},
		{"7", true},
		{"vhz/n+v/g", true},
		{"vhzvhxv", true},
		{"vhzvhzv anna", false},
		{"anna", false},
		{"hans", false},
		{"is nice", false},
		{"random", false},
		{"hanging", false},
		{"", false},
		{"c2-c4", false},
		{"sent from my phone", false},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_test_message("%s", rows[i].line);
		g_assert_cmpint(mail_layout_is(rows[i].line), ==, rows[i].is);
	}
}

static void words_that_show_a_layout(void)
{
	static const char *const shown[] = {
		"vhz",
		"My army: vhzvhzv/n+vznhng/vz+zhnhz.",
		"(VHZVHZV)",
		"hello\n| - /\nbye",
		"ｖｈｚｖｈ and so on",
		"look: vhzvhzx",
		"vНzvhzv",
	};
	static const char *const hidden[] = {
		"Good luck!",
		"2026-12-24",
		"On 2026-12-24 at 12:30/13:00 I am away.",
		"http://example.org/zhng",
		"+49 30 1234567",
		"see you -- Hn",
		"Zhang",
		"Удачи!",
		"1-2",
	};
	for (size_t i = 0; i < G_N_ELEMENTS(shown); i++) {
		g_test_message("%s", shown[i]);
		g_assert_true(mail_layout_shows(shown[i]));
	}
	for (size_t i = 0; i < G_N_ELEMENTS(hidden); i++) {
		g_test_message("%s", hidden[i]);
		g_assert_false(mail_layout_shows(hidden[i]));
	}
}

/* What a line or a block is read as: the command's one form; NULL: a remark. */
static void assert_read(unsigned where, const char *text, const char *expected)
{
	const MailPlace place = {where, rules_find("xo"), false};
	g_auto(MailCommand) command = {.id = MAIL_COMMAND_NONE};
	g_test_message("%s", text);
	const MailReading reading = mail_command_read(text, &place, &command);
	g_assert_cmpstr(reading == MAIL_READING_REMARK ? NULL : command.text, ==, expected);
}

static void commands_for_a_layout_have_one_form(void)
{
	static const struct {
		const char *text, *expected;
	} rows[] = {
		{"layout", "layout"},
		{"Layout:", "layout"},
		{"layout random", "layout random"},
		{"Layout: random.", "layout random"},
		{"placement au hasard", "layout random"},
		{"расстановка случайно", "layout random"},
		{"Aufstellung wie in Partie 41", "layout like 41"},
		{"colocación como 41", "layout like 41"},
		{"layout like him", NULL},
		{"layout is fine", NULL},
		{"layout vhz/n+v", "layout vhz/n+v"},
		{"layout v h z", "layout vhz"},
		{"layout\nV H Z\nn+v", "layout vhz/n+v"},
		{"layout vhz\nn+v", "layout vhz/n+v"},
		{"layout\n|-/\n\\+|g", "layout |-/\n\\+|g"},
		{"layout\nvhz\nn+v.", "layout vhz/n+v"},
		{"layout\nhello there", NULL},
		{"layout\nvhzvhav\nvhz", "layout vhzvhav/vhz"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_read(MAIL_PLACE_GAME, rows[i].text, rows[i].expected);
	assert_read(MAIL_PLACE_PLAY, "layout 7\nvhz\nn+v", "layout vhz/n+v");
	assert_read(MAIL_PLACE_PLAY, "layout 7 random", "layout random");
	assert_read(MAIL_PLACE_PLAY, "layout random", NULL);
}

static void two_dashes_are_no_turn_and_a_pass_is_a_word(void)
{
	assert_read(MAIL_PLACE_GAME, "pass", "pass");
	assert_read(MAIL_PLACE_GAME, "--", NULL);
	assert_read(MAIL_PLACE_GAME, "- -.", NULL);
	assert_read(MAIL_PLACE_PLAY, "move 7 pass", "pass");
	assert_read(MAIL_PLACE_PLAY, "move 7 b3~,c3xc10", "b3~,c3xc10");
	assert_read(MAIL_PLACE_PLAY, "move 7 --", NULL);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/mail_layout/lines_that_are_ranks_of_a_layout",
			lines_that_are_ranks_of_a_layout);
	g_test_add_func("/mail_layout/words_that_show_a_layout", words_that_show_a_layout);
	g_test_add_func("/mail_layout/commands_for_a_layout_have_one_form",
			commands_for_a_layout_have_one_form);
	g_test_add_func("/mail_layout/two_dashes_are_no_turn_and_a_pass_is_a_word",
			two_dashes_are_no_turn_and_a_pass_is_a_word);
	return g_test_run();
}
