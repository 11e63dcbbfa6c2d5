/*
 * The board of Ordo and Ordo X (RULES.md sections 1 and 4): 10 files, 8 ranks, one kind of stone
 * for each side, and the side to move.
 */
#ifndef STONES_H
#define STONES_H

#include "bits.h"
#include "refusal.h"

enum { STONES_FILES = 10, STONES_RANKS = 8, STONES_GROUPS_MAX = 20 };

/* Twenty groups are the most that fit: no two of them may touch. */
typedef struct {
	Bits of[2]; /* white, black */
	int mover;  /* index into of: seat - 1 */
} Stones;

/* The 80 squares, and the rank on which a side (0, 1) wins. */
extern const Bits stones_board;
extern const Bits stones_goal[2];

static inline bool stones_on_board(int square)
{
	return square >= 0 && square < BITS_SQUARES && (square & 15) < STONES_FILES;
}

Stones stones_load(const Position *position);
void stones_store(const Stones *stones, Position *position_r);

/* See GameRules. */
bool stones_start(const char *options, Position *position_r, Refusal *refusal_r);
bool stones_parse(const char *board, Position *position_r, Refusal *refusal_r);
void stones_format(const Position *position, Seat viewer, char *board_r);
void stones_format_bare(const Position *position, char *board_r);

/* All groups of a set; returns their number (0 for no stones). */
int stones_groups(Bits all, Bits groups_r[STONES_GROUPS_MAX]);

/* The lowest square of a set that is not empty, by file, then rank (RULES.md section 4). */
Square stones_lowest(Bits set);

/* The stones outside the largest group; of equal groups the one with the lowest square stays. */
Bits stones_cut_off(Bits all);

/* Appends all squares of a set by file, then rank, to a refusal. */
void refusal_add_all(Refusal *refusal, Bits set);

#endif
