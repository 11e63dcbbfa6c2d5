/*
 * Every game of the table, played at random: what must hold whatever the rules are.
 * LUDOPOST_SEED repeats a run, LUDOPOST_ROUNDS sets the number of games.
 */
#include "check.h"

#include <string.h>

enum {
	ROUNDS = 1000,
	ROUNDS_WITH_SETUP = 200, /* these games are longer */
	PLIES_MAX = 5000,
	LIST_EVERY = 200, /* all turns of every so-manieth position are listed */
	LIST_MAX = 20000, /* unless there are more */
	TYPOS = 3,        /* spoilt texts tried for each position */
};

/* A position of a game and the random numbers it goes on by. */
typedef struct {
	const GameRules *rules;
	Position position;
	GRand *random;
} Play;

/* Keeps one of the steps, each with the same chance. */
typedef struct {
	GRand *random;
	int count;
	char step[RULES_TURN_MAX];
	bool may_end;
} StepChoice;

static bool step_choose(const char *step, bool may_end, void *user_data)
{
	StepChoice *choice = user_data;

	if (g_rand_int_range(choice->random, 0, ++choice->count) == 0) {
		g_strlcpy(choice->step, step, RULES_TURN_MAX);
		choice->may_end = may_end;
	}
	return true;
}

/* Chooses a step that may follow this prefix; false if none may. The list of steps and the prefix
 * must agree on whether the turn may end. */
static bool step_follow(const Play *play, const char *prefix, bool may_end, StepChoice *choice_r)
{
	bool ended;
	Refusal refusal;

	*choice_r = (StepChoice){play->random, 0, "", false};
	g_assert_true(play->rules->steps(&play->position, prefix, &ended, step_choose, choice_r,
					 &refusal));
	g_assert_cmpint(ended, ==, may_end);
	return choice_r->count > 0;
}

/* Builds a whole turn step by step. */
static void turn_build(const Play *play, char turn_r[RULES_TURN_MAX])
{
	StepChoice choice = {.may_end = false};
	bool ended = false;

	turn_r[0] = '\0';
	while (!ended && step_follow(play, turn_r, choice.may_end, &choice)) {
		if (turn_r[0] != '\0')
			g_strlcat(turn_r, ",", RULES_TURN_MAX);
		g_strlcat(turn_r, choice.step, RULES_TURN_MAX);
		ended = choice.may_end && g_rand_boolean(play->random);
	}
}

static int stones_count(const Picture *picture, Seat seat)
{
	int count = 0;

	for (int i = 0; i < 256; i++)
		count += picture->square[i].seat == seat;
	return count;
}

/* How many pieces of a kind a seat has, whatever their axes. */
static int kind_count(const Picture *picture, Seat seat, const char *name)
{
	int count = 0;

	for (int i = 0; i < 256; i++)
		count += picture->square[i].seat == seat &&
			 strcmp(rules_piece_name((PieceKind)picture->square[i].kind), name) == 0;
	return count;
}

/* Nothing appears on the board, and nothing becomes another kind of piece. */
static void nothing_appears(const Picture *before, const Picture *after)
{
	for (Seat seat = 1; seat <= 2; seat++) {
		for (int kind = PIECE_NONE + 1; kind < PIECE_KINDS; kind++) {
			const char *name = rules_piece_name((PieceKind)kind);

			g_assert_cmpint(kind_count(after, seat, name), <=,
					kind_count(before, seat, name));
		}
	}
}

static bool setup_goes_on(const GameRules *rules, const Position *position)
{
	SetupState state;

	return rules->setup != NULL && rules->setup->state(position, &state);
}

static void board_round_trip(const GameRules *rules, const Position *position)
{
	char board[RULES_BOARD_MAX], again[RULES_BOARD_MAX];
	Position parsed;
	Refusal refusal;

	rules->format(position, VIEWER_REFEREE, board);
	g_assert_cmpuint(strlen(board), <, RULES_BOARD_MAX);
	g_assert_true(rules->parse(board, &parsed, &refusal));
	rules->format(&parsed, VIEWER_REFEREE, again);
	g_assert_cmpstr(again, ==, board);
	rules->format_bare(position, again);
	if (!setup_goes_on(rules, position))
		g_assert_true(g_str_has_prefix(board, again));
	g_assert_cmpint(memcmp(&parsed, position, sizeof *position), ==, 0);
}

