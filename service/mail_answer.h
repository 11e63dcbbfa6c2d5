/*
 * What the answer to a mail says, made when it is sent: the table of kinds, each with the function
 * that writes it in the reader's language. Kinds stand in the inbox row's answer, {"kind", …}.
 *
 * To add a kind: one row and its function in mail_answer.c (or a file of its own), its texts in
 * service/text/<lang>.answer.ini.
 */
#ifndef SERVICE_MAIL_ANSWER_H
#define SERVICE_MAIL_ANSWER_H

#include "db/letter.h"
#include "rules/rules.h"
#include "service/config.h"
#include "service/language.h"

#include <jansson.h>

/* What an answer is written from. All is borrowed. */
typedef struct {
	const Config *config;
	const Letter *letter; /* has_inbox */
	Language language;
	const json_t *data;       /* letter->inbox.answer, read */
	const json_t *names;      /* letter->inbox.names, read */
	const GameRules *rules;   /* NULL: no game */
	const Position *position; /* the board the answer shows; NULL: no game */
} MailAnswer;

/* Paragraphs parted by blank lines. NULL: nothing to say. The caller frees. */
typedef char *MailAnswerFn(const MailAnswer *answer);

/* The text of a letter's answer. Never NULL: an unknown kind says nothing. The caller frees. */
char *mail_answer_text(const Config *config, const Letter *letter, const GameRules *rules,
		       const Position *position);

#endif
