/* The legal turns of a position, or those that begin in some way, as lines of a mail. */
#ifndef SERVICE_MAIL_LEGAL_H
#define SERVICE_MAIL_LEGAL_H

#include "rules/rules.h"
#include "service/language.h"

#include <glib.h>

typedef struct MailLegal {
	int count;
	bool unfinished; /* some of them go on: they end with ",…" */
	bool open;       /* those that are whole turns may go on, too */
	Refusal refusal; /* why no turn begins with such steps; code NONE: some do, or too little
			  * was written to tell */
	char *start;     /* the beginning as it was understood, its whole steps canonical */
	char *example;   /* the beginning of the first that goes, or may go on; NULL: none */
	char *lines;     /* none is a command: turns stand behind a mark; "" for none */
} MailLegal;

void mail_legal_clear(MailLegal *legal);

/* Where turns may go on behind most steps, what may follow a beginning is told by parts of the
 * turn, with what is optional and whether the turn may end. start: "" for all; a square (turns with
 * a stone from there); or the beginning of a turn, as it was typed. Steps after which the turn
 * cannot end are listed as what they are: beginnings. */
void mail_legal_find(const GameRules *rules, const Position *position, const char *start,
		     Language language, MailLegal *legal_r);

/* Turns as lines, those from the same squares together, and rotations. words: strings. The caller
 * frees. */
char *mail_legal_lines(const GPtrArray *words, Language language);

#endif
