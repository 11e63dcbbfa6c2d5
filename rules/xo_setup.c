#include "xo_setup.h"

#include "xo_layout.h"

#include <string.h>

enum { CHANGES_MAX = 5 };

static bool refuse(Refusal *refusal, RefusalCode code)
{
	refusal_set(refusal, code, 0);
	return false;
}

/* Who has sent a layout: whoever has pieces. */
static Seats given(const XoBoard *board)
{
	return (board->of[0] != 0 ? SEATS_OF(1) : SEATS_NONE) |
	       (board->of[1] != 0 ? SEATS_OF(2) : SEATS_NONE);
}

Seats xo_setup_to_move(const XoBoard *board)
{
	if (board->sealed)
		return (SEATS_OF(1) | SEATS_OF(2)) & ~given(board);
	return (board->accepted & SEATS_OF(1)) == 0 ? SEATS_OF(1) : SEATS_OF(2);
}

static bool setup_start(const char *options, Position *position_r, Refusal *refusal_r)
{
	XoBoard board;

	if (!xo_board_options(options, &board))
		return refuse(refusal_r, REFUSAL_BAD_OPTIONS);
	board.setup = 1;
	board.round = 1;
	board.sealed = 1;
	xo_board_store(&board, position_r);
	return true;
}

static void setup_parse(const Position *position, Seat seat, const char *text, Layout *layout_r)
{
	XoBoard board = xo_board_load(position);

	xo_layout_parse(&board, seat, text, layout_r);
}

static bool setup_check(const Position *position, Seat seat, Layout *layout)
{
	XoBoard board = xo_board_load(position);

	return xo_layout_check(&board, seat, layout);
}

static void side_clear(XoBoard *board, Seat seat)
{
	for (Bits left = board->of[seat - 1]; left != 0;)
		xo_board_clear(board, bits_take(&left));
}

/* Counters and marks of the set-up do not last into play. */
static void setup_end(XoBoard *board)
{
	board->setup = board->round = board->sealed = board->accepted = 0;
	memset(board->changes, 0, sizeof board->changes);
}

static void pair_accept(XoBoard *board, Seat seat)
{
	board->accepted |= (uint8_t)SEATS_OF(seat);
	if (board->accepted == (SEATS_OF(1) | SEATS_OF(2)))
		setup_end(board);
}

static bool seat_check(const XoBoard *board, Seat seat, int round, Refusal *refusal_r)
{
	if (!board->setup)
		return refuse(refusal_r, REFUSAL_SETUP_OVER);
	if (round != board->round)
		return refuse(refusal_r, REFUSAL_SETUP_OTHER_ROUND);
	if ((xo_setup_to_move(board) & SEATS_OF(seat)) == 0)
		return refuse(refusal_r, REFUSAL_SETUP_NOT_YOUR_TURN);
	return true;
}

/* The first layout of a seat; once both are in, they are open. */
static void sealed_put(XoBoard *board)
{
	board->sealed = given(board) != (SEATS_OF(1) | SEATS_OF(2));
}

/* Another layout makes a new pair, which its sender has accepted. An equal one is an acceptance. */
static bool change_put(XoBoard *board, const XoBoard *before, Seat seat, Refusal *refusal_r)
{
	char old[RULES_LAYOUT_MAX], new[RULES_LAYOUT_MAX];

	xo_layout_write(before, seat, old);
	xo_layout_write(board, seat, new);
	if (strcmp(old, new) == 0) {
		pair_accept(board, seat);
		return true;
	}
	if (board->changes[seat - 1] >= CHANGES_MAX)
		return refuse(refusal_r, REFUSAL_SETUP_NO_CHANGES_LEFT);
	board->changes[seat - 1]++;
	board->round++;
	board->accepted = (uint8_t)SEATS_OF(seat);
	return true;
}

static bool setup_apply(const Position *position, Seat seat, int round, const char *layout,
			Position *next_r, Refusal *refusal_r)
{
	XoBoard board = xo_board_load(position), before = board;

	if (!seat_check(&board, seat, round, refusal_r))
		return false;
	if (layout == NULL && board.sealed)
		return refuse(refusal_r, REFUSAL_SETUP_NOTHING_TO_ACCEPT);
	if (layout != NULL) {
		side_clear(&board, seat);
		if (!xo_layout_put(&board, seat, layout))
			return refuse(refusal_r, REFUSAL_LAYOUT_FAULTY);
	}
	if (layout == NULL)
		pair_accept(&board, seat);
	else if (board.sealed)
		sealed_put(&board);
	else if (!change_put(&board, &before, seat, refusal_r))
		return false;
	xo_board_store(&board, next_r);
	return true;
}

static bool setup_state(const Position *position, SetupState *state_r)
{
	XoBoard board = xo_board_load(position);

	if (!board.setup)
		return false;
	*state_r = (SetupState){
		.round = board.round,
		.sealed = board.sealed != 0,
		.given = given(&board),
		.accepted = board.accepted,
		.changes_left = {CHANGES_MAX - board.changes[0], CHANGES_MAX - board.changes[1]},
	};
	return true;
}

static bool setup_layout(const Position *position, Seat seat, char *text_r)
{
	XoBoard board = xo_board_load(position);

	return xo_layout_write(&board, seat, text_r);
}

static void setup_copy(const Position *position, const char *layout, char *copy_r)
{
	XoBoard board = xo_board_load(position);

	xo_layout_copy(&board, layout, copy_r);
}

static void setup_shuffle(const Position *position, Seat seat, RandomFn *draw, void *user_data,
			  char *text_r)
{
	XoBoard board = xo_board_load(position);

	xo_layout_shuffle(&board, seat, draw, user_data, text_r);
}

bool xo_setup_usual(const char *options, Position *position_r, Refusal *refusal_r)
{
	XoBoard board;

	if (!xo_board_options(options, &board))
		return refuse(refusal_r, REFUSAL_BAD_OPTIONS);
	for (Seat seat = 1; seat <= 2; seat++) {
		char text[RULES_LAYOUT_MAX];

		xo_layout_usual(&board, seat, text);
		xo_layout_put(&board, seat, text);
	}
	xo_board_store(&board, position_r);
	return true;
}

const GameSetup xo_setup = {
	.start = setup_start,
	.parse = setup_parse,
	.signs = xo_layout_signs,
	.check = setup_check,
	.apply = setup_apply,
	.state = setup_state,
	.layout = setup_layout,
	.copy = setup_copy,
	.shuffle = setup_shuffle,
};
