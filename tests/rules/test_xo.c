/*
 * XO: positions made by hand (xo_rows.c, tests/rules/oracle), boards, and the set-up.
 */
#include "check.h"
#include "xo_rows.h"

#include <string.h>

static const GameRules *xo(void)
{
	return rules_find("xo");
}

/* A board string of "Vd4 zd8 b"; board strings as they are. side: if the text names none. */
static char *board_of(const char *pieces, char side)
{
	g_auto(GStrv) words = g_strsplit(pieces, " ", -1);
	const char *ranks[12][7] = {{NULL}};
	GString *board = g_string_new("xo:7x12:3 ");

	if (g_str_has_prefix(pieces, "xo:"))
		return g_string_free(g_string_assign(board, pieces), FALSE);
	for (int i = 0; words[i] != NULL; i++) {
		const char *name = words[i] + (words[i][0] == '+' ? 2 : 1);

		if (strlen(words[i]) < 2) {
			side = words[i][0] == '\0' ? side : words[i][0];
			continue;
		}
		Square square = rules_square_parse(name, strlen(name));
		ranks[square / 16][square % 16] = words[i];
	}
	for (int rank = 11; rank >= 0; rank--) {
		int empties = 0;

		for (int file = 0; file <= 7; file++) {
			const char *word = file < 7 ? ranks[rank][file] : "";

			empties += word == NULL;
			if (word == NULL)
				continue;
			if (empties > 0)
				g_string_append_printf(board, "%d", empties);
			empties = 0;
			g_string_append_len(board, word, *word == '\0' ? 0 : *word == '+' ? 2 : 1);
		}
		g_string_append_c(board, rank > 0 ? '/' : ' ');
	}
	g_string_append_c(board, side);
	return g_string_free(board, FALSE);
}

/* A game played turn by turn, boards counted. */
typedef struct {
	Position position;
	GHashTable *boards;
	Outcome outcome;
} Game;

static void game_look(Game *game)
{
	char board[RULES_BOARD_MAX];
	int seen;

	xo()->format_bare(&game->position, board);
	seen = GPOINTER_TO_INT(g_hash_table_lookup(game->boards, board)) + 1;
	g_hash_table_insert(game->boards, g_strdup(board), GINT_TO_POINTER(seen));
	game->outcome = xo()->outcome(&game->position, MIN(seen, RULES_SEEN_MAX));
}

static Game game_begin(const char *board)
{
	Game game = {.position = check_position(xo(), board),
		     .boards = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};

	game_look(&game);
	return game;
}

/* "refused: …", or "" after playing it. */
static char *game_play(Game *game, const char *turn, char canonical_r[RULES_TURN_MAX])
{
	Position next;
	Refusal refusal;
	GString *text;

	if (xo()->play(&game->position, turn, &next, canonical_r, &refusal)) {
		game->position = next;
		game_look(game);
		return g_strdup("");
	}
	text = g_string_new("refused: ");
	g_string_append_printf(text, "%s %d", rules_refusal_name(refusal.code), refusal.step);
	for (int i = 0; i < refusal.square_count; i++) {
		char name[4];

		rules_square_name(refusal.squares[i], name);
		g_string_append_printf(text, " %s", name);
	}
	if (refusal.reading[0][0] != '\0')
		g_string_append_printf(text, " %s", refusal.reading[0]);
	return g_string_free(text, FALSE);
}

/* "" or "result 1 annihilated: " */
static char *game_result(const Game *game)
{
	if (!game->outcome.over)
		return g_strdup("");
	return g_strdup_printf("result %d %s: ", game->outcome.winner,
			       rules_reason_name(game->outcome.reason));
}

static char *row_expected(const Game *game, const XoRow *row)
{
	const char *colon = strstr(row->answer, ": ");
	bool to_blue = xo()->to_move(&game->position) == SEATS_OF(1);
	char bare[RULES_BOARD_MAX];

	xo()->format_bare(&game->position, bare);
	to_blue = g_str_has_suffix(bare, " b");
	if (!g_str_has_prefix(row->answer, "result "))
		return board_of(row->answer, to_blue ? 'b' : 'r');
	g_autofree char *board = board_of(colon + 2, to_blue ? 'b' : 'r');
	return g_strdup_printf("%.*s%s", (int)(colon + 2 - row->answer), row->answer, board);
}

