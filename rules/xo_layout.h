/*
 * Layouts of XO (RULES.md section 5): one side's army on its own marked squares, as text.
 */
#ifndef XO_LAYOUT_H
#define XO_LAYOUT_H

#include "xo_board.h"

/* Of the Layout interface in rules.h. An empty board: only its size counts. */
void xo_layout_parse(const XoBoard *board, Seat seat, const char *text, Layout *layout_r);
void xo_layout_signs(const char *line, LayoutSigns *signs_r);
bool xo_layout_check(const XoBoard *board, Seat seat, Layout *layout);

/* The kind of a piece as pictures and facts name it. */
PieceKind xo_layout_piece_kind(XoPiece piece);

/* Puts a layout's pieces onto a board on which this seat has none. False if it has a fault. */
bool xo_layout_put(XoBoard *board, Seat seat, const char *text);

/* The layout of a seat as it stands on a board; returns false if it is not the whole army. */
bool xo_layout_write(const XoBoard *board, Seat seat, char *text_r);

/* The half turn of a layout, for the other side. */
void xo_layout_copy(const XoBoard *board, const char *text, char *copy_r);

/* The usual layout of a seat on a board of this size: the example of the rules, the lowest ranks
 * filled first; and a random one. */
void xo_layout_usual(const XoBoard *board, Seat seat, char *text_r);
void xo_layout_shuffle(const XoBoard *board, Seat seat, RandomFn *draw, void *user_data,
		       char *text_r);

#endif
