#ifndef MAIL_TEMPLATE_H
#define MAIL_TEMPLATE_H

#include <stdbool.h>

#include <glib.h>

#include "compose.h"

/* The mails' texts: mail/templates/<language>/<name>.txt, carried inside the program.
 *
 * One file serves the text and the HTML part. Its first line is the subject, the rest the body.
 * What a file can say:
 *   {{name}}         a value. Verbatim in the text, escaped in HTML, never read as markup.
 *   {{name}}         where no value has that name: the body of the part `name.txt` of the same
 *                    language (`_` is written `-` in file names); parts have an empty first line.
 *   a blank line     ends a paragraph. A paragraph with a value that is empty vanishes whole.
 *   Label:           followed by a line that is one {{…url}} and nothing else: a button in HTML,
 *   {{url}}          the first of a mail filled, further ones outlined.
 *   {{board}}        alone in its paragraph: the text board in the text, the picture in HTML.
 *       {{name}}     indented and alone in its line: every line of the value is indented; HTML
 *                    shows a quotation.
 *   -- (two hyphens) a line of its own: what follows is small print.
 * Any other {{…url}} becomes a link. Nothing else does: a player's words never make one.
 * Lines are as long as they need to be; the text part is wrapped at 72 columns.
 *
 * The mails and their values (all strings; `—` marks those that may be empty):
 *   confirm             player url code
 *   login               player url code
 *   known-address       player url code
 *   address-change-old  player new_address url (reverts; valid 7 days)
 *   address-change-new  player url code
 *   challenge           player opponent rules seat clock challenge message— url (accept or decline)
 *   invitation          opponent rules seat clock message— rules_url accept_url decline_url
 *                       never_url how_to_answer (part, see below; may be empty)
 *   game-started        GAME seat message—
 *   your-turn           GAME turn turn_words
 *   game-over           GAME turn— turn_words— result
 *   GAME = player opponent game (number) first second (names of seats 1 and 2, for the subject)
 *          rules board pieces deadline— game_url unsubscribe_url how_to_answer (part; may be empty)
 *
 *   player           the reader's name             opponent    the other one's name
 *   rules            name of the rules: Ordo X     seat        which side the reader gets, in words
 *   clock            the time control in words     challenge   number of the challenge
 *   turn             canonical notation: c2:d2-c4  turn_words  the same in words, a whole sentence
 *   board            the board as text             pieces      the spoken list of pieces
 *   deadline         instant, reader's zone + UTC  result      who won and why, a whole sentence
 *   code             what to type in               message     what the other one wrote
 *   url, …_url       absolute, http or https       game_url    the page of the game
 *   how_to_answer    part how-to-answer-web, how-to-answer-mail (games) or
 *                    how-to-answer-invitation (invitations, when mail comes in)
 */

/* A value for a placeholder. `text` is the value; or `part` names the part to put there, filled
 * with the same values. With neither (or an empty text) the value is empty. */
typedef struct MailValue {
	const char *name;
	const char *text;
	const char *part;
} MailValue;

/* A rendered mail. */
typedef struct MailText {
	char *subject; /* one line, no control bytes */
	char *body;    /* LF, ends with one */
	char *html;    /* a whole document, inline CSS, nothing remote */
} MailText;

void mail_text_free(MailText *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MailText, mail_text_free)

/* Renders the mail `name` in `language`. `values` ends with a NULL name. `picture` is what HTML
 * shows for {{board}}; without one (NULL) it shows the text board. The caller owns the result. A
 * language or mail that does not exist and a placeholder that is neither value nor part are the
 * programmer's errors. */
MailText *mail_template_render(const char *language, const char *name, const MailValue *values,
			       const MailPicture *picture);

/* Whether there are templates in this language (en es fr ru de). */
bool mail_language_known(const char *language);

/* The n-th embedded template as "language/name", NULL after the last; and its raw text. */
const char *mail_template_path(size_t n);
const char *mail_template_source(size_t n);

#endif
