#include "inbox.h"

#include <string.h>

enum {
	INBOX_ADD,
	INBOX_LOCK,
	INBOX_RECEIVED,
	INBOX_DECIDED,
	INBOX_WRITTEN,
	INBOX_FAIL,
	INBOX_CLAIM,
	INBOX_RELEASE,
	INBOX_REMEMBER,
	INBOX_STATE,
	INBOX_TRACE,
	INBOX_COUNTS,
	INBOX_LETTERS,
	INBOX_AGAIN,
};

static const DbQuery queries[] = {
	[INBOX_ADD] = {"inbox_add",
		       "INSERT INTO inbox (via, sender, recipient, raw, attempts, lease_until)"
		       " VALUES ($1::text, $2::text, $3::text, $4::bytea, 1,"
		       " clock_now() + INTERVAL '1 minute')"
		       " RETURNING id"},
	[INBOX_LOCK] = {"inbox_lock",
			"SELECT sender, recipient, encode(raw, 'hex'),"
			" COALESCE(received_at, arrived_at)"
			" FROM inbox"
			" WHERE id = $1::bigint AND (state = 'new' AND $2::text IS NULL"
			" OR disposition = $2::text)"
			" FOR NO KEY UPDATE"},
	[INBOX_RECEIVED] = {"inbox_received", "UPDATE inbox"
					      " SET received_at = to_timestamp($2::bigint)"
					      " WHERE id = $1::bigint"
					      " RETURNING received_at"},
	[INBOX_WRITTEN] = {"inbox_written", "SELECT written"
					    " FROM inbox"
					    " WHERE id = $1::bigint"},
	[INBOX_DECIDED] = {"inbox_decided",
			   "UPDATE inbox"
			   " SET state = 'done', decided_at = clock_now(), lease_until = NULL,"
			   " disposition = $2::text, reason = $3::text, command = $4::text,"
			   " written = $5::text, problem = $6::text, message_id = $7::text,"
			   " game_id = $8::bigint, ply = $9::integer, challenge_id = $10::bigint,"
			   " player_id = $11::bigint, address_id = $12::bigint,"
			   " answer = $13::jsonb"
			   " WHERE id = $1::bigint"},
	[INBOX_FAIL] = {"inbox_fail", "UPDATE inbox"
				      " SET state = 'failed', lease_until = NULL"
				      " WHERE state = 'new' AND lease_until <= clock_now()"
				      " AND attempts >= $1::integer"},
	[INBOX_CLAIM] = {"inbox_claim", "UPDATE inbox"
					" SET attempts = attempts + 1,"
					" lease_until = clock_now() + INTERVAL '1 minute'"
					" WHERE id IN ("
					" SELECT id"
					" FROM inbox"
					" WHERE state = 'new' AND lease_until <= clock_now()"
					" ORDER BY arrived_at, id"
					" LIMIT $1::integer"
					" FOR UPDATE SKIP LOCKED)"
					" RETURNING id"},
	[INBOX_RELEASE] = {"inbox_release",
			   "UPDATE inbox"
			   " SET attempts = greatest(attempts - 1, 0),"
			   " lease_until = clock_now() + $2::integer * INTERVAL '1 second'"
			   " WHERE id = $1::bigint AND state = 'new'"},
	[INBOX_REMEMBER] = {"inbox_remember", "INSERT INTO mail_seen AS seen (scope, key, inbox_id)"
					      " VALUES ($1::text, $2::bytea, $3::bigint)"
					      " ON CONFLICT (scope, key) DO UPDATE"
					      " SET inbox_id = seen.inbox_id"
					      " RETURNING inbox_id = $3::bigint"},
	[INBOX_STATE] = {"inbox_state", "SELECT state, disposition, reason, command, problem"
					" FROM inbox"
					" WHERE id = $1::bigint"},
	[INBOX_TRACE] = {"inbox_trace", "SELECT delivery.player_id, event.game_id,"
					" event.challenge_id, event.ply, delivery.template"
					" FROM delivery"
					" JOIN event ON event.id = delivery.event_id"
					" WHERE delivery.id = $1::bigint"},
	[INBOX_COUNTS] = {"inbox_counts", "SELECT state, count(*),"
					  " COALESCE(EXTRACT(EPOCH FROM clock_now()"
					  " - min(arrived_at)), 0)::bigint"
					  " FROM inbox"
					  " WHERE state <> 'done'"
					  " GROUP BY state"},
	[INBOX_LETTERS] = {"inbox_letters",
			   "SELECT id, state, via, attempts, arrived_at, lease_until, length(raw)"
			   " FROM inbox"
			   " WHERE state <> 'done'"
			   " ORDER BY id DESC"
			   " LIMIT $1::integer"},
	[INBOX_AGAIN] = {"inbox_again",
			 "UPDATE inbox"
			 " SET state = 'new', attempts = 0, lease_until = clock_now()"
			 " WHERE id = $1::bigint AND state = 'failed' AND raw IS NOT NULL"},
};
const DbQueryTable inbox_queries = {queries, G_N_ELEMENTS(queries)};

