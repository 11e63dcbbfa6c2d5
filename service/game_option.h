/*
 * What players may choose about a game before it begins: its option text (GameRules.start) as JSON,
 * in words, and put together from what was typed.
 */
#ifndef SERVICE_GAME_OPTION_H
#define SERVICE_GAME_OPTION_H

#include "rules/rules.h"
#include "service/language.h"
#include "service/problem.h"

enum { GAME_OPTIONS_MAX = 4 };

/* How many options a game has, GAME_OPTIONS_MAX at most. */
int game_option_count(const GameRules *rules);

/* The option text of values in the order of the table, NULL or "" for the usual one; "" where all
 * are usual. NULL with FIELD_INVALID for "options", which tells what is allowed; adds to an error
 * that is so already. The caller frees. */
char *game_option_join(const GameRules *rules, const char *const values[GAME_OPTIONS_MAX],
		       GError **error);
/* The same of a JSON object, {"board":"9x10","territory":4}; NULL: all are usual. Members that the
 * game does not know are refused, too. */
char *game_option_read(const GameRules *rules, const json_t *object, GError **error);

/* The value of the option with this number as an option text has it. The caller frees. */
char *game_option_value(const GameRules *rules, const char *text, int number);
/* All of an option text as a JSON object, the usual values too. */
void game_option_append(GString *out, const GameRules *rules, const char *text);

/* The name of an option for people ("Board size"), and the word for it in mails ("board"). Belong
 * to the catalogue. */
const char *game_option_label(const GameRules *rules, int number, Language language);
const char *game_option_word(const GameRules *rules, int number, Language language);
/* "Board size: 9x10. Territory depth: 4."; NULL for a game without options. The caller frees. */
char *game_option_words(const GameRules *rules, const char *text, Language language);
/* Which options the game allows, as problem details say it. Belongs to the catalogue. */
const char *game_option_allowed(const GameRules *rules, Language language);

#endif
