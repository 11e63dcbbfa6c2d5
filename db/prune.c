#include "prune.h"

/* Rows of one statement, so that no transaction is long. */
#define PRUNE_ROWS "5000"

static const DbQuery queries[] = {
	{"prune_mails", "SELECT prune_mails(" PRUNE_ROWS ")"},
	{"prune_codes", "DELETE FROM mail_code"
			" WHERE id IN ("
			" SELECT id"
			" FROM mail_code"
			" WHERE expires_at < clock_now() - INTERVAL '7 days'"
			" LIMIT " PRUNE_ROWS ")"},
	{"prune_answers", "DELETE FROM idempotency"
			  " WHERE (player_id, key) IN ("
			  " SELECT player_id, key"
			  " FROM idempotency"
			  " WHERE created_at < clock_now() - INTERVAL '7 days'"
			  " LIMIT " PRUNE_ROWS ")"},
	{"prune_once", "DELETE FROM request_once"
		       " WHERE key IN ("
		       " SELECT key"
		       " FROM request_once"
		       " WHERE created_at < clock_now() - INTERVAL '7 days'"
		       " LIMIT " PRUNE_ROWS ")"},
	{"prune_sessions", "DELETE FROM session"
			   " WHERE id IN ("
			   " SELECT id"
			   " FROM session"
			   " WHERE expires_at < clock_now()"
			   " LIMIT " PRUNE_ROWS ")"},
	{"prune_tokens", "DELETE FROM token"
			 " WHERE id IN ("
			 " SELECT id"
			 " FROM token"
			 " WHERE LEAST(revoked_at, expires_at) < clock_now() - INTERVAL '30 days'"
			 " LIMIT " PRUNE_ROWS ")"},
	{"prune_addresses", "SELECT prune_addresses(" PRUNE_ROWS ")"},
	{"prune_rates", "DELETE FROM mail_rate"
			" WHERE (kind, key) IN ("
			" SELECT kind, key"
			" FROM mail_rate"
			" WHERE window_start < clock_now() - INTERVAL '1 day'"
			" LIMIT " PRUNE_ROWS ")"},
	{"prune_seen", "DELETE FROM mail_seen"
		       " WHERE (scope, key) IN ("
		       " SELECT scope, key"
		       " FROM mail_seen"
		       " WHERE at < clock_now() - INTERVAL '90 days'"
		       " LIMIT " PRUNE_ROWS ")"},
	/* The decision stays. A mail that nobody decided about yet is not old, however long it
	 * waits. */
	{"prune_inbox", "UPDATE inbox"
			" SET raw = NULL, sender = NULL, recipient = NULL"
			" WHERE id IN ("
			" SELECT id"
			" FROM inbox"
			" WHERE raw IS NOT NULL AND state <> 'new'"
			" AND arrived_at < clock_now() - $1::integer * INTERVAL '1 day'"
			" LIMIT " PRUNE_ROWS ")"},
	{"prune_lock", "SELECT pg_try_advisory_lock(727274003)"},
	{"prune_unlock", "SELECT pg_advisory_unlock(727274003)"},
};
const DbQueryTable prune_queries = {queries, G_N_ELEMENTS(queries)};

enum { PRUNE_INBOX = PRUNE_KINDS - 1, PRUNE_LOCK, PRUNE_UNLOCK };

static const char *const names[PRUNE_KINDS] = {"mails",  "codes",     "answers", "keys", "sessions",
					       "tokens", "addresses", "rates",   "seen", "inbox"};

/* One statement's worth of a kind; *rows_r: how much it took away. */
static bool kind_prune(Db *db, int kind, int inbox_days, int64_t *rows_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	if (kind == PRUNE_INBOX)
		db_param_int(&params, inbox_days);
	g_autoptr(DbResult) result = db_run(db, &queries[kind], &params, error);
	if (!result)
		return false;
	*rows_r = db_rows(result) > 0 ? db_int(result, 0, 0) : db_touched(result);
	return true;
}

bool prune_all(Db *db, int inbox_days, PruneCount counts_r[PRUNE_KINDS], GError **error)
{
	for (int i = 0; i < PRUNE_KINDS; i++) {
		counts_r[i] = (PruneCount){.name = names[i]};
		int64_t rows = 0;
		do {
			if (!kind_prune(db, i, inbox_days, &rows, error))
				return false;
			counts_r[i].count += rows;
		} while (rows > 0);
	}
	return true;
}

/* A lock of the session and not of a transaction: each statement is one of its own. */
bool prune_alone(Db *db, int inbox_days, GError **error)
{
	PruneCount counts[PRUNE_KINDS];
	g_autoptr(DbResult) lock = db_run(db, &queries[PRUNE_LOCK], NULL, error);
	if (!lock)
		return false;
	if (!db_bool(lock, 0, 0))
		return true;
	const bool done = prune_all(db, inbox_days, counts, error);
	g_autoptr(DbResult) unlock = db_run(db, &queries[PRUNE_UNLOCK], NULL, done ? error : NULL);
	return done && unlock != NULL;
}
