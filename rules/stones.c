#include "stones.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(Stones) <= sizeof(Position), "Stones must fit into a Position");

#define FILES ((Bits)0x3ff)
#define RANK(rank) (FILES << ((rank)*BITS_UP))

const Bits stones_board =
	RANK(0) | RANK(1) | RANK(2) | RANK(3) | RANK(4) | RANK(5) | RANK(6) | RANK(7);
const Bits stones_goal[2] = {RANK(7), RANK(0)};

static const char start_board[] = "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w";

Stones stones_load(const Position *position)
{
	Stones stones;

	memcpy(&stones, position, sizeof stones);
	return stones;
}

void stones_store(const Stones *stones, Position *position_r)
{
	Stones clean;

	/* Padding too is zero, so that equal positions are equal bytes. */
	memset(&clean, 0, sizeof clean);
	clean.of[0] = stones->of[0];
	clean.of[1] = stones->of[1];
	clean.mover = stones->mover;
	memset(position_r, 0, sizeof *position_r);
	memcpy(position_r, &clean, sizeof clean);
}

bool stones_start(const char *options, Position *position_r, Refusal *refusal_r)
{
	if (options[0] != '\0') {
		refusal_set(refusal_r, REFUSAL_BAD_OPTIONS, 0);
		return false;
	}
	return stones_parse(start_board, position_r, refusal_r);
}

/* Reads a number of empty squares; a leading zero is none. Too large numbers stay too large. */
static const char *empties_read(const char *text, int *count_r)
{
	*count_r = 0;
	if (*text == '0')
		return NULL;
	for (; *text >= '0' && *text <= '9'; text++) {
		if (*count_r <= STONES_FILES)
			*count_r = *count_r * 10 + (*text - '0');
	}
	return text;
}

/* Reads one rank of exactly ten squares; NULL if it is none. */
static const char *rank_read(const char *text, int rank, Stones *stones)
{
	int file = 0;

	while (file < STONES_FILES) {
		int width = 1;

		if (*text == 'w' || *text == 'b')
			stones->of[*text++ == 'b'] |= bits_of(SQUARE_OF(file, rank));
		else if (*text < '0' || *text > '9' || (text = empties_read(text, &width)) == NULL)
			return NULL;
		file += width;
	}
	return file == STONES_FILES ? text : NULL;
}

static bool board_read(const char *text, Stones *stones)
{
	for (int rank = STONES_RANKS - 1; rank >= 0; rank--) {
		text = rank_read(text, rank, stones);
		if (text == NULL || *text++ != (rank > 0 ? '/' : ' '))
			return false;
	}
	if (*text != 'w' && *text != 'b')
		return false;
	stones->mover = *text == 'b';
	return text[1] == '\0';
}

bool stones_parse(const char *board, Position *position_r, Refusal *refusal_r)
{
	Stones stones = {{0, 0}, 0};

	if (!board_read(board, &stones)) {
		refusal_set(refusal_r, REFUSAL_BAD_BOARD, 0);
		return false;
	}
	stones_store(&stones, position_r);
	return true;
}

static char *empties_write(char *text, int count)
{
	if (count >= 10)
		*text++ = (char)('0' + count / 10);
	if (count > 0)
		*text++ = (char)('0' + count % 10);
	return text;
}

static char *rank_write(char *text, const Stones *stones, int rank)
{
	int empties = 0;

	for (int file = 0; file < STONES_FILES; file++) {
		int square = SQUARE_OF(file, rank);

		if (!bits_have(stones->of[0] | stones->of[1], square)) {
			empties++;
			continue;
		}
		text = empties_write(text, empties);
		empties = 0;
		*text++ = bits_have(stones->of[0], square) ? 'w' : 'b';
	}
	return empties_write(text, empties);
}

void stones_format(const Position *position, Seat viewer, char *board_r)
{
	Stones stones = stones_load(position);

	(void)viewer; /* Everybody sees everything. */
	for (int rank = STONES_RANKS - 1; rank >= 0; rank--) {
		board_r = rank_write(board_r, &stones, rank);
		*board_r++ = rank > 0 ? '/' : ' ';
	}
	*board_r++ = stones.mover == 0 ? 'w' : 'b';
	*board_r = '\0';
}

void stones_format_bare(const Position *position, char *board_r)
{
	stones_format(position, 0, board_r); /* There are no counters. */
}

int stones_groups(Bits all, Bits groups_r[STONES_GROUPS_MAX])
{
	int count = 0;

	while (all != 0) {
		Bits group = bits_group(all);

		groups_r[count++] = group;
		all &= ~group;
	}
	return count;
}

Square stones_lowest(Bits set)
{
	Bits file = stones_goal[1] & 1; /* a1 */

	for (int rank = 1; rank < STONES_RANKS; rank++)
		file |= file << BITS_UP;
	while ((set & file) == 0)
		file <<= BITS_ACROSS;
	return (Square)bits_first(set & file);
}

Bits stones_cut_off(Bits all)
{
	Bits groups[STONES_GROUPS_MAX], main_group = 0;
	int count = stones_groups(all, groups);

	for (int i = 0; i < count; i++) {
		int more = bits_count(groups[i]) - bits_count(main_group);

		if (more > 0 || (more == 0 &&
				 stones_lowest(groups[i] | main_group) == stones_lowest(groups[i])))
			main_group = groups[i];
	}
	return all & ~main_group;
}

void refusal_add_all(Refusal *refusal, Bits set)
{
	while (set != 0) {
		Square square = stones_lowest(set);

		refusal_add(refusal, square);
		set &= ~bits_of(square);
	}
}
