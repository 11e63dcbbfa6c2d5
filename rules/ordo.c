/*
 * Ordo, the classic game of 2009 (RULES.md section 2).
 */
#include "games.h"
#include "turns.h"
#include "written.h"

static const Variant variant = {
	.reconnects = true,
	.ordo_any_way = false,
	.sideways_half = false,
	.removes = false,
};

static Seats ordo_to_move(const Position *position)
{
	return turns_to_move(&variant, position);
}

static Outcome ordo_outcome(const Position *position, int seen)
{
	return turns_outcome(&variant, position, seen);
}

static bool ordo_play(const Position *position, const char *turn, Position *next_r,
		      char *canonical_r, Refusal *refusal_r)
{
	return turns_play(&variant, position, turn, next_r, canonical_r, refusal_r);
}

static bool ordo_read(const char *turn, char *written_r, Refusal *refusal_r)
{
	return written_turn(turn, 1, written_r, refusal_r);
}

static bool ordo_steps(const Position *position, const char *prefix, bool *may_end_r, StepFn *each,
		       void *user_data, Refusal *refusal_r)
{
	StepsOrder order = {prefix, may_end_r, each, user_data};

	return turns_steps(&variant, position, &order, refusal_r);
}

static uint64_t ordo_perft(const Position *position, int depth)
{
	return turns_perft(&variant, position, depth);
}

static int ordo_explain(const Position *before, const char *turn, TurnFact *facts_r)
{
	return turns_explain(&variant, before, turn, facts_r);
}

static void ordo_picture(const Position *position, Seat viewer, const Position *before,
			 const char *turn, Picture *picture_r)
{
	(void)viewer; /* Everybody sees everything. */
	turns_picture(&variant, position, before, turn, picture_r);
}

const GameRules rules_ordo = {
	.key = "ordo",
	.name = "Ordo",
	.seat_names = {"white", "black"},
	.turn_has_steps = false,
	.start = stones_start,
	.parse = stones_parse,
	.format = stones_format,
	.format_bare = stones_format_bare,
	.to_move = ordo_to_move,
	.outcome = ordo_outcome,
	.play = ordo_play,
	.read = ordo_read,
	.steps = ordo_steps,
	.perft = ordo_perft,
	.explain = ordo_explain,
	.picture = ordo_picture,
};
