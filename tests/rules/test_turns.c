/*
 * What legal turns do: hand-made, one row a ruling, among them the faults other programs made.
 */
#include "check.h"

#include <string.h>

#define START "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w"

typedef struct {
	const char *rules, *board, *turn;
	const char *canonical, *after;
	const char *result; /* "" = open, else winner and reason */
} Row;

static char *result_text(const GameRules *rules, const Position *position, int seen)
{
	Outcome outcome = rules->outcome(position, seen);

	if (!outcome.over)
		return g_strdup("");
	return g_strdup_printf("%d %s", outcome.winner, rules_reason_name(outcome.reason));
}

static void rows_check(const Row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const GameRules *rules = rules_find(rows[i].rules);
		Position position = check_position(rules, rows[i].board), next;
		char canonical[RULES_TURN_MAX], after[RULES_BOARD_MAX];
		g_autofree char *result = NULL;
		Refusal refusal;

		g_test_message("%s %s %s", rows[i].rules, rows[i].board, rows[i].turn);
		g_assert_true(rules->play(&position, rows[i].turn, &next, canonical, &refusal));
		g_assert_cmpstr(canonical, ==, rows[i].canonical);
		rules->format(&next, 0, after);
		g_assert_cmpstr(after, ==, rows[i].after);
		result = result_text(rules, &next, 1);
		g_assert_cmpstr(result, ==, rows[i].result);
	}
}

