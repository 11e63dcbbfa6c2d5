/*
 * The legal turns nearest to a text that was refused, to be shown beside the reason. They are never
 * played for anybody.
 */
#ifndef SERVICE_NEAREST_H
#define SERVICE_NEAREST_H

#include "rules/rules.h"

enum { NEAREST_MAX = 5 };

typedef struct {
	int count; /* 0..NEAREST_MAX */
	char turn[NEAREST_MAX][RULES_TURN_MAX];
} NearestTurns;

/* Finds the canonical legal turns of the position that are most like the refused text, the most
 * like first; of equal ones the first in the alphabet. The two readings of an ambiguous text are
 * its nearest turns; a text that is like no turn has none. */
void nearest_find(const GameRules *rules, const Position *position, const char *raw,
		  const Refusal *refusal, NearestTurns *nearest_r);

#endif
