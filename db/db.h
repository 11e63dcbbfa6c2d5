/*
 * One connection to PostgreSQL: owned by one thread, kept in libpq's pipeline mode, every query
 * prepared when it opens. It connects at first use, and again (with back-off) after the server
 * went away; meanwhile every call fails at once with DB_ERROR_UNAVAILABLE.
 *
 * A query is a row of its file's `queries[]`, and each such table a row of db/queries.c:
 *
 *     enum { TOKEN_FIND };
 *     static const DbQuery queries[] = {
 *             [TOKEN_FIND] = {"token_find", "SELECT id FROM token WHERE hash = $1::bytea"},
 *     };
 *     const DbQueryTable token_queries = {queries, G_N_ELEMENTS(queries)};
 */
#ifndef DB_H
#define DB_H

#include <glib.h>
#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Db Db;

typedef struct {
	const char *name; /* unique, file_verb */
	const char *sql;  /* $n only; types by casts ($1::bigint) where PostgreSQL cannot tell */
} DbQuery;
typedef struct {
	const DbQuery *queries;
	size_t count;
} DbQueryTable;
/* NULL-terminated: every table of the program (db/queries.c). */
extern const DbQueryTable *const db_query_tables[];

#define DB_ERROR (db_error_quark())
GQuark db_error_quark(void);
typedef enum {
	DB_ERROR_UNAVAILABLE, /* no server, connection lost, read-only server, time-out: try again
			       */
	DB_ERROR_SCHEMA,      /* a query and the schema disagree, or migrations are missing */
	DB_ERROR_CONSTRAINT,  /* the message is the constraint's name: db_error_is_constraint() */
	DB_ERROR_CONFLICT,    /* 40001, 40P01: db_transact runs again; alone: try again */
	DB_ERROR_FAILED,      /* any other error of a statement: a bug */
} DbErrorCode;
/* True when the error is the violation of this constraint (or unique index). */
bool db_error_is_constraint(const GError *error, const char *constraint);

/* A connection for a libpq connection string; nothing is sent yet. Never NULL. Free: db_free. */
Db *db_new(const char *conninfo);
void db_free(Db *db);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Db, db_free)

/* Connects if need be, and checks all queries and the schema's version. Ignores the back-off. */
bool db_connect(Db *db, GError **error);
/* True while the connection is believed to be good. */
bool db_is_connected(const Db *db);

/* Parameters of a query in order. Texts are borrowed until the query was sent; NULL is SQL NULL. */
enum { DB_PARAMS_MAX = 28 };
typedef struct {
	int count;
	const char *values[DB_PARAMS_MAX];
	char numbers[DB_PARAMS_MAX][24];
} DbParams;
#define DB_PARAMS_EMPTY ((DbParams){.count = 0})
void db_param_text(DbParams *params, const char *text);
void db_param_int(DbParams *params, int64_t number);
void db_param_bool(DbParams *params, bool yes);
void db_param_null(DbParams *params);
/* bytea as hexadecimal text, allocated: the caller keeps it until the query was sent. */
char *db_hex(const uint8_t *bytes, size_t size);

/* Rows of an answer. */
typedef struct pg_result DbResult;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DbResult, PQclear)
int db_rows(const DbResult *result);
/* Rows touched by an INSERT, UPDATE or DELETE without RETURNING. */
int64_t db_touched(const DbResult *result);
bool db_null(const DbResult *result, int row, int column);
/* Text of a cell, owned by the result; NULL for SQL NULL. */
const char *db_text(const DbResult *result, int row, int column);
/* Number of a cell; 0 for SQL NULL. */
int64_t db_int(const DbResult *result, int row, int column);
bool db_bool(const DbResult *result, int row, int column);

/* Runs one query: one round trip. NULL with DB_ERROR. Nothing may be queued. params may be NULL. */
DbResult *db_run(Db *db, const DbQuery *query, const DbParams *params, GError **error);

/* Several queries in one round trip: queue them, then fetch the answers in the same order. All
 * queued up to the first db_next() are one implicit transaction unless db_transact is open. After
 * a failure the answers that follow fail too. */
bool db_queue(Db *db, const DbQuery *query, const DbParams *params, GError **error);
DbResult *db_next(Db *db, GError **error);
/* Answers queued and not fetched yet; db_drain throws them away. */
int db_queued(const Db *db);
void db_drain(Db *db);

/* Answers of several callers who share one round trip: queue the reading statements of all of them
 * (one failing makes those after it fail), collect each one's answers in order, then give them back
 * one by one: db_next returns given answers first, so that each caller finds its own. */
typedef struct DbAnswers DbAnswers;
DbAnswers *db_collect(Db *db, int count);
/* Whether one of them is an error: the caller then starts again alone. */
bool db_answers_failed(const DbAnswers *answers);
/* Takes answers over. Earlier given ones must be fetched or drained. */
void db_give(Db *db, DbAnswers *answers);
void db_answers_free(DbAnswers *answers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DbAnswers, db_answers_free)

/* Runs work in a transaction: COMMIT if it returns true, else ROLLBACK with its error. Nested in
 * another it joins it. After a conflict (40001, 40P01) work runs again, so it must not keep
 * anything from an earlier run. False also when COMMIT failed: DB_ERROR_UNAVAILABLE then means
 * that nobody knows, and only an idempotent order may be given again. */
typedef bool DbWorkFn(Db *db, void *user_data, GError **error);
bool db_transact(Db *db, DbWorkFn *work, void *user_data, GError **error);

#endif
