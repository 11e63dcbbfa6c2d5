/* Turns, refusals and results in words, in every language. */
#include "service/text.h"
#include "service/turn_words.h"

#include <string.h>

static Position position_of(const GameRules *rules, const char *board)
{
	Position position;
	Refusal refusal;
	bool read = board == NULL ? rules->start("", &position, &refusal)
				  : rules->parse(board, &position, &refusal);
	g_assert_true(read);
	return position;
}

static void assert_words(const char *key, const char *board, const char *turn, Language language,
			 const char *expected)
{
	const GameRules *rules = rules_find(key);
	Position before = position_of(rules, board);
	g_autofree char *words = turn_words_explain(rules, &before, turn, language);
	g_assert_cmpstr(words, ==, expected);
}

static void a_single_move_names_both_squares(void)
{
	assert_words("ordo", NULL, "a3-a4", LANGUAGE_EN, "a3 moves to a4");
	assert_words("ordo", NULL, "a3-a4", LANGUAGE_ES, "a3 va a a4");
	assert_words("ordo", NULL, "a3-a4", LANGUAGE_FR, "a3 va en a4");
	assert_words("ordo", NULL, "a3-a4", LANGUAGE_RU, "фишка идёт с a3 на a4");
	assert_words("ordo", NULL, "a3-a4", LANGUAGE_DE, "a3 zieht nach a4");
}

static void an_ordo_names_both_ends_before_and_after(void)
{
	assert_words("ordo", NULL, "c2:d2-c4", LANGUAGE_EN, "the ordo c2–d2 moves to c4–d4");
	assert_words("ordo", NULL, "c2:d2-c4", LANGUAGE_ES, "el ordo c2–d2 va a c4–d4");
	assert_words("ordo", NULL, "c2:d2-c4", LANGUAGE_FR, "l’ordo c2–d2 va en c4–d4");
	assert_words("ordo", NULL, "c2:d2-c4", LANGUAGE_RU, "ордо c2–d2 идёт на c4–d4");
	assert_words("ordo", NULL, "c2:d2-c4", LANGUAGE_DE, "das Ordo c2–d2 zieht nach c4–d4");
}

static void a_capture_is_told_as_one(void)
{
	const char *board = "10/10/4b5/10/4w5/10/10/10 w";
	assert_words("ordo", board, "e4xe6", LANGUAGE_EN, "e4 takes e6");
	assert_words("ordo", board, "e4xe6", LANGUAGE_ES, "e4 captura en e6");
	assert_words("ordo", board, "e4xe6", LANGUAGE_FR, "e4 prend en e6");
	assert_words("ordo", board, "e4xe6", LANGUAGE_RU, "фишка с e4 бьёт на e6");
	assert_words("ordo", board, "e4xe6", LANGUAGE_DE, "e4 schlägt e6");
}

static void the_second_half_follows_in_the_languages_own_word_order(void)
{
	const char *board = "9b/10/10/10/10/10/4w5/10 w";
	assert_words("ordox", board, "e2-f2,f2-f4", LANGUAGE_EN,
		     "e2 moves to f2; then f2 moves to f4");
	assert_words("ordox", board, "e2-f2,f2-f4", LANGUAGE_DE,
		     "e2 zieht nach f2; dann zieht f2 nach f4");
	assert_words("ordox", board, "e2-f2,f2-f4", LANGUAGE_RU,
		     "фишка идёт с e2 на f2; затем фишка идёт с f2 на f4");
	assert_words("ordox", board, "e2-f2,f2-f4", LANGUAGE_ES, "e2 va a f2; después f2 va a f4");
	assert_words("ordox", board, "e2-f2,f2-f4", LANGUAGE_FR,
		     "e2 va en f2\u00a0; puis f2 va en f4");
}

