#include "db.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "migrate.h"
#include "schema.h"

enum {
	QUEUE_MAX = 64,
	ANSWER_SECONDS = 15,     /* longer than the server's own statement_timeout */
	BACK_OFF_FIRST_MS = 100, /* doubled after each failure */
	BACK_OFF_LAST_MS = 5000,
	FRESH_US = 20 * 1000, /* so long an answer vouches for its connection */
	CONFLICT_RUNS = 5,
};

struct Db {
	char *conninfo;
	PGconn *connection;   /* NULL while there is none */
	bool skip[QUEUE_MAX]; /* per queued statement: its answer is not the caller's */
	int queued, fetched;
	bool synced;      /* the batch was closed by a sync point */
	DbAnswers *given; /* answers fetched before, which db_next returns first */
	int transaction_depth;
	int64_t retry_at; /* monotonic microseconds; 0 = at once */
	int back_off_ms;
	int64_t answered_at; /* monotonic microseconds: the end of the last batch */
};

G_DEFINE_QUARK(db_error, db_error)

Db *db_new(const char *conninfo)
{
	Db *db = g_new0(Db, 1);
	db->conninfo = g_strdup(conninfo);
	db->back_off_ms = BACK_OFF_FIRST_MS;
	return db;
}

void db_free(Db *db)
{
	if (!db)
		return;
	db_answers_free(db->given);
	PQfinish(db->connection);
	g_free(db->conninfo);
	g_free(db);
}

bool db_error_is_constraint(const GError *error, const char *constraint)
{
	return g_error_matches(error, DB_ERROR, DB_ERROR_CONSTRAINT) &&
	       strcmp(error->message, constraint) == 0;
}

bool db_is_connected(const Db *db)
{
	return db->connection != NULL;
}

/* ---- the connection ---- */

/* Forgets the connection and decides when the next one may be tried. Always returns false. */
static bool connection_fail(Db *db, GError **error)
{
	const char *why = db->connection ? PQerrorMessage(db->connection) : "";
	g_autofree char *line = g_strstrip(g_strdelimit(g_strdup(why), "\n\r", ' '));
	g_set_error(error, DB_ERROR, DB_ERROR_UNAVAILABLE, "database unavailable: %s",
		    *line ? line : "connection lost");
	PQfinish(db->connection);
	db->connection = NULL;
	db->queued = db->fetched = 0;
	db->synced = false;
	db->retry_at = g_get_monotonic_time() + (int64_t)db->back_off_ms * 1000;
	db->back_off_ms = MIN(db->back_off_ms * 2, BACK_OFF_LAST_MS);
	return false;
}

/* SQLSTATEs that say "this server cannot serve now", so that the connection is of no use. */
static bool state_unavailable(const char *state)
{
	static const char *const states[] = {"25006", "57P01", "57P02", "57P03", "53300", "58000"};
	if (!state || g_str_has_prefix(state, "08"))
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(states); i++)
		if (strcmp(state, states[i]) == 0)
			return true;
	return false;
}

/* Turns an error answer into a GError. The connection is dropped where it is of no more use. */
static void result_fail(Db *db, const DbResult *result, GError **error)
{
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *constraint = PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
	const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	if (state_unavailable(state)) {
		connection_fail(db, error);
		return;
	}
	if (g_str_has_prefix(state, "23") && constraint) {
		g_set_error_literal(error, DB_ERROR, DB_ERROR_CONSTRAINT, constraint);
		return;
	}
	DbErrorCode code = DB_ERROR_FAILED;
	if (strcmp(state, "40001") == 0 || strcmp(state, "40P01") == 0)
		code = DB_ERROR_CONFLICT;
	else if (strcmp(state, "57014") == 0 || strcmp(state, "55P03") == 0)
		code = DB_ERROR_UNAVAILABLE;
	g_set_error(error, DB_ERROR, (int)code, "%s: %s", state, message ? message : "");
}

