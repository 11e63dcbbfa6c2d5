/* What answers to commands are made of: the help, lists of legal turns, wishes of challenges. */
#include "service/mail_challenge.h"
#include "service/mail_command_words.h"
#include "service/mail_guard.h"
#include "service/mail_help.h"
#include "service/mail_legal.h"
#include "service/mail_rules.h"
#include "service/text.h"

#include <string.h>

/* ---- help ---- */

static char *help_of(Language language, unsigned where)
{
	Config config = {.mail_domain = (char *)(uintptr_t) "play.example.org"};
	return mail_help_text(&config, language, where);
}

static void the_help_lists_every_command_of_the_table_in_every_language(void)
{
	for (int l = 0; l < LANGUAGE_COUNT; l++) {
		g_autofree char *help = help_of((Language)l, MAIL_PLACE_GAME);
		for (const MailCommandRow *row = mail_commands; row->id != MAIL_COMMAND_NONE;
		     row++) {
			g_test_message("%s: %s", language_code((Language)l), row->word);
			g_autofree char *begin = g_strdup_printf("•\u00a0%s", row->words[l][0]);
			g_assert_nonnull(strstr(help, begin));
			for (int i = 0; i < MAIL_COMMAND_WORDS && row->words[l][i]; i++)
				g_assert_nonnull(strstr(help, row->words[l][i]));
		}
		g_assert_nonnull(strstr(help, "play@play.example.org"));
	}
}

static void the_help_says_what_of_xo_is_our_word(void)
{
	static const char *const words[LANGUAGE_COUNT] = {"reconstruction", "reconstrucción",
							  "reconstitution", "реконструкция",
							  "Rekonstruktion"};
	for (int l = 0; l < LANGUAGE_COUNT; l++) {
		g_autofree char *help = help_of((Language)l, MAIL_PLACE_GAME);
		g_assert_nonnull(strstr(help, words[l]));
		g_autofree char *command =
			g_strdup_printf("%s\u00a0xo", mail_help_word(MAIL_RULES, (Language)l));
		g_assert_nonnull(strstr(help, command));
	}
}

static void no_line_of_the_help_is_a_command(void)
{
	for (int l = 0; l < LANGUAGE_COUNT; l++) {
		g_autofree char *help = help_of((Language)l, MAIL_PLACE_INVITE);
		g_auto(GStrv) lines = g_strsplit(help, "\n", -1);
		for (int i = 0; lines[i] != NULL; i++) {
			g_test_message("%s", lines[i]);
			g_assert_false(mail_guard_is_command(lines[i]));
		}
	}
}

/* A sample in the help must be what the command takes. */
static void every_sample_of_the_help_is_understood(void)
{
	for (int l = 0; l < LANGUAGE_COUNT; l++) {
		for (const MailCommandRow *row = mail_commands; row->id != MAIL_COMMAND_NONE;
		     row++) {
			g_autofree char *key = g_strdup_printf("help.%s.sample", row->word);
			const char *sample = text_find((Language)l, key);
			const MailPlace place = {row->places & MAIL_PLACE_GAME ? MAIL_PLACE_GAME
						 : row->places & MAIL_PLACE_PLAY
							 ? MAIL_PLACE_PLAY
							 : MAIL_PLACE_INVITE,
						 rules_find("ordo"), false};
			g_autofree char *line =
				g_strdup_printf("%s%s%s", row->words[l][0], sample ? " " : "",
						sample ? sample : "");
			g_auto(MailCommand) command = {.id = MAIL_COMMAND_NONE};
			g_test_message("%s", line);
			g_assert_cmpint(mail_command_read(line, &place, &command), ==,
					MAIL_READING_COMMAND);
			g_assert_cmpint(command.id, ==, row->id);
		}
		g_autofree char *day = g_utf8_strdown(text_get((Language)l, "words.day"), -1);
		g_assert_true(mail_command_words_day(day));
		g_assert_true(mail_command_words_all(text_get((Language)l, "words.all")));
	}
}

/* ---- legal turns ---- */

static void legal_find(const char *key, const char *board, const char *start, MailLegal *legal_r)
{
	const GameRules *rules = rules_find(key);
	Position position;
	Refusal refusal;
	g_assert_true(board == NULL ? rules->start("", &position, &refusal)
				    : rules->parse(board, &position, &refusal));
	mail_legal_find(rules, &position, start, LANGUAGE_EN, legal_r);
	g_auto(GStrv) lines = g_strsplit(legal_r->lines, "\n", -1);
	for (int i = 0; lines[i] != NULL; i++) {
		g_test_message("%s", lines[i]);
		g_assert_false(mail_guard_is_command(lines[i]));
		g_assert_cmpint(g_utf8_strlen(lines[i], -1), <=, 40);
	}
}

static void assert_legal(const char *key, const char *start, int count, const char *some)
{
	MailLegal legal;
	legal_find(key, NULL, start, &legal);
	g_assert_cmpint(legal.count, ==, count);
	g_assert_nonnull(strstr(legal.lines, some));
	mail_legal_clear(&legal);
}

