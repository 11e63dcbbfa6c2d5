/* The words inside commands that are no command themselves, in all languages. */
#ifndef SERVICE_MAIL_COMMAND_WORDS_H
#define SERVICE_MAIL_COMMAND_WORDS_H

#include <stdbool.h>

/* "day", "daily" … */
bool mail_command_words_day(const char *word);
/* "all" … */
bool mail_command_words_all(const char *word);
/* "random" … */
bool mail_command_words_random(const char *words);
/* What follows a word for "like" …; NULL if none stands at the start. */
const char *mail_command_words_like(const char *words);
/* The code of the language with this code or name ("deutsch" → "de"), NULL if there is none. */
const char *mail_command_words_language(const char *word);

#endif
