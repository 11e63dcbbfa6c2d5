/*
 * Sets of squares of a board of at most 8 ranks: bit number = Square number (rank * 16 + file), so
 * that a board of 10 files has six columns of guard squares and no shift ever wraps. A board of
 * more ranks (XO) numbers its squares itself; shifts and groups are not for it.
 */
#ifndef BITS_H
#define BITS_H

#include "rules.h"

__extension__ typedef unsigned __int128 Bits;

enum { BITS_SQUARES = 128, BITS_ACROSS = 1, BITS_UP = 16 };

static inline Bits bits_of(int square)
{
	return (Bits)1 << square;
}

static inline bool bits_have(Bits set, int square)
{
	return (set >> square & 1) != 0;
}

/* The set moved by delta squares (negative: down). What leaves the 128 bits is lost. */
static inline Bits bits_shift(Bits set, int delta)
{
	return delta >= 0 ? set << delta : set >> -delta;
}

static inline int bits_count(Bits set)
{
	return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
}

/* The lowest square by rank, then file. The set must not be empty. */
static inline int bits_first(Bits set)
{
	uint64_t low = (uint64_t)set;

	return low != 0 ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
}

/* Removes the lowest square from the set and returns it. */
static inline int bits_take(Bits *set)
{
	int square = bits_first(*set);

	*set &= *set - 1;
	return square;
}

/* The set and every square next to it, diagonally too. Guard squares may be among them. */
static inline Bits bits_grow(Bits set)
{
	Bits row = set | set << BITS_ACROSS | set >> BITS_ACROSS;

	return row | row << BITS_UP | row >> BITS_UP;
}

/* The part of all that is joined to seed (a part of all), orthogonally or diagonally. Stops as
 * soon as wanted is covered; wanted = all gives the whole group. */
static inline Bits bits_joined(Bits seed, Bits all, Bits wanted)
{
	Bits seen = seed, before;

	do {
		before = seen;
		seen = bits_grow(seen) & all;
	} while (seen != before && (wanted & ~seen) != 0);
	return seen;
}

/* The whole group of the lowest stone of a set that is not empty. */
static inline Bits bits_group(Bits all)
{
	return bits_joined(all & -all, all, all);
}

/* One group at most? */
static inline bool bits_connected(Bits all)
{
	return all == 0 || bits_group(all) == all;
}

#endif
