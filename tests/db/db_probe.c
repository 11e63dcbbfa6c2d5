/* db.h reached from tests in Python: one order a line on standard input, one line as the answer,
 * "ok VALUE" or "error CODE MESSAGE". The queries are this program's own, on a table `counter`. */
#include "db/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTER_GET, COUNTER_ADD, COUNTER_MAKE, COUNTER_FAIL };
static const DbQuery queries[] = {
	[COUNTER_GET] = {"counter_get", "SELECT n FROM counter WHERE id = $1::integer"},
	[COUNTER_ADD] = {"counter_add", "UPDATE counter SET n = n + $2::integer WHERE id = "
					"$1::integer RETURNING n"},
	[COUNTER_MAKE] = {"counter_make",
			  "INSERT INTO counter (id, n) VALUES ($1::integer, 0) RETURNING n"},
	[COUNTER_FAIL] = {"counter_fail", "SELECT 1 / (n - n) FROM counter WHERE id = $1::integer"},
};
static const DbQueryTable counter_queries = {queries, G_N_ELEMENTS(queries)};
extern const DbQueryTable transaction_queries;
const DbQueryTable *const db_query_tables[] = {&counter_queries, &transaction_queries, NULL};

static bool counter_queue(Db *db, int query, int id, int amount, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	if (query == COUNTER_ADD)
		db_param_int(&params, amount);
	return db_queue(db, &queries[query], &params, error);
}

static bool counter_run(Db *db, int query, int id, int amount, int64_t *value_r, GError **error)
{
	if (!counter_queue(db, query, id, amount, error))
		return false;
	g_autoptr(DbResult) result = db_next(db, error);
	if (!result) {
		db_drain(db);
		return false;
	}
	*value_r = db_int(result, 0, 0);
	return true;
}

static char *line_read(char *line, size_t size)
{
	if (!fgets(line, (int)size, stdin))
		exit(0);
	return g_strchomp(line);
}

static void say(const char *text)
{
	puts(text);
	fflush(stdout);
}

/* ---- work of transactions ---- */

static bool add_ten(Db *db, void *user_data, GError **error)
{
	return counter_run(db, COUNTER_ADD, 1, 10, user_data, error);
}

static bool nest_good(Db *db, void *user_data, GError **error)
{
	return counter_run(db, COUNTER_ADD, 1, 1, user_data, error) &&
	       db_transact(db, add_ten, user_data, error);
}

static bool nest_bad(Db *db, void *user_data, GError **error)
{
	if (!nest_good(db, user_data, error))
		return false;
	g_set_error_literal(error, DB_ERROR, DB_ERROR_FAILED, "the outer work gave up");
	return false;
}

/* Goes on after a statement of the transaction failed. */
static bool spoil(Db *db, void *user_data, GError **error)
{
	(void)error;
	counter_run(db, COUNTER_ADD, 1, 5, user_data, NULL);
	counter_run(db, COUNTER_FAIL, 1, 0, user_data, NULL);
	return true;
}

/* Locks one row, waits for a word, locks the other: two of these cross each other. */
typedef struct {
	int first, second, runs;
	int64_t value;
} Crossing;

static bool cross(Db *db, void *user_data, GError **error)
{
	Crossing *crossing = user_data;
	crossing->runs++;
	if (!counter_run(db, COUNTER_ADD, crossing->first, 1, &crossing->value, error))
		return false;
	char word[16];
	if (crossing->runs == 1) {
		say("half");
		line_read(word, sizeof word);
	}
	return counter_run(db, COUNTER_ADD, crossing->second, 1, &crossing->value, error);
}

static bool pause_inside(Db *db, void *user_data, GError **error)
{
	if (!counter_run(db, COUNTER_ADD, 1, 1, user_data, error))
		return false;
	char word[16];
	say("half");
	line_read(word, sizeof word);
	return counter_run(db, COUNTER_ADD, 1, 1, user_data, error);
}

static bool pipeline(Db *db, int64_t *value_r, GError **error)
{
	static const int order[] = {COUNTER_ADD, COUNTER_FAIL, COUNTER_ADD};
	for (size_t i = 0; i < G_N_ELEMENTS(order); i++)
		if (!counter_queue(db, order[i], 1, 100, error))
			return false;
	int failed = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(order); i++) {
		g_autoptr(DbResult) result = db_next(db, NULL);
		failed += result == NULL;
	}
	*value_r = failed;
	return true;
}

/* ---- orders ---- */

static bool order_do(Db *db, const char *line, int64_t *value_r, GError **error)
{
	g_auto(GStrv) words = g_strsplit(line, " ", 3);
	const int first = words[1] ? (int)g_ascii_strtoll(words[1], NULL, 10) : 1;
	const int second = words[1] && words[2] ? (int)g_ascii_strtoll(words[2], NULL, 10) : 1;
	if (strcmp(words[0], "connect") == 0)
		return db_connect(db, error);
	if (strcmp(words[0], "get") == 0)
		return counter_run(db, COUNTER_GET, first, 0, value_r, error);
	if (strcmp(words[0], "add") == 0)
		return counter_run(db, COUNTER_ADD, first, second, value_r, error);
	if (strcmp(words[0], "make") == 0)
		return counter_run(db, COUNTER_MAKE, first, 0, value_r, error);
	if (strcmp(words[0], "nest") == 0)
		return db_transact(db, nest_good, value_r, error);
	if (strcmp(words[0], "nest-bad") == 0)
		return db_transact(db, nest_bad, value_r, error);
	if (strcmp(words[0], "spoil") == 0)
		return db_transact(db, spoil, value_r, error);
	if (strcmp(words[0], "pause") == 0)
		return db_transact(db, pause_inside, value_r, error);
	if (strcmp(words[0], "pipeline") == 0)
		return pipeline(db, value_r, error);
	g_assert_cmpstr(words[0], ==, "cross");
	Crossing crossing = {.first = first, .second = second};
	const bool done = db_transact(db, cross, &crossing, error);
	*value_r = crossing.runs;
	return done;
}

int main(int argc, char **argv)
{
	g_assert_cmpint(argc, ==, 2);
	g_autoptr(Db) db = db_new(argv[1]);
	for (;;) {
		char line[256];
		int64_t value = 0;
		g_autoptr(GError) error = NULL;
		if (order_do(db, line_read(line, sizeof line), &value, &error))
			printf("ok %" G_GINT64_FORMAT "\n", value);
		else
			printf("error %d %s\n", error->code, error->message);
		fflush(stdout);
	}
}
