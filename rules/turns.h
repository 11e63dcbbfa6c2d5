/*
 * Whole turns of Ordo and Ordo X: what GameRules asks for, with the variant as a parameter.
 */
#ifndef TURNS_H
#define TURNS_H

#include "steps.h"

Outcome turns_outcome(const Variant *variant, const Position *position, int seen);
Seats turns_to_move(const Variant *variant, const Position *position);
bool turns_play(const Variant *variant, const Position *position, const char *turn,
		Position *next_r, char *canonical_r, Refusal *refusal_r);
uint64_t turns_perft(const Variant *variant, const Position *position, int depth);
int turns_explain(const Variant *variant, const Position *before, const char *turn,
		  TurnFact *facts_r);

/* A partial turn and who wants its continuations, see GameRules.steps. */
typedef struct {
	const char *prefix;
	bool *may_end_r;
	StepFn *each;
	void *user_data;
} StepsOrder;
bool turns_steps(const Variant *variant, const Position *position, const StepsOrder *order,
		 Refusal *refusal_r);

/* The last turn to be marked in a picture: before and turn may be NULL. */
void turns_picture(const Variant *variant, const Position *position, const Position *before,
		   const char *turn, Picture *picture_r);

#endif