/* What each viewer may see is a board that is read as it is written. */
static void viewers_round_trip(const GameRules *rules, const Position *position)
{
	for (Seat viewer = 0; viewer <= 2; viewer++) {
		char board[RULES_BOARD_MAX], again[RULES_BOARD_MAX];
		Position parsed;
		Refusal refusal;

		rules->format(position, viewer, board);
		g_assert_true(rules->parse(board, &parsed, &refusal));
		rules->format(&parsed, VIEWER_REFEREE, again);
		g_assert_cmpstr(again, ==, board);
	}
}

/* The picture shows as many stones as were there before less those the facts tell of. */
static void turn_explains(const Play *play, const char *turn, const Position *next)
{
	TurnFact facts[RULES_FACTS_MAX];
	int count = play->rules->explain(&play->position, turn, facts), gone = 0;
	Picture before, after;

	g_assert_cmpint(count, <=, RULES_FACTS_MAX);
	for (int i = 0; i < count; i++) {
		gone += facts[i].kind == FACT_CAPTURE;
		gone += facts[i].kind == FACT_CONFRONTATION ? 2 : 0;
		gone += facts[i].kind == FACT_REMOVED ? facts[i].count : 0;
	}
	play->rules->picture(&play->position, 0, NULL, NULL, &before);
	play->rules->picture(next, 0, &play->position, turn, &after);
	g_assert_cmpint(stones_count(&before, 1) + stones_count(&before, 2) - gone, ==,
			stones_count(&after, 1) + stones_count(&after, 2));
	nothing_appears(&before, &after);
}

typedef struct {
	const char *wanted;
	int found;
} StepSearch;

static bool step_search(const char *step, bool may_end, void *user_data)
{
	StepSearch *search = user_data;

	(void)may_end;
	search->found += strcmp(step, search->wanted) == 0;
	return true;
}

/* Each step of a turn is listed once where it is played: no other text is the same steps. */
static void turn_has_one_text(const Play *play, const char *turn)
{
	g_auto(GStrv) steps = g_strsplit(turn, ",", -1);
	g_autoptr(GString) prefix = g_string_new(NULL);

	for (int i = 0; steps[i] != NULL; i++) {
		StepSearch search = {steps[i], 0};
		Refusal refusal;
		bool may_end;
		const bool known = play->rules->steps(&play->position, prefix->str, &may_end,
						      step_search, &search, &refusal);

		g_assert_true(known);
		g_assert_cmpint(search.found, ==, 1);
		g_string_append_printf(prefix, "%s%s", i > 0 ? "," : "", steps[i]);
	}
}

/* A text with one letter changed, left out or doubled. */
static void turn_spoil(GRand *random, const char *turn, char spoilt_r[2 * RULES_TURN_MAX])
{
	static const char letters[] = "abcdefghij0123456789-x:=*, ~+;";
	size_t length = strlen(turn);
	size_t place = (size_t)g_rand_int_range(random, 0, (int)length);
	char letter = letters[g_rand_int_range(random, 0, sizeof letters - 1)];
	int kind = g_rand_int_range(random, 0, 3);

	memcpy(spoilt_r, turn, place);
	spoilt_r[place] = letter;
	memcpy(spoilt_r + place + (kind != 1), turn + place + (kind != 2),
	       length + 1 - place - (kind != 2));
}

/* Two to four squares and a sign between each two. */
static void turn_invent(const Play *play, char text_r[2 * RULES_TURN_MAX])
{
	static const char *const signs[] = {"-", "x", ":", " ", "", ",", "=", "*"};
	Picture picture;
	int squares = g_rand_int_range(play->random, 2, 5);

	play->rules->picture(&play->position, 0, NULL, NULL, &picture);
	text_r[0] = '\0';
	for (int i = 0; i < squares; i++) {
		int file = g_rand_int_range(play->random, 0, picture.files);
		int rank = g_rand_int_range(play->random, 0, picture.ranks);
		int sign = g_rand_int_range(play->random, 0, G_N_ELEMENTS(signs));
		char name[4];

		rules_square_name(SQUARE_OF(file, rank), name);
		g_strlcat(text_r, i > 0 ? signs[sign] : "", 2 * RULES_TURN_MAX);
		g_strlcat(text_r, name, 2 * RULES_TURN_MAX);
	}
}

