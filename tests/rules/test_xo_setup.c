/*
 * The set-up of XO: layouts as people write them, and the two players' way to an agreed pair.
 */
#include "check.h"

#include <string.h>

#define LAYOUT "vhzvhzv/n+vznhng/vz+zhnhz"
#define COPY "zhnh+zzv/gnhnz+vn/vzhvzhv"
#define OTHER "hhzvhzv/n+vznhng/vz+zhnhz"

static const GameSetup *setup(void)
{
	return rules_find("xo")->setup;
}

static Position setup_begin(const char *options)
{
	Position position;
	Refusal refusal;

	g_assert_true(setup()->start(options, &position, &refusal));
	return position;
}

/* "code line count wanted piece: text", one a line. */
static char *faults_text(const Layout *layout)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < layout->fault_count; i++) {
		const LayoutFault *fault = &layout->fault[i];

		g_string_append_printf(text, "%s%s", i > 0 ? "\n" : "",
				       rules_fault_name(fault->code));
		if (fault->line > 0)
			g_string_append_printf(text, " line %d", fault->line);
		g_string_append_printf(text, " %d", fault->count);
		if (fault->wanted > 0)
			g_string_append_printf(text, " of %d", fault->wanted);
		if (fault->piece != PIECE_NONE)
			g_string_append_printf(text, " %s", rules_piece_name(fault->piece));
		if (fault->text[0] != '\0')
			g_string_append_printf(text, ": %s", fault->text);
	}
	return g_string_free(text, FALSE);
}

typedef struct {
	const char *options;
	Seat seat;
	const char *text;
	const char *faults; /* "" = none, then: */
	const char *canonical;
} LayoutRow;

