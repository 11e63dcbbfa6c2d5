/*
 * Positions of XO made by hand, a row for each: what it shows, the board, the turn, the answer.
 */
#ifndef XO_ROWS_H
#define XO_ROWS_H

#include <stddef.h>

typedef struct {
	const char *rule;   /* of RULES.md section 5 */
	const char *pieces; /* "Vd4 zd8 b": each with its square, at last the side to move; a board
			     * string is taken as it is */
	const char *turn;   /* turns parted by " / "; all but the last must be legal */
	/* "refused: code step squares"; or the pieces afterwards, with "result 1 annihilated: "
	 * before them if the game is over; "" = legal, and the game goes on */
	const char *answer;
} XoRow;

extern const XoRow xo_rows[];
extern const size_t xo_row_count;

#endif
