/*
 * Layouts in mails: a line with a word for "layout", then one line for each rank. Which lines are
 * meant as such, and which remarks would give a layout away.
 */
#ifndef SERVICE_MAIL_LAYOUT_H
#define SERVICE_MAIL_LAYOUT_H

#include "mail/strip.h"
#include "rules/rules.h"

/* The blocks to be kept whole in mails, be it that their game has no set-up: then they are answered
 * so, and are no words for the opponent. Belongs to the program. */
const StripBlocks *mail_layout_blocks(void);

/* Whether a normalised line is meant as a rank of a layout, or as all of them: nothing but signs of
 * layouts, or one word that is nearly so. */
bool mail_layout_is(const char *line);
/* The same of one of several lines, which may have any slip in it. */
bool mail_layout_is_within(const char *line);

/* Whether it looks like words: a vowel, or a letter that no layout has. */
bool mail_layout_has_vowel(const char *line);

/* What a normalised line is made of in the game with a set-up in which it makes most sense. */
LayoutSigns mail_layout_signs(const char *line);

/* What may stand around the words of a line, or between drawn signs. */
#define MAIL_LAYOUT_MARKS ".,:;()[]{}<>#*\"'`="

/* The normalised line with signs of layouts for those that look like them (mail_layout_slip.c). It
 * is to be counted, never to be read as a layout. The caller frees. */
char *mail_layout_fold(const char *line);
/* Whether a normalised word, or signs apart, are meant for ranks with slips in them, and are no
 * word of a language. */
bool mail_layout_is_slip(const char *word);
/* The same of a folded word of drawn signs that stands in other text, or of the signs of a line
 * that stand apart there. */
bool mail_layout_is_drawn_slip(const char *word, bool apart);

/* Whether words show a part of a layout (mail_layout_shown.c): signs of pieces that follow each
 * other, however they are parted, more of them than any language puts in a row. */
bool mail_layout_shows(const char *text);

#endif
