/* Between command_rules.c and command_rules_draw.c: the parts of a call of `ludopost rules`. */
#ifndef SERVICE_COMMAND_RULES_PRIVATE_H
#define SERVICE_COMMAND_RULES_PRIVATE_H

#include "rules/rules.h"

#include <glib.h>

typedef struct RulesCommand RulesCommand;

/* One call of the program. */
typedef struct {
	const RulesCommand *command;
	const GameRules *rules;
	int argument_count; /* what follows BOARD */
	char **arguments;
	bool many;   /* boards from standard input */
	int depth;   /* perft */
	bool divide; /* perft */
	bool steps;  /* perft */
} RulesCall;

/* Answers for one position: items added by answer_add. False after writing the reason of a refusal.
 */
typedef bool AnswerFn(const RulesCall *call, const Position *position, GString *answer,
		      GString *reason);

struct RulesCommand {
	const char *name;
	const char *arguments;
	const char *separator;          /* of the items of an answer in one line */
	bool (*check)(RulesCall *call); /* reads the arguments after BOARD; false: wrong usage */
	AnswerFn *answer;
};

/* `rules draw`: reads the form; draws the position in it. */
bool rules_draw_check(RulesCall *call);
bool rules_draw_answer(const RulesCall *call, const Position *position, GString *answer,
		       GString *reason);

#endif
