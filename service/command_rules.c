#include "service/command_rules.h"

#include "service/command.h"
#include "service/command_rules_private.h"
#include "service/nearest.h"
#include "service/notation.h"
#include "service/text.h"
#include "service/turn_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PERFT_DEPTH_MAX = 20 };

static void answer_add(const RulesCall *call, GString *answer, const char *item)
{
	if (answer->len > 0)
		g_string_append(answer, call->many ? call->command->separator : "\n");
	g_string_append(answer, item);
}

/* "blocked e5 f5": the rule and the squares it speaks of, then the readings or the legal text. */
static void refusal_write(GString *reason, const Refusal *refusal)
{
	g_string_append(reason, rules_refusal_name(refusal->code));
	for (int i = 0; i < refusal->square_count; i++) {
		char name[4];

		rules_square_name(refusal->squares[i], name);
		g_string_append_printf(reason, " %s", name);
	}
	for (int i = 0; i < 2 && refusal->reading[i][0] != '\0'; i++)
		g_string_append_printf(reason, " %s", refusal->reading[i]);
}

/* The rule in one line; to a person also in words, with the nearest legal turns. */
static void turn_refuse(const RulesCall *call, const Position *position, const char *turn,
			const Refusal *refusal, GString *reason)
{
	const char *turns[NEAREST_MAX + 1] = {NULL};
	NearestTurns nearest;
	g_autofree char *words = NULL, *near = NULL;

	refusal_write(reason, refusal);
	if (call->many)
		return;
	words = turn_words_refusal(call->rules, refusal, LANGUAGE_EN);
	g_string_append_printf(reason, "\n%s: %s", turn, words);
	nearest_find(call->rules, position, turn, refusal, &nearest);
	for (int i = 0; i < nearest.count; i++)
		turns[i] = nearest.turn[i];
	near = turn_words_nearest(turns, LANGUAGE_EN);
	if (near != NULL && refusal->code != REFUSAL_AMBIGUOUS)
		g_string_append_printf(reason, "\n%s", near);
}

typedef struct {
	const RulesCall *call;
	const Position *position;
	GString *answer;
	uint64_t total;
} Collector;

static bool step_collect(const char *step, bool may_end, void *user_data)
{
	Collector *collector = user_data;
	g_autofree char *item = g_strconcat(step, may_end ? "." : "", NULL);

	answer_add(collector->call, collector->answer, item);
	return true;
}

static bool legal_answer(const RulesCall *call, const Position *position, GString *answer,
			 GString *reason)
{
	Collector collector = {call, position, answer, 0};
	const char *raw = call->argument_count > 0 ? call->arguments[0] : "";
	g_autofree char *prefix = notation_prefix(call->rules, position, raw);
	bool may_end;
	Refusal refusal;

	if (call->rules->steps(position, prefix, &may_end, step_collect, &collector, &refusal))
		return true;
	turn_refuse(call, position, raw, &refusal, reason);
	return false;
}

static bool turn_collect(const char *turn, void *user_data)
{
	Collector *collector = user_data;

	answer_add(collector->call, collector->answer, turn);
	return true;
}

static bool turns_answer(const RulesCall *call, const Position *position, GString *answer,
			 GString *reason)
{
	Collector collector = {call, position, answer, 0};

	(void)reason;
	rules_turns(call->rules, position, turn_collect, &collector);
	return true;
}

/* A game played along the arguments. */
typedef struct {
	const RulesCall *call;
	Position position;
	Outcome outcome;
	GHashTable *boards; /* bare board to how often it has stood */
	GString *answer;
} Line;

/* Looks at the position reached: how often it has stood, and what that means. */
static void line_look(Line *line, char board_r[RULES_BOARD_MAX])
{
	char bare_board[RULES_BOARD_MAX];
	int seen;

	line->call->rules->format(&line->position, 0, board_r);
	line->call->rules->format_bare(&line->position, bare_board);
	seen = GPOINTER_TO_INT(g_hash_table_lookup(line->boards, bare_board)) + 1;
	g_hash_table_insert(line->boards, g_strdup(bare_board), GINT_TO_POINTER(seen));
	line->outcome = line->call->rules->outcome(&line->position, MIN(seen, RULES_SEEN_MAX));
}

static bool line_play(Line *line, const char *turn, GString *reason)
{
	const GameRules *rules = line->call->rules;
	Position next;
	Refusal refusal;
	char canonical[RULES_TURN_MAX], board[RULES_BOARD_MAX];
	bool legal = notation_read_turn(rules, &line->position, turn, &next, canonical, &refusal);

	/* The referee cannot know of a draw by repetition. */
	if (legal && line->outcome.over) {
		memset(&refusal, 0, sizeof refusal);
		refusal.code = REFUSAL_GAME_OVER;
		legal = false;
	}
	if (!legal) {
		turn_refuse(line->call, &line->position, turn, &refusal, reason);
		return false;
	}
	line->position = next;
	line_look(line, board);
	answer_add(line->call, line->answer, board);
	return true;
}

