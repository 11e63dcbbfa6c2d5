#ifndef MAIL_STRIP_WORDS_H
#define MAIL_STRIP_WORDS_H

#include <stdbool.h>

/* A list of words that ends with NULL. */
typedef const char *const Words[];

/* The words by which mail programs of many languages mark what they add to an answer. All texts
 * here are keys as line_key makes them. */

typedef enum HeaderLabel {
	HEADER_LABEL_NONE,
	HEADER_LABEL_FROM,
	HEADER_LABEL_DATE,
	HEADER_LABEL_TO,
	HEADER_LABEL_CC,
	HEADER_LABEL_SUBJECT,
	HEADER_LABEL_REPLY_TO,
} HeaderLabel;

/* What kind of header line this is, as written at the top of a quoted message. */
HeaderLabel words_header_label(const char *key);

/* The same of a row of a table: "| From | Anna |". */
HeaderLabel words_table_label(const char *key);

/* Whether there is a word for "wrote" in it. */
bool words_have_wrote(const char *key);

/* Whether "wrote" and a colon are its end. */
bool words_end_in_wrote(const char *key);

/* Whether it starts as the line does that says who wrote when: "On …", a weekday, a date. */
bool words_start_attribution(const char *key);

/* Whether it says, with or without dashes around it, that a message follows that is quoted or
 * forwarded. */
bool words_announce_message(const char *key);

/* Whether it is the line that a phone or a program adds: "Sent from my …". */
bool words_name_device(const char *key);

/* Whether it is the line that a virus scanner adds. */
bool words_name_scanner(const char *key);

/* Whether it is "-- ", a rule of underscores or of other signs: a signature or a foot follows. */
bool words_are_rule(const char *key);

/* Whether it is the line above which an answer is to be written. */
bool words_mark_end(const char *key);

/* Whether a key starts with, or holds, one of the words. */
bool words_begin(const char *key, const char *const *words);
bool words_stand_in(const char *key, const char *const *words);

#endif