static void row_check(const XoRow *row)
{
	g_autofree char *board = board_of(row->pieces, 'b');
	g_auto(GStrv) turns = g_strsplit(row->turn, " / ", -1);
	Game game = game_begin(board);
	unsigned count = MAX(1, g_strv_length(turns));
	char after[RULES_BOARD_MAX], canonical[RULES_TURN_MAX];

	g_test_message("%s: %s, %s", row->rule, board, row->turn);
	for (unsigned i = 0; i + 1 < count; i++) {
		g_autofree char *refused = game_play(&game, turns[i], canonical);

		g_assert_cmpstr(refused, ==, "");
		g_assert_false(game.outcome.over);
	}
	g_autofree char *refused =
		game_play(&game, turns[0] == NULL ? "" : turns[count - 1], canonical);
	if (refused[0] != '\0' || g_str_has_prefix(row->answer, "refused: ")) {
		g_assert_cmpstr(refused, ==, row->answer);
	} else {
		g_autofree char *expected = row_expected(&game, row);
		g_autofree char *result = game_result(&game);
		bool counts = strstr(row->answer, "xo:") != NULL;

		if (counts)
			xo()->format(&game.position, 0, after);
		else
			xo()->format_bare(&game.position, after);
		g_autofree char *got = g_strconcat(result, after, NULL);
		g_assert_cmpstr(got, ==, expected);
	}
	g_hash_table_unref(game.boards);
}

static void every_ruling_is_shown_once_allowed_and_once_refused(void)
{
	g_assert_cmpuint(xo_row_count, >=, 120);
	for (size_t i = 0; i < xo_row_count; i++)
		row_check(&xo_rows[i]);
}

/* Rows of tests/rules/oracle name reasons in words of their own. */
static const char *reason_of(const char *words)
{
	if (strcmp(words, "annihilation") == 0)
		return "annihilated";
	return strcmp(words, "dead position") == 0 ? "dead-position" : words;
}

/* As the service does it, for the one sign that the rows use. */
static char *turn_plain(const char *turn)
{
	g_auto(GStrv) parts = g_strsplit(turn, "\342\200\223", -1);

	return g_strjoinv("-", parts);
}

static bool step_add(const char *step, bool may_end, void *user_data)
{
	g_assert_true(may_end);
	g_ptr_array_add(user_data, g_strdup(step));
	return true;
}

static int text_compare(const void *first, const void *second)
{
	return strcmp(*(char *const *)first, *(char *const *)second);
}

static void ruling_steps_check(json_t *line, const Position *position)
{
	g_autoptr(GPtrArray) steps = g_ptr_array_new_with_free_func(g_free);
	json_t *expected = json_object_get(line, "steps");
	bool may_end;
	Refusal refusal;

	g_assert_true(xo()->steps(position, check_text(line, "prefix"), &may_end, step_add, steps,
				  &refusal));
	g_assert_cmpint(may_end, ==, json_is_true(json_object_get(line, "may_end")));
	g_ptr_array_sort(steps, text_compare);
	g_assert_cmpuint(steps->len, ==, json_array_size(expected));
	for (unsigned i = 0; i < steps->len; i++)
		g_assert_cmpstr(steps->pdata[i], ==,
				json_string_value(json_array_get(expected, i)));
}

static void ruling_turn_check(json_t *line, Game *game)
{
	json_t *winner = json_object_get(line, "winner");
	char canonical[RULES_TURN_MAX], board[RULES_BOARD_MAX];
	g_autofree char *turn = turn_plain(check_text(line, "turn"));
	g_autofree char *refused = game_play(game, turn, canonical);

	if (json_is_false(json_object_get(line, "allowed"))) {
		g_assert_cmpstr(refused, !=, "");
		return;
	}
	g_assert_cmpstr(refused, ==, "");
	g_assert_cmpstr(canonical, ==, check_text(line, "canonical"));
	xo()->format_bare(&game->position, board);
	g_assert_cmpstr(board, ==, check_text(line, "after"));
	g_assert_cmpint(game->outcome.over, ==, !json_is_null(winner));
	if (!game->outcome.over)
		return;
	g_assert_cmpint(game->outcome.winner, ==, json_integer_value(winner));
	g_assert_cmpstr(rules_reason_name(game->outcome.reason), ==,
			reason_of(check_text(line, "reason")));
}

