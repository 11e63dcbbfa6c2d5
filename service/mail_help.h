/* The help mail, printed from the table of commands (service/mail_command.h). */
#ifndef SERVICE_MAIL_HELP_H
#define SERVICE_MAIL_HELP_H

#include "rules/rules.h"
#include "service/config.h"
#include "service/mail_command.h"

/* All commands with what they do, in paragraphs; where: of MAIL_PLACE_…, whose commands come first.
 * The caller frees. */
char *mail_help_text(const Config *config, Language language, unsigned where);

/* A command's word in the language, the one that is shown. Belongs to the table. */
const char *mail_help_word(MailCommandId id, Language language);

/* "play@example.org": where commands without a game go. The caller frees. */
char *mail_help_address(const Config *config);

/* How a turn of several steps is written; NULL for games without. Belongs to the catalogue. */
const char *mail_help_turn(const GameRules *rules, Language language);

/* One line of the list: the command with a sample of what follows it, other words for it, and what
 * it does. The caller frees. */
char *mail_help_row(MailCommandId id, Language language);

#endif
