#include "xo_end.h"

#include "xo_steps.h"

enum { REPETITIONS = 3 };

/* All cells from one (left out) to the edge of the board. */
static Bits ray(const XoBoard *board, Cell from, int direction)
{
	int file = from % board->files, rank = from / board->files;
	Bits cells = 0;

	for (;;) {
		file += xo_directions[direction][0];
		rank += xo_directions[direction][1];
		if (!xo_board_has(board, file, rank))
			return cells;
		cells |= bits_of(xo_cell(board, file, rank));
	}
}

/* The whole lines of a side's pieces on the empty board. */
static Bits lines(const XoBoard *board, int side)
{
	Bits cells = board->of[side];

	for (Bits left = board->of[side]; left != 0;) {
		Cell cell = bits_take(&left);
		int axis = xo_axis(xo_board_piece(board, cell));

		cells |= ray(board, cell, axis) | ray(board, cell, axis + 4);
	}
	return cells;
}

bool xo_end_is_dead(const XoBoard *board)
{
	return board->chief == 0 && (lines(board, 0) & lines(board, 1)) == 0;
}

Outcome xo_end_of_material(const XoBoard *board)
{
	bool blue = board->of[0] != 0, red = board->of[1] != 0;

	if (!blue || !red)
		return (Outcome){true, blue ? 1 : red ? 2 : 0, REASON_ANNIHILATED};
	if (xo_end_is_dead(board))
		return (Outcome){true, 0, REASON_DEAD_POSITION};
	return (Outcome){false, 0, REASON_NONE};
}

Outcome xo_end_of_turn(const XoBoard *board, int seen)
{
	Outcome outcome = xo_end_of_material(board);

	if (outcome.over)
		return outcome;
	if (board->passes >= XO_PASSES_MAX)
		return (Outcome){true, 0, REASON_PASSES};
	if (seen >= REPETITIONS)
		return (Outcome){true, 0, REASON_REPETITION};
	if (board->quiet >= XO_QUIET_MAX)
		return (Outcome){true, 0, REASON_NO_DEATH};
	return outcome;
}
