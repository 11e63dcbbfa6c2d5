/*
 * Turns of Ordo and Ordo X as text (RULES.md section 4): reading every way a text can be
 * understood, and writing the canonical form. Knows nothing of any position.
 */
#ifndef WRITTEN_H
#define WRITTEN_H

#include "steps.h"

/* WRITTEN_STEPS_MAX is more than any turn has, so that one step too many can be told. */
enum { WRITTEN_STEPS_MAX = 4, WRITTEN_READINGS_MAX = 16, WRITTEN_TEXT_MAX = 200 };

typedef struct {
	Square from;   /* the first end written */
	Square from2;  /* the other end, SQUARE_NONE for a single move */
	Square to;     /* where from goes */
	Square choice; /* after "=", else SQUARE_NONE */
	char sign;     /* before to: '-', 'x', ':' or 0 for nothing but a blank */
	bool apart;    /* only a blank or a new line parts it from the step before */
} WrittenStep;

typedef struct {
	int count;
	WrittenStep step[WRITTEN_STEPS_MAX];
} WrittenTurn;

typedef struct {
	int count;
	WrittenTurn turn[WRITTEN_READINGS_MAX];
} WrittenReadings;

/* All readings of a text. False with UNREADABLE, TOO_LONG, OFF_BOARD or DESTINATION_MISSING. */
bool written_read(const char *text, WrittenReadings *readings_r, Refusal *refusal_r);

/* What a text says by itself, without any position, in the canonical form as far as that can be
 * told: RULES_TURN_MAX bytes. False as above, with NO_SECOND_HALF or TURN_ALREADY_ENDED if it has
 * more than steps_max steps, and with AMBIGUOUS if it can be understood in several ways. */
bool written_turn(const char *text, int steps_max, char *written_r, Refusal *refusal_r);

/* Appends the canonical text of a step at end (RULES_TURN_MAX is enough for a turn); returns the
 * new end. */
char *written_append(char *end, const Step *step);

#endif
