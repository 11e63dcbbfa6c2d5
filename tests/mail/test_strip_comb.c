/* mail/strip_comb.h: which lines without a mark belong to the quotation around them. */
#include <glib.h>

#include "mail/strip_comb.h"

#define LONG "> you can write the rules of the game you like, and one of these"

/* The lines that are no quotation, parted by "|". */
static char *rest_of(const char *text)
{
	GString *rest = g_string_new(NULL);
	MailLines *lines = lines_of_plain(text, (LinesFlow){false, false});
	strip_comb_mark(lines);
	for (size_t i = 0; i < lines->len; i++) {
		const MailLine *line = lines_at(lines, i);
		if (line->depth == 0 && line->text[0] != '\0') {
			g_string_append_printf(rest, "%s%s", rest->len > 0 ? "|" : "", line->text);
		}
	}
	lines_free(lines);
	return g_string_free(rest, FALSE);
}

static void check(const char *text, const char *expected)
{
	g_autofree char *rest = rest_of(text);
	g_assert_cmpstr(rest, ==, expected);
}

static void a_word_that_found_no_room_is_a_remainder(void)
{
	check(LONG "\nboard\n> or territory\n", "");
	check(LONG "\nboard\n>\n", "");
	check(LONG "\nboard, or what you\n> like\n", "");
	check("> " LONG "\nboard\n> > or territory\n", "");
	check("AK" LONG "\nboard\nAK> or territory\n", "");
	check(LONG ":\nboard\n> or territory\n", "");
	check(LONG ".\nBoard\n> or territory\n", "");
}

static void a_long_line_leaves_several(void)
{
	check(LONG "\nand here it goes on for so long that there is again no room for\nboard\n>\n",
	      "");
	check(LONG "\nboard\nhelp\n> or territory\n", "board|help");
}

static void an_answer_is_none(void)
{
	check("> Your turn?\nc2-c4\n> next\n", "c2-c4");
	check(LONG "?\nThis one.\n> Good luck\n", "This one.");
	check(LONG " here, in your mail\nc2-c4\n\n> next\n", "c2-c4");
	check(LONG "\n\nboard\n> next\n", "board");
	check("> "
	      "https://play.example.org/a/very/long/address/of/a/very/long/page/it/is\nboard\n>\n",
	      "board");
	check("board\n" LONG "\n", "board");
}

static void a_line_that_is_not_the_longest_was_not_wrapped(void)
{
	check(LONG "\nboard\n> this line is longer than the one above with the word behind it\n",
	      "");
	check(LONG "\nboard\n> this line is longer than the one above together with the word "
		   "behind it\n",
	      "board");
}

static void below_the_last_line_only_other_remainders_tell(void)
{
	check(LONG "\nboard\n", "board");
	check(LONG "\none\n>\n" LONG "\nboard\n", "");
	check(LONG "\none\n>\n" LONG "\nboard\n\n> next\n", "");
	check(LONG "\none\n>\n" LONG "\nc2-c4\n", "c2-c4");
	check(LONG "\none\n>\n" LONG ".\nboard\n", "board");
}

static void what_needs_no_blanks_may_be_a_sentence(void)
{
	check("> ?\nいい質問ですね。今週はとても忙しいので、来週まで待ってください。よろしくお願い"
	      "いたします。それではまた来週お会いしましょう。\n> .\n",
	      "いい質問ですね。今週はとても忙しいので、来週まで待ってください。よろしくお願い"
	      "いたします。それではまた来週お会いしましょう。");
	check(">\nhttps://play.example.org/a/very/long/address/of/a/very/long/page/it/is\n>\n", "");
}

int main(int count, char **arguments)
{
	g_test_init(&count, &arguments, NULL);
#define TEST(name) g_test_add_func("/mail/" #name, name)
	TEST(a_word_that_found_no_room_is_a_remainder);
	TEST(a_long_line_leaves_several);
	TEST(an_answer_is_none);
	TEST(a_line_that_is_not_the_longest_was_not_wrapped);
	TEST(below_the_last_line_only_other_remainders_tell);
	TEST(what_needs_no_blanks_may_be_a_sentence);
	return g_test_run();
}
