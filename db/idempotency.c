#include "idempotency.h"

enum { IDEMPOTENCY_FIND, IDEMPOTENCY_LOCK, IDEMPOTENCY_KEEP, IDEMPOTENCY_TAKE };

static const DbQuery queries[] = {
	[IDEMPOTENCY_FIND] =
		{"idempotency_find",
		 "SELECT request_hash = $3::bytea, status, location, body, game_id, ply"
		 " FROM idempotency"
		 " WHERE player_id = $1::bigint AND key = $2::text"},
	[IDEMPOTENCY_LOCK] = {"idempotency_lock", "SELECT pg_advisory_xact_lock("
						  "hashtextextended($2::text, $1::bigint))"},
	[IDEMPOTENCY_KEEP] = {"idempotency_keep",
			      "INSERT INTO idempotency (player_id, key, request_hash, status,"
			      " location, body, game_id, ply)"
			      " VALUES ($1::bigint, $2::text, $3::bytea, $4::integer, $5::text,"
			      " $6::text, NULLIF($7::bigint, 0), NULLIF($8::integer, 0))"},
	[IDEMPOTENCY_TAKE] = {"idempotency_take",
			      "INSERT INTO request_once (key)"
			      " VALUES ($1::bytea)"
			      " ON CONFLICT (key) DO UPDATE"
			      " SET created_at = clock_now()"
			      " WHERE request_once.created_at < clock_now() - interval '10 min'"},
};
const DbQueryTable idempotency_queries = {queries, G_N_ELEMENTS(queries)};

void idempotency_answer_free(IdempotencyAnswer *answer)
{
	if (!answer)
		return;
	PQclear(answer->result);
	g_free(answer);
}

static bool find_queue(Db *db, int64_t player_id, const char *key, const char *request_hash,
		       GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, player_id);
	db_param_text(&params, key);
	db_param_text(&params, request_hash);
	return db_queue(db, &queries[IDEMPOTENCY_FIND], &params, error);
}

static bool find_next(Db *db, IdempotencyAnswer **answer_r, GError **error)
{
	*answer_r = NULL;
	DbResult *result = db_next(db, error);
	if (!result) {
		db_drain(db);
		return false;
	}
	if (db_rows(result) == 0) {
		PQclear(result);
		return true;
	}
	*answer_r = g_new(IdempotencyAnswer, 1);
	**answer_r = (IdempotencyAnswer){
		.same_request = db_bool(result, 0, 0),
		.status = (int)db_int(result, 0, 1),
		.location = db_text(result, 0, 2),
		.body = db_text(result, 0, 3),
		.game_id = db_int(result, 0, 4),
		.ply = (int)db_int(result, 0, 5),
		.result = result,
	};
	return true;
}

bool idempotency_find(Db *db, int64_t player_id, const char *key, const char *request_hash,
		      IdempotencyAnswer **answer_r, GError **error)
{
	return find_queue(db, player_id, key, request_hash, error) &&
	       find_next(db, answer_r, error);
}

/* The row must be looked at after the lock was taken, hence two statements (in one round trip). */
bool idempotency_find_locked(Db *db, int64_t player_id, const char *key, const char *request_hash,
			     IdempotencyAnswer **answer_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, player_id);
	db_param_text(&params, key);
	if (!db_queue(db, &queries[IDEMPOTENCY_LOCK], &params, error) ||
	    !find_queue(db, player_id, key, request_hash, error))
		return false;
	g_autoptr(DbResult) lock = db_next(db, error);
	if (!lock) {
		db_drain(db);
		return false;
	}
	return find_next(db, answer_r, error);
}

bool idempotency_keep(Db *db, const IdempotencyDraft *draft, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, draft->player_id);
	db_param_text(&params, draft->key);
	db_param_text(&params, draft->request_hash);
	db_param_int(&params, draft->status);
	db_param_text(&params, draft->location);
	db_param_text(&params, draft->body);
	db_param_int(&params, draft->game_id);
	db_param_int(&params, draft->ply);
	g_autoptr(DbResult) result = db_run(db, &queries[IDEMPOTENCY_KEEP], &params, error);
	return result != NULL;
}

bool idempotency_take(Db *db, const char *hash, bool *first_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, hash);
	g_autoptr(DbResult) result = db_run(db, &queries[IDEMPOTENCY_TAKE], &params, error);
	if (result == NULL)
		return false;
	*first_r = db_touched(result) == 1;
	return true;
}