static void stones_cut_off_are_counted_and_the_group_that_stays_is_named(void)
{
	/* Taking e6 leaves c6 d6 and f6 g6 h6: the smaller group goes. */
	const char *board = "10/10/2bbbbbb2/10/4w5/10/10/10 w";
	assert_words(
		"ordox", board, "e4xe6", LANGUAGE_EN,
		"e4 takes e6; 2 stones that were cut off are removed, the group with f6 stays");
	assert_words("ordox", board, "e4xe6", LANGUAGE_ES,
		     "e4 captura en e6; se retiran 2 piedras separadas y queda el grupo de f6");
	assert_words("ordox", board, "e4xe6", LANGUAGE_FR,
		     "e4 prend en e6\u00a0; 2 pions coupés du groupe sont retirés, le groupe de f6 "
		     "reste");
	assert_words("ordox", board, "e4xe6", LANGUAGE_RU,
		     "фишка с e4 бьёт на e6; сняты 2 отрезанные фишки, группа с f6 остаётся");
	assert_words(
		"ordox", board, "e4xe6", LANGUAGE_DE,
		"e4 schlägt e6; 2 abgetrennte Steine werden entfernt, die Gruppe mit f6 bleibt");
}

/* The refusal of a turn from a board of that game. */
static Refusal refusal_of(const char *key, const char *board, const char *turn)
{
	const GameRules *rules = rules_find(key);
	Position before = position_of(rules, board);
	Position next;
	char canonical[RULES_TURN_MAX];
	Refusal refusal;
	g_assert_false(rules->play(&before, turn, &next, canonical, &refusal));
	return refusal;
}

static void every_refusal_is_a_sentence_in_every_language(void)
{
	Refusal refusal = {
		.reading = {"a3-a4", "a3-b4"}, .square_count = 2, .squares = {0x22, 0x35}};
	static const RefusalCode codes[] = {
#define X(code, text) REFUSAL_##code,
		RULES_REFUSALS(X)
#undef X
	};
	for (size_t i = 1; i < G_N_ELEMENTS(codes); i++) {
		g_autoptr(GHashTable) different =
			g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		for (int l = 0; l < LANGUAGE_COUNT; l++) {
			refusal.code = codes[i];
			char *words = turn_words_refusal(rules_find("ordo"), &refusal, (Language)l);
			g_test_message("%s", words);
			g_assert_true(g_str_has_suffix(words, "."));
			g_assert_nonnull(strstr(words, "c3, f4"));
			g_assert_null(strstr(words, "{{"));
			g_hash_table_add(different, words);
		}
		g_assert_cmpuint(g_hash_table_size(different), ==, LANGUAGE_COUNT);
	}
}

static void a_refusal_without_squares_does_not_speak_of_squares(void)
{
	Refusal refusal = {.code = REFUSAL_BLOCKED};
	for (int l = 0; l < LANGUAGE_COUNT; l++) {
		g_autofree char *words =
			turn_words_refusal(rules_find("ordo"), &refusal, (Language)l);
		g_assert_cmpstr(words, ==, text_get((Language)l, "refusal.blocked"));
	}
}

static void a_refused_turn_names_the_rule_and_the_squares(void)
{
	Refusal refusal = refusal_of("ordo", NULL, "c1-c4");
	g_autofree char *blocked = turn_words_refusal(rules_find("ordo"), &refusal, LANGUAGE_EN);
	g_assert_cmpstr(blocked, ==,
			"The way is not free: stones do not jump. Stop before the obstacle or take "
			"another way. In the way: c2.");
	refusal = refusal_of("ordox", "10/10/2bb1bb3/4b5/10/4w5/10/10 w", "e3xe5");
	g_autofree char *choice = turn_words_refusal(rules_find("ordo"), &refusal, LANGUAGE_DE);
	g_assert_true(g_str_has_suffix(choice, "Zur Wahl stehen: c6, f6."));
}

static void an_ambiguous_text_names_both_turns(void)
{
	Refusal refusal = {.code = REFUSAL_AMBIGUOUS, .reading = {"a3-a4", "a3-b4"}};
	for (int l = 0; l < LANGUAGE_COUNT; l++) {
		g_autofree char *words =
			turn_words_refusal(rules_find("ordo"), &refusal, (Language)l);
		g_assert_nonnull(strstr(words, "a3-a4"));
		g_assert_nonnull(strstr(words, "a3-b4"));
	}
}

