#ifndef MAIL_AUTOMATIC_WORDS_H
#define MAIL_AUTOMATIC_WORDS_H

#include <stdbool.h>

/* The words by which the subject of an automatic answer tells itself, in many languages. The
 * subjects are keys as line_key makes them. */

/* Whether it begins as one of an automatic answer. */
bool automatic_words_begin(const char *key);

/* Whether what only an automatic answer says stands anywhere in it. */
bool automatic_words_stand_in(const char *key);

#endif
