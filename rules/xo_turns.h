/*
 * Whole turns of XO: what GameRules asks for (see there).
 */
#ifndef XO_TURNS_H
#define XO_TURNS_H

#include "xo_written.h"

/* A turn played step by step, with its canonical text. */
typedef struct {
	XoTurn turn;
	int count;
	XoStep step[XO_TURN_STEPS_MAX];
	char text[RULES_TURN_MAX];
} XoWalk;

/* Walks a text, whole or in part, from a board. False with the first broken rule. */
bool xo_turns_walk(const XoBoard *board, const char *text, XoWalk *walk_r, Refusal *refusal_r);

Outcome xo_turns_outcome(const Position *position, int seen);
Seats xo_turns_to_move(const Position *position);
bool xo_turns_play(const Position *position, const char *turn, Position *next_r, char *canonical_r,
		   Refusal *refusal_r);
bool xo_turns_steps(const Position *position, const char *prefix, bool *may_end_r, StepFn *each,
		    void *user_data, Refusal *refusal_r);
uint64_t xo_turns_perft(const Position *position, int depth);

#endif