static void ruling_check(json_t *line)
{
	Game game = game_begin(check_text(line, "board"));
	json_t *played = json_object_get(line, "played");
	char canonical[RULES_TURN_MAX];

	g_test_message("%s", check_text(line, "id"));
	for (size_t i = 0; i < json_array_size(played); i++) {
		g_autofree char *refused =
			game_play(&game, json_string_value(json_array_get(played, i)), canonical);

		g_assert_cmpstr(refused, ==, "");
	}
	if (json_object_get(line, "prefix") != NULL)
		ruling_steps_check(line, &game.position);
	else
		ruling_turn_check(line, &game);
	g_hash_table_unref(game.boards);
}

static void the_given_rulings_hold(void)
{
	check_lines_each("xo_rulings.jsonl", ruling_check);
}

static void dead_check(json_t *line)
{
	Position position = check_position(xo(), check_text(line, "board"));
	Outcome outcome = xo()->outcome(&position, 1);
	bool dead = json_is_true(json_object_get(line, "dead"));

	g_test_message("%s", check_text(line, "id"));
	g_assert_cmpint(outcome.over, ==, dead);
	g_assert_cmpint(outcome.reason, ==, dead ? REASON_DEAD_POSITION : REASON_NONE);
	g_assert_cmpint(outcome.winner, ==, 0);
}

static void the_given_dead_positions_are_dead_and_no_others(void)
{
	check_lines_each("xo_dead.jsonl", dead_check);
}

static void boards_are_read_strictly(void)
{
#define REST "/7/7/7/7/7/7/7/7/7/7/G6"
	static const char *const bad[] = {
		"",
		"xo",
		"7x12:3 g6" REST " b",
		"xo:7x12 g6" REST " b",
		"xo:7x12:3 g6" REST,
		"xo:7x12:3 g6" REST " w",
		"xo:7x12:3 g6" REST " b ",
		"xo:7x12:3 g6" REST " b 1",
		"xo:7x12:3 g6" REST " b 01 0",
		"xo:7x12:3 g6" REST " b 101 0",
		"xo:7x12:3 g6" REST " b 7 5",
		"xo:7x12:3 g6" REST " b 7 0 0",
		"xo:7x12:3  g6" REST " b",
		"xo:7x12:3 g5" REST " b",
		"xo:7x12:3 g7" REST " b",
		"xo:7x12:3 g06" REST " b",
		"xo:7x12:3 g0v5" REST " b",
		"xo:7x12:3 +g6" REST " b",
		"xo:7x12:3 ++v6" REST " b",
		"xo:7x12:3 +6" REST " b",
		"xo:7x12:3 x6" REST " b",
		"xo:7x12:3 gg5" REST " b",
		"xo:7x12:3 +v+h5" REST " b",
		"xo:7x12:3 vvvvvvv/hhh4/7/7/7/7/7/7/7/7/7/G6 b",
		"xo:7x12:3 g6/7/7/7/7/7/7/7/7/7/G6 b",
		"xo:7x12:3 g6/7" REST " b",
		"xo:7x12:7 g6" REST " b",
		"xo:07x12:3 g6" REST " b",
		"xo:7x12:3 g6" REST " s",
		"xo:7x12:3 g6" REST " s 0 1 0 0 0",
		"xo:7x12:3 g6" REST " s 1 2 0 0 0",
		"xo:7x12:3 g6" REST " s 1 0 3 0 0",
	};
	Position position;
	Refusal refusal;

	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_test_message("%s", bad[i]);
		g_assert_false(xo()->parse(bad[i], &position, &refusal));
		g_assert_cmpint(refusal.code, ==, REFUSAL_BAD_BOARD);
	}
}

#define BLUE "VHZVHZV/N+VZNHNG/VZ+ZHNHZ"
#define RED "zhnh+zzv/gnhnz+vn/vzhvzhv"
#define NOBODY "7/7/7"
#define BETWEEN "/7/7/7/7/7/7/"

