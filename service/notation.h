/*
 * What people type and paste, made readable for the referee (RULES.md section 4): Unicode forms,
 * dashes, invisible characters, look-alike letters, case, and turns spread over several lines.
 * REST, the command line and mail all read turns through here. Nothing is ever guessed.
 */
#ifndef SERVICE_NOTATION_H
#define SERVICE_NOTATION_H

#include "rules/rules.h"

/* Is this normalised line a whole command? */
typedef bool NotationWholeFn(const char *line, void *user_data);

/* The text in NFKC without invisible characters; every dash and arrow is '-', every tilde '~', the
 * multiplication sign 'x', every blank one ' '; lines are trimmed, parted by '\n', empty ones left
 * out; letters are small. Look-alike Cyrillic and Greek letters of a line become Latin only if it
 * is a whole command then (whole may be NULL: never). raw need not be valid UTF-8. The caller
 * frees. */
char *notation_normalise(const char *raw, NotationWholeFn *whole, void *user_data);

/* The same with every look-alike mapped and in one line: for finding out what was meant, never for
 * playing it. The caller frees. */
char *notation_plain(const char *raw);

/* Reads a turn as it was typed and plays it: GameRules.play of the normalised text. Several lines
 * are one turn only if the game's turns have steps, no line alone is a legal turn, and the lines
 * joined are one. */
bool notation_read_turn(const GameRules *rules, const Position *position, const char *raw,
			Position *next_r, char *canonical_r, Refusal *refusal_r);

/* The beginning of a turn as it was typed, normalised for GameRules.steps. The caller frees. */
char *notation_prefix(const GameRules *rules, const Position *position, const char *raw);
/* The same prefix as it stands in a canonical turn; as it is if no turn begins so. The caller
 * frees.
 */
char *notation_prefix_canonical(const GameRules *rules, const Position *position,
				const char *prefix);

/* What the last step of a beginning of a turn does; prefix is canonical, "" for none. Both must be
 * legal. */
TurnFact notation_step_fact(const GameRules *rules, const Position *position, const char *prefix,
			    const char *step);

#endif
