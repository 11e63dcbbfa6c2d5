#include "steps.h"

#include <string.h>

const int steps_directions[2][DIRECTIONS] = {
	{16, 15, 17, -1, 1, -16, -17, -15},
	{-16, -17, -15, -1, 1, 16, 15, 17},
};

/* Which of the directions belong to a way. */
static const struct {
	unsigned way;
	int first, end;
} ways_of_directions[] = {
	{WAY_FORWARD, 0, 3},
	{WAY_SIDEWAYS, 3, 5},
	{WAY_BACKWARD, 5, 8},
};
enum { WAYS = 3, DIRECTION_LEFT = 3, DIRECTION_RIGHT = 4 };

typedef struct {
	const Variant *variant;
	Bits own, enemy;
	const int *directions;
	bool connected;
	StepEachFn *each;
	void *user_data;
} Generator;

/* What must stay joined when a line leaves: for each group of the other stones, the squares that
 * belong to it or touch it. The moved line must stand on one of each. */
typedef struct {
	int count; /* -1 = not yet looked at */
	Bits near[STONES_GROUPS_MAX];
} Links;

static void links_find(const Generator *generator, Bits line, Links *links)
{
	Bits rest = generator->own & ~line, beside = bits_grow(line) & rest;

	links->count = 0;
	if (rest == 0)
		return;
	/* Stones that were one group stay one if those beside the line still hang together. */
	if (generator->connected && (beside & ~bits_joined(beside & -beside, rest, beside)) == 0) {
		links->near[links->count++] = bits_grow(rest);
		return;
	}
	links->count = stones_groups(rest, links->near);
	for (int i = 0; i < links->count; i++)
		links->near[i] = bits_grow(links->near[i]);
}

static bool links_hold(const Links *links, Bits moved)
{
	for (int i = 0; i < links->count; i++) {
		if ((links->near[i] & moved) == 0)
			return false;
	}
	return true;
}

int steps_largest_groups(Bits all, Bits groups_r[STONES_GROUPS_MAX])
{
	int count = stones_groups(all, groups_r), most = 0, largest = 0;

	for (int i = 0; i < count; i++) {
		int stones = bits_count(groups_r[i]);

		if (stones < most)
			continue;
		if (stones > most)
			largest = 0;
		most = stones;
		groups_r[largest++] = groups_r[i];
	}
	return largest;
}

/* A capture in Ordo X: one step for each group that may be chosen to stay. */
static bool removals_each(const Generator *generator, Step *step)
{
	Bits left = step->survivors, groups[STONES_GROUPS_MAX];
	int count;

	if (!generator->variant->removes || bits_connected(left))
		return generator->each(step, generator->user_data);
	count = steps_largest_groups(left, groups);
	for (int i = 0; i < count; i++) {
		step->survivors = groups[i];
		if (count > 1)
			step->choice = stones_lowest(groups[i]);
		if (!generator->each(step, generator->user_data))
			return false;
	}
	step->choice = SQUARE_NONE;
	return true;
}

/* The step of one stone to a square that holds no own stone. */
static bool single_emit(const Generator *generator, Step *step, int to, Links *links)
{
	Bits moved = bits_of(to);

	if (links->count < 0)
		links_find(generator, step->line, links);
	if (!links_hold(links, moved))
		return true;
	step->moved = moved;
	step->to = (Square)to;
	step->survivors = generator->enemy & ~moved;
	step->captures = (generator->enemy & moved) != 0;
	return step->captures ? removals_each(generator, step)
			      : generator->each(step, generator->user_data);
}

static bool single_each(const Generator *generator, Step *step, int first, int end)
{
	Links links;

	links.count = -1;
	for (int i = first; i < end; i++) {
		int delta = generator->directions[i], to = step->from + delta;

		step->sideways = i == DIRECTION_LEFT || i == DIRECTION_RIGHT;
		for (; stones_on_board(to) && !bits_have(generator->own, to); to += delta) {
			if (!single_emit(generator, step, to, &links))
				return false;
			if (bits_have(generator->enemy, to))
				break;
		}
	}
	return true;
}

