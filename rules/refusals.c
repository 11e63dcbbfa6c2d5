#include "refusals.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A written step on its board while the first broken rule is looked for. */
typedef struct {
	const Variant *variant;
	const Stones *stones;
	const WrittenStep *written;
	unsigned ways;
	Bits own, enemy;
	Refusal *refusal;
} Case;

/* Steps of the generator that go from and to where the written one does. */
typedef struct {
	Square from, from2;
	int to;
	Square choice;
	int found; /* more than one: groups to choose from */
	bool chosen;
	Step step;
	Bits choices; /* lowest squares of the groups */
} Match;

static bool refuse(const Case *c, RefusalCode code, Square first, Square second)
{
	refusal_set(c->refusal, code, c->refusal->step);
	if (first != SQUARE_NONE)
		refusal_add(c->refusal, first);
	if (second != SQUARE_NONE)
		refusal_add(c->refusal, second);
	return false;
}

static bool refuse_all(const Case *c, RefusalCode code, Bits squares)
{
	refusal_set(c->refusal, code, c->refusal->step);
	refusal_add_all(c->refusal, squares);
	return false;
}

static bool own_check(const Case *c, Square square)
{
	if (bits_have(c->enemy, square))
		return refuse(c, REFUSAL_NOT_YOUR_STONE, square, SQUARE_NONE);
	if (!bits_have(c->own, square))
		return refuse(c, REFUSAL_EMPTY_SQUARE, square, SQUARE_NONE);
	return true;
}

static int sign_of(int number)
{
	return (number > 0) - (number < 0);
}

/* The direction from one square to another as seen by the mover: index into steps_directions,
 * its length in squares; false if there is none. Squares are not subtracted: a long way across
 * has the number of a short one upward. */
static bool direction_find(const Case *c, int *direction_r, int *length_r)
{
	int from = c->written->from, to = c->written->to;
	int files = (to & 15) - (from & 15), ranks = (to >> 4) - (from >> 4);
	int length = abs(files) > abs(ranks) ? abs(files) : abs(ranks);
	int delta = sign_of(files) * BITS_ACROSS + sign_of(ranks) * BITS_UP;

	if (length == 0)
		return refuse(c, REFUSAL_NO_MOVEMENT, c->written->from, SQUARE_NONE);
	if (files != 0 && ranks != 0 && abs(files) != abs(ranks))
		return refuse(c, REFUSAL_BAD_DIRECTION, c->written->from, c->written->to);
	*length_r = length;
	*direction_r = 0;
	while (steps_directions[c->stones->mover][*direction_r] != delta)
		++*direction_r;
	return true;
}

static bool way_check(const Case *c, int direction)
{
	if (direction >= 5 && (c->ways & WAY_BACKWARD) == 0)
		return refuse(c, REFUSAL_BACKWARD, c->written->from, c->written->to);
	if (direction >= 3 && direction < 5 && (c->ways & WAY_SIDEWAYS) == 0)
		return refuse(c, REFUSAL_SECOND_HALF_SIDEWAYS, c->written->from, c->written->to);
	return true;
}

/* Do the squares between from and to, and to itself, let a line of stones pass? */
static bool path_check(const Case *c, Bits line, int delta, int length)
{
	Bits others = (c->own | c->enemy) & ~line, moved = bits_shift(line, delta * length);

	for (int i = 1; i < length; i++) {
		Bits met = bits_shift(line, delta * i) & others;

		if (met != 0)
			return refuse_all(c, REFUSAL_BLOCKED, met);
	}
	if ((moved & c->own & ~line) != 0)
		return refuse_all(c, REFUSAL_OWN_STONE_THERE, moved & c->own & ~line);
	return true;
}

/* The last rule: the mover's stones must be one group. Whoever comes here breaks it. */
static bool group_refuse(const Case *c, Bits after)
{
	bool whole = bits_connected(c->own);

	assert(!bits_connected(after));
	return refuse_all(c, whole ? REFUSAL_SPLITS_GROUP : REFUSAL_MUST_RECONNECT,
			  stones_cut_off(after));
}

static bool single_refuse(const Case *c)
{
	const WrittenStep *written = c->written;
	Bits line = bits_of(written->from), target = bits_of(written->to);
	int direction, length;

	if (!own_check(c, written->from))
		return false;
	/* "c2:d2" of two own stones is an ordo without its destination. */
	if (written->sign == ':' && (c->own & target & ~line) != 0)
		return refuse(c, REFUSAL_DESTINATION_MISSING, written->from, written->to);
	if (!direction_find(c, &direction, &length) || !way_check(c, direction) ||
	    !path_check(c, line, steps_directions[c->stones->mover][direction], length))
		return false;
	if ((written->sign == 'x' || written->sign == ':') && (c->enemy & target) == 0)
		return refuse(c, REFUSAL_NOTHING_TO_CAPTURE, written->to, SQUARE_NONE);
	return group_refuse(c, (c->own & ~line) | target);
}

/* All squares from one end of a line to the other; 0 if the ends are on no common line. */
static Bits line_between(Square from, Square from2)
{
	int low = from < from2 ? from : from2, high = from < from2 ? from2 : from;
	int across = (low >> 4) == (high >> 4) ? BITS_ACROSS : BITS_UP;
	Bits line = 0;

	if (low == high || (high - low) % across != 0)
		return 0;
	for (int square = low; square <= high; square += across)
		line |= bits_of(square);
	return line;
}

