/* The rules as players read them: complete for every game, in every language, each with its ground.
 */
#include "service/rule_book.h"
#include "service/text.h"

#include <string.h>

typedef GArray *BookFn(const GameRules *rules, Language language);

static const RuleStatement *statement_find(GArray *statements, const char *key)
{
	for (unsigned i = 0; i < statements->len; i++) {
		const RuleStatement *statement = &g_array_index(statements, RuleStatement, i);
		if (strcmp(statement->key, key) == 0)
			return statement;
	}
	return NULL;
}

static void assert_same_book(GArray *english, GArray *other)
{
	g_assert_cmpuint(english->len, ==, other->len);
	for (unsigned i = 0; i < english->len; i++) {
		const RuleStatement *left = &g_array_index(english, RuleStatement, i);
		const RuleStatement *right = &g_array_index(other, RuleStatement, i);
		g_assert_cmpstr(left->key, ==, right->key);
		g_assert_cmpstr(left->ground, ==, right->ground);
		g_test_message("%s", left->key);
		g_assert_cmpstr(left->text, !=, right->text);
	}
}

static void assert_every_book(BookFn *book)
{
	for (size_t i = 0; rules_at(i) != NULL; i++) {
		g_autoptr(GArray) english = book(rules_at(i), LANGUAGE_EN);
		g_assert_cmpuint(english->len, >, 5);
		for (int l = LANGUAGE_EN + 1; l < LANGUAGE_COUNT; l++) {
			g_autoptr(GArray) other = book(rules_at(i), (Language)l);
			assert_same_book(english, other);
		}
	}
}

static void every_game_has_rules_and_notation_in_every_language(void)
{
	assert_every_book(rule_book_rules);
	assert_every_book(rule_book_notation);
}

static void every_game_is_told_in_one_sentence(void)
{
	for (size_t i = 0; rules_at(i) != NULL; i++) {
		for (int l = 0; l < LANGUAGE_COUNT; l++) {
			const char *summary = rule_book_summary(rules_at(i), (Language)l);
			g_assert_nonnull(strstr(summary, rules_at(i)->name));
		}
	}
}

static void a_ruling_is_not_passed_off_as_the_authors_word(void)
{
	g_autoptr(GArray) ordo = rule_book_rules(rules_find("ordo"), LANGUAGE_EN);
	g_assert_cmpstr(statement_find(ordo, "rules.ordo.repetition.RF")->ground, ==, "RF");
	g_assert_cmpstr(statement_find(ordo, "rules.ordo.win.T")->ground, ==, "T");
	g_autoptr(GArray) ordox = rule_book_rules(rules_find("ordox"), LANGUAGE_EN);
	g_assert_cmpstr(statement_find(ordox, "rules.ordox.no-follow-up.R")->ground, ==, "R");
	for (const char *letter = RULE_GROUNDS; *letter != '\0'; letter++)
		g_assert_cmpuint(strlen(rule_book_ground(*letter, LANGUAGE_DE)), >, 10);
}

static void what_both_games_share_is_written_once_and_shown_in_both(void)
{
	g_autoptr(GArray) ordo = rule_book_rules(rules_find("ordo"), LANGUAGE_FR);
	g_autoptr(GArray) ordox = rule_book_rules(rules_find("ordox"), LANGUAGE_FR);
	const RuleStatement *one = statement_find(ordo, "rules.stones.group.T");
	const RuleStatement *other = statement_find(ordox, "rules.stones.group.T");
	g_assert_nonnull(one);
	g_assert_true(one->text == other->text);
}

static void a_book_begins_with_a_heading(void)
{
	g_autoptr(GArray) ordo = rule_book_rules(rules_find("ordo"), LANGUAGE_RU);
	const RuleStatement *first = &g_array_index(ordo, RuleStatement, 0);
	g_assert_true(first->heading);
	g_assert_cmpstr(first->text, ==, "Доска и цель");
	g_assert_cmpstr(first->ground, ==, "");
}

/* The squares of the start, told in the rules, are those of the start board. */
static void the_start_told_is_the_start_played(void)
{
	const GameRules *rules = rules_find("ordo");
	Position position;
	Refusal refusal;
	Picture picture;
	g_assert_true(rules->start("", &position, &refusal));
	rules->picture(&position, 0, NULL, NULL, &picture);
	for (int l = 0; l < LANGUAGE_COUNT; l++) {
		const char *text = text_get((Language)l, "rules.stones.start.TF");
		const char *black = strstr(text, "a6 ");
		for (int square = 0; square < 128; square++) {
			char name[4] = "";
			if (square % 16 >= picture.files)
				continue;
			rules_square_name((Square)square, name);
			const char *found = strstr(text, name);
			Seat told = found == NULL ? 0 : found < black ? 1 : 2;
			g_assert_cmpint(told, ==, picture.square[square].seat);
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	text_init();
#define TEST(name) g_test_add_func("/rule_book/" #name, name)
	TEST(every_game_has_rules_and_notation_in_every_language);
	TEST(every_game_is_told_in_one_sentence);
	TEST(a_ruling_is_not_passed_off_as_the_authors_word);
	TEST(what_both_games_share_is_written_once_and_shown_in_both);
	TEST(a_book_begins_with_a_heading);
	TEST(the_start_told_is_the_start_played);
	return g_test_run();
}
