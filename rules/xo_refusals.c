#include "xo_refusals.h"

#include <assert.h>
#include <stdlib.h>

/* A written step on its board while the first broken rule is looked for. */
typedef struct {
	const XoTurn *turn;
	const XoBoard *now;
	char sign;
	Cell from, to;
	XoPiece piece;
	Refusal *refusal;
} Case;

static bool refuse(const Case *c, RefusalCode code, Cell first, Cell second)
{
	refusal_set(c->refusal, code, c->refusal->step);
	if (first != XO_CELL_NONE)
		refusal_add(c->refusal, xo_square(c->now, first));
	if (second != XO_CELL_NONE)
		refusal_add(c->refusal, xo_square(c->now, second));
	return false;
}

/* The turn is over, or has not begun with this pass. */
static bool place_check(const Case *c)
{
	const XoTurn *turn = c->turn;

	if (c->sign == 'p' || (turn->stage == XO_STAGE_ENDED && turn->last == XO_PASS))
		return refuse(c, REFUSAL_PASS_NOT_ALONE, XO_CELL_NONE, XO_CELL_NONE);
	if (turn->stage != XO_STAGE_ENDED)
		return true;
	if (turn->decided)
		return refuse(c, REFUSAL_ATTACK_ENDED_GAME, XO_CELL_NONE, XO_CELL_NONE);
	if (turn->last == XO_CONFRONTATION)
		return refuse(c, REFUSAL_CONFRONTATION_ENDS_TURN, XO_CELL_NONE, XO_CELL_NONE);
	if (c->sign == '~')
		return refuse(c, REFUSAL_ROTATION_AFTER_MOVE, c->from, XO_CELL_NONE);
	return refuse(c, REFUSAL_TURN_ALREADY_ENDED, c->from, c->to);
}

static bool own_check(const Case *c)
{
	if (bits_have(c->now->of[!c->now->mover], c->from))
		return refuse(c, REFUSAL_NOT_YOUR_STONE, c->from, XO_CELL_NONE);
	if (!bits_have(c->now->of[c->now->mover], c->from))
		return refuse(c, REFUSAL_EMPTY_SQUARE, c->from, XO_CELL_NONE);
	return true;
}

/* Whoever comes here breaks a rule of rotations. */
static bool rotation_refuse(const Case *c)
{
	bool survivor = c->from == c->turn->survivor;

	if (c->piece.kind == XO_GIRO)
		return refuse(c, REFUSAL_GIRO_HAS_NO_AXIS, c->from, XO_CELL_NONE);
	if (!xo_may_rotate(c->now, c->from))
		return refuse(c, REFUSAL_GIRO_CHIEF_DEAD, c->from, XO_CELL_NONE);
	if (survivor && c->turn->stage == XO_STAGE_BONUS_ROTATED)
		return refuse(c, REFUSAL_SURVIVOR_TOO_LATE, c->from, XO_CELL_NONE);
	return refuse(c, REFUSAL_ALREADY_ROTATED, survivor ? c->from : c->turn->rotated,
		      XO_CELL_NONE);
}

static bool mover_check(const Case *c)
{
	if (c->from == c->turn->survivor)
		return refuse(c, REFUSAL_SURVIVOR_MAY_NOT_MOVE, c->from, XO_CELL_NONE);
	if (c->from == c->turn->rotated)
		return refuse(c, REFUSAL_JUST_ROTATED, c->from, XO_CELL_NONE);
	if (c->from == c->to)
		return refuse(c, REFUSAL_NO_MOVEMENT, c->from, XO_CELL_NONE);
	return true;
}

static int sign_of(int number)
{
	return (number > 0) - (number < 0);
}

/* The direction from one cell to another and the length of the way; -1 if it is no straight one. */
static int direction_find(const Case *c, int *length_r)
{
	int files = c->to % c->now->files - c->from % c->now->files;
	int ranks = c->to / c->now->files - c->from / c->now->files;
	int direction = 0;

	*length_r = abs(files) > abs(ranks) ? abs(files) : abs(ranks);
	if (files != 0 && ranks != 0 && abs(files) != abs(ranks))
		return -1;
	while (xo_directions[direction][0] != sign_of(files) ||
	       xo_directions[direction][1] != sign_of(ranks))
		direction++;
	return direction;
}

/* A Diago off its axis: only a step aside is left to it. */
static bool aside_check(const Case *c, int direction, int length)
{
	if (direction % 4 != 2)
		return refuse(c, REFUSAL_OFF_AXIS, c->from, c->to);
	if (xo_is_slow(c->now, c->from))
		return refuse(c, REFUSAL_DIAGO_CHIEF_DEAD, c->from, c->to);
	if (length > 1)
		return refuse(c, REFUSAL_ASIDE_TOO_FAR, c->from, c->to);
	if (bits_have(c->now->of[!c->now->mover], c->to))
		return refuse(c, REFUSAL_ASIDE_ATTACKS, c->from, c->to);
	return true;
}

