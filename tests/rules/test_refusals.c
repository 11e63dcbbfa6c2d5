/*
 * Which rule a refused text is said to break, and texts that must be read: hand-made, one row a
 * case. "" = accepted, else code, step and squares as check_refusal writes them.
 */
#include "check.h"

#define START "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w"
/* One white stone against three black ones in a row: e3xe6 leaves two equal groups. */
#define SPLIT_IN_TWO "10/10/3bbb4/10/10/4w5/10/10 w"
/* A white ordo split from a third stone. */
#define WHITE_SPLIT "9b/10/10/4ww4/10/10/4w5/10 w"

typedef struct {
	const char *rules, *board, *turn, *refusal;
} Row;

static void rows_check(const Row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const GameRules *rules = rules_find(rows[i].rules);
		g_autofree char *refusal = check_refusal(rules, rows[i].board, rows[i].turn);

		g_test_message("%s %s %s", rows[i].rules, rows[i].board, rows[i].turn);
		g_assert_cmpstr(refusal, ==, rows[i].refusal);
	}
}

static void texts_that_are_no_turn_are_unreadable(void)
{
	static const Row rows[] = {
		{"ordo", START, "", "unreadable 0"},
		{"ordo", START, "hello", "unreadable 0"},
		{"ordo", START, "a3-", "unreadable 0"},
		{"ordo", START, "-a4", "unreadable 0"},
		{"ordo", START, "a3--a4", "unreadable 0"},
		{"ordo", START, "a3-a4!", "unreadable 0"},
		{"ordo", START, "a03-a4", "off-board 0"},
		{"ordo", START, "a3-a04", "off-board 0"},
		{"ordo", START, "a3-a4.", "unreadable 0"},
		{"ordo", START, "a3-a4,", "unreadable 0"},
		{"ordo", START, ",a3-a4", "unreadable 0"},
		{"ordo", START, "a3-a4=", "unreadable 0"},
		{"ordo", START, "A3-A4", "unreadable 0"},
		{"ordo", START, "a3-\na4", "unreadable 0"},
		{"ordo", START, "1. a3-a4", "unreadable 0"},
		{"ordo", START, "c2xd2-c4", "unreadable 0"},
		{"ordo", START, "a3-a4-a5-a6", "unreadable 0"},
		{"ordox", START, "a3a4b3b4", "unreadable 0"},
		{"ordo", START, "a3", "destination-missing 0 a3"},
		{"ordo", START, "c2:d2", "destination-missing 0 c2 d2"},
		{"ordox", START, "b3-c3,a3", "destination-missing 1 a3"},
		{"ordo", START, "a3-k4", "off-board 0 k4"},
		{"ordo", START, "a3-a0", "off-board 0"},
		{"ordo", START, "a3-a9", "off-board 0 a9"},
		{"ordo", START, "a3-a34", "off-board 0"},
		{"ordo", START, "a3-a99999999999999999999", "off-board 0"},
		{"ordox", START, "b3-c3,a3-q4", "off-board 1"},
	};
	g_autofree char *blanks = g_strnfill(300, ' ');
	g_autofree char *long_text = g_strconcat("a3", blanks, "a4", NULL);
	g_autofree char *refusal = check_refusal(rules_find("ordo"), START, long_text);

	g_assert_cmpstr(refusal, ==, "too-long 0");
	rows_check(rows, G_N_ELEMENTS(rows));
}