/* A text is accepted exactly if its canonical form is a legal turn; refused, it changes nothing. */
static void turn_try(const Play *play, const char *text)
{
	Position before = play->position, next, untouched;
	char canonical[RULES_TURN_MAX], again[RULES_TURN_MAX], unwritten[RULES_TURN_MAX];
	Refusal refusal;

	memset(&next, 0x5a, sizeof next);
	memset(canonical, 0x5a, sizeof canonical);
	untouched = next;
	memcpy(unwritten, canonical, sizeof canonical);
	if (play->rules->play(&before, text, &next, canonical, &refusal)) {
		Position replayed;

		g_assert_true(play->rules->play(&before, canonical, &replayed, again, &refusal));
		g_assert_cmpstr(again, ==, canonical);
		g_assert_cmpint(memcmp(&replayed, &next, sizeof next), ==, 0);
	} else {
		g_assert_cmpint(refusal.code, !=, REFUSAL_NONE);
		g_assert_cmpint(memcmp(&next, &untouched, sizeof untouched), ==, 0);
		g_assert_cmpint(memcmp(canonical, unwritten, sizeof unwritten), ==, 0);
	}
	g_assert_cmpint(memcmp(&before, &play->position, sizeof before), ==, 0);
}

/* The list of turns, perft and play agree with each other. */
static void turns_agree(const Play *play)
{
	uint64_t count = play->rules->perft(&play->position, 1);
	g_autoptr(GPtrArray) turns = NULL;

	if (count > LIST_MAX)
		return;
	turns = check_turns(play->rules, &play->position);
	g_assert_cmpuint(count, ==, turns->len);
	for (unsigned i = 0; i < turns->len; i++) {
		check_play(play->rules, &play->position, turns->pdata[i]);
		if (i > 0)
			g_assert_cmpstr(turns->pdata[i - 1], <, turns->pdata[i]);
	}
}

static int board_seen(GHashTable *boards, const GameRules *rules, const Position *position)
{
	char board[RULES_BOARD_MAX];
	int seen;

	rules->format_bare(position, board);
	seen = GPOINTER_TO_INT(g_hash_table_lookup(boards, board)) + 1;
	g_hash_table_insert(boards, g_strdup(board), GINT_TO_POINTER(seen));
	return MIN(seen, RULES_SEEN_MAX);
}

static void ply_check(Play *play)
{
	char turn[RULES_TURN_MAX], spoilt[2 * RULES_TURN_MAX];
	Position next;

	turn_build(play, turn);
	next = check_play(play->rules, &play->position, turn);
	board_round_trip(play->rules, &next);
	turn_explains(play, turn, &next);
	turn_has_one_text(play, turn);
	for (int i = 0; i < TYPOS; i++) {
		turn_spoil(play->random, turn, spoilt);
		turn_try(play, spoilt);
		turn_invent(play, spoilt);
		turn_try(play, spoilt);
	}
	if (g_rand_int_range(play->random, 0, LIST_EVERY) == 0)
		turns_agree(play);
	play->position = next;
}

/* Nothing can be played after the end. */
static void end_check(Play *play, Outcome outcome)
{
	bool may_end;
	StepChoice choice = {play->random, 0, "", false};
	Refusal refusal;

	g_assert_cmpint(outcome.winner, >=, 0);
	g_assert_cmpint(outcome.winner, <=, 2);
	g_assert_cmpint(outcome.reason, !=, REASON_NONE);
	g_assert_cmpstr(rules_reason_name(outcome.reason), !=, "");
	if (outcome.reason == REASON_REPETITION)
		return;
	g_assert_cmpuint(play->rules->to_move(&play->position), ==, SEATS_NONE);
	g_assert_true(
		play->rules->steps(&play->position, "", &may_end, step_choose, &choice, &refusal));
	g_assert_cmpint(choice.count, ==, 0);
	g_assert_cmpuint(play->rules->perft(&play->position, 1), ==, 0);
}

