/* What stands behind the word "challenge": whom, to which game, and the wishes, in any language. */
#ifndef SERVICE_MAIL_CHALLENGE_H
#define SERVICE_MAIL_CHALLENGE_H

#include "rules/rules.h"
#include "service/language.h"

#include <stdbool.h>

typedef enum MailChallengeFault {
	MAIL_CHALLENGE_GOOD,
	MAIL_CHALLENGE_OPTION, /* a word that means nothing here */
	MAIL_CHALLENGE_TWICE,  /* a word that contradicts one before it */
	MAIL_CHALLENGE_VALUES, /* options of the game that it does not allow */
} MailChallengeFault;

typedef struct MailChallenge {
	char *opponent;         /* a name or an address, as it was written */
	bool is_address;        /* it holds an "@" */
	const GameRules *rules; /* NULL: unknown */
	const char *seat;       /* "first", "second", "random": of who writes */
	const char *visibility; /* "public", "private" */
	char *options;          /* of the game, see GameRules.start; NULL if those are at fault */
	bool has_language;      /* of the invitation */
	Language language;
	MailChallengeFault fault;
	char *fault_word; /* NULL when it is good */
} MailChallenge;

void mail_challenge_clear(MailChallenge *challenge);

/* Whether arguments are some: whom, then the key of a game's rules. A name ends before the first
 * word that is such a key; what stands in quotation marks is all name. */
bool mail_challenge_is(const char *arguments);
/* Reads arguments that are some ("anna maria ordox first private"), small letters as
 * mail_command_read gives them. What is not said is random and public. */
void mail_challenge_read(const char *arguments, MailChallenge *challenge_r);

/* The words that can stand behind the rules, in the language: "first, second, …; XO: board 7x12,
 * territory 3". The caller frees. */
char *mail_challenge_options(Language language);

/* The opponent's name as a line has it that was read, in which all letters became small. The caller
 * frees. */
char *mail_challenge_name(const char *line, const char *name);

#endif