/* May a line lying horizontally (or not) move in this direction? */
static bool line_may_go(const Variant *variant, bool horizontal, int direction)
{
	bool sideways = direction == DIRECTION_LEFT || direction == DIRECTION_RIGHT;
	bool straight = direction == 0 || direction == 5;

	return variant->ordo_any_way || (horizontal ? straight : sideways);
}

static bool line_slide(const Generator *generator, Step *step, int delta, Links *links)
{
	Bits occupied = generator->own | generator->enemy;

	for (int by = delta;; by += delta) {
		Bits moved;

		if (!stones_on_board(step->from + by) || !stones_on_board(step->from2 + by))
			return true;
		moved = bits_shift(step->line, by);
		/* A stone may enter a square that its own ordo leaves. */
		if ((moved & occupied & ~step->line) != 0)
			return true;
		if (links->count < 0)
			links_find(generator, step->line, links);
		if (!links_hold(links, moved))
			continue;
		step->moved = moved;
		step->to = (Square)(step->from + by);
		if (!generator->each(step, generator->user_data))
			return false;
	}
}

static bool line_each(const Generator *generator, Step *step, int first, int end)
{
	bool horizontal = step->from2 - step->from < BITS_UP;
	Links links;

	links.count = -1;
	for (int i = first; i < end; i++) {
		if (!line_may_go(generator->variant, horizontal, i))
			continue;
		step->sideways = i == DIRECTION_LEFT || i == DIRECTION_RIGHT;
		if (!line_slide(generator, step, generator->directions[i], &links))
			return false;
	}
	return true;
}

/* Every line of two or more stones that begins with this one and goes across or up. */
static bool lines_each(const Generator *generator, Step *step, int across, int first, int end)
{
	Bits line = bits_of(step->from);

	step->captures = false;
	step->survivors = generator->enemy;
	for (int to = step->from + across; stones_on_board(to) && bits_have(generator->own, to);
	     to += across) {
		line |= bits_of(to);
		step->line = line;
		step->from2 = (Square)to;
		if (!line_each(generator, step, first, end))
			return false;
	}
	return true;
}

static bool stone_each(const Generator *generator, int from, int first, int end)
{
	Step step;

	memset(&step, 0, sizeof step);
	step.from = step.from2 = (Square)from;
	step.line = bits_of(from);
	step.choice = SQUARE_NONE;
	return single_each(generator, &step, first, end) &&
	       lines_each(generator, &step, BITS_ACROSS, first, end) &&
	       lines_each(generator, &step, BITS_UP, first, end);
}

unsigned steps_first_ways(const Variant *variant, const Stones *stones)
{
	if (variant->reconnects && !bits_connected(stones->of[stones->mover]))
		return WAY_FORWARD | WAY_SIDEWAYS | WAY_BACKWARD;
	return WAY_FORWARD | WAY_SIDEWAYS;
}

bool steps_each(const Variant *variant, const Stones *stones, unsigned ways, StepEachFn *each,
		void *user_data)
{
	Generator generator = {
		.variant = variant,
		.own = stones->of[stones->mover],
		.enemy = stones->of[!stones->mover],
		.directions = steps_directions[stones->mover],
		.connected = bits_connected(stones->of[stones->mover]),
		.each = each,
		.user_data = user_data,
	};
	int first = DIRECTIONS, end = 0;

	for (int i = 0; i < WAYS; i++) {
		if ((ways & ways_of_directions[i].way) == 0)
			continue;
		if (ways_of_directions[i].first < first)
			first = ways_of_directions[i].first;
		end = ways_of_directions[i].end;
	}
	for (Bits from = generator.own; from != 0;) {
		if (!stone_each(&generator, bits_take(&from), first, end))
			return false;
	}
	return true;
}

static bool step_found(const Step *step, void *user_data)
{
	(void)step;
	(void)user_data;
	return false;
}

bool steps_any(const Variant *variant, const Stones *stones, unsigned ways)
{
	return !steps_each(variant, stones, ways, step_found, NULL);
}