static void all_legal_turns_are_listed_where_no_start_is_given(void)
{
	assert_legal("ordo", "", 56, "c2:d2-c4");
	assert_legal("ordox", "", 92, "c2-c3");
}

static void a_square_lists_what_its_stone_can_do_alone_and_in_an_ordo(void)
{
	MailLegal legal;
	legal_find("ordo", NULL, "c2", &legal);
	g_assert_nonnull(strstr(legal.lines, "c2-c4"));
	g_assert_nonnull(strstr(legal.lines, "c2:d2-c4"));
	g_assert_null(strstr(legal.lines, "\u00a0d2-"));
	g_assert_null(strstr(legal.lines, "a3-"));
	mail_legal_clear(&legal);
}

static void a_sideways_step_lists_how_the_turn_goes_on(void)
{
	const char *board = "9b/10/10/10/10/10/4w5/10 w";
	MailLegal legal;
	legal_find("ordox", board, "e2", &legal);
	g_assert_true(legal.unfinished);
	g_assert_nonnull(strstr(legal.lines, "e2-f2,…"));
	g_assert_nonnull(legal.example);
	mail_legal_clear(&legal);
	legal_find("ordox", board, "e2-f2", &legal);
	g_assert_false(legal.unfinished);
	g_assert_nonnull(strstr(legal.lines, "e2-f2,f2-f4"));
	mail_legal_clear(&legal);
	legal_find("ordox", board, "E2–F2; f2", &legal);
	g_assert_nonnull(strstr(legal.lines, "e2-f2,f2-f4"));
	mail_legal_clear(&legal);
}

static void a_start_that_no_turn_has_lists_nothing(void)
{
	MailLegal legal;
	legal_find("ordo", NULL, "e5", &legal);
	g_assert_cmpint(legal.count, ==, 0);
	g_assert_cmpstr(legal.lines, ==, "");
	mail_legal_clear(&legal);
}

static void a_whole_turn_lists_itself(void)
{
	assert_legal("ordo", "c2-c4", 1, "c2-c4");
}

/* ---- challenges ---- */

static void wishes_are_read_in_every_language_and_order(void)
{
	for (int l = 0; l < LANGUAGE_COUNT; l++) {
		g_autofree char *second =
			g_utf8_strdown(text_get((Language)l, "challenge.second"), -1);
		g_autofree char *private =
			g_utf8_strdown(text_get((Language)l, "challenge.private"), -1);
		g_autofree char *arguments =
			g_strdup_printf("bob@example.org ordox %s de %s", private, second);
		MailChallenge challenge;
		mail_challenge_read(arguments, &challenge);
		g_assert_cmpint(challenge.fault, ==, MAIL_CHALLENGE_GOOD);
		g_assert_cmpstr(challenge.opponent, ==, "bob@example.org");
		g_assert_true(challenge.is_address);
		g_assert_cmpstr(challenge.rules->key, ==, "ordox");
		g_assert_cmpstr(challenge.seat, ==, "second");
		g_assert_cmpstr(challenge.visibility, ==, "private");
		g_assert_true(challenge.has_language);
		g_assert_cmpint(challenge.language, ==, LANGUAGE_DE);
		mail_challenge_clear(&challenge);
	}
}

static void assert_challenge(const char *arguments, MailChallengeFault fault, const char *word,
			     const char *rules)
{
	MailChallenge challenge;
	mail_challenge_read(arguments, &challenge);
	g_assert_cmpint(challenge.fault, ==, fault);
	g_assert_cmpstr(challenge.fault_word, ==, word);
	g_assert_cmpstr(challenge.rules->key, ==, rules);
	mail_challenge_clear(&challenge);
}

static void what_is_no_wish_is_named(void)
{
	assert_challenge("anna ordo", MAIL_CHALLENGE_GOOD, NULL, "ordo");
	assert_challenge("anna ordo x", MAIL_CHALLENGE_GOOD, NULL, "ordox");
	assert_challenge("anna ordo x first", MAIL_CHALLENGE_GOOD, NULL, "ordox");
	assert_challenge("anna ordo fast", MAIL_CHALLENGE_OPTION, "fast", "ordo");
	assert_challenge("anna ordo first second", MAIL_CHALLENGE_TWICE, "second", "ordo");
	assert_challenge("anna ordo first first", MAIL_CHALLENGE_GOOD, NULL, "ordo");
	assert_challenge("anna ordo es de", MAIL_CHALLENGE_TWICE, "de", "ordo");
}

static void assert_options(const char *arguments, const char *options)
{
	MailChallenge challenge;
	mail_challenge_read(arguments, &challenge);
	g_test_message("%s", arguments);
	g_assert_cmpint(challenge.fault, ==, MAIL_CHALLENGE_GOOD);
	g_assert_cmpstr(challenge.options, ==, options);
	mail_challenge_clear(&challenge);
}

