#include "xo_steps.h"

#include "xo_end.h"

const int xo_directions[XO_DIRECTIONS][2] = {
	{0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1},
};

int xo_axis(XoPiece piece)
{
	if (piece.kind == XO_HOVE)
		return piece.turned ? 2 : 0;
	return piece.turned ? 1 : 3;
}

static int side_of(const XoBoard *board, Cell cell)
{
	return bits_have(board->of[1], cell);
}

bool xo_may_rotate(const XoBoard *board, Cell cell)
{
	XoPiece piece = xo_board_piece(board, cell);

	if (piece.kind == XO_GIRO)
		return false;
	return piece.chief || xo_has_chief(board, side_of(board, cell), XO_GIRO);
}

bool xo_is_slow(const XoBoard *board, Cell cell)
{
	XoPiece piece = xo_board_piece(board, cell);

	return !piece.chief && !xo_has_chief(board, side_of(board, cell), piece.kind);
}

bool xo_is_confrontation(const XoBoard *board, Cell from, Cell to)
{
	XoPiece attacker = xo_board_piece(board, from), target = xo_board_piece(board, to);
	Seat ground = xo_territory(board, from);

	return attacker.kind != XO_GIRO && attacker.kind == target.kind &&
	       attacker.chief == target.chief && attacker.turned == target.turned &&
	       (ground == 0 || ground != xo_territory(board, to));
}

void xo_turn_begin(XoTurn *turn, const XoBoard *board)
{
	turn->now = *board;
	turn->stage = XO_STAGE_BEGIN;
	turn->rotated = XO_CELL_NONE;
	turn->survivor = XO_CELL_NONE;
	turn->decided = false;
	turn->last = XO_PASS;
}

static void rotation_apply(XoTurn *turn, Cell cell)
{
	turn->now.turned ^= bits_of(cell);
	if (cell == turn->survivor) {
		turn->stage = XO_STAGE_SURVIVOR;
		return;
	}
	turn->rotated = cell;
	turn->stage = turn->stage == XO_STAGE_BEGIN ? XO_STAGE_ROTATED : XO_STAGE_BONUS_ROTATED;
}

static void attack_apply(XoTurn *turn, const XoStep *step)
{
	XoBoard *now = &turn->now;
	XoPiece piece = xo_board_piece(now, step->from);

	xo_board_clear(now, step->to);
	xo_board_clear(now, step->from);
	now->quiet = 0;
	turn->stage = XO_STAGE_ENDED;
	if (step->kind == XO_KILL) {
		xo_board_put(now, step->to, now->mover, piece);
		turn->stage = XO_STAGE_KILLED;
		turn->survivor = step->to;
		turn->rotated = XO_CELL_NONE;
	}
	if (xo_end_of_material(now).over) {
		turn->stage = XO_STAGE_ENDED;
		turn->decided = true;
	}
}

static void move_apply(XoTurn *turn, const XoStep *step)
{
	XoPiece piece = xo_board_piece(&turn->now, step->from);

	xo_board_clear(&turn->now, step->from);
	xo_board_put(&turn->now, step->to, turn->now.mover, piece);
	turn->stage = XO_STAGE_ENDED;
}

void xo_turn_apply(XoTurn *turn, const XoStep *step)
{
	/* A turn without a death is counted at its first step; a death sets the counter back. */
	if (turn->stage == XO_STAGE_BEGIN) {
		turn->now.quiet++;
		turn->now.passes = step->kind == XO_PASS ? (uint8_t)(turn->now.passes + 1) : 0;
	}
	turn->last = step->kind;
	switch (step->kind) {
	case XO_PASS:
		turn->stage = XO_STAGE_ENDED;
		break;
	case XO_ROTATION:
		rotation_apply(turn, step->from);
		break;
	case XO_MOVE:
		move_apply(turn, step);
		break;
	case XO_KILL:
	case XO_CONFRONTATION:
		attack_apply(turn, step);
		break;
	}
}

XoBoard xo_turn_end(const XoTurn *turn)
{
	XoBoard board = turn->now;

	board.mover = !board.mover;
	return board;
}

/* One piece's steps are looked for. */
typedef struct {
	const XoTurn *turn;
	Cell from;
	bool attacks; /* it may */
	XoStepFn *each;
	void *user_data;
} Search;