static void one_turn_has_one_canonical_text(void)
{
	static const char c4d4[] =
		"2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/2ww6/ww2ww2ww/ww2wwwwww/2ww2ww2 b";
	static const char in_two[] = "10/2b3b3/3bbb4/10/10/4w5/10/10 w";
	static const char left[] = "10/2b7/3bw5/10/10/10/10/10 b";
	static const char right[] = "10/6b3/4wb4/10/10/10/10/10 b";
	const Row rows[] = {
		{"ordo", START, "c2d2c4", "c2:d2-c4", c4d4, ""},
		{"ordo", START, "c2-d2-c4", "c2:d2-c4", c4d4, ""},
		{"ordo", START, "d2:c2-d4", "c2:d2-c4", c4d4, ""},
		{"ordox", START, "d2 c2 d4", "c2:d2-c4", c4d4, ""},
		{"ordox", in_two, "e3-e6=d6", "e3xe6=c7", left, ""},
		{"ordox", in_two, "e3:e6=c7", "e3xe6=c7", left, ""},
		{"ordox", in_two, "e3xe6=g7", "e3xe6=f6", right, ""},
		{"ordox", in_two, "e3xe6=f6", "e3xe6=f6", right, ""},
		{"ordo", in_two, "e3e6", "e3xe6", "10/2b3b3/3bwb4/10/10/10/10/10 b", ""},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void an_ordo_x_line_may_enter_the_squares_it_leaves(void)
{
	static const Row rows[] = {
		{"ordox", "9b/10/10/10/4w5/4w5/10/10 w", "e3:e4-e4", "e3:e4-e4",
		 "9b/10/10/4w5/4w5/10/10/10 b", ""},
		{"ordox", "9b/10/10/10/4w5/4w5/10/10 w", "e3:e4-f4", "e3:e4-f4",
		 "9b/10/10/5w4/5w4/10/10/10 b", ""},
		{"ordox", "9b/10/10/10/10/2www5/10/10 w", "c3:e3-d3,d3:f3-e4", "c3:e3-d3,d3:f3-e4",
		 "9b/10/10/10/4www3/10/10/10 b", ""},
		{"ordox", "9b/10/10/10/10/2www5/10/10 w", "e3:c3-f3,d3-e4", "c3:e3-d3,d3-e4",
		 "9b/10/10/10/4w5/4ww4/10/10 b", ""},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void a_capture_in_ordo_x_removes_all_but_the_largest_group(void)
{
	static const Row rows[] = {
		/* One group is larger. */
		{"ordox", "10/10/2bbbb4/10/10/4w5/10/10 w", "e3xe6", "e3xe6",
		 "10/10/2bbw5/10/10/10/10/10 b", ""},
		/* A sideways capture, the choice, the second half over squares just emptied. */
		{"ordox", "4b5/4b5/1w2b5/4b5/4b5/10/10/10 w", "b6xe6=e7,e6-d7", "b6xe6=e7,e6-d7",
		 "4b5/3wb5/10/10/10/10/10/10 b", ""},
		{"ordox", "4b5/4b5/1w2b5/4b5/4b5/10/10/10 w", "b6xe6=e4,e6-e7", "b6xe6=e4,e6-e7",
		 "10/4w5/10/4b5/4b5/10/10/10 b", ""},
		/* At the goal too, so that the last board is definite. */
		{"ordox", "3bbb4/10/10/4w5/10/10/10/10 w", "e5xe8=f8", "e5xe8=f8",
		 "4wb4/10/10/10/10/10/10/10 b", "1 goal"},
		/* Two of four groups are largest: the others go in any case. */
		{"ordox", "10/2bb1bb3/4b5/3b1b4/10/4w5/10/10 w", "e3xe6=d7", "e3xe6=c7",
		 "10/2bb6/4w5/10/10/10/10/10 b", ""},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void whoever_reaches_the_goal_rank_wins(void)
{
	static const Row rows[] = {
		{"ordo", "9b/4w5/10/10/10/10/10/10 w", "e7-e8", "e7-e8",
		 "4w4b/10/10/10/10/10/10/10 b", "1 goal"},
		{"ordo", "10/10/10/10/10/10/4b5/w9 b", "e2-e1", "e2-e1",
		 "10/10/10/10/10/10/10/w3b5 w", "2 goal"},
		{"ordox", "9b/4w5/10/10/10/10/10/10 w", "e7-d7,d7-c8", "e7-d7,d7-c8",
		 "2w6b/10/10/10/10/10/10/10 b", "1 goal"},
		/* On one's own first rank nothing is won. */
		{"ordo", "9b/10/10/10/10/10/10/4w5 w", "e1-a1", "e1-a1",
		 "9b/10/10/10/10/10/10/w9 b", ""},
		{"ordo", "4b5/10/10/10/10/10/10/w9 b", "e8-j8", "e8-j8",
		 "9b/10/10/10/10/10/10/w9 w", ""},
		{"ordo", START, "c1-a1", "c1-a1",
		 "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/w2w2ww2 b", ""},
		/* The goal counts before the last capture. */
		{"ordo", "5b4/4w5/10/10/10/10/10/10 w", "e7xf8", "e7xf8",
		 "5w4/10/10/10/10/10/10/10 b", "1 goal"},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void capturing_the_last_stone_wins_at_once(void)
{
	static const Row rows[] = {
		{"ordo", "10/10/10/4w2b2/10/10/10/10 w", "e5xh5", "e5xh5",
		 "10/10/10/7w2/10/10/10/10 b", "1 annihilated"},
		{"ordox", "10/10/10/4w2b2/10/10/10/10 w", "e5xh5", "e5xh5",
		 "10/10/10/7w2/10/10/10/10 b", "1 annihilated"},
		{"ordox", "10/10/10/4w2b2/10/10/10/10 b", "h5xe5", "h5xe5",
		 "10/10/10/4b5/10/10/10/10 w", "2 annihilated"},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void splitting_beyond_repair_wins_at_once(void)
{
	static const Row rows[] = {
		/* Four arms, of which one move joins two at most. */
		{"ordo", "10/2b3b3/3b1b4/4b5/3b1b4/2b3b3/4w5/10 w", "e2xe5", "e2xe5",
		 "10/2b3b3/3b1b4/4w5/3b1b4/2b3b3/10/10 b", "1 cannot-reconnect"},
		{"ordo", "10/10/3bbb4/10/10/4w5/10/10 w", "e3xe6", "e3xe6",
		 "10/10/3bwb4/10/10/10/10/10 b", ""},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void backward_moves_end_with_the_turn_that_reconnects(void)
{
	const GameRules *rules = rules_find("ordo");
	Position position = check_position(rules, "9b/10/10/4ww4/10/10/4w5/10 w");
	g_autofree char *refusal = NULL, *other_game = NULL;
	char board[RULES_BOARD_MAX];

	position = check_play(rules, &position, "e5:f5-e3");
	position = check_play(rules, &position, "j8-j7");
	rules->format(&position, 0, board);
	refusal = check_refusal(rules, board, "f3-f2");
	g_assert_cmpstr(refusal, ==, "backward 0 f3 f2");
	other_game = check_refusal(rules, START, "b3-b1");
	g_assert_cmpstr(other_game, ==, "backward 0 b3 b1");
}

static void a_third_repetition_is_a_draw(void)
{
	const GameRules *rules = rules_find("ordo");
	Position position = check_position(rules, START);
	g_autofree char *second = result_text(rules, &position, 2);
	g_autofree char *third = result_text(rules, &position, 3);

	g_assert_cmpstr(second, ==, "");
	g_assert_cmpstr(third, ==, "0 repetition");
}

static void boards_that_no_game_reaches_have_a_result_all_the_same(void)
{
	static const struct {
		const char *rules, *board, *result;
	} rows[] = {
		{"ordo", "10/10/10/10/10/10/10/10 w", "0 annihilated"},
		{"ordo", "10/10/10/4w5/10/10/10/10 w", "1 annihilated"},
		{"ordo", "10/10/10/4w5/10/10/10/10 b", "1 annihilated"},
		{"ordo", "4w5/10/10/10/10/10/10/4b5 w", "2 goal"},
		{"ordo", "4w5/10/10/10/10/10/10/4b5 b", "1 goal"},
		{"ordo", "4w5/10/10/4b5/10/10/10/10 w", "1 goal"},
		{"ordo", "w8b/10/10/10/10/10/10/w8w w", "1 goal"},
		{"ordo", "9b/10/w9/10/4w5/10/9w/10 w", "2 cannot-reconnect"},
		{"ordox", "9b/10/w9/10/4w5/10/9w/10 w", "2 no-legal-turn"},
		{"ordox", "9b/10/w3w5/10/10/10/10/10 w", ""},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const GameRules *rules = rules_find(rows[i].rules);
		Position position = check_position(rules, rows[i].board);
		g_autofree char *result = result_text(rules, &position, 1);

		g_test_message("%s %s", rows[i].rules, rows[i].board);
		g_assert_cmpstr(result, ==, rows[i].result);
		g_assert_cmpint(rules->to_move(&position) == SEATS_NONE, ==,
				rows[i].result[0] != '\0');
	}
}

typedef struct {
	const char *rules, *board, *turn, *facts;
} FactRow;

static char *facts_text(const TurnFact *facts, int count)
{
	static const char *const kinds[] = {"move", "capture", "ordo", "removed"};
	GString *text = g_string_new(NULL);

	for (int i = 0; i < count; i++) {
		const Square squares[] = {facts[i].from, facts[i].from2, facts[i].to, facts[i].to2};

		g_string_append_printf(text, "%s%s", i > 0 ? "; " : "", kinds[facts[i].kind]);
		for (size_t j = 0; j < G_N_ELEMENTS(squares); j++) {
			char name[4];

			if (squares[j] == SQUARE_NONE)
				continue;
			rules_square_name(squares[j], name);
			g_string_append_printf(text, " %s", name);
		}
		if (facts[i].kind == FACT_REMOVED)
			g_string_append_printf(text, " %d", facts[i].count);
	}
	return g_string_free(text, FALSE);
}

static void turns_are_explained_step_by_step(void)
{
	static const FactRow rows[] = {
		{"ordo", START, "a3-a4", "move a3 a4"},
		{"ordo", START, "d2:c2-d4", "ordo c2 d2 c4 d4"},
		{"ordox", "4b5/4b5/1w2b5/4b5/4b5/10/10/10 w", "b6xe6=e7,e6-d7",
		 "capture b6 e6; removed e7 2; move e6 d7"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const GameRules *rules = rules_find(rows[i].rules);
		Position position = check_position(rules, rows[i].board);
		TurnFact facts[RULES_FACTS_MAX];
		int count = rules->explain(&position, rows[i].turn, facts);
		g_autofree char *text = facts_text(facts, count);

		g_assert_cmpstr(text, ==, rows[i].facts);
	}
}

/* The squares with a mark, by rank, then file. */
static char *marks_text(const Picture *picture)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < 256; i++) {
		const PictureSquare *square = &picture->square[i];
		char name[4];

		rules_square_name((Square)i, name);
		if (square->moved_from)
			g_string_append_printf(text, "%s< ", name);
		if (square->moved_to)
			g_string_append_printf(text, "%s> ", name);
		if (square->captured)
			g_string_append_printf(text, "%sx ", name);
	}
	return g_string_free(text, FALSE);
}

static void pictures_mark_the_last_turn(void)
{
	static const FactRow rows[] = {
		{"ordo", START, "c2:d2-c4", "c2< d2< c4> d4> "},
		{"ordox", "9b/10/10/10/4w5/4w5/10/10 w", "e3:e4-e4", "e3< e4> e5> "},
		{"ordox", "9b/10/10/10/10/2www5/10/10 w", "c3:e3-d3,d3:f3-e4",
		 "c3< d3< e3< f3< e4> f4> g4> "},
		{"ordox", "4b5/4b5/1w2b5/4b5/4b5/10/10/10 w", "b6xe6=e7,e6-d7",
		 "e4x e5x b6< e6< e6x d7> "},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const GameRules *rules = rules_find(rows[i].rules);
		Position before = check_position(rules, rows[i].board);
		Position position = check_play(rules, &before, rows[i].turn);
		Picture picture;
		g_autofree char *marks = NULL;

		rules->picture(&position, 1, &before, rows[i].turn, &picture);
		marks = marks_text(&picture);
		g_assert_cmpstr(marks, ==, rows[i].facts);
		g_assert_cmpint(picture.files, ==, 10);
		g_assert_cmpint(picture.ranks, ==, 8);
		g_assert_true(picture.square[SQUARE_OF(0, 7)].goal[0]);
		g_assert_true(picture.square[SQUARE_OF(9, 0)].goal[1]);
		g_assert_false(picture.square[SQUARE_OF(0, 0)].goal[0]);
	}
}

static void squares_and_reasons_have_names(void)
{
	Reason reason;

	for (int square = 0; square < 256; square++) {
		char name[4];

		rules_square_name((Square)square, name);
		g_assert_cmpint(rules_square_parse(name, strlen(name)), ==, square);
	}
	g_assert_cmpint(rules_square_parse("q1", 2), ==, SQUARE_NONE);
	g_assert_cmpint(rules_square_parse("a0", 2), ==, SQUARE_NONE);
	g_assert_cmpint(rules_square_parse("a17", 3), ==, SQUARE_NONE);
	g_assert_cmpint(rules_square_parse("a01", 3), ==, SQUARE_NONE);
	g_assert_cmpint(rules_square_parse("a", 1), ==, SQUARE_NONE);
	g_assert_true(rules_reason_parse("no-legal-turn", &reason));
	g_assert_cmpint(reason, ==, REASON_NO_LEGAL_TURN);
	g_assert_false(rules_reason_parse("bored", &reason));
	g_assert_null(rules_find("chess"));
	g_assert_cmpstr(rules_at(0)->key, ==, "ordo");
	g_assert_cmpuint(rules_board_key("a"), ==, G_GUINT64_CONSTANT(0xaf63dc4c8601ec8c));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define ADD(test) g_test_add_func("/rules/turns/" #test, test)
	ADD(one_turn_has_one_canonical_text);
	ADD(an_ordo_x_line_may_enter_the_squares_it_leaves);
	ADD(a_capture_in_ordo_x_removes_all_but_the_largest_group);
	ADD(whoever_reaches_the_goal_rank_wins);
	ADD(capturing_the_last_stone_wins_at_once);
	ADD(splitting_beyond_repair_wins_at_once);
	ADD(backward_moves_end_with_the_turn_that_reconnects);
	ADD(a_third_repetition_is_a_draw);
	ADD(boards_that_no_game_reaches_have_a_result_all_the_same);
	ADD(turns_are_explained_step_by_step);
	ADD(pictures_mark_the_last_turn);
	ADD(squares_and_reasons_have_names);
	return g_test_run();
}
