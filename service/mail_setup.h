/*
 * What mails say while the armies of a game are laid out (rules/rules.h, GameSetup): what is to be
 * done and how, and both layouts once they lie open. All of it is read from the letter's board,
 * which holds only what its reader may see.
 */
#ifndef SERVICE_MAIL_SETUP_H
#define SERVICE_MAIL_SETUP_H

#include "service/mail_words.h"

/* Whether the letter's game is in set-up; then how that stands. */
bool mail_setup_state(const Letter *letter, SetupState *state_r);

/* Which turn an answer to the letter will be about; during set-up 0 or less, which pair of layouts
 * (mail_name_move). */
int mail_setup_ply(const Letter *letter);

/* A letter about a game in set-up. */
typedef struct {
	const Config *config;
	const Letter *letter;
	const GameRules *rules;
	const Position *position; /* as the reader may see it */
	SetupState state;
	Language language;
} MailSetup;

/* Adds what the templates ask for: now, next, how_to_answer, and what stands in these; and of
 * setup-round news, other_seat and the layouts. */
void mail_setup_words(MailWords *words, const MailSetup *setup);

#endif