static void a_board_to_which_no_set_up_leads_is_refused(void)
{
	static const struct {
		const char *board;
		bool good;
	} rows[] = {
		{NOBODY BETWEEN NOBODY " s 1 1 0 0 0", true},
		{NOBODY BETWEEN BLUE " s 1 1 0 0 0", true},
		{RED BETWEEN NOBODY " s 1 1 0 0 0", true},
		{RED BETWEEN BLUE " s 1 1 0 0 0", false},
		{RED BETWEEN BLUE " s 1 0 0 0 0", true},
		{RED BETWEEN NOBODY " s 1 0 0 0 0", false},
		{NOBODY BETWEEN BLUE " s 1 1 1 0 0", false},
		{RED BETWEEN BLUE " s 1 0 1 0 0", true},
		{RED BETWEEN BLUE " s 1 0 2 0 0", false},
		{RED BETWEEN BLUE " s 3 0 2 1 1", true},
		{RED BETWEEN BLUE " s 3 0 0 1 1", false},
		{RED BETWEEN BLUE " s 3 0 2 1 0", false},
		{RED BETWEEN BLUE " s 7 0 1 6 0", false},
		{NOBODY BETWEEN NOBODY " s 2 1 1 1 0", false},
		{"7/7/7/7/7/7/7/7/7/7/7/G6 s 1 1 0 0 0", false},
		{"7/7/7/7/7/7/7/7" BETWEEN NOBODY " s 1 1 0 0 0", false},
		{"7/7/7/7/7/7/7/7/VHZVHZV/N+VZNHNG/VZ+ZHNHZ/7 s 1 1 0 0 0", false},
	};
	Position position;
	Refusal refusal;

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *board = g_strconcat("xo:7x12:3 ", rows[i].board, NULL);

		g_test_message("%s", board);
		g_assert_cmpint(xo()->parse(board, &position, &refusal), ==, rows[i].good);
	}
}

static void a_board_without_counters_has_none(void)
{
	Position bare = check_position(xo(), "xo:7x12:3 g6" REST " b");
	Position zeros = check_position(xo(), "xo:7x12:3 g6" REST " b 0 0");
	Position position = check_position(xo(), "xo:7x12:3 g6" REST " r 37 2");
	char board[RULES_BOARD_MAX];

	g_assert_cmpint(memcmp(&bare, &zeros, sizeof bare), ==, 0);
	xo()->format(&zeros, 0, board);
	g_assert_cmpstr(board, ==, "xo:7x12:3 g6" REST " b");
	xo()->format(&position, 0, board);
	g_assert_cmpstr(board, ==, "xo:7x12:3 g6" REST " r 37 2");
	xo()->format_bare(&position, board);
	g_assert_cmpstr(board, ==, "xo:7x12:3 g6" REST " r");
}

static void the_size_is_an_option(void)
{
	static const struct {
		const char *options, *board; /* NULL: refused */
	} rows[] = {
		{"", "xo:7x12:3 "},
		{"7x12", "xo:7x12:3 "},
		{"7x12:4", "xo:7x12:4 "},
		{"12x7:2", "xo:12x7:2 "},
		{"16x8:4", "xo:16x8:4 "},
		{"8x16:8", "xo:8x16:8 "},
		{"11x11:2", "xo:11x11:2 "},
		{"7x12:7", NULL},
		{"7x12:2", NULL},
		{"6x12:3", NULL},
		{"7x5", NULL},
		{"17x7", NULL},
		{"16x9", NULL},
		{"12x12", NULL},
		{"7x12:", NULL},
		{"7x12:0", NULL},
		{"07x12", NULL},
		{"7x", NULL},
		{"x", NULL},
		{"7x12:3 ", NULL},
		{"7*12", NULL},
		{"99999999999x12", NULL},
	};
	Position position;
	Refusal refusal;
	char board[RULES_BOARD_MAX];

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_test_message("%s", rows[i].options);
		if (rows[i].board == NULL) {
			g_assert_false(xo()->start(rows[i].options, &position, &refusal));
			g_assert_cmpint(refusal.code, ==, REFUSAL_BAD_OPTIONS);
			g_assert_false(xo()->setup->start(rows[i].options, &position, &refusal));
			continue;
		}
		g_assert_true(xo()->start(rows[i].options, &position, &refusal));
		xo()->format(&position, 0, board);
		g_assert_true(g_str_has_prefix(board, rows[i].board));
		g_assert_cmpuint(strlen(board), <, RULES_BOARD_MAX);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define ADD(test) g_test_add_func("/rules/xo/" #test, test)
	ADD(every_ruling_is_shown_once_allowed_and_once_refused);
	ADD(the_given_rulings_hold);
	ADD(the_given_dead_positions_are_dead_and_no_others);
	ADD(boards_are_read_strictly);
	ADD(a_board_to_which_no_set_up_leads_is_refused);
	ADD(a_board_without_counters_has_none);
	ADD(the_size_is_an_option);
	return g_test_run();
}