static void line_state_add(const Line *line)
{
	Seats seats = line->call->rules->to_move(&line->position);
	g_autoptr(GString) state = g_string_new(NULL);

	if (line->outcome.over) {
		g_string_printf(state, "result %d %s", line->outcome.winner,
				rules_reason_name(line->outcome.reason));
	} else {
		g_string_assign(state, "open");
		for (Seat seat = 1; seat <= 2; seat++) {
			if ((seats & SEATS_OF(seat)) != 0)
				g_string_append_printf(state, " %d", seat);
		}
	}
	answer_add(line->call, line->answer, state->str);
}

static bool play_answer(const RulesCall *call, const Position *position, GString *answer,
			GString *reason)
{
	g_autoptr(GHashTable) boards = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	Line line = {.call = call, .position = *position, .boards = boards, .answer = answer};
	char board[RULES_BOARD_MAX];

	line_look(&line, board);
	for (int i = 0; i < call->argument_count; i++) {
		if (!line_play(&line, call->arguments[i], reason))
			return false;
	}
	line_state_add(&line);
	return true;
}

static bool divide_collect(const char *turn, void *user_data)
{
	Collector *collector = user_data;
	const RulesCall *call = collector->call;
	Position next;
	Refusal refusal;
	char canonical[RULES_TURN_MAX];
	g_autofree char *item = NULL;
	uint64_t count;

	if (!call->rules->play(collector->position, turn, &next, canonical, &refusal))
		g_assert_not_reached();
	count = call->rules->perft(&next, call->depth - 1);
	collector->total += count;
	item = g_strdup_printf("%s %" PRIu64, turn, count);
	answer_add(call, collector->answer, item);
	return true;
}

static bool perft_answer(const RulesCall *call, const Position *position, GString *answer,
			 GString *reason)
{
	Collector collector = {call, position, answer, 0};
	g_autofree char *item = NULL;

	(void)reason;
	if (call->steps)
		collector.total = rules_steps_count(call->rules, position, call->depth);
	else if (call->divide && call->depth > 0)
		rules_turns(call->rules, position, divide_collect, &collector);
	else
		collector.total = call->rules->perft(position, call->depth);
	item = g_strdup_printf(call->divide ? "total %" PRIu64 : "%" PRIu64, collector.total);
	answer_add(call, answer, item);
	return true;
}

static bool legal_check(RulesCall *call)
{
	return call->argument_count <= 1;
}

static bool turns_check(RulesCall *call)
{
	return call->argument_count == 0;
}

static bool play_check(RulesCall *call)
{
	(void)call;
	return true;
}

static bool perft_check(RulesCall *call)
{
	int count = 0;

	for (int i = 0; i < call->argument_count; i++) {
		char *end;
		gint64 depth = g_ascii_strtoll(call->arguments[i], &end, 10);

		if (strcmp(call->arguments[i], "--divide") == 0) {
			call->divide = true;
			continue;
		}
		if (strcmp(call->arguments[i], "--steps") == 0) {
			call->steps = true;
			continue;
		}
		if (!g_ascii_isdigit(call->arguments[i][0]) || *end != '\0' ||
		    depth > PERFT_DEPTH_MAX)
			return false;
		call->depth = (int)depth;
		count++;
	}
	return count == 1 && !(call->divide && call->steps);
}

static const RulesCommand rules_commands[] = {
	{"legal", "KEY BOARD [PREFIX]", " ", legal_check, legal_answer},
	{"turns", "KEY BOARD", " ", turns_check, turns_answer},
	{"play", "KEY BOARD TURN...", "\t", play_check, play_answer},
	{"perft", "KEY BOARD DEPTH [--divide|--steps]", " ", perft_check, perft_answer},
	{"draw", "KEY BOARD --text|--svg|--png", " ", rules_draw_check, rules_draw_answer},
};

/* The rule; to a person also in words. */
static void board_refuse(const RulesCall *call, const Refusal *refusal, GString *reason)
{
	refusal_write(reason, refusal);
	if (call->many)
		return;
	g_autofree char *words = turn_words_refusal(call->rules, refusal, LANGUAGE_EN);
	g_string_append_printf(reason, "\n%s", words);
}

static bool board_read(const RulesCall *call, const char *board, Position *position_r,
		       GString *reason)
{
	const GameRules *rules = call->rules;
	Refusal refusal;
	bool read = strcmp(board, "start") == 0 ? rules->start("", position_r, &refusal)
						: rules->parse(board, position_r, &refusal);

	if (!read)
		board_refuse(call, &refusal, reason);
	return read;
}

