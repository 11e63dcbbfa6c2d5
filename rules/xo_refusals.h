/*
 * Why a written step of XO is not legal: the first rule it breaks.
 */
#ifndef XO_REFUSALS_H
#define XO_REFUSALS_H

#include "xo_written.h"

/* Finds the generator's step that is meant. False with the reason, naming the step number already
 * set in the refusal; where only the sign is wrong, reading[0] is the legal step. */
bool xo_step_find(const XoTurn *turn, const XoWrittenStep *written, XoStep *step_r,
		  Refusal *refusal_r);

#endif
