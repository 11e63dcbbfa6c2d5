#include "service/problem.h"
#include "service/setup_private.h"

bool setup_check(const Game *game, GError **error)
{
	if (rules_find(game->rules)->setup != NULL)
		return true;
	problem_set(error, PROBLEM_NO_SETUP, NULL);
	return false;
}

/* After each step: where the set-up stands. */
static void replay_look(SetupReplay *replay)
{
	SetupState state;
	replay->over = !replay->rules->setup->state(&replay->position, &state);
	if (replay->over)
		replay->state.accepted = SEATS_OF(1) | SEATS_OF(2);
	else
		replay->state = state;
}

void setup_start(const Game *game, Position *position_r)
{
	Refusal refusal;
	const bool started =
		rules_find(game->rules)->setup->start(game->options, position_r, &refusal);
	g_assert(started);
}

void setup_replay(const Game *game, const SetupStepList *steps, SetupReplay *replay_r)
{
	Refusal refusal;
	*replay_r = (SetupReplay){.rules = rules_find(game->rules)};
	const GameSetup *setup = replay_r->rules->setup;
	setup_start(game, &replay_r->position);
	replay_look(replay_r);
	for (int i = 0; i < steps->count; i++) {
		const SetupStep *step = &steps->steps[i];
		Position next;
		const bool done = setup->apply(&replay_r->position, step->seat, step->round,
					       step->layout, &next, &refusal);
		g_assert(done);
		replay_r->position = next;
		replay_r->last[step->seat - 1] = step;
		if (step->layout != NULL)
			g_strlcpy(replay_r->layout[step->seat - 1], step->layout, RULES_LAYOUT_MAX);
		replay_look(replay_r);
	}
}

void setup_show(const Game *game, const SetupReplay *replay, Seat viewer, SetupView *view_r)
{
	const GameRules *rules = replay->rules;
	const bool closed = game->reason != NULL || replay->over;
	*view_r = (SetupView){
		.rules = rules,
		.state = replay->state,
		.over = replay->over,
		.viewer = viewer,
		.awaited = closed ? SEATS_NONE : rules->to_move(&replay->position),
	};
	/* The position is read from what may be seen: there is nothing else in it. */
	Refusal refusal;
	rules->format(&replay->position, viewer, view_r->board);
	const bool read = rules->parse(view_r->board, &view_r->position, &refusal);
	g_assert(read);
	for (Seat seat = 1; seat <= GAME_SEATS; seat++) {
		const char *layout = replay->layout[seat - 1];
		if (*layout == '\0' || (replay->state.sealed && viewer != seat))
			continue;
		g_strlcpy(view_r->layout[seat - 1], layout, RULES_LAYOUT_MAX);
		rules->setup->copy(&view_r->position, layout, view_r->copy[seat - 1]);
	}
}

bool setup_view(Db *db, const Game *game, int64_t player_id, SetupView *view_r, GError **error)
{
	if (!setup_check(game, error))
		return false;
	g_autoptr(SetupStepList) steps = setup_step_list(db, game->id, error);
	if (steps == NULL)
		return false;
	SetupReplay replay;
	setup_replay(game, steps, &replay);
	setup_show(game, &replay, game_seat(game, player_id), view_r);
	return true;
}
