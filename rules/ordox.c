/*
 * Ordo X (RULES.md section 3).
 */
#include "games.h"
#include "turns.h"
#include "written.h"

static const Variant variant = {
	.reconnects = false,
	.ordo_any_way = true,
	.sideways_half = true,
	.removes = true,
};

static Seats ordox_to_move(const Position *position)
{
	return turns_to_move(&variant, position);
}

static Outcome ordox_outcome(const Position *position, int seen)
{
	return turns_outcome(&variant, position, seen);
}

static bool ordox_play(const Position *position, const char *turn, Position *next_r,
		       char *canonical_r, Refusal *refusal_r)
{
	return turns_play(&variant, position, turn, next_r, canonical_r, refusal_r);
}

static bool ordox_read(const char *turn, char *written_r, Refusal *refusal_r)
{
	return written_turn(turn, 2, written_r, refusal_r);
}

static bool ordox_steps(const Position *position, const char *prefix, bool *may_end_r, StepFn *each,
			void *user_data, Refusal *refusal_r)
{
	StepsOrder order = {prefix, may_end_r, each, user_data};

	return turns_steps(&variant, position, &order, refusal_r);
}

static uint64_t ordox_perft(const Position *position, int depth)
{
	return turns_perft(&variant, position, depth);
}

static int ordox_explain(const Position *before, const char *turn, TurnFact *facts_r)
{
	return turns_explain(&variant, before, turn, facts_r);
}

static void ordox_picture(const Position *position, Seat viewer, const Position *before,
			  const char *turn, Picture *picture_r)
{
	(void)viewer; /* Everybody sees everything. */
	turns_picture(&variant, position, before, turn, picture_r);
}

const GameRules rules_ordox = {
	.key = "ordox",
	.name = "Ordo X",
	.seat_names = {"white", "black"},
	.turn_has_steps = true,
	.start = stones_start,
	.parse = stones_parse,
	.format = stones_format,
	.format_bare = stones_format_bare,
	.to_move = ordox_to_move,
	.outcome = ordox_outcome,
	.play = ordox_play,
	.read = ordox_read,
	.steps = ordox_steps,
	.perft = ordox_perft,
	.explain = ordox_explain,
	.picture = ordox_picture,
};
