/*
 * How a game of XO ends (RULES.md section 5, "End").
 */
#ifndef XO_END_H
#define XO_END_H

#include "xo_board.h"

/* What ends the game straight after a kill or confrontation: a side without pieces, or a dead
 * position. */
Outcome xo_end_of_material(const XoBoard *board);

/* The same, then what ends it after a turn; seen as for GameRules.outcome. */
Outcome xo_end_of_turn(const XoBoard *board, int seen);

/* Can nobody ever kill anybody? Only for boards on which both sides have pieces. */
bool xo_end_is_dead(const XoBoard *board);

#endif
