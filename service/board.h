/*
 * Pictures of a board: one Picture (rules/rules.h) drawn as SVG, PNG, text and spoken list. Nothing
 * here knows a game: pieces, seats and marks come from the Picture, names from GameRules.
 */
#ifndef SERVICE_BOARD_H
#define SERVICE_BOARD_H

#include "rules/rules.h"
#include "service/language.h"

#include <glib.h>

enum {
	BOARD_SQUARE_DEFAULT = 40, /* pixels of one square's side in a PNG */
	BOARD_SQUARE_MIN = 16,
	BOARD_SQUARE_MAX = 96,
};

typedef struct {
	Seat below;      /* whose side is at the bottom; 0 = seat 1's */
	int square_size; /* PNG only: pixels, clamped to the limits above; 0 = default */
	const char
		*title; /* SVG only: what a screen reader says instead of the picture, not NULL */
	const char *detail; /* SVG only: its longer description, or NULL */
} BoardStyle;

/* An SVG document, UTF-8, no script, no style sheet, nothing fetched; its size is that of its
 * container (viewBox only). The caller frees. */
char *board_svg(const Picture *picture, const BoardStyle *style);

/* The same drawing as PNG bytes. The caller unrefs. */
GBytes *board_png(const Picture *picture, const BoardStyle *style);

/* The board as lines of text, each ended by "\n", with its legend in the language. Every character
 * of the board is a full-width form, so that files stay under each other in a proportional font as
 * well; a board too broad for that is plain ASCII, as below. Stones moved in the last turn are
 * capitals. The caller frees. */
char *board_text(const GameRules *rules, const Picture *picture, Language language, Seat below);
/* The same in ASCII for fixed-width fonts, the last turn in brackets, the legend in the language.
 */
char *board_text_ascii(const GameRules *rules, const Picture *picture, Language language,
		       Seat below);

/* The pieces by side, one line each ("White, 20 stones: a2, a3, …\n"). The caller frees. */
char *board_spoken(const GameRules *rules, const Picture *picture, Language language);

/* One sentence for alt="…": "Ordo board. White: 20 stones, Black: 19 stones.". The caller frees. */
char *board_alt(const GameRules *rules, const Picture *picture, Language language);

#endif