/* Waits until an answer can be taken without blocking: a hung server must not hang us. */
static bool answer_wait(Db *db)
{
	const int64_t until = g_get_monotonic_time() + ANSWER_SECONDS * G_USEC_PER_SEC;
	while (PQisBusy(db->connection)) {
		struct pollfd socket = {.fd = PQsocket(db->connection), .events = POLLIN};
		const int64_t left = (until - g_get_monotonic_time()) / 1000;
		if (left <= 0)
			return false;
		if (poll(&socket, 1, (int)left) < 0 && errno != EINTR)
			return false;
		if (!PQconsumeInput(db->connection))
			return false;
	}
	return true;
}

/* The next answer of the pipeline, whatever it is; NULL when the connection is gone. */
static DbResult *answer_take(Db *db)
{
	if (!answer_wait(db))
		return NULL;
	return PQgetResult(db->connection);
}

/* Reads the NULL that ends each statement's answers. */
static bool answer_end(Db *db)
{
	if (!answer_wait(db))
		return false;
	g_autoptr(DbResult) rest = PQgetResult(db->connection);
	return rest == NULL;
}

/* Reads the answer to the sync point that closes a batch. */
static bool batch_end(Db *db)
{
	g_autoptr(DbResult) sync = answer_take(db);
	if (!sync || PQresultStatus(sync) != PGRES_PIPELINE_SYNC)
		return false;
	db->queued = db->fetched = 0;
	db->synced = false;
	db->answered_at = g_get_monotonic_time();
	return true;
}

static bool batch_close(Db *db)
{
	if (db->synced)
		return true;
	db->synced = PQpipelineSync(db->connection) == 1;
	return db->synced;
}

