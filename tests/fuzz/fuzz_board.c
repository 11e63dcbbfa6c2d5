/*
 * Board strings: a game (first byte), then the text. What is read is written back as it was, and
 * everything that is asked of the position has an answer.
 */
#include "rules/rules.h"

#include <glib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool first_keep(const char *turn, void *user_data)
{
	g_strlcpy(user_data, turn, RULES_TURN_MAX);
	return false;
}

static void position_check(const GameRules *rules, const char *board)
{
	Position position, next;
	Refusal refusal;
	Outcome outcome;
	Picture picture;
	char again[RULES_BOARD_MAX], turn[RULES_TURN_MAX] = "", canonical[RULES_TURN_MAX];

	if (!rules->parse(board, &position, &refusal)) {
		g_assert_true(refusal.code == REFUSAL_BAD_BOARD);
		return;
	}
	rules->format(&position, 0, again);
	g_assert_cmpstr(again, ==, board);
	rules->picture(&position, 0, NULL, NULL, &picture);
	outcome = rules->outcome(&position, 1);
	g_assert_true(outcome.over == (rules->to_move(&position) == SEATS_NONE));
	rules_turns(rules, &position, first_keep, turn);
	g_assert_true(outcome.over == (turn[0] == '\0'));
	if (!outcome.over)
		g_assert_true(rules->play(&position, turn, &next, canonical, &refusal));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *board = NULL;
	size_t count = 0;

	if (size < 1)
		return 0;
	while (rules_at(count) != NULL)
		count++;
	g_assert(count > 0);
	board = g_strndup((const char *)data + 1, size - 1);
	position_check(rules_at(data[0] % count), board);
	return 0;
}
