/*
 * XO (RULES.md section 5).
 */
#include "games.h"
#include "xo_layout.h"
#include "xo_setup.h"
#include "xo_turns.h"

#include <assert.h>
#include <string.h>

static XoWalk walk_legal(const Position *before, const char *turn)
{
	XoBoard board = xo_board_load(before);
	Refusal refusal;
	XoWalk walk;
	bool legal = xo_turns_walk(&board, turn, &walk, &refusal);

	assert(legal);
	(void)legal;
	return walk;
}

static TurnFact fact_of(const XoTurn *turn, const XoStep *step)
{
	static const FactKind facts[] = {
		[XO_PASS] = FACT_PASS,
		[XO_ROTATION] = FACT_ROTATION,
		[XO_MOVE] = FACT_MOVE,
		[XO_KILL] = FACT_CAPTURE,
		[XO_CONFRONTATION] = FACT_CONFRONTATION,
	};
	TurnFact fact = {.kind = facts[step->kind],
			 .from = SQUARE_NONE,
			 .from2 = SQUARE_NONE,
			 .to = SQUARE_NONE,
			 .to2 = SQUARE_NONE};
	XoPiece piece;

	if (step->kind == XO_PASS)
		return fact;
	piece = xo_board_piece(&turn->now, step->from);
	fact.to = xo_square(&turn->now, step->to);
	if (step->kind == XO_ROTATION)
		piece.turned = !piece.turned;
	else
		fact.from = xo_square(&turn->now, step->from);
	fact.piece = xo_layout_piece_kind(piece);
	if (step->kind == XO_KILL || step->kind == XO_CONFRONTATION)
		fact.taken = xo_layout_piece_kind(xo_board_piece(&turn->now, step->to));
	if (turn->survivor != XO_CELL_NONE)
		fact.part = step->from == turn->survivor ? PART_SURVIVOR : PART_BONUS;
	return fact;
}

static int xo_explain(const Position *before, const char *turn, TurnFact *facts_r)
{
	XoWalk walk = walk_legal(before, turn);
	XoBoard board = xo_board_load(before);
	XoTurn now;

	xo_turn_begin(&now, &board);
	for (int i = 0; i < walk.count; i++) {
		facts_r[i] = fact_of(&now, &walk.step[i]);
		xo_turn_apply(&now, &walk.step[i]);
	}
	return walk.count;
}

static void step_mark(const XoBoard *board, const XoStep *step, Picture *picture)
{
	PictureSquare *from = &picture->square[xo_square(board, step->from)];
	PictureSquare *to = &picture->square[xo_square(board, step->to)];

	if (step->kind == XO_ROTATION) {
		to->rotated = true;
		return;
	}
	/* A piece that rotated first and moved in the bonus is marked where it stands now. */
	to->rotated = from->rotated;
	from->rotated = false;
	from->moved_from = true;
	to->moved_to = step->kind != XO_CONFRONTATION;
	from->captured = step->kind == XO_CONFRONTATION;
	to->captured = to->captured || step->kind != XO_MOVE;
}

static void turn_mark(const Position *before, const char *turn, Picture *picture)
{
	XoWalk walk = walk_legal(before, turn);

	for (int i = 0; i < walk.count; i++) {
		if (walk.step[i].kind != XO_PASS)
			step_mark(&walk.turn.now, &walk.step[i], picture);
	}
	for (int i = 0; i < 256; i++) {
		if (picture->square[i].seat != 0)
			picture->square[i].moved_from = false;
	}
}

static void xo_picture(const Position *position, Seat viewer, const Position *before,
		       const char *turn, Picture *picture_r)
{
	XoBoard board = xo_board_load(position);

	memset(picture_r, 0, sizeof *picture_r);
	picture_r->files = board.files;
	picture_r->ranks = board.ranks;
	for (Cell cell = 0; cell < board.files * board.ranks; cell++) {
		PictureSquare *square = &picture_r->square[xo_square(&board, cell)];
		int side = bits_have(board.of[1], cell);

		square->territory = (uint8_t)xo_territory(&board, cell);
		if (!bits_have(board.of[side], cell) || !xo_board_shows(&board, side, viewer))
			continue;
		square->seat = (uint8_t)(side + 1);
		square->kind = (uint8_t)xo_layout_piece_kind(xo_board_piece(&board, cell));
	}
	if (before != NULL && turn != NULL)
		turn_mark(before, turn, picture_r);
}

static const GameOption xo_options[] = {
	{"board", XO_USUAL_SIZE, false},
	{"territory", XO_USUAL_TERRITORY, true},
	{NULL, NULL, false},
};

const GameRules rules_xo = {
	.key = "xo",
	.name = "XO",
	.seat_names = {"blue", "red"},
	.turn_has_steps = true,
	.whole_turn_goes_on = true,
	.setup = &xo_setup,
	.options = xo_options,
	.start = xo_setup_usual,
	.parse = xo_board_parse,
	.format = xo_board_format,
	.format_bare = xo_board_format_bare,
	.to_move = xo_turns_to_move,
	.outcome = xo_turns_outcome,
	.play = xo_turns_play,
	.read = xo_written_turn,
	.steps = xo_turns_steps,
	.perft = xo_turns_perft,
	.explain = xo_explain,
	.picture = xo_picture,
};