static void nearest_turns_are_listed_or_nothing_is_said(void)
{
	static const char *const none[] = {NULL};
	static const char *const two[] = {"a3-a4", "a3-b4", NULL};
	g_assert_null(turn_words_nearest(none, LANGUAGE_EN));
	g_autofree char *words = turn_words_nearest(two, LANGUAGE_EN);
	g_assert_cmpstr(words, ==, "Legal turns close to it: a3-a4, a3-b4.");
}

/* Which reasons can end a game with a winner, and which without one. */
static const struct {
	Reason reason;
	bool won, drawn;
} endings[] = {
	{REASON_GOAL, true, false},
	{REASON_ANNIHILATED, true, true},
	{REASON_CANNOT_RECONNECT, true, false},
	{REASON_NO_LEGAL_TURN, true, false},
	{REASON_REPETITION, false, true},
	{REASON_DEAD_POSITION, false, true},
	{REASON_NO_DEATH, false, true},
	{REASON_PASSES, false, true},
	{REASON_RESIGN, true, false},
	{REASON_AGREEMENT, false, true},
	{REASON_TIME, true, true},
	{REASON_ABORT, false, true},
	{REASON_FORFEIT, true, true},
	{REASON_ADJUDICATED, true, true},
	{REASON_VOID, false, true},
};

static void every_result_is_a_sentence_in_every_language(void)
{
	const GameRules *rules = rules_find("ordo");
	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
		for (int l = 0; l < LANGUAGE_COUNT; l++) {
			for (Seat winner = 0; winner <= 2; winner++) {
				if (winner == 0 ? !endings[i].drawn : !endings[i].won)
					continue;
				Outcome outcome = {true, winner, endings[i].reason};
				g_autofree char *words =
					turn_words_outcome(rules, outcome, NULL, (Language)l);
				g_assert_true(g_str_has_suffix(words, "."));
				if (winner != 0)
					g_assert_nonnull(
						strstr(words, turn_words_side(rules, winner,
									      (Language)l)));
			}
		}
	}
}

static void every_reason_of_the_referee_has_an_ending(void)
{
	static const Reason reasons[] = {
#define X(code, text) REASON_##code,
		RULES_REASONS(X)
#undef X
	};
	g_assert_cmpuint(G_N_ELEMENTS(endings), ==, G_N_ELEMENTS(reasons) - 1);
	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++)
		g_assert_cmpint(endings[i].reason, ==, reasons[i + 1]);
}

static void the_winner_can_be_called_by_name(void)
{
	Outcome outcome = {true, 2, REASON_RESIGN};
	const GameRules *rules = rules_find("ordo");
	g_autofree char *named = turn_words_outcome(rules, outcome, "Anna", LANGUAGE_EN);
	g_assert_cmpstr(named, ==, "Anna wins by resignation.");
	g_autofree char *side = turn_words_outcome(rules, outcome, NULL, LANGUAGE_DE);
	g_assert_cmpstr(side, ==, "Schwarz gewinnt durch Aufgabe.");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	text_init();
#define TEST(name) g_test_add_func("/turn_words/" #name, name)
	TEST(a_single_move_names_both_squares);
	TEST(an_ordo_names_both_ends_before_and_after);
	TEST(a_capture_is_told_as_one);
	TEST(the_second_half_follows_in_the_languages_own_word_order);
	TEST(stones_cut_off_are_counted_and_the_group_that_stays_is_named);
	TEST(every_refusal_is_a_sentence_in_every_language);
	TEST(a_refusal_without_squares_does_not_speak_of_squares);
	TEST(a_refused_turn_names_the_rule_and_the_squares);
	TEST(an_ambiguous_text_names_both_turns);
	TEST(nearest_turns_are_listed_or_nothing_is_said);
	TEST(every_result_is_a_sentence_in_every_language);
	TEST(every_reason_of_the_referee_has_an_ending);
	TEST(the_winner_can_be_called_by_name);
	return g_test_run();
}