static bool step_tell(const Search *search, XoStepKind kind, Cell to)
{
	XoStep step = {kind, search->from, to};

	return search->each(&step, search->user_data);
}

/* Attacks the piece on a cell if it is an enemy's. */
static bool attack_tell(const Search *search, Cell to)
{
	const XoBoard *board = &search->turn->now;

	if (!search->attacks || !bits_have(board->of[!board->mover], to))
		return true;
	return step_tell(search,
			 xo_is_confrontation(board, search->from, to) ? XO_CONFRONTATION : XO_KILL,
			 to);
}

static bool direction_each(const Search *search, int direction, int most)
{
	const XoBoard *board = &search->turn->now;
	int file = search->from % board->files, rank = search->from / board->files;

	for (int i = 0; i < most; i++) {
		Cell to;

		file += xo_directions[direction][0];
		rank += xo_directions[direction][1];
		if (!xo_board_has(board, file, rank))
			return true;
		to = xo_cell(board, file, rank);
		if (bits_have(board->of[0] | board->of[1], to))
			return attack_tell(search, to);
		if (!step_tell(search, XO_MOVE, to))
			return false;
	}
	return true;
}

/* A Diago's step to the left and to the right. */
static bool aside_each(const Search *search)
{
	Search quiet = *search;

	quiet.attacks = false;
	return direction_each(&quiet, 2, 1) && direction_each(&quiet, 6, 1);
}

static bool piece_each(const Search *search)
{
	const XoBoard *board = &search->turn->now;
	XoPiece piece = xo_board_piece(board, search->from);
	bool slow = xo_is_slow(board, search->from);
	int most = slow ? 1 : XO_RANKS_MAX;

	for (int direction = 0; direction < XO_DIRECTIONS; direction++) {
		if (piece.kind != XO_GIRO && direction % 4 != xo_axis(piece))
			continue;
		if (!direction_each(search, direction, most))
			return false;
	}
	return piece.kind != XO_DIAGO || slow || aside_each(search);
}

static bool moves_each(const XoTurn *turn, bool attacks, XoStepFn *each, void *user_data)
{
	Bits left = turn->now.of[turn->now.mover];

	while (left != 0) {
		Search search = {turn, bits_take(&left), attacks, each, user_data};

		if (search.from != turn->rotated && search.from != turn->survivor &&
		    !piece_each(&search))
			return false;
	}
	return true;
}

/* All rotations but the survivor's. */
static bool rotations_each(const XoTurn *turn, XoStepFn *each, void *user_data)
{
	Bits left = turn->now.of[turn->now.mover];

	while (left != 0) {
		Cell cell = bits_take(&left);
		XoStep step = {XO_ROTATION, cell, cell};

		if (cell != turn->survivor && xo_may_rotate(&turn->now, cell) &&
		    !each(&step, user_data))
			return false;
	}
	return true;
}

static bool survivor_each(const XoTurn *turn, XoStepFn *each, void *user_data)
{
	XoStep step = {XO_ROTATION, turn->survivor, turn->survivor};

	return !xo_may_rotate(&turn->now, turn->survivor) || each(&step, user_data);
}

bool xo_steps_each(const XoTurn *turn, XoStepFn *each, void *user_data)
{
	static const XoStep pass = {XO_PASS, XO_CELL_NONE, XO_CELL_NONE};

	switch (turn->stage) {
	case XO_STAGE_BEGIN:
		return rotations_each(turn, each, user_data) &&
		       moves_each(turn, true, each, user_data) && each(&pass, user_data);
	case XO_STAGE_ROTATED:
		return moves_each(turn, true, each, user_data);
	case XO_STAGE_KILLED:
		return survivor_each(turn, each, user_data) &&
		       rotations_each(turn, each, user_data) &&
		       moves_each(turn, false, each, user_data);
	case XO_STAGE_SURVIVOR:
		return rotations_each(turn, each, user_data) &&
		       moves_each(turn, false, each, user_data);
	case XO_STAGE_BONUS_ROTATED:
		return moves_each(turn, false, each, user_data);
	case XO_STAGE_ENDED:
		return true;
	}
	return true;
}
