/*
 * Whole games: a game (first byte), a board line, then a byte for each choice of a step and for
 * whether the turn goes on; when they run out, numbers made of them. Every game ends, no step makes
 * material appear, every board is read as it is written.
 */
#include "material.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PLIES_MAX = 4200 };

typedef struct {
	const uint8_t *data;
	size_t size, place;
	uint32_t state;
} Choices;

/* A number below below. */
static uint32_t choose(Choices *choices, uint32_t below)
{
	if (choices->place < choices->size) {
		choices->state = choices->state * 31 + choices->data[choices->place];
		return choices->data[choices->place++] % below;
	}
	choices->state ^= choices->state << 13;
	choices->state ^= choices->state >> 17;
	choices->state ^= choices->state << 5;
	return choices->state % below;
}

/* Takes the step with a number, or only counts. */
typedef struct {
	uint32_t wanted, count;
	char step[RULES_TURN_MAX];
	bool may_end;
} Pick;

static bool step_pick(const char *step, bool may_end, void *user_data)
{
	Pick *pick = user_data;

	if (pick->count++ != pick->wanted)
		return true;
	g_strlcpy(pick->step, step, sizeof pick->step);
	pick->may_end = may_end;
	return false;
}

static uint32_t steps_count(const GameRules *rules, const Position *position, const char *prefix)
{
	Pick pick = {.wanted = UINT32_MAX};
	Refusal refusal;
	bool may_end;
	const bool known = rules->steps(position, prefix, &may_end, step_pick, &pick, &refusal);

	g_assert_true(known);
	return pick.count;
}

static void turn_build(const GameRules *rules, const Position *position, Choices *choices,
		       char turn_r[RULES_TURN_MAX])
{
	uint32_t count;
	bool ended = false;

	turn_r[0] = '\0';
	while (!ended && (count = steps_count(rules, position, turn_r)) > 0) {
		Pick pick = {.wanted = choose(choices, count)};
		Refusal refusal;
		bool may_end;

		rules->steps(position, turn_r, &may_end, step_pick, &pick, &refusal);
		if (turn_r[0] != '\0')
			g_strlcat(turn_r, ",", RULES_TURN_MAX);
		g_strlcat(turn_r, pick.step, RULES_TURN_MAX);
		ended = pick.may_end && choose(choices, 2) == 0;
	}
}

static void turn_play(const GameRules *rules, Position *position, Choices *choices)
{
	Material before = material_of(rules, position), after;
	char turn[RULES_TURN_MAX], canonical[RULES_TURN_MAX], board[RULES_BOARD_MAX];
	Position next, parsed;
	Refusal refusal;

	turn_build(rules, position, choices, turn);
	g_assert_true(rules->play(position, turn, &next, canonical, &refusal));
	g_assert_cmpstr(canonical, ==, turn);
	after = material_of(rules, &next);
	material_check(&before, &after);
	rules->format(&next, VIEWER_REFEREE, board);
	g_assert_true(rules->parse(board, &parsed, &refusal));
	g_assert_true(memcmp(&parsed, &next, sizeof next) == 0);
	*position = next;
}

/* How often the board has stood, this time included. */
static int board_seen(GHashTable *boards, const GameRules *rules, const Position *position)
{
	char board[RULES_BOARD_MAX];
	int seen;

	rules->format_bare(position, board);
	seen = GPOINTER_TO_INT(g_hash_table_lookup(boards, board)) + 1;
	g_hash_table_insert(boards, g_strdup(board), GINT_TO_POINTER(seen));
	return MIN(seen, RULES_SEEN_MAX);
}

static void game_play(const GameRules *rules, Position *position, Choices *choices)
{
	g_autoptr(GHashTable) boards = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	int plies = 0;

	while (!rules->outcome(position, board_seen(boards, rules, position)).over) {
		turn_play(rules, position, choices);
		plies++;
		g_assert_cmpint(plies, <=, PLIES_MAX);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size < 1 ? NULL : memchr(data, '\n', size);
	const GameRules *rules;
	g_autofree char *board = NULL;
	size_t count = 0;
	Choices choices = {.state = 2463534242u};
	Position position;
	SetupState state;
	Refusal refusal;

	if (end == NULL || end == data)
		return 0;
	while (rules_at(count) != NULL)
		count++;
	g_assert(count > 0);
	rules = rules_at(data[0] % count);
	board = g_strndup((const char *)data + 1, (size_t)(end - data) - 1);
	choices.data = end + 1;
	choices.size = size - (size_t)(choices.data - data);
	if (!rules->parse(board, &position, &refusal) ||
	    (rules->setup != NULL && rules->setup->state(&position, &state)))
		g_assert_true(rules->start("", &position, &refusal));
	game_play(rules, &position, &choices);
	return 0;
}