/* Prepares every query in one round trip. */
static bool queries_prepare(Db *db, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (const DbQueryTable *const *table = db_query_tables; *table; table++)
		for (size_t i = 0; i < (*table)->count; i++) {
			const DbQuery *query = &(*table)->queries[i];
			if (!PQsendPrepare(db->connection, query->name, query->sql, 0, NULL))
				return connection_fail(db, error);
			g_ptr_array_add(names, (void *)query->name);
		}
	if (!batch_close(db))
		return connection_fail(db, error);
	g_autofree char *fault = NULL;
	for (unsigned i = 0; i < names->len; i++) {
		g_autoptr(DbResult) result = answer_take(db);
		if (!result || !answer_end(db))
			return connection_fail(db, error);
		const ExecStatusType status = PQresultStatus(result);
		if (!fault && status == PGRES_FATAL_ERROR)
			fault = g_strdup_printf(
				"query %s: %s", (char *)names->pdata[i],
				PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
	}
	if (!batch_end(db))
		return connection_fail(db, error);
	if (fault)
		g_set_error_literal(error, DB_ERROR, DB_ERROR_SCHEMA, fault);
	return fault == NULL;
}

/* Drops a connection that is good but of no use, with the error that was found. */
static bool connection_refuse(Db *db)
{
	connection_fail(db, NULL);
	return false;
}

bool db_connect(Db *db, GError **error)
{
	if (db->connection)
		return true;
	g_assert(db->transaction_depth == 0);
	const char *const keys[] = {"dbname",  "connect_timeout",           "client_encoding",
				    "options", "fallback_application_name", "target_session_attrs",
				    NULL};
	const char *const values[] = {db->conninfo,
				      "5",
				      "UTF8",
				      "-c statement_timeout=10s -c lock_timeout=5s -c timezone=UTC "
				      "-c plan_cache_mode=force_generic_plan "
				      "-c idle_in_transaction_session_timeout=30s "
				      "-c default_transaction_isolation=read\\ committed",
				      "ludopost",
				      "read-write",
				      NULL};
	db->connection = PQconnectdbParams(keys, values, 1);
	if (PQstatus(db->connection) != CONNECTION_OK)
		return connection_fail(db, error);
	if (!schema_check(db->connection, error))
		return connection_refuse(db);
	if (!PQenterPipelineMode(db->connection))
		return connection_fail(db, error);
	if (!queries_prepare(db, error))
		return connection_refuse(db);
	db->back_off_ms = BACK_OFF_FIRST_MS;
	db->retry_at = 0;
	return true;
}

/* ---- statements ---- */

/* A server that ended an idle connection has written to it: a dead connection still looks alive to
 * libpq, and what is sent on it would fail although a new one might be had. One that answered just
 * now is not looked at: under load that would cost a system call for each round trip. */
static bool connection_ended(const Db *db)
{
	if (db->queued > 0 || db->transaction_depth > 0 ||
	    g_get_monotonic_time() < db->answered_at + FRESH_US)
		return false;
	struct pollfd socket = {.fd = PQsocket(db->connection), .events = POLLIN};
	return poll(&socket, 1, 0) != 0;
}

/* A connection to send a statement on: the one there is or a new one, if it is time to try. */
static bool connection_ready(Db *db, GError **error)
{
	if (db->connection && !connection_ended(db))
		return true;
	if (db->connection) {
		connection_fail(db, NULL);
		db->retry_at = 0;
	}
	if (db->transaction_depth > 0 || g_get_monotonic_time() < db->retry_at) {
		g_set_error_literal(error, DB_ERROR, DB_ERROR_UNAVAILABLE,
				    "database unavailable: waiting before the next try");
		return false;
	}
	return db_connect(db, error);
}

static bool statement_queue(Db *db, const DbQuery *query, const DbParams *params, bool skip,
			    GError **error)
{
	if (!connection_ready(db, error))
		return false;
	g_assert(!db->given && !db->synced && db->queued < QUEUE_MAX);
	const int count = params ? params->count : 0;
	const char *const *values = params ? params->values : NULL;
	if (!PQsendQueryPrepared(db->connection, query->name, count, values, NULL, NULL, 0))
		return connection_fail(db, error);
	db->skip[db->queued++] = skip;
	return true;
}

bool db_queue(Db *db, const DbQuery *query, const DbParams *params, GError **error)
{
	return statement_queue(db, query, params, false, error);
}

/* Fetches one answer, the caller's or not; the batch ends with its last one. */
static DbResult *statement_next(Db *db, GError **error)
{
	if (!batch_close(db)) {
		connection_fail(db, error);
		return NULL;
	}
	g_autoptr(DbResult) result = answer_take(db);
	if (!result || !answer_end(db)) {
		connection_fail(db, error);
		return NULL;
	}
	db->fetched++;
	if (db->fetched == db->queued && !batch_end(db)) {
		connection_fail(db, error);
		return NULL;
	}
	const ExecStatusType status = PQresultStatus(result);
	if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
		return g_steal_pointer(&result);
	if (status == PGRES_PIPELINE_ABORTED)
		g_set_error_literal(error, DB_ERROR, DB_ERROR_FAILED,
				    "an earlier statement failed");
	else
		result_fail(db, result, error);
	return NULL;
}

/* ---- answers fetched ahead ---- */

typedef struct {
	DbResult *result; /* NULL: error */
	GError *error;
} Answer;
struct DbAnswers {
	int count, next;
	Answer answer[];
};

void db_answers_free(DbAnswers *answers)
{
	if (!answers)
		return;
	for (int i = answers->next; i < answers->count; i++) {
		PQclear(answers->answer[i].result);
		g_clear_error(&answers->answer[i].error);
	}
	g_free(answers);
}

bool db_answers_failed(const DbAnswers *answers)
{
	for (int i = answers->next; i < answers->count; i++)
		if (answers->answer[i].error)
			return true;
	return false;
}

DbAnswers *db_collect(Db *db, int count)
{
	g_assert(!db->given);
	DbAnswers *answers = g_malloc0(sizeof *answers + (size_t)count * sizeof(Answer));
	answers->count = count;
	for (int i = 0; i < count; i++)
		answers->answer[i].result = db_next(db, &answers->answer[i].error);
	return answers;
}

void db_give(Db *db, DbAnswers *answers)
{
	g_assert(!db->given);
	if (answers->count > 0)
		db->given = answers;
	else
		db_answers_free(answers);
}

static DbResult *given_next(Db *db, GError **error)
{
	Answer *answer = &db->given->answer[db->given->next++];
	DbResult *result = answer->result;
	if (answer->error)
		g_propagate_error(error, answer->error);
	if (db->given->next == db->given->count)
		g_clear_pointer(&db->given, db_answers_free);
	return result;
}

DbResult *db_next(Db *db, GError **error)
{
	if (db->given)
		return given_next(db, error);
	if (!db->connection) {
		g_set_error_literal(error, DB_ERROR, DB_ERROR_UNAVAILABLE,
				    "database unavailable: connection lost");
		return NULL;
	}
	g_assert(db->queued > db->fetched);
	while (db->skip[db->fetched]) {
		g_autoptr(DbResult) skipped = statement_next(db, error);
		if (!skipped)
			return NULL;
	}
	return statement_next(db, error);
}

int db_queued(const Db *db)
{
	const int given = db->given ? db->given->count - db->given->next : 0;
	return given + db->queued - db->fetched;
}

void db_drain(Db *db)
{
	g_clear_pointer(&db->given, db_answers_free);
	while (db_queued(db) > 0)
		PQclear(statement_next(db, NULL));
}

DbResult *db_run(Db *db, const DbQuery *query, const DbParams *params, GError **error)
{
	if (!db_queue(db, query, params, error))
		return NULL;
	DbResult *result = db_next(db, error);
	if (!result)
		db_drain(db);
	return result;
}

/* ---- transactions ---- */

enum { DB_BEGIN, DB_COMMIT, DB_ROLLBACK };
static const DbQuery queries[] = {
	[DB_BEGIN] = {"db_begin", "BEGIN"},
	[DB_COMMIT] = {"db_commit", "COMMIT"},
	[DB_ROLLBACK] = {"db_rollback", "ROLLBACK"},
};
const DbQueryTable transaction_queries = {queries, G_N_ELEMENTS(queries)};

static bool transaction_try(Db *db, DbWorkFn *work, void *user_data, GError **error)
{
	if (!statement_queue(db, &queries[DB_BEGIN], NULL, true, error))
		return false;
	db->transaction_depth = 1;
	const bool done = work(db, user_data, error);
	db->transaction_depth = 0;
	db_drain(db);
	if (!db->connection) {
		if (done)
			g_set_error_literal(error, DB_ERROR, DB_ERROR_UNAVAILABLE,
					    "database unavailable: connection lost before COMMIT");
		return false;
	}
	g_autoptr(DbResult) ended =
		db_run(db, &queries[done ? DB_COMMIT : DB_ROLLBACK], NULL, done ? error : NULL);
	if (done && ended && strcmp(PQcmdStatus(ended), "COMMIT") != 0) {
		g_set_error_literal(error, DB_ERROR, DB_ERROR_FAILED,
				    "a statement failed in a transaction whose work went on");
		return false;
	}
	return done && ended;
}

bool db_transact(Db *db, DbWorkFn *work, void *user_data, GError **error)
{
	if (db->transaction_depth > 0)
		return work(db, user_data, error);
	for (int run = 1;; run++) {
		g_autoptr(GError) fault = NULL;
		if (transaction_try(db, work, user_data, &fault))
			return true;
		if (!g_error_matches(fault, DB_ERROR, DB_ERROR_CONFLICT) || run == CONFLICT_RUNS) {
			g_propagate_error(error, g_steal_pointer(&fault));
			return false;
		}
	}
}
