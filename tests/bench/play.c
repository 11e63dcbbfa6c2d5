/*
 * Plays games of one rule set at random, again and again: `play KEY SECONDS SEED`. Each step is
 * chosen among those that GameRules.steps lists, each turn is played by GameRules.play. One JSON
 * object on stdout; the longest list of steps is looked for in every beginning of every turn.
 */
#include "rules/rules.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

typedef struct {
	const GameRules *rules;
	GRand *random;
	uint64_t games, turns, lists;
	int longest;
	char board[RULES_BOARD_MAX], prefix[RULES_TURN_MAX]; /* where the longest list was */
} Bench;

/* One step of a list, each with the same chance. */
typedef struct {
	GRand *random;
	int count;
	char step[RULES_TURN_MAX];
	bool may_end;
} Choice;

static bool step_choose(const char *step, bool may_end, void *user_data)
{
	Choice *choice = user_data;
	if (g_rand_int_range(choice->random, 0, ++choice->count) == 0) {
		g_strlcpy(choice->step, step, sizeof choice->step);
		choice->may_end = may_end;
	}
	return true;
}

static bool list_make(Bench *bench, const Position *position, const char *prefix, Choice *choice_r)
{
	Refusal refusal;
	bool may_end;
	*choice_r = (Choice){.random = bench->random, .step = "", .may_end = false};
	if (!bench->rules->steps(position, prefix, &may_end, step_choose, choice_r, &refusal))
		g_error("the beginning of a legal turn was refused: %s", prefix);
	bench->lists++;
	if (choice_r->count > bench->longest) {
		bench->longest = choice_r->count;
		bench->rules->format(position, VIEWER_REFEREE, bench->board);
		g_strlcpy(bench->prefix, prefix, sizeof bench->prefix);
	}
	return choice_r->count > 0;
}

static void turn_play(Bench *bench, Position *position)
{
	char turn[RULES_TURN_MAX] = "", canonical[RULES_TURN_MAX];
	bool ended = false;
	Position next;
	Refusal refusal;
	Choice choice;
	while (!ended && list_make(bench, position, turn, &choice)) {
		g_strlcat(turn, *turn == '\0' ? "" : ",", sizeof turn);
		g_strlcat(turn, choice.step, sizeof turn);
		ended = choice.may_end && g_rand_boolean(bench->random);
	}
	if (!bench->rules->play(position, turn, &next, canonical, &refusal))
		g_error("a turn of legal steps was refused: %s", turn);
	*position = next;
	bench->turns++;
}

/* Random numbers for layouts. */
static uint32_t random_below(uint32_t below, void *user_data)
{
	return (uint32_t)g_rand_int_range(user_data, 0, (int)below);
}

/* Both layouts at random, both accepted at once. */
static void armies_lay(Bench *bench, Position *position)
{
	const GameSetup *setup = bench->rules->setup;
	char layout[RULES_LAYOUT_MAX];
	Refusal refusal;
	Position next;
	if (!setup->start("", position, &refusal))
		g_error("no set-up");
	for (Seat seat = 1; seat <= 2; seat++) {
		setup->shuffle(position, seat, random_below, bench->random, layout);
		if (!setup->apply(position, seat, 1, layout, &next, &refusal))
			g_error("a random layout was refused: %s", layout);
		*position = next;
	}
	for (Seat seat = 1; seat <= 2; seat++) {
		if (!setup->apply(position, seat, 1, NULL, &next, &refusal))
			g_error("a pair of layouts was refused");
		*position = next;
	}
}

/* A draw by repetition is left out: it ends games early and costs the referee nothing. */
static void game_play(Bench *bench)
{
	Position position;
	Refusal refusal;
	if (bench->rules->setup != NULL)
		armies_lay(bench, &position);
	else if (!bench->rules->start("", &position, &refusal))
		g_error("no start");
	while (!bench->rules->outcome(&position, 1).over)
		turn_play(bench, &position);
	bench->games++;
}

int main(int argc, char **argv)
{
	if (argc != 4 || rules_find(argv[1]) == NULL) {
		fprintf(stderr, "play KEY SECONDS SEED\n");
		return 2;
	}
	Bench bench = {
		.rules = rules_find(argv[1]),
		.random = g_rand_new_with_seed((guint32)g_ascii_strtoull(argv[3], NULL, 10)),
	};
	const int64_t begin = g_get_monotonic_time();
	const int64_t until = begin + (int64_t)(g_ascii_strtod(argv[2], NULL) * 1e6);
	do
		game_play(&bench);
	while (g_get_monotonic_time() < until);
	const double took = (double)(g_get_monotonic_time() - begin) / 1e6;
	printf("{\"games\": %" G_GUINT64_FORMAT ", \"turns\": %" G_GUINT64_FORMAT
	       ", \"rate\": %.1f, \"lists\": %" G_GUINT64_FORMAT
	       ", \"longest\": %d, \"board\": \"%s\", \"prefix\": \"%s\"}\n",
	       bench.games, bench.turns, (double)bench.turns / took, bench.lists, bench.longest,
	       bench.board, bench.prefix);
	g_rand_free(bench.random);
	return 0;
}