static bool line_check(const Case *c, Bits line)
{
	const WrittenStep *written = c->written;

	if (!own_check(c, written->from) || !own_check(c, written->from2))
		return false;
	if (line == 0)
		return refuse(c, REFUSAL_ORDO_NOT_A_LINE, written->from, written->from2);
	if ((line & ~c->own) != 0)
		return refuse_all(c, REFUSAL_ORDO_BROKEN, line & ~c->own);
	if (written->sign == 'x' || written->sign == ':')
		return refuse(c, REFUSAL_ORDO_CAPTURES, written->to, SQUARE_NONE);
	return true;
}

/* Classic: only at right angles to the line. */
static bool line_way_check(const Case *c, int direction)
{
	const WrittenStep *written = c->written;
	bool horizontal = (written->from >> 4) == (written->from2 >> 4);
	bool sideways = direction == 3 || direction == 4, straight = direction % 5 == 0;

	if (c->variant->ordo_any_way)
		return way_check(c, direction);
	if (!sideways && !straight)
		return refuse(c, REFUSAL_ORDO_DIAGONAL, written->from, written->to);
	if (horizontal == sideways)
		return refuse(c, REFUSAL_ORDO_ALONG_LINE, written->from, written->to);
	return way_check(c, direction);
}

/* Do all stones of the line arrive on the board? */
static bool line_fits(const Case *c, Bits line)
{
	const WrittenStep *written = c->written;
	int files = (written->to & 15) - (written->from & 15);
	int ranks = (written->to >> 4) - (written->from >> 4);
	Bits leaving = 0;

	for (Bits left = line; left != 0;) {
		int square = bits_take(&left);
		int file = (square & 15) + files, rank = (square >> 4) + ranks;

		if (file < 0 || file >= STONES_FILES || rank < 0 || rank >= STONES_RANKS)
			leaving |= bits_of(square);
	}
	return leaving == 0 || refuse_all(c, REFUSAL_ORDO_OFF_BOARD, leaving);
}

static bool ordo_refuse(const Case *c)
{
	const WrittenStep *written = c->written;
	Bits line = line_between(written->from, written->from2), moved;
	int direction, length, delta;

	if (!line_check(c, line) || !direction_find(c, &direction, &length) ||
	    !line_way_check(c, direction))
		return false;
	delta = steps_directions[c->stones->mover][direction];
	if (!line_fits(c, line) || !path_check(c, line, delta, length))
		return false;
	moved = bits_shift(line, delta * length);
	if ((moved & c->enemy) != 0)
		return refuse_all(c, REFUSAL_ORDO_CAPTURES, moved & c->enemy);
	return group_refuse(c, (c->own & ~line) | moved);
}

static bool match_each(const Step *step, void *user_data)
{
	Match *match = user_data;

	if (step->from != match->from || step->from2 != match->from2 || step->to != match->to)
		return true;
	if (step->choice != SQUARE_NONE)
		match->choices |= bits_of(step->choice);
	if (match->found++ == 0)
		match->step = *step;
	if (step->choice != SQUARE_NONE && match->choice != SQUARE_NONE &&
	    bits_have(step->survivors, match->choice)) {
		match->step = *step;
		match->chosen = true;
	}
	return true;
}

/* What the written step would be in canonical form. An ordo of one square matches nothing. */
static Match match_of(const WrittenStep *written)
{
	Match match;

	memset(&match, 0, sizeof match);
	match.from = match.from2 = written->from;
	match.to = written->to;
	match.choice = written->choice;
	if (written->from2 == SQUARE_NONE)
		return match;
	match.from2 = written->from2;
	if (match.from > match.from2) {
		match.from = written->from2;
		match.from2 = written->from;
		match.to += match.from - match.from2;
	}
	if (match.from == match.from2)
		match.to = -1;
	return match;
}

static bool choice_check(const Case *c, const Match *match)
{
	bool wanted = match->choices != 0, given = c->written->choice != SQUARE_NONE;

	if (wanted && !given)
		return refuse_all(c, REFUSAL_GROUP_CHOICE_MISSING, match->choices);
	if (wanted && !match->chosen)
		return refuse_all(c, REFUSAL_GROUP_CHOICE_WRONG, match->choices);
	if (!wanted && given)
		return refuse(c, REFUSAL_GROUP_CHOICE_NEEDLESS, c->written->choice, SQUARE_NONE);
	return true;
}

bool step_find(const Variant *variant, const Stones *stones, unsigned ways,
	       const WrittenStep *written, Step *step_r, Refusal *refusal_r)
{
	Case c = {variant,
		  stones,
		  written,
		  ways,
		  stones->of[stones->mover],
		  stones->of[!stones->mover],
		  refusal_r};
	Match match = match_of(written);
	bool says_capture = written->sign == 'x' || written->sign == ':';

	steps_each(variant, stones, ways, match_each, &match);
	if (match.found == 0 || (says_capture && !match.step.captures))
		return written->from2 == SQUARE_NONE ? single_refuse(&c) : ordo_refuse(&c);
	if (!choice_check(&c, &match))
		return false;
	*step_r = match.step;
	return true;
}