/* A line with a NUL is no board, whatever stands before it. */
static const char *line_text(char *line, size_t length)
{
	return strlen(line) == length ? g_strchomp(line) : "";
}

/* A line is BOARD and, after tabs, what may follow it if nothing does in the call itself. */
static bool line_read(const RulesCall *call, char **words, RulesCall *line_r, Position *position_r,
		      GString *reason)
{
	*line_r = *call;
	if (words[0] != NULL && words[1] != NULL) {
		line_r->arguments = words + 1;
		line_r->argument_count = (int)g_strv_length(words + 1);
	}
	if (words[0] == NULL || !line_r->command->check(line_r))
		return board_read(call, "", position_r, reason);
	return board_read(line_r, words[0], position_r, reason);
}

static bool line_answer(const RulesCall *call, const char *line, int number)
{
	g_autoptr(GString) answer = g_string_new(NULL), reason = g_string_new(NULL);
	g_auto(GStrv) words = g_strsplit(line, "\t", call->argument_count == 0 ? 0 : 1);
	RulesCall own;
	Position position;
	bool done = line_read(call, words, &own, &position, reason) &&
		    own.command->answer(&own, &position, answer, reason);

	if (!done) {
		fprintf(stderr, "line %d refused: %s\n", number, reason->str);
		answer_add(call, answer, g_string_prepend(reason, "error: ")->str);
	}
	printf("%s\n", answer->str);
	fflush(stdout);
	return done;
}

/* Every line from standard input is answered by one line, also if it is no board. */
static int lines_answer(const RulesCall *call)
{
	g_autofree char *line = NULL;
	size_t size = 0;
	ssize_t length;
	int status = COMMAND_DONE;

	for (int number = 1; (length = getline(&line, &size, stdin)) >= 0; number++) {
		if (!line_answer(call, line_text(line, (size_t)length), number))
			status = COMMAND_FAILED;
	}
	return status;
}

static int board_answer(const RulesCall *call, const char *board)
{
	g_autoptr(GString) answer = g_string_new(NULL), reason = g_string_new(NULL);
	Position position;
	bool done = board_read(call, board, &position, reason) &&
		    call->command->answer(call, &position, answer, reason);

	fwrite(answer->str, 1, answer->len, stdout);
	if (answer->len > 0 && answer->str[answer->len - 1] != '\n' &&
	    !g_str_has_prefix(answer->str, "\x89PNG"))
		putchar('\n');
	if (done)
		return COMMAND_DONE;
	fprintf(stderr, "refused: %s\n", reason->str);
	return COMMAND_FAILED;
}

static int rules_list(void)
{
	const GameRules *rules;

	for (size_t i = 0; (rules = rules_at(i)) != NULL; i++)
		printf("%s\t%s\n", rules->key, rules->name);
	return COMMAND_DONE;
}

static void help_print(FILE *stream)
{
	fprintf(stream, "Usage: ludopost rules list\n");
	for (size_t i = 0; i < G_N_ELEMENTS(rules_commands); i++)
		fprintf(stream, "       ludopost rules %s %s\n", rules_commands[i].name,
			rules_commands[i].arguments);
	fprintf(stream, "BOARD is a board string, \"start\", or \"-\": boards from standard input, "
			"one a line,\neach with its own PREFIX or TURNs after tabs if none are "
			"given.\n");
}

static int usage_print(const char *what)
{
	fprintf(stderr, "ludopost rules: %s\n", what);
	help_print(stderr);
	return COMMAND_USAGE;
}

static const RulesCommand *rules_command_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rules_commands); i++) {
		if (strcmp(rules_commands[i].name, name) == 0)
			return &rules_commands[i];
	}
	return NULL;
}

int command_rules(int argc, char **argv)
{
	RulesCall call = {.argument_count = argc - 4, .arguments = argv + 4};

	if (argc < 2)
		return usage_print("a command is missing");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
		help_print(stdout);
		return COMMAND_DONE;
	}
	if (strcmp(argv[1], "list") == 0)
		return argc == 2 ? rules_list() : usage_print("list takes no arguments");
	call.command = rules_command_find(argv[1]);
	if (call.command == NULL)
		return usage_print("there is no such command");
	if (argc < 4)
		return usage_print("KEY and BOARD are missing");
	call.rules = rules_find(argv[2]);
	if (call.rules == NULL)
		return usage_print("there are no rules with this key (see: ludopost rules list)");
	text_init();
	call.many = strcmp(argv[3], "-") == 0;
	if (!call.command->check(&call))
		return usage_print("wrong arguments after BOARD");
	return call.many ? lines_answer(&call) : board_answer(&call, argv[3]);
}