void inbox_mail_free(InboxMail *mail)
{
	if (!mail)
		return;
	g_free(mail->sender);
	g_free(mail->recipient);
	g_free(mail->raw);
	g_free(mail->received_at);
	g_free(mail);
}

static bool row_add(Db *db, const InboxDraft *draft, int64_t *id_r, GError **error)
{
	g_autofree char *raw = db_hex(draft->raw, draft->raw_size);
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, draft->via);
	db_param_text(&params, draft->sender);
	db_param_text(&params, draft->recipient);
	db_param_text(&params, raw);
	g_autoptr(DbResult) result = db_run(db, &queries[INBOX_ADD], &params, error);
	if (!result)
		return false;
	*id_r = db_int(result, 0, 0);
	return true;
}

typedef struct {
	const InboxDraft *drafts;
	int count;
	int64_t *ids_r;
} Addition;

static bool add_work(Db *db, void *user_data, GError **error)
{
	const Addition *addition = user_data;
	for (int i = 0; i < addition->count; i++)
		if (!row_add(db, &addition->drafts[i], &addition->ids_r[i], error))
			return false;
	return true;
}

bool inbox_add(Db *db, const InboxDraft *drafts, int count, int64_t *ids_r, GError **error)
{
	Addition addition = {drafts, count, ids_r};
	return db_transact(db, add_work, &addition, error);
}

/* The bytes of hexadecimal text. */
static uint8_t *bytes_read(const char *digits, size_t *size_r)
{
	const size_t size = strlen(digits) / 2;
	uint8_t *bytes = g_malloc(size + 1);
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(g_ascii_xdigit_value(digits[2 * i]) * 16 +
				     g_ascii_xdigit_value(digits[2 * i + 1]));
	*size_r = size;
	return bytes;
}

static bool row_lock(Db *db, int64_t id, const char *disposition, InboxMail **mail_r,
		     GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	db_param_text(&params, disposition);
	*mail_r = NULL;
	g_autoptr(DbResult) result = db_run(db, &queries[INBOX_LOCK], &params, error);
	if (!result)
		return false;
	if (db_rows(result) == 0)
		return true;
	InboxMail *mail = g_new0(InboxMail, 1);
	mail->id = id;
	mail->sender = g_strdup(db_text(result, 0, 0));
	mail->recipient = g_strdup(db_text(result, 0, 1));
	if (!db_null(result, 0, 2))
		mail->raw = bytes_read(db_text(result, 0, 2), &mail->raw_size);
	mail->received_at = g_strdup(db_text(result, 0, 3));
	*mail_r = mail;
	return true;
}

bool inbox_lock(Db *db, int64_t id, InboxMail **mail_r, GError **error)
{
	return row_lock(db, id, NULL, mail_r, error);
}

bool inbox_lock_held(Db *db, int64_t id, InboxMail **mail_r, GError **error)
{
	return row_lock(db, id, "hold", mail_r, error);
}

bool inbox_received(Db *db, InboxMail *mail, int64_t seconds, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, mail->id);
	db_param_int(&params, seconds);
	g_autoptr(DbResult) result = db_run(db, &queries[INBOX_RECEIVED], &params, error);
	if (!result)
		return false;
	g_free(mail->received_at);
	mail->received_at = g_strdup(db_text(result, 0, 0));
	return true;
}