static bool way_check(const Case *c, int direction, int length)
{
	if (direction < 0)
		return refuse(c,
			      c->piece.kind == XO_GIRO ? REFUSAL_BAD_DIRECTION : REFUSAL_OFF_AXIS,
			      c->from, c->to);
	if (c->piece.kind == XO_GIRO)
		return true;
	if (direction % 4 != xo_axis(c->piece))
		return c->piece.kind == XO_DIAGO ? aside_check(c, direction, length)
						 : refuse(c, REFUSAL_OFF_AXIS, c->from, c->to);
	if (length > 1 && xo_is_slow(c->now, c->from))
		return refuse(c,
			      c->piece.kind == XO_HOVE ? REFUSAL_HOVE_CHIEF_DEAD
						       : REFUSAL_DIAGO_CHIEF_DEAD,
			      c->from, c->to);
	return true;
}

/* The first piece in the way. */
static bool path_check(const Case *c, int direction, int length)
{
	int file = c->from % c->now->files, rank = c->from / c->now->files;

	for (int i = 1; i < length; i++) {
		Cell cell;

		file += xo_directions[direction][0];
		rank += xo_directions[direction][1];
		cell = xo_cell(c->now, file, rank);
		if (bits_have(c->now->of[0] | c->now->of[1], cell))
			return refuse(c, REFUSAL_BLOCKED, cell, XO_CELL_NONE);
	}
	if (bits_have(c->now->of[c->now->mover], c->to))
		return refuse(c, REFUSAL_OWN_STONE_THERE, c->to, XO_CELL_NONE);
	return true;
}

/* Whoever comes here breaks a rule of moves; the last of them is that a bonus does not attack. */
static bool move_refuse(const Case *c)
{
	int direction, length;

	if (!mover_check(c))
		return false;
	direction = direction_find(c, &length);
	if (!way_check(c, direction, length) || !path_check(c, direction, length))
		return false;
	assert(c->turn->survivor != XO_CELL_NONE);
	return refuse(c, REFUSAL_BONUS_MAY_NOT_ATTACK, c->from, c->to);
}

/* Does the sign say what the step is? An attack may always be written with "x". */
static bool sign_check(const Case *c, const XoStep *step)
{
	RefusalCode code = REFUSAL_NONE;

	if (step->kind == XO_MOVE && c->sign != '-' && c->sign != '\0')
		code = REFUSAL_NOTHING_TO_CAPTURE;
	else if (step->kind == XO_KILL && c->sign == '*')
		code = REFUSAL_KILL_NOT_CONFRONTATION;
	else if (step->kind != XO_MOVE && c->sign != 'x' && c->sign != '*')
		code = REFUSAL_ATTACK_WITHOUT_SIGN;
	if (code == REFUSAL_NONE)
		return true;
	refuse(c, code, step->to, XO_CELL_NONE);
	xo_written_append(c->refusal->reading[0], c->now, step);
	return false;
}

typedef struct {
	const Case *c;
	bool found;
	XoStep step;
} Match;

static bool match_each(const XoStep *step, void *user_data)
{
	Match *match = user_data;
	bool rotates = match->c->sign == '~', passes = match->c->sign == 'p';

	match->found = rotates == (step->kind == XO_ROTATION) &&
		       passes == (step->kind == XO_PASS) &&
		       (passes || (step->from == match->c->from && step->to == match->c->to));
	match->step = *step;
	return !match->found;
}

bool xo_step_find(const XoTurn *turn, const XoWrittenStep *written, XoStep *step_r,
		  Refusal *refusal_r)
{
	Case c = {.turn = turn, .now = &turn->now, .sign = written->sign, .refusal = refusal_r};
	Match match = {&c, false, {XO_PASS, XO_CELL_NONE, XO_CELL_NONE}};

	c.from = written->sign == 'p' ? XO_CELL_NONE : xo_cell_of(c.now, written->from);
	c.to = written->sign == 'p' ? XO_CELL_NONE : xo_cell_of(c.now, written->to);
	xo_steps_each(turn, match_each, &match);
	if (match.found) {
		*step_r = match.step;
		return c.sign == 'p' || c.sign == '~' || sign_check(&c, &match.step);
	}
	if (!place_check(&c) || !own_check(&c))
		return false;
	c.piece = xo_board_piece(c.now, c.from);
	return c.sign == '~' ? rotation_refuse(&c) : move_refuse(&c);
}