static const LayoutRow layouts[] = {
	{"", 1, LAYOUT, "", LAYOUT},
	{"", 2, LAYOUT, "", LAYOUT},
	{"", 1, "VHZVHZV/N+VZNHNG/VZ+ZHNHZ", "", LAYOUT},
	{"", 1, "vhzvhzv\nn+vznhng\nvz+zhnhz", "", LAYOUT},
	{"", 1, "v h z v h z v\nn +v z n h n g\nv z +z h n h z", "", LAYOUT},
	{"", 1, "|-/|-/|\n\\+|/\\-\\g\n|/+/-\\-/", "", LAYOUT},
	{"", 1, "vhzvhzv/\nn+vznhng /\nvz+zhnhz", "", LAYOUT},
	{"", 1, "|-/|-/|/\n\\+|/\\-\\g/\n|/+/-\\-/", "", LAYOUT},
	{"", 1, "vhzvhzv//\nn+vznhng\nvz+zhnhz",
	 "line-too-long line 1 9 of 7\noutside line 1 2: h3, i3\nsurplus 2 of 9 diago", NULL},
	{"7x12:4", 1, "7/" LAYOUT, "", "7/" LAYOUT},
	{"7x12:4", 2, LAYOUT "/7", "", LAYOUT "/7"},
	{"7x12:4", 1, "v6/1hzvhzv/n+vznhng/vz+zhnhz", "", "v6/1hzvhzv/n+vznhng/vz+zhnhz"},
	{"12x7:2", 1, "vhzvhzvn+vznh/ngvz+zhnhz3", "", "vhzvhzvn+vznh/ngvz+zhnhz3"},
	/* one fault each */
	{"", 1, "vhzvhz/n+vznhng/vz+zhnhz", "line-too-short line 1 6 of 7\nmissing 1 of 9 hove",
	 NULL},
	{"", 1, "vhzvhzvv/n+vznhng/vz+zhnhz",
	 "line-too-long line 1 8 of 7\noutside line 1 1: h3\nsurplus 1 of 9 hove", NULL},
	{"", 2, "vhzvhzvv/n+vznhng/vz+zhnhz",
	 "line-too-long line 1 8 of 7\noutside line 1 1: h12\nsurplus 1 of 9 hove", NULL},
	{"", 1, "vhzvhzq/n+vznhng/vz+zhnhz", "unknown-sign line 1 1: q\nmissing 1 of 9 hove", NULL},
	{"", 1, "vhzvhz0/n+vznhng/vz+zhnhz", "unknown-sign line 1 1: 0\nmissing 1 of 9 hove", NULL},
	{"", 1, "vhzvhz1/n+vznhng/vz+zhnhz", "missing 1 of 9 hove", NULL},
	{"", 1, "vhzvhz|/n+vznhng/vz+zhnhz", "unknown-sign line 1 1: |\nmissing 1 of 9 hove", NULL},
	{"", 1, "vhzvhzz/n+vznhng/vz+zhnhz", "missing 1 of 9 hove\nsurplus 1 of 9 diago", NULL},
	{"", 1, "vhzvhzv/n+vznhnv/vz+zhnhz", "surplus 1 of 9 hove\nmissing 1 of 1 giro-chief",
	 NULL},
	{"", 1, "vhzvhzv/n+vznhn+g/vz+zhnhz",
	 "line-too-long line 2 8 of 7\nunknown-sign line 2 1: +\noutside line 2 1: h2", NULL},
	{"", 1, "vhzvhzv/n+v+znhng/vz+zhnhz", "missing 1 of 9 diago\nsurplus 1 of 1 diago-chief",
	 NULL},
	{"", 1, "vhzvhzv/n+vznhng",
	 "too-few-lines 2 of 3\nmissing 3 of 9 hove\nmissing 3 of 9 diago\n"
	 "missing 1 of 1 diago-chief",
	 NULL},
	{"", 1, LAYOUT "/v6",
	 "too-many-lines 4 of 3\noutside line 1 7: a4, b4, c4, d4, e4, f4, g4\n"
	 "surplus 1 of 9 hove",
	 NULL},
	{"", 2, LAYOUT "/v6", "too-many-lines 4 of 3\noutside line 4 1: a9\nsurplus 1 of 9 hove",
	 NULL},
	{"", 1, "",
	 "too-few-lines 1 of 3\nline-too-short line 1 0 of 7\nmissing 9 of 9 hove\n"
	 "missing 9 of 9 diago\nmissing 1 of 1 hove-chief\nmissing 1 of 1 diago-chief\n"
	 "missing 1 of 1 giro-chief",
	 NULL},
	/* every fault at once */
	{"", 1, "vhzvhzvv/n+vzqhn/vz+zhgh4",
	 "line-too-long line 1 8 of 7\noutside line 1 1: h3\n"
	 "line-too-short line 2 6 of 7\nunknown-sign line 2 1: q\n"
	 "line-too-long line 3 10 of 7\nsurplus 1 of 9 hove\nmissing 3 of 9 diago",
	 NULL},
};

static void layouts_are_read_and_every_fault_is_named(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(layouts); i++) {
		const LayoutRow *row = &layouts[i];
		Position position = setup_begin(row->options);
		Layout layout;
		bool good;

		g_test_message("%d %s", row->seat, row->text);
		setup()->parse(&position, row->seat, row->text, &layout);
		good = setup()->check(&position, row->seat, &layout);
		g_autofree char *faults = faults_text(&layout);
		g_assert_cmpstr(faults, ==, row->faults);
		g_assert_cmpint(good, ==, row->faults[0] == '\0');
		if (good)
			g_assert_cmpstr(layout.text, ==, row->canonical);
	}
}

static void a_layout_with_faults_is_drawn_as_understood(void)
{
	Position position = setup_begin("");
	Layout layout;
	Picture picture;

	setup()->parse(&position, 1, "vhzvhzvv/n+vzqhn/vz+zhgh4", &layout);
	rules_find("xo")->picture(&layout.seen, 1, NULL, NULL, &picture);
	g_assert_cmpint(picture.square[SQUARE_OF(0, 2)].kind, ==, PIECE_HOVE_UPRIGHT);
	g_assert_cmpint(picture.square[SQUARE_OF(1, 1)].kind, ==, PIECE_HOVE_CHIEF_UPRIGHT);
	g_assert_cmpint(picture.square[SQUARE_OF(4, 0)].kind, ==, PIECE_GIRO_CHIEF);
	g_assert_cmpint(picture.square[SQUARE_OF(3, 1)].seat, ==, 0);
}

