/*
 * A random legal game that does not end: `script KEY SEED PLIES` prints the start board, then for
 * each ply the turn, a tab and the board after it. The same seed gives the same game.
 */
#include "rules/rules.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keeps one of the steps, each with the same chance. */
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
		g_strlcpy(choice->step, step, RULES_TURN_MAX);
		choice->may_end = may_end;
	}
	return true;
}

static void turn_choose(const GameRules *rules, const Position *position, GRand *random,
			char turn_r[RULES_TURN_MAX])
{
	bool ended = false;
	turn_r[0] = '\0';
	while (!ended) {
		Choice choice = {.random = random};
		Refusal refusal;
		bool may_end;
		if (!rules->steps(position, turn_r, &may_end, step_choose, &choice, &refusal))
			g_error("no steps after \"%s\"", turn_r);
		if (choice.count == 0)
			return;
		if (turn_r[0] != '\0')
			g_strlcat(turn_r, ",", RULES_TURN_MAX);
		g_strlcat(turn_r, choice.step, RULES_TURN_MAX);
		ended = choice.may_end;
	}
}

/* Plays a turn after which the game goes on, on a board that has not stood yet. */
static void turn_print(const GameRules *rules, Position *position, GRand *random, GHashTable *seen)
{
	char turn[RULES_TURN_MAX], canonical[RULES_TURN_MAX], board[RULES_BOARD_MAX];
	Position next;
	Refusal refusal;
	do {
		turn_choose(rules, position, random, turn);
		if (!rules->play(position, turn, &next, canonical, &refusal))
			g_error("refused: %s", turn);
		rules->format(&next, 0, board);
	} while (rules->outcome(&next, 1).over || !g_hash_table_add(seen, g_strdup(board)));
	printf("%s\t%s\n", canonical, board);
	*position = next;
}

int main(int argc, char **argv)
{
	const GameRules *rules = argc == 4 ? rules_find(argv[1]) : NULL;
	if (rules == NULL) {
		fprintf(stderr, "script KEY SEED PLIES\n");
		return 2;
	}
	g_autoptr(GRand) random = g_rand_new_with_seed((uint32_t)strtoul(argv[2], NULL, 10));
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	Position position;
	Refusal refusal;
	char board[RULES_BOARD_MAX];
	if (!rules->start("", &position, &refusal))
		g_error("no start board");
	rules->format(&position, 0, board);
	printf("%s\n", board);
	g_hash_table_add(seen, g_strdup(board));
	for (long ply = strtol(argv[3], NULL, 10); ply > 0; ply--)
		turn_print(rules, &position, random, seen);
	return 0;
}
