#include "turns.h"

#include "refusals.h"

#include <assert.h>
#include <string.h>

static_assert(WRITTEN_STEPS_MAX >= 3, "one step too many must be readable");

enum { TURN_STEPS_MAX = 2, REPETITIONS = 3 };

/* A turn being played step by step. */
typedef struct {
	const Variant *variant;
	Stones now; /* the same side to move until the turn is over */
	unsigned ways;
	bool ended;
	int count;
	Step step[TURN_STEPS_MAX];
	char text[RULES_TURN_MAX];
	char *text_end;
} Walk;

static void walk_begin(Walk *walk, const Variant *variant, const Stones *stones)
{
	walk->variant = variant;
	walk->now = *stones;
	walk->ways = steps_first_ways(variant, stones);
	walk->ended = false;
	walk->count = 0;
	walk->text[0] = '\0';
	walk->text_end = walk->text;
}

/* Does this step leave the turn half done? after = the board after it. */
static bool step_is_half(const Variant *variant, const Step *step, const Stones *after)
{
	return variant->sideways_half && step->sideways && !steps_won(after);
}

static void walk_apply(Walk *walk, const Step *step)
{
	if (walk->count > 0)
		*walk->text_end++ = ',';
	walk->text_end = written_append(walk->text_end, step);
	walk->step[walk->count++] = *step;
	walk->now = steps_apply(&walk->now, step);
	walk->ended = !step_is_half(walk->variant, step, &walk->now);
	walk->ways = WAY_FORWARD;
}

static bool walk_step(Walk *walk, const WrittenStep *written, Refusal *refusal)
{
	Step step;

	refusal->step = walk->count;
	if (!step_find(walk->variant, &walk->now, walk->ways, written, &step, refusal))
		return false;
	walk_apply(walk, &step);
	if (walk->ended || steps_any(walk->variant, &walk->now, WAY_FORWARD))
		return true;
	refusal_set(refusal, REFUSAL_NO_SECOND_HALF, walk->count - 1);
	refusal_add(refusal, step.from);
	refusal_add(refusal, step.to);
	return false;
}

/* A step after the turn's end. If it is a legal turn by itself and nothing says that it was meant
 * as a second half, the text names two turns. */
static bool extra_refuse(const Walk *walk, const Stones *stones, const WrittenStep *written,
			 Refusal *refusal)
{
	Walk alone;
	Refusal scratch;

	walk_begin(&alone, walk->variant, stones);
	if ((!walk->variant->sideways_half || written->apart) &&
	    walk_step(&alone, written, &scratch) && alone.ended &&
	    strcmp(alone.text, walk->text) != 0) {
		refusal_set(refusal, REFUSAL_AMBIGUOUS, walk->count);
		memcpy(refusal->reading[0], walk->text, sizeof walk->text);
		memcpy(refusal->reading[1], alone.text, sizeof alone.text);
		return false;
	}
	refusal_set(refusal, REFUSAL_TURN_ALREADY_ENDED, walk->count);
	refusal_add(refusal, written->from);
	refusal_add(refusal, written->to);
	return false;
}

static bool walk_written(Walk *walk, const Stones *stones, const WrittenTurn *turn, bool whole,
			 Refusal *refusal)
{
	for (int i = 0; i < turn->count; i++) {
		if (walk->ended)
			return extra_refuse(walk, stones, &turn->step[i], refusal);
		if (!walk_step(walk, &turn->step[i], refusal))
			return false;
	}
	if (whole && !walk->ended) {
		refusal_set(refusal, REFUSAL_HALF_TURN_MISSING, walk->count);
		return false;
	}
	return true;
}

/* Two readings of one text, both legal. */
static bool readings_refuse(const Walk *first, const Walk *second, Refusal *refusal)
{
	refusal_set(refusal, REFUSAL_AMBIGUOUS, 0);
	memcpy(refusal->reading[0], first->text, sizeof first->text);
	memcpy(refusal->reading[1], second->text, sizeof second->text);
	return false;
}

/* Walks the one legal reading of a text. If there is none, the refusal is that of the reading
 * that goes farthest. */
static bool walk_text(Walk *walk_r, const Variant *variant, const Stones *stones,
		      const WrittenReadings *readings, bool whole, Refusal *refusal_r)
{
	bool legal = false;

	refusal_r->step = -1;
	for (int i = 0; i < readings->count; i++) {
		Walk walk;
		Refusal refusal;

		walk_begin(&walk, variant, stones);
		if (walk_written(&walk, stones, &readings->turn[i], whole, &refusal)) {
			if (legal && strcmp(walk.text, walk_r->text) != 0)
				return readings_refuse(walk_r, &walk, refusal_r);
			*walk_r = walk;
			walk_r->text_end = walk_r->text + strlen(walk_r->text);
			legal = true;
		} else if (refusal.step > refusal_r->step) {
			*refusal_r = refusal;
		}
	}
	return legal;
}

static bool stones_decided(const Stones *stones)
{
	return (stones->of[0] & stones_goal[0]) != 0 || (stones->of[1] & stones_goal[1]) != 0 ||
	       stones->of[0] == 0 || stones->of[1] == 0;
}

