/*
 * What the tests of the referee share: files of positions, sets of turns, short ways to play.
 */
#ifndef CHECK_H
#define CHECK_H

#include "rules/rules.h"

#include <glib.h>
#include <jansson.h>

/* Called for each line of a file of JSON objects below tests/rules/oracle. */
typedef void CheckLineFn(json_t *line);
void check_lines_each(const char *file, CheckLineFn *each);

/* The string or number of a line; the test fails if it has none. */
const char *check_text(json_t *line, const char *key);
gint64 check_number(json_t *line, const char *key);

/* A position from a board string; the test fails if it is none. */
Position check_position(const GameRules *rules, const char *board);

/* All canonical turns, sorted. */
GPtrArray *check_turns(const GameRules *rules, const Position *position);

/* Plays a turn that must be legal. */
Position check_play(const GameRules *rules, const Position *position, const char *turn);

/* The code by which a turn is refused ("" if it is accepted), its step and squares as
 * "splits-group 0 a3 b3". Owned by the caller. */
char *check_refusal(const GameRules *rules, const char *board, const char *turn);

/* A number of rounds: LUDOPOST_ROUNDS if set; usual is a tenth of all (LUDOPOST_PERCENT). And the
 * seed: LUDOPOST_SEED or a random one, printed. */
int check_rounds(int usual);
GRand *check_random(void);

#endif
