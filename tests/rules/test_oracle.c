/*
 * The referee against what engines written elsewhere say: tests/rules/oracle.
 */
#include "check.h"

static const GameRules *line_rules(json_t *line)
{
	const GameRules *rules = rules_find(check_text(line, "rules"));

	g_assert_nonnull(rules);
	return rules;
}

static void turns_compare(json_t *line, GPtrArray *turns)
{
	json_t *expected = json_object_get(line, "turns");

	for (unsigned i = 0; i < turns->len && i < json_array_size(expected); i++)
		g_assert_cmpstr(turns->pdata[i], ==,
				json_string_value(json_array_get(expected, i)));
	g_assert_cmpuint(turns->len, ==, json_array_size(expected));
}

/* play, reconnect or over:winner:reason */
static void state_compare(const GameRules *rules, const Position *position, const char *state)
{
	Outcome outcome = rules->outcome(position, 1);
	g_auto(GStrv) words = g_strsplit(state, ":", -1);

	if (g_strcmp0(words[0], "over") != 0) {
		g_assert_false(outcome.over);
		return;
	}
	g_assert_true(outcome.over);
	g_assert_cmpint(outcome.winner, ==, words[1][0] == 'w' ? 1 : 2);
	g_assert_cmpstr(rules_reason_name(outcome.reason), ==, words[2]);
	g_assert_cmpuint(rules->to_move(position), ==, SEATS_NONE);
}

static void position_check(json_t *line)
{
	const GameRules *rules = line_rules(line);
	const char *board = check_text(line, "board");
	Position position = check_position(rules, board);
	g_autoptr(GPtrArray) turns = check_turns(rules, &position);
	char again[RULES_BOARD_MAX];

	rules->format(&position, 0, again);
	g_assert_cmpstr(again, ==, board);
	turns_compare(line, turns);
	if (json_object_get(line, "state") != NULL)
		state_compare(rules, &position, check_text(line, "state"));
	if (json_object_get(line, "perft2") != NULL)
		g_assert_cmpint((gint64)rules->perft(&position, 2), ==,
				check_number(line, "perft2"));
}

static void ordo_positions_have_exactly_the_listed_turns(void)
{
	check_lines_each("ordo_positions.jsonl", position_check);
}

static void ordox_positions_have_exactly_the_listed_turns(void)
{
	check_lines_each("ordox_positions.jsonl", position_check);
}

/* Made by a literal generator from the rule texts: the other files hold few choices. */
static void ordox_positions_with_choices_have_exactly_the_listed_turns(void)
{
	check_lines_each("ordox_choices.jsonl", position_check);
}

static void count_check(json_t *line)
{
	const GameRules *rules = line_rules(line);
	Position position = check_position(rules, check_text(line, "board"));
	g_autoptr(GPtrArray) turns = check_turns(rules, &position);

	g_assert_cmpint(turns->len, ==, check_number(line, "turns"));
	g_assert_cmpint((gint64)rules->perft(&position, 1), ==, turns->len);
}

static void ordox_positions_have_as_many_turns_as_counted(void)
{
	check_lines_each("ordox_counts.jsonl", count_check);
}

/* Turns of other engines that our rules spell otherwise: theirs to ours. */
static GHashTable *differences;

static void difference_add(json_t *line)
{
	g_hash_table_insert(differences, g_strdup(check_text(line, "theirs")),
			    g_strdup(check_text(line, "ours")));
}

/* Where a difference is known, the other engine's turn must be refused for want of a choice. */
static const char *turn_ours(const GameRules *rules, const Position *position, const char *turn)
{
	const char *ours = g_hash_table_lookup(differences, turn);
	Position next;
	Refusal refusal;
	char canonical[RULES_TURN_MAX];

	if (ours == NULL || rules->play(position, ours, &next, canonical, &refusal) == false)
		return turn;
	g_assert_false(rules->play(position, turn, &next, canonical, &refusal));
	g_assert_cmpint(refusal.code, ==, REFUSAL_GROUP_CHOICE_MISSING);
	return ours;
}

static void game_check(json_t *line)
{
	const GameRules *rules = line_rules(line);
	json_t *turns = json_object_get(line, "turns");
	Position position;
	Refusal refusal;
	Outcome outcome;
	char board[RULES_BOARD_MAX];

	g_assert_true(rules->start("", &position, &refusal));
	for (size_t i = 0; i < json_array_size(turns); i++) {
		const char *turn = json_string_value(json_array_get(turns, i));

		g_assert_cmpuint(rules->to_move(&position), ==, SEATS_OF(1 + (int)(i % 2)));
		position = check_play(rules, &position, turn_ours(rules, &position, turn));
	}
	rules->format(&position, 0, board);
	g_assert_cmpstr(board, ==, check_text(line, "final"));
	outcome = rules->outcome(&position, 1);
	g_assert_true(outcome.over);
	g_assert_cmpint(outcome.winner, ==, check_number(line, "winner"));
	g_assert_cmpstr(rules_reason_name(outcome.reason), ==, check_text(line, "reason"));
}

static void ordo_games_end_as_recorded(void)
{
	check_lines_each("ordo_games.jsonl", game_check);
}

static void ordox_games_end_as_recorded(void)
{
	check_lines_each("ordox_games.jsonl", game_check);
}

static void divide_check(json_t *line)
{
	const GameRules *rules = line_rules(line);
	Position position = check_position(rules, check_text(line, "board"));
	int depth = (int)check_number(line, "depth");
	json_t *divide = json_object_get(line, "divide"), *count;
	const char *turn;
	g_autoptr(GPtrArray) turns = check_turns(rules, &position);
	gint64 total = 0;

	g_assert_cmpuint(turns->len, ==, json_object_size(divide));
	json_object_foreach(divide, turn, count)
	{
		Position next = check_play(rules, &position, turn);
		gint64 turns_after = (gint64)rules->perft(&next, depth - 1);

		g_assert_cmpint(turns_after, ==, json_integer_value(count));
		total += turns_after;
	}
	g_assert_cmpint(total, ==, check_number(line, "total"));
}

static void counts_split_by_first_turn_are_the_listed_ones(void)
{
	check_lines_each("divide.jsonl", divide_check);
}

int main(int argc, char **argv)
{
	int status;

	g_test_init(&argc, &argv, NULL);
	differences = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	check_lines_each("differences.jsonl", difference_add);
	g_test_add_func("/rules/oracle/ordo_positions_have_exactly_the_listed_turns",
			ordo_positions_have_exactly_the_listed_turns);
	g_test_add_func("/rules/oracle/ordox_positions_have_exactly_the_listed_turns",
			ordox_positions_have_exactly_the_listed_turns);
	g_test_add_func("/rules/oracle/ordox_positions_with_choices_have_exactly_the_listed_turns",
			ordox_positions_with_choices_have_exactly_the_listed_turns);
	g_test_add_func("/rules/oracle/ordox_positions_have_as_many_turns_as_counted",
			ordox_positions_have_as_many_turns_as_counted);
	g_test_add_func("/rules/oracle/ordo_games_end_as_recorded", ordo_games_end_as_recorded);
	g_test_add_func("/rules/oracle/ordox_games_end_as_recorded", ordox_games_end_as_recorded);
	g_test_add_func("/rules/oracle/counts_split_by_first_turn_are_the_listed_ones",
			counts_split_by_first_turn_are_the_listed_ones);
	status = g_test_run();
	g_hash_table_unref(differences);
	return status;
}