static bool turn_read(Walk *walk_r, const Variant *variant, const Stones *stones, const char *text,
		      bool whole, Refusal *refusal_r)
{
	WrittenReadings readings;
	Refusal refusal;
	bool read = written_read(text, &readings, &refusal);

	if (read && stones_decided(stones)) {
		refusal_set(&refusal, REFUSAL_GAME_OVER, 0);
		read = false;
	}
	if (read && walk_text(walk_r, variant, stones, &readings, whole, &refusal))
		return true;
	*refusal_r = refusal;
	return false;
}

/* Called for each whole turn: its last step and the board before that step. */
typedef bool LastStepFn(const Stones *before, const Step *last, void *user_data);

typedef struct {
	const Variant *variant;
	const Stones *stones;
	LastStepFn *each;
	void *user_data;
} TurnsOrder;

static bool second_each(const Step *step, void *user_data)
{
	const TurnsOrder *order = user_data;

	return order->each(order->stones, step, order->user_data);
}

static bool first_each(const Step *step, void *user_data)
{
	const TurnsOrder *order = user_data;
	TurnsOrder second;
	Stones after;

	if (!order->variant->sideways_half || !step->sideways)
		return order->each(order->stones, step, order->user_data);
	after = steps_apply(order->stones, step);
	if (!step_is_half(order->variant, step, &after))
		return order->each(order->stones, step, order->user_data);
	second = *order;
	second.stones = &after;
	return steps_each(order->variant, &after, WAY_FORWARD, second_each, &second);
}

/* Every whole turn of a position that is not decided; false if each stopped it. */
static bool turns_each(TurnsOrder *order)
{
	return steps_each(order->variant, order->stones,
			  steps_first_ways(order->variant, order->stones), first_each, order);
}

static bool turn_found(const Stones *before, const Step *last, void *user_data)
{
	(void)before;
	(void)last;
	(void)user_data;
	return false;
}

/* The result by goal or capture. If both sides stand on their goals, who moved last had won. */
static Outcome decided_outcome(const Stones *stones)
{
	Seat mover = stones->mover + 1, other = 3 - mover;
	Bits own = stones->of[stones->mover], enemy = stones->of[!stones->mover];

	if ((enemy & stones_goal[!stones->mover]) != 0)
		return (Outcome){true, other, REASON_GOAL};
	if ((own & stones_goal[stones->mover]) != 0)
		return (Outcome){true, mover, REASON_GOAL};
	if (own == 0 && enemy == 0)
		return (Outcome){true, 0, REASON_ANNIHILATED};
	return (Outcome){true, own == 0 ? other : mover, REASON_ANNIHILATED};
}

Outcome turns_outcome(const Variant *variant, const Position *position, int seen)
{
	Stones stones = stones_load(position);
	TurnsOrder order = {variant, &stones, turn_found, NULL};
	Outcome outcome = {false, 0, REASON_NONE};

	if (stones_decided(&stones))
		return decided_outcome(&stones);
	if (turns_each(&order)) {
		outcome.over = true;
		outcome.winner = 2 - stones.mover;
		outcome.reason = REASON_NO_LEGAL_TURN;
		if (variant->reconnects && !bits_connected(stones.of[stones.mover]))
			outcome.reason = REASON_CANNOT_RECONNECT;
	} else if (seen >= REPETITIONS) {
		outcome.over = true;
		outcome.reason = REASON_REPETITION;
	}
	return outcome;
}

Seats turns_to_move(const Variant *variant, const Position *position)
{
	if (turns_outcome(variant, position, 1).over)
		return SEATS_NONE;
	return SEATS_OF(stones_load(position).mover + 1);
}

bool turns_play(const Variant *variant, const Position *position, const char *turn,
		Position *next_r, char *canonical_r, Refusal *refusal_r)
{
	Stones stones = stones_load(position);
	Walk walk;

	if (!turn_read(&walk, variant, &stones, turn, true, refusal_r))
		return false;
	walk.now.mover = !walk.now.mover;
	stones_store(&walk.now, next_r);
	memcpy(canonical_r, walk.text, strlen(walk.text) + 1);
	return true;
}

typedef struct {
	const Variant *variant;
	int depth;
	uint64_t count;
} Perft;

static bool leaf_count(const Stones *before, const Step *last, void *user_data)
{
	uint64_t *count = user_data;

	(void)before;
	(void)last;
	++*count;
	return true;
}

static uint64_t stones_perft(const Variant *variant, const Stones *stones, int depth);

static bool branch_count(const Stones *before, const Step *last, void *user_data)
{
	Perft *perft = user_data;
	Stones after = steps_apply(before, last);

	if (steps_won(&after))
		return true;
	after.mover = !after.mover;
	perft->count += stones_perft(perft->variant, &after, perft->depth - 1);
	return true;
}

/* The position must not be decided. */
static uint64_t stones_perft(const Variant *variant, const Stones *stones, int depth)
{
	Perft perft = {variant, depth, 0};
	TurnsOrder order = {variant, stones, branch_count, &perft};

	if (depth == 1) {
		order.each = leaf_count;
		order.user_data = &perft.count;
	}
	turns_each(&order);
	return perft.count;
}

