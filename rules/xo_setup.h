/*
 * The set-up of XO (RULES.md section 5): what rules.h calls GameSetup.
 */
#ifndef XO_SETUP_H
#define XO_SETUP_H

#include "xo_board.h"

extern const GameSetup xo_setup;

/* The seats awaited while the set-up goes on. */
Seats xo_setup_to_move(const XoBoard *board);

/* The board of an option text with the usual layouts, play begun. */
bool xo_setup_usual(const char *options, Position *position_r, Refusal *refusal_r);

#endif