static uint32_t random_below(uint32_t below, void *user_data)
{
	return (uint32_t)g_rand_int_range(user_data, 0, (int)below);
}

/* A seat sends a random layout, which reads as it was written. */
static void layout_send(Play *play, Seat seat, int round)
{
	const GameSetup *setup = play->rules->setup;
	char layout[RULES_LAYOUT_MAX], copy[RULES_LAYOUT_MAX], again[RULES_LAYOUT_MAX];
	Layout read;
	Refusal refusal;
	Position next;

	setup->shuffle(&play->position, seat, random_below, play->random, layout);
	setup->parse(&play->position, seat, layout, &read);
	g_assert_true(setup->check(&play->position, seat, &read));
	g_assert_cmpstr(read.text, ==, layout);
	setup->copy(&play->position, layout, copy);
	setup->copy(&play->position, copy, again);
	g_assert_cmpstr(again, ==, layout);
	g_assert_true(setup->apply(&play->position, seat, round, layout, &next, &refusal));
	play->position = next;
	board_round_trip(play->rules, &play->position);
	viewers_round_trip(play->rules, &play->position);
}

/* An option text: the usual one in half of the games. */
static const char *options_choose(const Play *play)
{
	static const struct {
		const char *key, *options;
	} others[] = {
		{"xo", "7x12:4"}, {"xo", "9x10:4"}, {"xo", "16x8:2"}, {"xo", "5x16:5"},
		{"xo", "12x9"},   {"xo", "7x7"},    {"xo", "8x16:8"},
	};
	size_t place = (size_t)g_rand_int_range(play->random, 0, G_N_ELEMENTS(others));

	if (g_rand_boolean(play->random) || strcmp(others[place].key, play->rules->key) != 0)
		return "";
	return others[place].options;
}

/* Lays out both armies in one round or several. */
static void setup_check(Play *play)
{
	const GameSetup *setup = play->rules->setup;
	SetupState state;
	Refusal refusal;

	g_assert_true(setup->start(options_choose(play), &play->position, &refusal));
	layout_send(play, g_rand_boolean(play->random) ? 1 : 2, 1);
	g_assert_true(setup->state(&play->position, &state));
	layout_send(play, state.given == SEATS_OF(1) ? 2 : 1, 1);
	while (setup->state(&play->position, &state)) {
		Seat seat = play->rules->to_move(&play->position) == SEATS_OF(1) ? 1 : 2;
		Position next;

		if (state.changes_left[seat - 1] > 0 && g_rand_boolean(play->random)) {
			layout_send(play, seat, state.round);
			continue;
		}
		g_assert_true(
			setup->apply(&play->position, seat, state.round, NULL, &next, &refusal));
		play->position = next;
	}
	g_assert_cmpuint(play->rules->to_move(&play->position), ==, SEATS_OF(1));
}

static void game_check(const GameRules *rules, GRand *random)
{
	g_autoptr(GHashTable) boards = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	Play play = {.rules = rules, .random = random};
	Refusal refusal;
	Outcome outcome;
	int plies = 0;

	g_assert_true(rules->start("", &play.position, &refusal));
	if (rules->setup != NULL)
		setup_check(&play);
	for (;;) {
		outcome = rules->outcome(&play.position, board_seen(boards, rules, &play.position));
		if (outcome.over)
			break;
		g_assert_cmpuint(rules->to_move(&play.position), !=, SEATS_NONE);
		ply_check(&play);
		plies++;
		g_assert_cmpint(plies, <, PLIES_MAX);
	}
	end_check(&play, outcome);
}

static void random_games_hold_together(const void *data)
{
	g_autoptr(GRand) random = check_random();
	const GameRules *rules = data;

	for (int i = check_rounds(rules->setup == NULL ? ROUNDS : ROUNDS_WITH_SETUP); i > 0; i--)
		game_check(rules, random);
}

int main(int argc, char **argv)
{
	const GameRules *rules;

	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; (rules = rules_at(i)) != NULL; i++) {
		g_autofree char *name = g_strdup_printf(
			"/rules/every_game/%s_random_games_hold_together", rules->key);

		g_test_add_data_func(name, rules, random_games_hold_together);
	}
	return g_test_run();
}