static void every_listed_spelling_is_read(void)
{
	static const Row rows[] = {
		{"ordo", START, "a3-a4", ""},
		{"ordo", START, "a3a4", ""},
		{"ordo", START, "a3 - a4", ""},
		{"ordo", START, "a3 a4", ""},
		{"ordo", START, "  a3-a4\n", ""},
		{"ordo", START, "c2:d2-c4", ""},
		{"ordo", START, "d2:c2-d4", ""},
		{"ordo", START, "c2-d2-c4", ""},
		{"ordo", START, "c2d2c4", ""},
		{"ordo", START, "d2c2d4", ""},
		{"ordox", START, "b3-c3,e3-d4", ""},
		{"ordox", START, "b3-c3;e3-d4", ""},
		{"ordox", START, "b3-c3 e3-d4", ""},
		{"ordox", START, "b3-c3+e3-d4", ""},
		{"ordox", START, "b3-c3\ne3-d4", ""},
		{"ordox", START, "b3-c3 , e3-d4", ""},
		{"ordox", START, "b3-c3,\ne3-d4", ""},
		{"ordox", START, "b3c3 e3d4", ""},
		{"ordox", START, "b3 c3 e3 d4", ""},
		{"ordox", START, "b3-c3 c2:d2-c4", "blocked 1 c3"},
		{"ordox", START, "a3:b3-b3,c2-e4", ""},
		{"ordo", SPLIT_IN_TWO, "e3xe6", ""},
		{"ordo", SPLIT_IN_TWO, "e3-e6", ""},
		{"ordo", SPLIT_IN_TWO, "e3:e6", ""},
		{"ordo", SPLIT_IN_TWO, "e3 x e6", ""},
		{"ordox", SPLIT_IN_TWO, "e3xe6=d6", ""},
		{"ordox", SPLIT_IN_TWO, "e3-e6 = f6", ""},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void a_single_stone_is_told_what_it_may_not_do(void)
{
	static const Row rows[] = {
		{"ordo", START, "e5-e6", "empty-square 0 e5"},
		{"ordo", START, "a6-a5", "not-your-stone 0 a6"},
		{"ordo", START, "a3-a3", "no-movement 0 a3"},
		{"ordo", START, "a3-b5", "bad-direction 0 a3 b5"},
		{"ordo", START, "j3-b4", "bad-direction 0 j3 b4"},
		{"ordo", START, "e3-d2", "backward 0 e3 d2"},
		{"ordo", START, "a3-a2", "backward 0 a3 a2"},
		{"ordo", START, "a2-a4", "blocked 0 a3"},
		{"ordo", START, "a2-a5", "blocked 0 a3"},
		{"ordo", START, "a3-b3", "own-stone-there 0 b3"},
		{"ordo", START, "a3xb3", "own-stone-there 0 b3"},
		{"ordo", START, "a3xa4", "nothing-to-capture 0 a4"},
		{"ordo", START, "a3:a4", "nothing-to-capture 0 a4"},
		{"ordo", START, "a3-a5", "splits-group 0 a5"},
		{"ordo", START, "a3xa6", "splits-group 0 a6"},
		{"ordo", START, "c2-c5", "splits-group 0 c5"},
		{"ordo", "10/10/10/10/3ww5/3w6/10/9b w", "e4-f4", "game-over 0"},
		{"ordo", "9b/10/10/10/10/10/1w1w6/2w7 w", "c1-c3", ""},
		{"ordo", "9b/10/10/10/10/10/1w1w6/2w7 w", "c1-c4", "splits-group 0 c4 d2"},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void an_ordo_is_told_what_it_may_not_do(void)
{
	static const Row rows[] = {
		{"ordo", START, "e5:f5-e6", "empty-square 0 e5"},
		{"ordo", START, "b2:b4-c2", "empty-square 0 b4"},
		{"ordo", START, "a6:b6-a5", "not-your-stone 0 a6"},
		{"ordo", START, "c2:e3-c4", "ordo-not-a-line 0 c2 e3"},
		{"ordo", START, "c2:c2-c4", "ordo-not-a-line 0 c2 c2"},
		{"ordo", START, "a3:f3-a4", "ordo-broken 0 c3 d3"},
		{"ordo", START, "c2:d2-c2", "no-movement 0 c2"},
		{"ordo", START, "d2:c2-c4", "bad-direction 0 d2 c4"},
		{"ordo", START, "a2:a3-a4", "ordo-along-line 0 a2 a4"},
		{"ordo", START, "c2:d2-e2", "ordo-along-line 0 c2 e2"},
		{"ordo", START, "c2:d2-d3", "ordo-diagonal 0 c2 d3"},
		{"ordo", START, "e3:f3-e2", "backward 0 e3 e2"},
		{"ordox", START, "e3:f3-d2", "backward 0 e3 d2"},
		{"ordox", START, "i2:j2-j3", "ordo-off-board 0 j2"},
		{"ordox", START, "a2:a3-a8", "ordo-off-board 0 a3"},
		{"ordox", "9b/10/10/10/10/10/wwwwwwww2/10 w", "a2:h2-j2",
		 "ordo-off-board 0 b2 c2 d2 e2 f2 g2 h2"},
		{"ordo", START, "b2:c2-b4", "blocked 0 b3"},
		{"ordo", START, "b2:c2-b3", "own-stone-there 0 b3"},
		{"ordo", START, "c2:d2-c5", "splits-group 0 c5 d5"},
		{"ordo", START, "c2:d2xc4", "ordo-captures 0 c4"},
		{"ordo", START, "c2:d2:c4", "ordo-captures 0 c4"},
		{"ordo", "10/10/3b6/10/10/2ww6/10/10 w", "c3:d3-c6", "ordo-captures 0 d6"},
		{"ordo", "10/10/3b6/10/10/2ww6/10/10 w", "c3:d3xc6", "ordo-captures 0 c6"},
		{"ordo", "10/10/3b6/10/10/2ww6/10/10 w", "c3:d3-c7", "blocked 0 d6"},
		{"ordo", "10/10/3b6/10/10/2ww6/10/10 w", "c3:d3-c5", ""},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void a_split_side_is_told_to_reconnect(void)
{
	static const Row rows[] = {
		{"ordo", WHITE_SPLIT, "e5:f5-e3", ""},
		{"ordo", WHITE_SPLIT, "f5:e5-f3", ""},
		{"ordo", WHITE_SPLIT, "e2-e4", ""},
		{"ordo", WHITE_SPLIT, "e5:f5-e4", "must-reconnect 0 e2"},
		{"ordo", WHITE_SPLIT, "e5-e3", "must-reconnect 0 f5"},
		{"ordo", WHITE_SPLIT, "e5:f5-e8", "must-reconnect 0 e2"},
		{"ordo", WHITE_SPLIT, "e5-e8", "must-reconnect 0 e8 f5"},
		{"ordo", WHITE_SPLIT, "e5:f5-d4", "ordo-diagonal 0 e5 d4"},
		{"ordo", WHITE_SPLIT, "e2-d1", "must-reconnect 0 d1"},
		/* A vertical ordo stays sideways even then. */
		{"ordo", "9b/10/4w5/4w5/10/10/4w5/10 w", "e5:e6-e4", "ordo-along-line 0 e5 e4"},
		{"ordo", "9b/10/4w5/4w5/10/10/4w5/10 w", "e6-e4", "blocked 0 e5"},
		{"ordo", "9b/10/10/4w5/5b4/6w3/10/10 w", "g3xf4", ""},
		{"ordo", "9b/10/10/4w5/5b4/6w3/10/10 w", "e5xf4", ""},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void half_turns_are_told_apart(void)
{
	static const char lone[] = "10/10/10/6b3/8w1/10/10/10 w";
	static const char beside[] = "10/10/10/4w2b2/10/10/10/10 w";
	const Row rows[] = {
		{"ordox", lone, "i4-h4", "half-turn-missing 1"},
		{"ordox", lone, "i4-h4,h4-h5", ""},
		{"ordox", lone, "i4-h4,h4-g4", "second-half-sideways 1 h4 g4"},
		{"ordox", lone, "i4-h4,h4-h3", "backward 1 h4 h3"},
		{"ordox", lone, "i4-h4,i4-i5", "empty-square 1 i4"},
		{"ordox", lone, "i4-h4,h4xh5", "nothing-to-capture 1 h5"},
		{"ordox", lone, "i4-i5,i5-i6", "turn-already-ended 1 i5 i6"},
		{"ordox", lone, "i4-h4,h4-h5,h5-h6", "turn-already-ended 2 h5 h6"},
		{"ordox", lone, "i4-h4-h5", "empty-square 0 h4"},
		{"ordox", START, "a3-a4,b3-b4", "turn-already-ended 1 b3 b4"},
		{"ordo", lone, "i4-h4,h4-h5", "turn-already-ended 1 h4 h5"},
		{"ordo", lone, "i4-h4", ""},
		/* The last stone captured sideways wins: nothing may follow. */
		{"ordox", beside, "e5xh5", ""},
		{"ordox", beside, "e5-h5", ""},
		{"ordox", beside, "e5xh5,h5-h6", "turn-already-ended 1 h5 h6"},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void two_legal_turns_in_one_text_are_both_named(void)
{
	static const Row rows[] = {
		{"ordo", START, "a3-a4 b3-b4", "ambiguous 1 a3-a4 | b3-b4"},
		{"ordo", START, "a3-a4,b3b4", "ambiguous 1 a3-a4 | b3-b4"},
		{"ordox", START, "a3-a4 b3-b4", "ambiguous 1 a3-a4 | b3-b4"},
		{"ordox", START, "a3-a4\nb3-b4", "ambiguous 1 a3-a4 | b3-b4"},
		{"ordo", START, "a3-a4 a3-a4", "turn-already-ended 1 a3 a4"},
		{"ordo", START, "a3-a4 a4-a5", "turn-already-ended 1 a4 a5"},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void the_surviving_group_must_be_chosen_if_there_is_a_choice(void)
{
	static const char unequal[] = "10/10/2bbbb4/10/10/4w5/10/10 w";
	static const char at_goal[] = "3bbb4/10/10/4w5/10/10/10/10 w";
	static const char of_three[] = "10/3b1b4/4b5/10/10/4w5/10/10 w";
	const Row rows[] = {
		{"ordox", SPLIT_IN_TWO, "e3xe6", "group-choice-missing 0 d6 f6"},
		{"ordox", SPLIT_IN_TWO, "e3xe6=e6", "group-choice-wrong 0 d6 f6"},
		{"ordox", SPLIT_IN_TWO, "e3xe6=a1", "group-choice-wrong 0 d6 f6"},
		{"ordox", SPLIT_IN_TWO, "e3xe6=f6", ""},
		{"ordox", SPLIT_IN_TWO, "e3-e4=d6", "group-choice-needless 0 d6"},
		{"ordo", SPLIT_IN_TWO, "e3xe6=d6", "group-choice-needless 0 d6"},
		{"ordox", SPLIT_IN_TWO, "e3xe6=d9", "off-board 0 d9"},
		{"ordox", unequal, "e3xe6", ""},
		{"ordox", unequal, "e3xe6=c6", "group-choice-needless 0 c6"},
		{"ordox", at_goal, "e5xe8", "group-choice-missing 0 d8 f8"},
		{"ordox", at_goal, "e5xe8=d8", ""},
		{"ordox", of_three, "e3xe6", "group-choice-missing 0 d7 f7"},
		{"ordox", "10/10/10/3w1b1b2/10/10/10/10 w", "d5xf5", "half-turn-missing 1"},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void boards_are_read_strictly(void)
{
	static const char *const bad[] = {
		"",
		"start",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 ",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 x",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 W",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2  w",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w ",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w\n",
		" 2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww w",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2/10 w",
		"2bb2bb1/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w",
		"2bb2bb3/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w",
		"2bb2bb2/bbbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/9/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/11/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/010/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/100/0/ww2ww2ww/wwwwwwwwww/2ww2ww2 w",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/55/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w",
		"2bb2bb2/bbbbbbbbbb/bb0bb2bbbb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w",
		"2BB2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w",
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/99999999999999999999/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w",
	};
	Position position;
	Refusal refusal;

	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_test_message("%s", bad[i]);
		g_assert_false(rules_find("ordo")->parse(bad[i], &position, &refusal));
		g_assert_cmpint(refusal.code, ==, REFUSAL_BAD_BOARD);
	}
	g_assert_false(rules_find("ordo")->start("7x12", &position, &refusal));
	g_assert_cmpint(refusal.code, ==, REFUSAL_BAD_OPTIONS);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define ADD(test) g_test_add_func("/rules/refusals/" #test, test)
	ADD(texts_that_are_no_turn_are_unreadable);
	ADD(every_listed_spelling_is_read);
	ADD(a_single_stone_is_told_what_it_may_not_do);
	ADD(an_ordo_is_told_what_it_may_not_do);
	ADD(a_split_side_is_told_to_reconnect);
	ADD(half_turns_are_told_apart);
	ADD(two_legal_turns_in_one_text_are_both_named);
	ADD(the_surviving_group_must_be_chosen_if_there_is_a_choice);
	ADD(boards_are_read_strictly);
	return g_test_run();
}
