#include "check.h"

#include <string.h>

void check_lines_each(const char *file, CheckLineFn *each)
{
	g_autofree char *path = g_build_filename("tests", "rules", "oracle", file, NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	g_autoptr(GError) err = NULL;

	g_file_get_contents(path, &text, NULL, &err);
	g_assert_no_error(err);
	lines = g_strsplit(text, "\n", -1);
	for (int i = 0; lines[i] != NULL; i++) {
		json_t *line;

		if (lines[i][0] == '\0')
			continue;
		line = json_loads(lines[i], 0, NULL);
		g_assert_nonnull(line);
		each(line);
		json_decref(line);
	}
}

const char *check_text(json_t *line, const char *key)
{
	const char *text = json_string_value(json_object_get(line, key));

	g_assert_nonnull(text);
	return text;
}

gint64 check_number(json_t *line, const char *key)
{
	json_t *number = json_object_get(line, key);

	g_assert_true(json_is_integer(number));
	return json_integer_value(number);
}

Position check_position(const GameRules *rules, const char *board)
{
	Position position;
	Refusal refusal;
	bool read = rules->parse(board, &position, &refusal);

	if (!read)
		g_error("no board: %s", board);
	return position;
}

static bool turn_keep(const char *turn, void *user_data)
{
	g_ptr_array_add(user_data, g_strdup(turn));
	return true;
}

static int text_compare(const void *first, const void *second)
{
	return strcmp(*(char *const *)first, *(char *const *)second);
}

GPtrArray *check_turns(const GameRules *rules, const Position *position)
{
	GPtrArray *turns = g_ptr_array_new_with_free_func(g_free);

	rules_turns(rules, position, turn_keep, turns);
	g_ptr_array_sort(turns, text_compare);
	return turns;
}

Position check_play(const GameRules *rules, const Position *position, const char *turn)
{
	Position next;
	Refusal refusal;
	char canonical[RULES_TURN_MAX];

	if (!rules->play(position, turn, &next, canonical, &refusal))
		g_error("refused: %s (%s)", turn, rules_refusal_name(refusal.code));
	g_assert_cmpstr(canonical, ==, turn);
	return next;
}

char *check_refusal(const GameRules *rules, const char *board, const char *turn)
{
	Position position = check_position(rules, board), next;
	Refusal refusal;
	char canonical[RULES_TURN_MAX];
	GString *text;

	if (rules->play(&position, turn, &next, canonical, &refusal))
		return g_strdup("");
	text = g_string_new(NULL);
	g_string_printf(text, "%s %d", rules_refusal_name(refusal.code), refusal.step);
	for (int i = 0; i < refusal.square_count; i++) {
		char name[4];

		rules_square_name(refusal.squares[i], name);
		g_string_append_printf(text, " %s", name);
	}
	if (refusal.code == REFUSAL_AMBIGUOUS)
		g_string_append_printf(text, " %s | %s", refusal.reading[0], refusal.reading[1]);
	return g_string_free(text, FALSE);
}

int check_rounds(int usual)
{
	const char *text = g_getenv("LUDOPOST_ROUNDS"), *percent = g_getenv("LUDOPOST_PERCENT");

	if (text != NULL)
		return (int)g_ascii_strtoll(text, NULL, 10);
	return percent != NULL ? usual * (int)g_ascii_strtoll(percent, NULL, 10) / 10 : usual;
}

GRand *check_random(void)
{
	const char *text = g_getenv("LUDOPOST_SEED");
	guint32 seed = text != NULL ? (guint32)g_ascii_strtoull(text, NULL, 10) : g_random_int();

	g_test_message("LUDOPOST_SEED=%u", seed);
	return g_rand_new_with_seed(seed);
}
