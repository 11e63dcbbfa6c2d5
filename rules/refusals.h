/*
 * Why a written step of Ordo or Ordo X is not legal: the first rule it breaks.
 */
#ifndef REFUSALS_H
#define REFUSALS_H

#include "written.h"

/* Finds the generator's step that is meant. False with the reason, naming this step number. */
bool step_find(const Variant *variant, const Stones *stones, unsigned ways,
	       const WrittenStep *written, Step *step_r, Refusal *refusal_r);

#endif