static void endless_layouts_have_an_end(void)
{
	Position position = setup_begin("");
	Layout layout;
	g_autofree char *lines = g_strnfill(500, '\n');
	g_autofree char *signs = g_strnfill(5000, 'q');
	g_autofree char *pieces = g_strnfill(5000, 'v');
	g_autofree char *text =
		g_strjoin("\n", signs, pieces, "9999999999999", lines, pieces, NULL);

	setup()->parse(&position, 1, text, &layout);
	g_assert_false(setup()->check(&position, 1, &layout));
	g_assert_cmpint(layout.fault_count, <=, RULES_FAULTS_MAX);
}

static void the_fair_copy_is_the_half_turn(void)
{
	Position position = setup_begin("");
	char copy[RULES_LAYOUT_MAX];

	setup()->copy(&position, LAYOUT, copy);
	g_assert_cmpstr(copy, ==, COPY);
	setup()->copy(&position, COPY, copy);
	g_assert_cmpstr(copy, ==, LAYOUT);
}

/* One step of a set-up: who sends what, and what comes of it. */
typedef struct {
	Seat seat;
	int round;
	const char *layout; /* NULL: accepts */
	const char *answer; /* code of a refusal, or "" */
	unsigned awaiting;  /* afterwards */
	int next_round;     /* afterwards; 0 = play has begun */
} SetupRow;

static void steps_check(const SetupRow *rows, size_t count)
{
	Position position = setup_begin("");

	for (size_t i = 0; i < count; i++) {
		Position next = position;
		Refusal refusal = {.code = REFUSAL_NONE};
		SetupState state = {.round = 0};
		bool done = setup()->apply(&position, rows[i].seat, rows[i].round, rows[i].layout,
					   &next, &refusal);

		g_test_message("%zu", i);
		g_assert_cmpstr(rules_refusal_name(refusal.code), ==, rows[i].answer);
		g_assert_cmpint(done, ==, rows[i].answer[0] == '\0');
		position = next;
		g_assert_cmpuint(rules_find("xo")->to_move(&position), ==, rows[i].awaiting);
		setup()->state(&position, &state);
		g_assert_cmpint(state.round, ==, rows[i].next_round);
	}
}

static void both_accept_the_first_pair(void)
{
	static const SetupRow rows[] = {
		{1, 1, NULL, "setup-nothing-to-accept", 3, 1},
		{2, 1, "nonsense", "layout-faulty", 3, 1},
		{2, 1, COPY, "", 1, 1},
		{2, 1, OTHER, "setup-not-your-turn", 1, 1},
		{1, 1, LAYOUT, "", 1, 1},
		{2, 1, NULL, "setup-not-your-turn", 1, 1},
		{1, 1, NULL, "", 2, 1},
		{1, 1, NULL, "setup-not-your-turn", 2, 1},
		{2, 1, NULL, "", 1, 0},
		{2, 1, NULL, "setup-over", 1, 0},
	};

	steps_check(rows, G_N_ELEMENTS(rows));
}

static void another_layout_makes_a_new_pair(void)
{
	static const SetupRow rows[] = {
		{1, 1, LAYOUT, "", 2, 1},
		{2, 1, COPY, "", 1, 1},
		{1, 1, NULL, "", 2, 1},
		{2, 1, OTHER, "", 1, 2},
		{1, 1, NULL, "setup-other-round", 1, 2},
		{1, 3, NULL, "setup-other-round", 1, 2},
		{1, 2, OTHER, "", 2, 3},
		{2, 2, NULL, "setup-other-round", 2, 3},
		{2, 3, OTHER, "", 1, 0}, /* equal to its own: an acceptance */
	};

	steps_check(rows, G_N_ELEMENTS(rows));
}

