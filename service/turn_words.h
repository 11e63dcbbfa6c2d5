/* Turns, refusals and results in words. */
#ifndef SERVICE_TURN_WORDS_H
#define SERVICE_TURN_WORDS_H

#include "rules/rules.h"
#include "service/language.h"

/* What a legal turn does, as part of a sentence: "a3 moves to b3; then the ordo c2–d2 moves to
 * c4–d4". before and turn must fit. The caller frees. */
char *turn_words_explain(const GameRules *rules, const Position *before, const char *turn,
			 Language language);

/* Which rule of the game a refused text breaks, with the squares concerned, and what to do: a few
 * sentences. The caller frees. */
char *turn_words_refusal(const GameRules *rules, const Refusal *refusal, Language language);

/* "Legal turns close to it: a3-a4, a3-b4." from a NULL-terminated list; NULL if it is empty. The
 * caller frees. */
char *turn_words_nearest(const char *const *turns, Language language);

/* How a game ended, one sentence. winner is a player's name or NULL for the name of the winning
 * side; it is not used when nobody won. The caller frees. */
char *turn_words_outcome(const GameRules *rules, Outcome outcome, const char *winner,
			 Language language);

/* The name of a side in the language: "White". Belongs to the catalogue. */
const char *turn_words_side(const GameRules *rules, Seat seat, Language language);

#endif
