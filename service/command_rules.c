#include "service/command_rules.h"

#include "service/board.h"
#include "service/command.h"
#include "service/nearest.h"
#include "service/notation.h"
#include "service/text.h"
#include "service/turn_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PERFT_DEPTH_MAX = 20 };

typedef struct RulesCommand RulesCommand;

/* One call of the program. */
typedef struct {
	const RulesCommand *command;
	const GameRules *rules;
	int argument_count; /* what follows BOARD */
	char **arguments;
	bool many;   /* boards from standard input */
	int depth;   /* perft */
	bool divide; /* perft */
	bool steps;  /* perft */
} RulesCall;

/* Answers for one position: items added by answer_add. False after writing the reason of a refusal.
 */
typedef bool AnswerFn(const RulesCall *call, const Position *position, GString *answer,
		      GString *reason);

struct RulesCommand {
	const char *name;
	const char *arguments;
	const char *separator;          /* of the items of an answer in one line */
	bool (*check)(RulesCall *call); /* reads the arguments after BOARD; false: wrong usage */
	AnswerFn *answer;
};

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

static void png_answer(const RulesCall *call, const Picture *picture, GString *answer)
{
	BoardStyle style = {.title = call->rules->name};
	g_autoptr(GBytes) png = board_png(picture, &style);
	size_t size;
	const unsigned char *bytes = g_bytes_get_data(png, &size);

	if (call->many) {
		g_autofree char *text = g_base64_encode(bytes, size);

		g_string_append(answer, text);
	} else {
		g_string_append_len(answer, (const char *)bytes, (ssize_t)size);
	}
}

/* A picture in one line: SVG without line breaks, PNG in base64, text with "\\n". */
static bool draw_answer(const RulesCall *call, const Position *position, GString *answer,
			GString *reason)
{
	const char *form = call->arguments[0];
	Picture picture;

	(void)reason;
	call->rules->picture(position, 0, NULL, NULL, &picture);
	if (strcmp(form, "--png") == 0) {
		png_answer(call, &picture, answer);
	} else if (strcmp(form, "--svg") == 0) {
		g_autofree char *title = board_alt(call->rules, &picture, LANGUAGE_EN);
		BoardStyle style = {.title = title};
		g_autofree char *svg = board_svg(&picture, &style);

		g_string_append(answer, svg);
		if (call->many)
			g_string_replace(answer, "\n", " ", 0);
	} else {
		g_autofree char *text = board_text_ascii(call->rules, &picture, LANGUAGE_EN, 0);

		g_string_append(answer, text);
		if (call->many)
			g_string_replace(answer, "\n", "\\n", 0);
	}
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

static bool draw_check(RulesCall *call)
{
	static const char *const forms[] = {"--text", "--svg", "--png", NULL};

	return call->argument_count == 1 && g_strv_contains(forms, call->arguments[0]);
}

static const RulesCommand rules_commands[] = {
	{"legal", "KEY BOARD [PREFIX]", " ", legal_check, legal_answer},
	{"turns", "KEY BOARD", " ", turns_check, turns_answer},
	{"play", "KEY BOARD TURN...", "\t", play_check, play_answer},
	{"perft", "KEY BOARD DEPTH [--divide|--steps]", " ", perft_check, perft_answer},
	{"draw", "KEY BOARD --text|--svg|--png", " ", draw_check, draw_answer},
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
static const char *line_board(char *line, size_t length)
{
	return strlen(line) == length ? g_strchomp(line) : "";
}

static bool line_answer(const RulesCall *call, const char *board, int number)
{
	g_autoptr(GString) answer = g_string_new(NULL), reason = g_string_new(NULL);
	Position position;
	bool done = board_read(call, board, &position, reason) &&
		    call->command->answer(call, &position, answer, reason);

	if (!done) {
		g_autofree char *item = g_strconcat("error: ", reason->str, NULL);

		answer_add(call, answer, item);
		fprintf(stderr, "line %d refused: %s\n", number, reason->str);
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
		if (!line_answer(call, line_board(line, (size_t)length), number))
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
			"one a line.\n");
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
