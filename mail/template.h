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
 *   {{board}}        alone in its paragraph: the text board in the text, the picture in HTML;
 *                    {{board_…}} likewise, for the picture with that name. {{ranks_…}} are lines
 *                    of a layout, to be copied.
 *       {{name}}     indented and alone in its line: somebody's words, every line of the value is
 *                    quoted by "> "; HTML shows a quotation.
 *   -- (two hyphens) a line of its own: what follows is small print.
 * Any other {{…url}} becomes a link. Nothing else does: a player's words never make one.
 * Lines are as long as they need to be; the text part is wrapped at 72 columns.
 *
 * The mails and their values (all strings; `—` marks those that may be empty):
 *   confirm             player url code valid_until— site_url
 *   login               player url code valid_until— site_url
 *   held                player from what url code valid_until— (see mail_words.h)
 *   known-address       player url code valid_until— site_url
 *   address-change-old  player new_address url (keeps the old one) valid_until— site_url
 *   address-change-new  player url code valid_until— site_url
 *   challenge           player opponent rules options— seat clock message— url how_to_answer
 *                       site_url unsubscribe_url
 *   challenge-declined  player opponent (who declined) rules site_url unsubscribe_url
 *   invitation          opponent rules options— seat clock message— rules_summary— rules_url
 *                       accept_url decline_url never_url how_to_answer— site_url privacy_url
 *   game-started        GAME seat MESSAGE next how_to_answer— deadline— unreachable—
 *   setup-round         GAME seat other_seat news REMARK now how_to_answer deadline— ranks_yours
 *                       ranks_theirs unreachable—
 *   your-turn           GAME play_began— turn— turn_words— REMARK how_to_answer deadline—
 *                       unreachable—
 *   game-over           GAME turn— turn_words— REMARK result
 *   remark              GAME REMARK now— unreachable— how_to_answer— deadline—
 *   answer              player answer site_url (to a mail that came in)
 *   answer-game         GAME answer now— unreachable— result— how_to_answer— deadline—
 *                       (likewise)
 *   REMARK = remark— remark_author—, MESSAGE = message— message_author—
 *   all these, the challenge and the invitation begin with write_above—
 *   watch               GAME turn— turn_words— result— unfollow play_address (part watch-footer)
 *   watch-day           GAME turns result— unfollow play_address (likewise)
 *   announcement        player subject body unsubscribe_url site_url
 *   rules               rules_subject answer start board rules_text caption_1— board_1— caption_2—
 *                       board_2— caption_3— board_3— notation_text grounds_text rules rules_url
 *                       site_url
 *   GAME = player opponent game first second rules board pieces— game_url unsubscribe_url
 *
 *   player           the reader's name             opponent     the other one's name
 *   game             its number                    first        name of the player of seat 1
 *   rules            name of the rules: Ordo X     second       name of the player of seat 2
 *   options          what was agreed about the game: Board size: 7x12.
 *   seat             which side the reader gets    clock        the time control in words
 *   turn             canonical notation: c2:d2-c4  turn_words   the same, a whole sentence
 *   board            the board as text             pieces       the spoken list of pieces
 *   deadline         instant, reader's zone + UTC  valid_until  instant, likewise
 *   result           who won and why, a sentence   message      what the other one wrote
 *   remark           what the other one said with  remark_author  who: the opponent
 *                    the turn, or without one
 *   write_above      part write-above-line when mail comes in, else empty
 *   unreachable      that mails to the opponent come back, a sentence
 *   start            "this is how it begins"    rules_text   headings and statements
 *   notation_text    how turns are written     grounds_text what the letters behind rules mean
 *   caption_1 …      what board_1 … shows      rules_subject  part game-subject or rules-title
 *   code             what to type in               new_address  an address
 *   rules_summary    the game explained in short   rules_url    the page with all of it
 *   url, …_url       absolute, http or https       site_url     the front page
 *   privacy_url      the page that says what is kept
 *   answer           what came of the mail: paragraphs
 *   now              part now-yours or now-theirs (who is to move), during set-up a text
 *   from             who wrote the mail            what         what it asks for
 *   turns            a day's turns, a line each    subject, body  the announcement's
 *   unfollow         what ends the mails           play_address  where to write it
 *   next             part next-yours or next-theirs (who has the first turn), or during set-up a
 *                    text: what is to be done
 *   how_to_answer    part how-to-answer-web or, when mail comes in, how-to-answer-mail, which wants
 *                    example— (a legal turn), turn_how— (how a turn of several steps is
 *                    written), help_word, rules_whole and example_word (commands); in invitations
 * how-to-answer-invitation or empty; in challenges how-to-answer-challenge or replies-not-read;
 * during set-up how-to-lay-out-mail, how-to-lay-out-web, how-to-agree-mail, how-to-agree-web or
 * how-to-accept-mail (when no change is left) play_began       that the set-up is over other_seat
 * which side the other one has news             what led to this pair of layouts ranks_yours the
 * reader's layout, one line for each rank; likewise ranks_theirs and ranks_example layout_line
 * ranks_example in one line   layout_signs what its letters mean layout_whole     the command and
 * that line   layout_forms words that stand for a layout layout_word      the command that sends
 * one accept_word      the command that accepts    file         the first of a line of a layout
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
 * shows for {{board}}, followed by those for others; without one (NULL) it shows the text board.
 * The caller owns the result. A language or mail that does not exist and a placeholder that is
 * neither value nor part are the programmer's errors. */
MailText *mail_template_render(const char *language, const char *name, const MailValue *values,
			       const MailPicture *picture);

/* Whether there are templates in this language (en es fr ru de). */
bool mail_language_known(const char *language);

/* The n-th embedded template as "language/name", NULL after the last; and its raw text. */
const char *mail_template_path(size_t n);
const char *mail_template_source(size_t n);

#endif
