/*
 * Numbers of sequences of turns: tests/rules/perft/KEY.perft, a file for each game.
 */
#include "check.h"

#include <string.h>

/* More in one go would make the tests slow; LUDOPOST_PERFT_MAX raises it. */
enum { COUNT_MAX = 5000000 };

static guint64 count_max(void)
{
	const char *text = g_getenv("LUDOPOST_PERFT_MAX");

	return text != NULL ? g_ascii_strtoull(text, NULL, 10) : COUNT_MAX;
}

/* "BOARD; 1=56 2=3136" */
static void row_check(const GameRules *rules, const char *row)
{
	g_auto(GStrv) parts = g_strsplit(row, "; ", 2);
	g_auto(GStrv) counts = g_strsplit(parts[1], " ", -1);
	Position position = check_position(rules, parts[0]);

	for (int i = 0; counts[i] != NULL; i++) {
		char *end;
		int depth = (int)g_ascii_strtoll(counts[i], &end, 10);
		guint64 count = g_ascii_strtoull(end + 1, NULL, 10);

		g_assert_cmpint(*end, ==, '=');
		if (count <= count_max())
			g_assert_cmpuint(rules->perft(&position, depth), ==, count);
	}
}

static void file_check(const void *data)
{
	const GameRules *rules = data;
	g_autofree char *path = g_strdup_printf("tests/rules/perft/%s.perft", rules->key);
	g_autofree char *text = NULL;
	g_auto(GStrv) rows = NULL;
	g_autoptr(GError) err = NULL;
	int count = 0;

	g_file_get_contents(path, &text, NULL, &err);
	g_assert_no_error(err);
	rows = g_strsplit(text, "\n", -1);
	for (int i = 0; rows[i] != NULL; i++) {
		if (rows[i][0] == '\0' || rows[i][0] == '#')
			continue;
		row_check(rules, rows[i]);
		count++;
	}
	g_assert_cmpint(count, >, 0);
}

int main(int argc, char **argv)
{
	const GameRules *rules;

	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; (rules = rules_at(i)) != NULL; i++) {
		g_autofree char *name =
			g_strdup_printf("/rules/perft/%s_counts_are_the_listed_ones", rules->key);

		g_test_add_data_func(name, rules, file_check);
	}
	return g_test_run();
}
