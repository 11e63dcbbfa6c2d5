/* Layouts that cannot be taken, in words: what is wrong, and what was understood. */
#ifndef SERVICE_LAYOUT_WORDS_H
#define SERVICE_LAYOUT_WORDS_H

#include "rules/rules.h"
#include "service/language.h"

#include <glib.h>

/* One fault as a sentence: "Line 2 is too long: it has 8 squares instead of 7." The caller frees.
 */
char *layout_words_fault(const GameRules *rules, const LayoutFault *fault, Language language);

/* All faults, a line each, ended by "\n", in the order they were found; last what the signs of a
 * layout are if one of them was unknown. The caller frees. */
char *layout_words_faults(const GameRules *rules, const Layout *layout, Language language);

/* The layout as it was understood: the board with this seat's pieces, drawn in ASCII for
 * fixed-width fonts with that seat below, or wide as board_text does, and its legend; then the
 * pieces for which the board has no square, if there are any. The caller frees. */
char *layout_words_drawing(const GameRules *rules, const Layout *layout, Seat seat,
			   Language language, bool wide);

/* "Not in the drawing, because …: 2 HoVes, 1 Diago chief." NULL if every piece has its square. The
 * caller frees. */
char *layout_words_beyond(const Layout *layout, Language language);

#endif