uint64_t turns_perft(const Variant *variant, const Position *position, int depth)
{
	Stones stones = stones_load(position);

	if (depth <= 0)
		return 1;
	return stones_decided(&stones) ? 0 : stones_perft(variant, &stones, depth);
}

typedef struct {
	const Variant *variant;
	const Stones *stones;
	const StepsOrder *order;
} Continuation;

static bool continuation_each(const Step *step, void *user_data)
{
	const Continuation *continuation = user_data;
	const StepsOrder *order = continuation->order;
	Stones after = steps_apply(continuation->stones, step);
	bool half = step_is_half(continuation->variant, step, &after);
	char text[RULES_TURN_MAX];

	if (half && !steps_any(continuation->variant, &after, WAY_FORWARD))
		return true;
	written_append(text, step);
	return order->each(text, !half, order->user_data);
}

bool turns_steps(const Variant *variant, const Position *position, const StepsOrder *order,
		 Refusal *refusal_r)
{
	Stones stones = stones_load(position);
	Continuation continuation = {variant, &stones, order};
	Walk walk;

	walk_begin(&walk, variant, &stones);
	walk.ended = stones_decided(&stones);
	*order->may_end_r = false;
	if (order->prefix[0] != '\0') {
		if (!turn_read(&walk, variant, &stones, order->prefix, false, refusal_r))
			return false;
		*order->may_end_r = walk.ended;
	}
	if (walk.ended)
		return true;
	continuation.stones = &walk.now;
	steps_each(variant, &walk.now, walk.ways, continuation_each, &continuation);
	return true;
}

static Walk walk_canonical(const Variant *variant, const Position *before, const char *turn)
{
	Stones stones = stones_load(before);
	Refusal refusal;
	Walk walk;
	bool legal = turn_read(&walk, variant, &stones, turn, true, &refusal) ||
		     turn_read(&walk, variant, &stones, turn, false, &refusal);

	assert(legal);
	(void)legal;
	return walk;
}

static TurnFact fact_of(const Step *step)
{
	TurnFact fact = {.kind = FACT_MOVE,
			 .from = step->from,
			 .from2 = SQUARE_NONE,
			 .to = step->to,
			 .to2 = SQUARE_NONE};

	if (step->captures)
		fact.kind = FACT_CAPTURE;
	if (step->from2 != step->from) {
		fact.kind = FACT_ORDO;
		fact.from2 = step->from2;
		fact.to2 = (Square)(step->to + step->from2 - step->from);
	}
	return fact;
}

int turns_explain(const Variant *variant, const Position *before, const char *turn,
		  TurnFact *facts_r)
{
	Walk walk = walk_canonical(variant, before, turn);
	Stones stones = stones_load(before);
	Bits enemy = stones.of[!stones.mover];
	int count = 0;

	for (int i = 0; i < walk.count; i++) {
		const Step *step = &walk.step[i];
		int removed = bits_count(enemy & ~step->moved & ~step->survivors);

		facts_r[count] = fact_of(step);
		count++;
		if (removed > 0) {
			facts_r[count] = (TurnFact){.kind = FACT_REMOVED,
						    .from = SQUARE_NONE,
						    .from2 = SQUARE_NONE,
						    .to = stones_lowest(step->survivors),
						    .to2 = SQUARE_NONE,
						    .count = removed};
			count++;
		}
		enemy = step->survivors;
	}
	return count;
}

static void turn_mark(const Walk *walk, Bits enemy, Picture *picture)
{
	Bits from = 0, to = 0, captured = enemy & ~walk->now.of[!walk->now.mover];

	for (int i = 0; i < walk->count; i++) {
		from |= walk->step[i].line;
		to = (to & ~walk->step[i].line) | walk->step[i].moved;
	}
	from &= ~to;
	for (int square = 0; square < BITS_SQUARES; square++) {
		picture->square[square].moved_from = bits_have(from, square);
		picture->square[square].moved_to = bits_have(to, square);
		picture->square[square].captured = bits_have(captured, square);
	}
}

void turns_picture(const Variant *variant, const Position *position, const Position *before,
		   const char *turn, Picture *picture_r)
{
	Stones stones = stones_load(position);

	memset(picture_r, 0, sizeof *picture_r);
	picture_r->files = STONES_FILES;
	picture_r->ranks = STONES_RANKS;
	for (Bits left = stones_board; left != 0;) {
		int at = bits_take(&left);
		PictureSquare *square = &picture_r->square[at];

		for (int side = 0; side < 2; side++) {
			square->goal[side] = bits_have(stones_goal[side], at);
			if (!bits_have(stones.of[side], at))
				continue;
			square->seat = (uint8_t)(side + 1);
			square->kind = PIECE_STONE;
		}
	}
	if (before != NULL && turn != NULL) {
		Walk walk = walk_canonical(variant, before, turn);
		Stones old = stones_load(before);

		turn_mark(&walk, old.of[!old.mover], picture_r);
	}
}
