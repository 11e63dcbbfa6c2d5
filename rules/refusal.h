/*
 * What every game fills a Refusal with.
 */
#ifndef REFUSAL_H
#define REFUSAL_H

#include "rules.h"

/* Empties the refusal and gives it a code and a step. */
void refusal_set(Refusal *refusal, RefusalCode code, int step);
/* Appends one square. */
void refusal_add(Refusal *refusal, Square square);

#endif
