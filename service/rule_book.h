/*
 * The rules of the games for people: what is played, each statement with its ground, and how turns
 * are written. The words stand in service/text/<lang>.rules.ini.
 */
#ifndef SERVICE_RULE_BOOK_H
#define SERVICE_RULE_BOOK_H

#include "rules/rules.h"
#include "service/language.h"

#include <glib.h>

/* The grounds of a statement, in the order they are shown: the game's own texts, our ruling, other
 * implementations. */
#define RULE_GROUNDS "TRF"

/* One heading or statement. All texts belong to the catalogue. */
typedef struct {
	const char *key;    /* its full name in the catalogue, the same in every language */
	const char *text;   /* in the language asked for */
	const char *ground; /* letters of RULE_GROUNDS; "" where nothing needs to be proved */
	bool heading;       /* begins a part */
} RuleStatement;

/* The whole rules of a game in reading order: an array of RuleStatement. The caller unrefs. */
GArray *rule_book_rules(const GameRules *rules, Language language);
/* How its turns and boards are written, likewise. */
GArray *rule_book_notation(const GameRules *rules, Language language);
/* The keys of all games, "ordo, ordox". The caller frees. */
char *rule_book_keys(void);
/* The game in a few sentences, for invitations and lists. Belongs to the catalogue. */
const char *rule_book_summary(const GameRules *rules, Language language);
/* What a letter of RULE_GROUNDS means. Belongs to the catalogue. */
const char *rule_book_ground(char letter, Language language);

#endif