static void each_may_change_five_times(void)
{
	Position position = setup_begin("");
	const char *each[] = {LAYOUT, OTHER};
	SetupState state;
	Refusal refusal;

	g_assert_true(setup()->apply(&position, 1, 1, LAYOUT, &position, &refusal));
	g_assert_true(setup()->apply(&position, 2, 1, LAYOUT, &position, &refusal));
	for (int i = 1; i <= 5; i++) {
		g_assert_true(
			setup()->apply(&position, 1, 2 * i - 1, each[i % 2], &position, &refusal));
		g_assert_true(
			setup()->apply(&position, 2, 2 * i, each[i % 2], &position, &refusal));
	}
	g_assert_true(setup()->state(&position, &state));
	g_assert_cmpint(state.round, ==, 11);
	g_assert_cmpint(state.changes_left[0], ==, 0);
	g_assert_cmpint(state.changes_left[1], ==, 0);
	g_assert_false(setup()->apply(&position, 1, 11, LAYOUT, &position, &refusal));
	g_assert_cmpint(refusal.code, ==, REFUSAL_SETUP_NO_CHANGES_LEFT);
	g_assert_true(setup()->apply(&position, 1, 11, NULL, &position, &refusal));
	g_assert_false(setup()->state(&position, &state));
}

static int pieces_seen(const Position *position, Seat viewer, Seat seat)
{
	Picture picture;
	int count = 0;

	rules_find("xo")->picture(position, viewer, NULL, NULL, &picture);
	for (int i = 0; i < 256; i++)
		count += picture.square[i].seat == seat;
	return count;
}

static void first_layouts_are_sealed_until_both_are_in(void)
{
	Position position = setup_begin("");
	char seen[RULES_BOARD_MAX];
	Refusal refusal;
	bool may_end;

	g_assert_true(setup()->apply(&position, 1, 1, LAYOUT, &position, &refusal));
	for (Seat viewer = 0; viewer <= 2; viewer++) {
		rules_find("xo")->format(&position, viewer, seen);
		g_assert_cmpint(strpbrk(seen + 2, "VHZNG") != NULL, ==, viewer == 1);
		g_assert_cmpint(pieces_seen(&position, viewer, 1), ==, viewer == 1 ? 21 : 0);
	}
	rules_find("xo")->format(&position, VIEWER_REFEREE, seen);
	g_assert_nonnull(strpbrk(seen + 2, "VHZNG"));
	g_assert_false(rules_find("xo")->steps(&position, "a1~", &may_end, NULL, NULL, &refusal));
	g_assert_cmpint(refusal.code, ==, REFUSAL_SETUP_NOT_OVER);
	g_assert_true(setup()->apply(&position, 2, 1, LAYOUT, &position, &refusal));
	for (Seat viewer = 0; viewer <= 2; viewer++) {
		g_assert_cmpint(pieces_seen(&position, viewer, 1), ==, 21);
		g_assert_cmpint(pieces_seen(&position, viewer, 2), ==, 21);
	}
}

static void an_agreed_pair_is_the_board_that_play_begins_with(void)
{
	Position position = setup_begin("");
	char board[RULES_BOARD_MAX], layout[RULES_LAYOUT_MAX];
	Refusal refusal;

	g_assert_true(setup()->apply(&position, 1, 1, LAYOUT, &position, &refusal));
	g_assert_false(setup()->layout(&position, 2, layout));
	g_assert_true(setup()->apply(&position, 2, 1, COPY, &position, &refusal));
	g_assert_true(setup()->layout(&position, 2, layout));
	g_assert_cmpstr(layout, ==, COPY);
	g_assert_true(setup()->apply(&position, 1, 1, NULL, &position, &refusal));
	g_assert_true(setup()->apply(&position, 2, 1, NULL, &position, &refusal));
	rules_find("xo")->format(&position, 0, board);
	g_assert_cmpstr(board, ==, "xo:7x12:3 " COPY "/7/7/7/7/7/7/VHZVHZV/N+VZNHNG/VZ+ZHNHZ b");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);

#define ADD(test) g_test_add_func("/rules/xo_setup/" #test, test)
	ADD(layouts_are_read_and_every_fault_is_named);
	ADD(a_layout_with_faults_is_drawn_as_understood);
	ADD(endless_layouts_have_an_end);
	ADD(the_fair_copy_is_the_half_turn);
	ADD(both_accept_the_first_pair);
	ADD(another_layout_makes_a_new_pair);
	ADD(each_may_change_five_times);
	ADD(first_layouts_are_sealed_until_both_are_in);
	ADD(an_agreed_pair_is_the_board_that_play_begins_with);
	return g_test_run();
}
