/*
 * Board strings: a game (first byte), then the text. What is read is written so that it is the same
 * position, and everything that is asked of the position has an answer; while the armies are laid
 * out nobody sees a sealed one but its own seat.
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

/* Written and read again it is the same; written twice, the same text. */
static void round_trip(const GameRules *rules, const Position *position)
{
	char board[RULES_BOARD_MAX], again[RULES_BOARD_MAX];
	Position parsed;
	Refusal refusal;

	rules->format(position, VIEWER_REFEREE, board);
	g_assert_true(rules->parse(board, &parsed, &refusal));
	g_assert_true(memcmp(&parsed, position, sizeof parsed) == 0);
	rules->format(&parsed, VIEWER_REFEREE, again);
	g_assert_cmpstr(again, ==, board);
}

static int pieces_shown(const GameRules *rules, const Position *position, Seat viewer, Seat seat)
{
	Picture picture;
	int count = 0;

	rules->picture(position, viewer, NULL, NULL, &picture);
	for (size_t i = 0; i < G_N_ELEMENTS(picture.square); i++)
		count += picture.square[i].seat == seat;
	return count;
}

/* What each viewer sees is a board, too, and holds no sealed piece of another seat. */
static void viewers_check(const GameRules *rules, const Position *position, bool sealed)
{
	for (Seat viewer = 0; viewer <= 2; viewer++) {
		char board[RULES_BOARD_MAX];
		Position seen;
		Refusal refusal;

		rules->format(position, viewer, board);
		g_assert_true(rules->parse(board, &seen, &refusal));
		for (Seat seat = 1; seat <= 2; seat++) {
			int shown = pieces_shown(rules, position, viewer, seat);

			g_assert_true(!sealed || viewer == seat || shown == 0);
			g_assert_cmpint(shown, ==,
					pieces_shown(rules, &seen, VIEWER_REFEREE, seat));
		}
	}
}

/* No turn can be played while the armies are laid out. */
static void setup_check(const GameRules *rules, const Position *position)
{
	char canonical[RULES_TURN_MAX], layout[RULES_LAYOUT_MAX];
	Position next;
	Refusal refusal;

	g_assert_false(rules->play(position, "pass", &next, canonical, &refusal));
	for (Seat seat = 1; seat <= 2; seat++)
		rules->setup->layout(position, seat, layout);
	for (Seat seat = 1; seat <= 2; seat++)
		rules->setup->apply(position, seat, 1, NULL, &next, &refusal);
}

static void position_check(const GameRules *rules, const char *board)
{
	Position position, next;
	Refusal refusal;
	Outcome outcome;
	SetupState state = {.sealed = false};
	bool laying = false;
	char turn[RULES_TURN_MAX] = "", canonical[RULES_TURN_MAX];

	if (!rules->parse(board, &position, &refusal)) {
		g_assert_true(refusal.code == REFUSAL_BAD_BOARD);
		return;
	}
	round_trip(rules, &position);
	laying = rules->setup != NULL && rules->setup->state(&position, &state);
	viewers_check(rules, &position, laying && state.sealed);
	outcome = rules->outcome(&position, 1);
	g_assert_true(outcome.over == (rules->to_move(&position) == SEATS_NONE));
	rules_turns(rules, &position, first_keep, turn);
	g_assert_true((outcome.over || laying) == (turn[0] == '\0'));
	if (laying)
		setup_check(rules, &position);
	else if (!outcome.over)
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
