/*
 * The one generator of steps of XO, and the turn as it goes on step by step. Perft, validation,
 * refusals and the lists of legal turns all use it.
 */
#ifndef XO_STEPS_H
#define XO_STEPS_H

#include "xo_board.h"

enum { XO_TURN_STEPS_MAX = 5, XO_DIRECTIONS = 8 };

/* Steps of a file and of a rank, counter-clockwise from straight up. The axis of a direction d is
 * d % 4: "|", "\", "-", "/". */
extern const int xo_directions[XO_DIRECTIONS][2];

typedef enum { XO_PASS, XO_ROTATION, XO_MOVE, XO_KILL, XO_CONFRONTATION } XoStepKind;
typedef struct {
	XoStepKind kind;
	Cell from; /* the piece; XO_CELL_NONE for a pass */
	Cell to;   /* its destination; = from for a rotation */
} XoStep;

/* What has happened in a turn, and so what may follow. */
typedef enum {
	XO_STAGE_BEGIN,
	XO_STAGE_ROTATED,       /* one piece: another may move or attack */
	XO_STAGE_KILLED,        /* the survivor may rotate; the bonus may begin */
	XO_STAGE_SURVIVOR,      /* it has rotated: the bonus may begin */
	XO_STAGE_BONUS_ROTATED, /* another piece may move */
	XO_STAGE_ENDED,
} XoStage;

typedef struct {
	XoBoard now; /* the same side to move until the turn is over */
	XoStage stage;
	Cell rotated;    /* in this part of the turn: it may not move; else XO_CELL_NONE */
	Cell survivor;   /* of the kill, else XO_CELL_NONE */
	bool decided;    /* the kill or confrontation ended the game */
	XoStepKind last; /* kind of the last step */
} XoTurn;

void xo_turn_begin(XoTurn *turn, const XoBoard *board);
void xo_turn_apply(XoTurn *turn, const XoStep *step);

/* May the turn end here? */
static inline bool xo_turn_may_end(const XoTurn *turn)
{
	return turn->stage != XO_STAGE_BEGIN;
}

/* The board after the turn: the other side to move, the counters counted. */
XoBoard xo_turn_end(const XoTurn *turn);

/* Called for each legal step. Return false to stop. */
typedef bool XoStepFn(const XoStep *step, void *user_data);
/* Every step that may follow in a game that is not over; false if each stopped it. */
bool xo_steps_each(const XoTurn *turn, XoStepFn *each, void *user_data);

/* May the piece on this cell, whosever, be rotated by the rights its side has left? */
bool xo_may_rotate(const XoBoard *board, Cell cell);
/* Does a piece lose its long moves, and a Diago its step aside, with its side's chief dead? */
bool xo_is_slow(const XoBoard *board, Cell cell);
/* The axis on which a HoVe or Diago lies: see xo_directions. */
int xo_axis(XoPiece piece);
/* Would this attack remove both pieces? */
bool xo_is_confrontation(const XoBoard *board, Cell from, Cell to);

#endif