static void options_of_a_game_are_read_with_or_without_their_names(void)
{
	assert_options("anna ordo first", "");
	assert_options("anna xo", "");
	assert_options("anna xo 7x12 3", "");
	assert_options("anna xo 9x10 4", "9x10:4");
	assert_options("anna xo 4 9x10", "9x10:4");
	assert_options("anna xo 9x10:4", "9x10:4");
	assert_options("anna xo 9x10", "9x10");
	assert_options("anna xo territory 4", "7x12:4");
	assert_options("anna xo second 4 private", "7x12:4");
	assert_options("anna xo first board 9x10 territory 4", "9x10:4");
	assert_options("anna xo gebiet 4 brett 9x10", "9x10:4");
	assert_options("anna xo доска 9х10 территория 4", "9x10:4");
	assert_options("anna xo tablero 9×10", "9x10");
	assert_challenge("anna xo 9x10 fast", MAIL_CHALLENGE_OPTION, "fast", "xo");
	assert_challenge("anna xo board", MAIL_CHALLENGE_OPTION, "board", "xo");
	assert_challenge("anna xo 9x10 7x12", MAIL_CHALLENGE_TWICE, "7x12", "xo");
	assert_challenge("anna xo 3 4", MAIL_CHALLENGE_TWICE, "4", "xo");
	assert_challenge("anna xo 9x10 territory 9", MAIL_CHALLENGE_VALUES, NULL, "xo");
	assert_challenge("anna xo 99x10", MAIL_CHALLENGE_VALUES, NULL, "xo");
	assert_challenge("anna xo territory much", MAIL_CHALLENGE_VALUES, NULL, "xo");
	assert_challenge("anna ordo 9x10", MAIL_CHALLENGE_OPTION, "9x10", "ordo");
	assert_challenge("anna ordox territory 4", MAIL_CHALLENGE_OPTION, "territory", "ordox");
}

/* ---- rules ---- */

static void every_game_has_examples_that_are_legal(void)
{
	for (size_t i = 0; rules_at(i) != NULL; i++) {
		const GameRules *rules = rules_at(i);
		const char *board = NULL, *turn = NULL;
		int count = 0;
		for (; mail_rules_example(rules, count, &board, &turn); count++) {
			Position before, after;
			Refusal refusal;
			char canonical[RULES_TURN_MAX];
			g_test_message("%s %s", rules->key, turn);
			g_assert_true(board == NULL ? rules->start("", &before, &refusal)
						    : rules->parse(board, &before, &refusal));
			g_assert_true(rules->play(&before, turn, &after, canonical, &refusal));
			g_assert_cmpstr(canonical, ==, turn);
		}
		g_assert_cmpint(count, ==, 3);
	}
}

static void a_name_is_shown_as_it_was_written(void)
{
	static const struct {
		const char *line, *name, *shown;
	} rows[] = {
		{"challenge Nemo ordo", "nemo", "Nemo"},
		{"Challenge ALL ordo", "all", "ALL"},
		{"challenge \u201cJean Luc\u201d ordox", "jean luc", "Jean Luc"},
		{"  ВЫЗОВ  Вера ordo", "вера", "Вера"},
		{"challenge Nemo2 ordo", "nemo", "nemo"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *shown = mail_challenge_name(rows[i].line, rows[i].name);
		g_assert_cmpstr(shown, ==, rows[i].shown);
	}
}

static void options_are_listed_as_the_language_does(void)
{
	g_autofree char *english = mail_challenge_options(LANGUAGE_EN);
	g_autofree char *french = mail_challenge_options(LANGUAGE_FR);
	g_assert_true(g_str_has_suffix(english, "private; XO: board\u00a07x12, territory\u00a03"));
	g_assert_true(g_str_has_suffix(
		french, "privée\u00a0; XO\u00a0: plateau\u00a07x12, territoire\u00a03"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	text_init();
#define TEST(name) g_test_add_func("/mail_commands/" #name, name)
	TEST(the_help_lists_every_command_of_the_table_in_every_language);
	TEST(the_help_says_what_of_xo_is_our_word);
	TEST(no_line_of_the_help_is_a_command);
	TEST(every_sample_of_the_help_is_understood);
	TEST(all_legal_turns_are_listed_where_no_start_is_given);
	TEST(a_square_lists_what_its_stone_can_do_alone_and_in_an_ordo);
	TEST(a_sideways_step_lists_how_the_turn_goes_on);
	TEST(a_start_that_no_turn_has_lists_nothing);
	TEST(a_whole_turn_lists_itself);
	TEST(wishes_are_read_in_every_language_and_order);
	TEST(what_is_no_wish_is_named);
	TEST(options_of_a_game_are_read_with_or_without_their_names);
	TEST(every_game_has_examples_that_are_legal);
	TEST(a_name_is_shown_as_it_was_written);
	TEST(options_are_listed_as_the_language_does);
	return g_test_run();
}