static void param_id(DbParams *params, int64_t id)
{
	if (id)
		db_param_int(params, id);
	else
		db_param_null(params);
}

bool inbox_decided(Db *db, int64_t id, const InboxDecision *decision, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	db_param_text(&params, decision->disposition);
	db_param_text(&params, decision->reason);
	db_param_text(&params, decision->command);
	db_param_text(&params, decision->written);
	db_param_text(&params, decision->problem);
	db_param_text(&params, decision->message_id);
	param_id(&params, decision->game_id);
	if (decision->game_id)
		db_param_int(&params, decision->ply);
	else
		db_param_null(&params);
	param_id(&params, decision->challenge_id);
	param_id(&params, decision->player_id);
	param_id(&params, decision->address_id);
	db_param_text(&params, decision->answer);
	g_autoptr(DbResult) result = db_run(db, &queries[INBOX_DECIDED], &params, error);
	return result != NULL;
}

bool inbox_claim(Db *db, int limit, int64_t *ids_r, int *count_r, int *failed_r, GError **error)
{
	g_assert(limit <= INBOX_CLAIM_MAX);
	*count_r = *failed_r = 0;
	DbParams attempts = DB_PARAMS_EMPTY;
	db_param_int(&attempts, INBOX_ATTEMPTS_MAX);
	g_autoptr(DbResult) failed = db_run(db, &queries[INBOX_FAIL], &attempts, error);
	if (!failed)
		return false;
	*failed_r = (int)db_touched(failed);
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, limit);
	g_autoptr(DbResult) result = db_run(db, &queries[INBOX_CLAIM], &params, error);
	if (!result)
		return false;
	*count_r = db_rows(result);
	for (int i = 0; i < *count_r; i++)
		ids_r[i] = db_int(result, i, 0);
	return true;
}

bool inbox_release(Db *db, int64_t id, int pause_s, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	db_param_int(&params, pause_s);
	g_autoptr(DbResult) result = db_run(db, &queries[INBOX_RELEASE], &params, error);
	return result != NULL;
}

bool inbox_remember(Db *db, int64_t id, const char *scope, const char *key, bool *first_r,
		    GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, scope);
	db_param_text(&params, key);
	db_param_int(&params, id);
	g_autoptr(DbResult) result = db_run(db, &queries[INBOX_REMEMBER], &params, error);
	if (!result)
		return false;
	*first_r = db_bool(result, 0, 0);
	return true;
}

DbResult *inbox_state(Db *db, int64_t id, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	return db_run(db, &queries[INBOX_STATE], &params, error);
}

void inbox_trace_clear(InboxTrace *trace)
{
	PQclear(trace->result);
	*trace = (InboxTrace){0};
}

bool inbox_trace(Db *db, int64_t delivery_id, InboxTrace *trace_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, delivery_id);
	*trace_r = (InboxTrace){0};
	DbResult *result = db_run(db, &queries[INBOX_TRACE], &params, error);
	if (!result)
		return false;
	trace_r->result = result;
	if (db_rows(result) == 0)
		return true;
	trace_r->player_id = db_int(result, 0, 0);
	trace_r->game_id = db_int(result, 0, 1);
	trace_r->challenge_id = db_int(result, 0, 2);
	trace_r->ply = (int)db_int(result, 0, 3);
	trace_r->template = db_text(result, 0, 4);
	return true;
}

DbResult *inbox_counts(Db *db, GError **error)
{
	return db_run(db, &queries[INBOX_COUNTS], NULL, error);
}

DbResult *inbox_letters(Db *db, int limit, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, limit);
	return db_run(db, &queries[INBOX_LETTERS], &params, error);
}

bool inbox_again(Db *db, int64_t id, bool *found_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	g_autoptr(DbResult) result = db_run(db, &queries[INBOX_AGAIN], &params, error);
	if (!result)
		return false;
	*found_r = db_touched(result) == 1;
	return true;
}

bool inbox_written(Db *db, int64_t id, char **written_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	g_autoptr(DbResult) result = db_run(db, &queries[INBOX_WRITTEN], &params, error);
	if (!result)
		return false;
	*written_r = db_rows(result) ? g_strdup(db_text(result, 0, 0)) : NULL;
	return true;
}
