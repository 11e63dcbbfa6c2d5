/* What stands behind the word "legal" in a mail: the beginning of a turn, as people write it. Who
 * asks for it tells nobody but the referee what is planned; so in doubt it is the command. */
#ifndef SERVICE_MAIL_START_H
#define SERVICE_MAIL_START_H

#include <stdbool.h>

/* What follows a word at the start of a tidy line and perhaps a colon, without the signs around it;
 * "" for nothing, NULL if the line does not begin with the word, or goes on as a sentence behind
 * another sign. The caller frees. */
char *mail_start_read(const char *line, const char *word);

/* Whether a text is meant as the beginning of a turn: it names a square, a step or a pass, perhaps
 * misspelt, among a few words at most. */
bool mail_start_is(const char *text);

#endif
