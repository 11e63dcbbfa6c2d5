/*
 * Turns of XO as text (RULES.md section 5, "Notation"): reading them, and writing the canonical
 * form. Knows nothing of any position.
 */
#ifndef XO_WRITTEN_H
#define XO_WRITTEN_H

#include "xo_steps.h"

/* More than any turn has, so that one step too many can be told. */
enum { XO_WRITTEN_STEPS_MAX = XO_TURN_STEPS_MAX + 1 };

typedef struct {
	char sign;       /* '~', '-', 'x', '*', 'p' for a pass, 0 for nothing between two squares */
	Square from, to; /* SQUARE_NONE where it has none */
} XoWrittenStep;

typedef struct {
	int count;
	XoWrittenStep step[XO_WRITTEN_STEPS_MAX];
} XoWritten;

/* Reads a text. False with UNREADABLE, TOO_LONG, OFF_BOARD, DESTINATION_MISSING, or with
 * TURN_ALREADY_ENDED if it has more steps than any turn. */
bool xo_written_read(const char *text, XoWritten *written_r, Refusal *refusal_r);

/* See GameRules.read. */
bool xo_written_turn(const char *text, char *written_r, Refusal *refusal_r);

/* Appends the canonical text of a step at end; returns the new end. */
char *xo_written_append(char *end, const XoBoard *board, const XoStep *step);

#endif
