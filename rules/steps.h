/*
 * The one generator of steps of Ordo and Ordo X. Perft, validation, refusals and the lists of
 * legal turns all use it.
 */
#ifndef STEPS_H
#define STEPS_H

#include "stones.h"

/* Where the two games differ (RULES.md sections 2 and 3). */
typedef struct {
	bool reconnects;    /* a split side may move backward, to become one group */
	bool ordo_any_way;  /* an ordo moves forward, diagonally forward or sideways however it lies
			     */
	bool sideways_half; /* a sideways step must be followed by one forward */
	bool removes;       /* splitting the enemy removes all but one largest group */
} Variant;

/* Ways a step may go, as a set. */
enum { WAY_FORWARD = 1, WAY_SIDEWAYS = 2, WAY_BACKWARD = 4 };

enum { DIRECTIONS = 8 };
/* By side: straight forward, its two diagonals; the two sideways; the same three backward. */
extern const int steps_directions[2][DIRECTIONS];

typedef struct {
	Bits line;      /* the squares left: one stone or an ordo */
	Bits moved;     /* the squares reached */
	Bits survivors; /* the enemy's stones afterwards */
	Square from;    /* the first end of the line: the lower file, then the lower rank */
	Square from2;   /* the other end; = from for a single move */
	Square to;      /* where the first end goes */
	Square choice;  /* lowest square of the surviving group, SQUARE_NONE if there was no choice
			 */
	bool sideways;
	bool captures;
} Step;

/* Called for each legal step. Return false to stop. */
typedef bool StepEachFn(const Step *step, void *user_data);

/* The ways in which the side to move may begin its turn. */
unsigned steps_first_ways(const Variant *variant, const Stones *stones);

/* Every legal step of the side to move in the given ways; false if each stopped it. Half turns
 * are not looked into: a sideways step of Ordo X may turn out to have no second half. */
bool steps_each(const Variant *variant, const Stones *stones, unsigned ways, StepEachFn *each,
		void *user_data);

/* Is there any? */
bool steps_any(const Variant *variant, const Stones *stones, unsigned ways);

/* The largest groups of stones: 1 if the largest is alone. */
int steps_largest_groups(Bits all, Bits groups_r[STONES_GROUPS_MAX]);

/* The board after a step, the same side still to move. */
static inline Stones steps_apply(const Stones *stones, const Step *step)
{
	Stones next = *stones;

	next.of[next.mover] = (next.of[next.mover] & ~step->line) | step->moved;
	next.of[!next.mover] = step->survivors;
	return next;
}

/* Has the side to move just won, by a stone on its goal rank or by the last capture? */
static inline bool steps_won(const Stones *stones)
{
	return (stones->of[stones->mover] & stones_goal[stones->mover]) != 0 ||
	       stones->of[!stones->mover] == 0;
}

#endif
