/* The values a mail's template is filled with: a list that grows, in the reader's language. */
#ifndef SERVICE_MAIL_WORDS_H
#define SERVICE_MAIL_WORDS_H

#include "db/letter.h"
#include "mail/template.h"
#include "rules/rules.h"
#include "service/config.h"
#include "service/language.h"

typedef struct MailWords MailWords;

MailWords *mail_words_new(void);
void mail_words_free(MailWords *words);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MailWords, mail_words_free)

/* Adds a value; name must live for ever. text is copied; NULL is empty. */
void mail_words_add(MailWords *words, const char *name, const char *text);
/* The same, taking text over. */
void mail_words_take(MailWords *words, const char *name, char *text);
/* Adds a part of the templates; NULL is empty. */
void mail_words_part(MailWords *words, const char *name, const char *part);
/* The list for mail_template_render, ended by a NULL name; borrowed. */
const MailValue *mail_words_values(const MailWords *words);

/* The language a letter is written in: the reader's, the invitation's, or that of the address. */
Language mail_words_language(const Letter *letter);

/* "White (moves first)": the side that whoever reads a challenge gets, as its maker wants the
 * other. The caller frees. */
char *mail_words_seat(const GameRules *rules, const char *challenger_seat, Language language);

/* What a mail that is held asks for: its command as written (NULL: words to the opponent), and the
 * number of its game ("0" or NULL: none). The caller frees. */
char *mail_words_held(const char *game, const char *written, Language language);

/* Whether the letter is about a challenge that its reader may accept. */
bool mail_words_asks(const Letter *letter);
/* What mails about codes, challenges and games say beside the board. False with an error when the
 * letter lacks what such a mail needs: a key that is gone, rules that are unknown. */
bool mail_words_code(MailWords *words, const Config *config, const Letter *letter, GError **error);
bool mail_words_challenge(MailWords *words, const Config *config, const Letter *letter,
			  GError **error);

#define MAIL_OUT_ERROR (mail_out_error_quark())
GQuark mail_out_error_quark(void);

#endif
