#include "delivery.h"

enum {
	CLAIM,
	EXPIRE,
	RELEASE,
	START,
	FINISH,
	DOMAIN_OPEN,
	DOMAIN_CLOSE,
	ADDRESS_JUDGE,
	ADDRESS_DROP,
	LIST,
	COUNTS,
	LETTERS,
	AGAIN,
	RETURNED,
	FIND_GAME,
	ADDRESSEE,
};

/* Seconds a claim is ours before it is started; seconds a mail may take once it is. */
#define CLAIM_LEASE "interval '60 s'"
#define SENDING_LEASE "interval '5 min'"
/* The domain of an address; refusals in a row from which on it is closed. */
#define DOMAIN_OF "lower(split_part(address.email, '@', -1))"
#define DOMAIN_FAILURES "3"

static const DbQuery queries[] = {
	/* Mails to one address go out in their order: not while another worker has an earlier one
	 * in hand; one that is not done within half a minute is not waited for any longer. */
	[CLAIM] = {"delivery_claim", "WITH due AS MATERIALIZED ("
				     " SELECT id"
				     " FROM delivery"
				     " WHERE state IN ('pending', 'retry', 'unknown')"
				     " AND due_at <= clock_now()"
				     " AND (lease_until IS NULL OR lease_until <= clock_now())"
				     " ORDER BY due_at, id"
				     " LIMIT $1::integer"
				     " FOR UPDATE SKIP LOCKED"
				     "), leased AS ("
				     " UPDATE delivery"
				     " SET lease_until = clock_now() + " CLAIM_LEASE ""
				     " FROM due"
				     " WHERE delivery.id = due.id"
				     " RETURNING delivery.id, delivery.due_at, delivery.attempts,"
				     " delivery.lease_until)"
				     " SELECT id, attempts, lease_until"
				     " FROM leased"
				     " ORDER BY due_at, id"},
	[EXPIRE] = {"delivery_expire",
		    "UPDATE delivery"
		    " SET state = 'unknown', lease_until = NULL, doubts = doubts + 1,"
		    " due_at = CASE WHEN doubts = 0 THEN clock_now() + interval '15 min'"
		    " ELSE 'infinity' END,"
		    " changed_at = clock_now(), reply_code = NULL, cause = NULL,"
		    " reply = 'the sender was interrupted; the mail may have been sent'"
		    " WHERE id IN ("
		    " SELECT id"
		    " FROM delivery"
		    " WHERE state = 'sending' AND due_at <= clock_now()"
		    " ORDER BY due_at, id"
		    " LIMIT 100"
		    " FOR UPDATE SKIP LOCKED)"},
	[RELEASE] = {"delivery_release",
		     "UPDATE delivery"
		     " SET lease_until = NULL"
		     " WHERE id = ANY ($1::bigint[]) AND lease_until = $2::timestamptz"
		     " AND state <> 'sending'"},
	[START] = {"delivery_start",
		   "WITH mine AS ("
		   " SELECT delivery.id, delivery.address_id, event.kind, mail_domain.domain,"
		   /* What is too old is tried, so that it comes to an end. */
		   " closed_until > clock_now()"
		   " AND delivery.created_at > clock_now() - interval '72 hours'"
		   " AND event.kind NOT LIKE 'mail.%' AS closed,"
		   " GREATEST(closed_until, clock_now()) + random() * interval '30 s' AS open_at"
		   " FROM delivery"
		   " JOIN event ON event.id = delivery.event_id"
		   " JOIN address ON address.id = delivery.address_id"
		   " LEFT JOIN mail_domain ON domain = " DOMAIN_OF
		   " AND failures >= " DOMAIN_FAILURES " WHERE delivery.id = $1::bigint"
		   " AND delivery.state IN ('pending', 'retry', 'unknown')"
		   " AND delivery.lease_until = $2::timestamptz"
		   " AND delivery.lease_until > clock_now()"
		   "), judged AS ("
		   " SELECT id, domain, COALESCE(closed, false) AS closed, open_at,"
		   " $3::integer > 0 AND kind NOT LIKE 'mail.%' AND ("
		   " SELECT count(*)"
		   " FROM delivery AS other"
		   " WHERE other.address_id = mine.address_id"
		   " AND other.sent_at > clock_now() - interval '1 hour'"
		   " ) >= $3::integer AS braked"
		   " FROM mine"
		   "), trying AS ("
		   " UPDATE mail_domain"
		   " SET closed_until = clock_now() + " SENDING_LEASE ""
		   " FROM judged"
		   " WHERE mail_domain.domain = judged.domain AND NOT (closed OR braked))"
		   " UPDATE delivery"
		   " SET state = CASE WHEN closed OR braked THEN state ELSE 'sending' END,"
		   " attempts = CASE WHEN closed OR braked THEN attempts ELSE attempts + 1 END,"
		   " lease_until = CASE WHEN closed OR braked THEN NULL"
		   " ELSE clock_now() + " SENDING_LEASE " END,"
		   " due_at = CASE WHEN closed THEN open_at"
		   " WHEN braked THEN clock_now() + interval '10 min'"
		   " ELSE clock_now() + " SENDING_LEASE " END"
		   " FROM judged"
		   " WHERE delivery.id = judged.id AND delivery.lease_until = $2::timestamptz"
		   " RETURNING closed, braked"},
	[FINISH] = {"delivery_finish",
		    "WITH told AS ("
		    " SELECT id, clock_now() + (0.8 + 0.4 * random()) * interval '1 s'"
		    " * COALESCE((ARRAY[60, 300, 900, 3600, 7200, 14400])[attempts], 28800)"
		    " AS again_at"
		    " FROM delivery"
		    " WHERE id = $1::bigint"
		    "), judged AS ("
		    " SELECT delivery.id, CASE"
		    " WHEN $3::text = 'retry' AND again_at > created_at + interval '72 hours'"
		    " THEN 'dead'"
		    /* It may have been sent before, and nobody will know any more. */
		    " WHEN $3::text = 'dropped' AND doubts > 0 THEN 'unknown'"
		    " ELSE $3::text END AS state,"
		    " CASE WHEN $3::text = 'retry' THEN again_at"
		    " WHEN $3::text = 'unknown' AND doubts = 0"
		    " THEN clock_now() + interval '15 min'"
		    " ELSE 'infinity' END AS due_at"
		    " FROM delivery"
		    " JOIN told ON told.id = delivery.id)"
		    " UPDATE delivery"
		    " SET state = judged.state, due_at = judged.due_at, lease_until = NULL,"
		    " doubts = doubts + CASE WHEN $3::text = 'unknown' THEN 1 ELSE 0 END,"
		    " changed_at = clock_now(),"
		    " sent_at = CASE WHEN $3::text = 'sent' THEN clock_now() END,"
		    " reply_code = $4::integer, reply = left($5::text, 500), cause = $6::text,"
		    " hard = $7::boolean"
		    " FROM judged"
		    " WHERE delivery.id = judged.id AND attempts = $2::integer"
		    " AND delivery.state IN ('sending', 'unknown')"
		    " RETURNING delivery.state"},
	[DOMAIN_OPEN] = {"delivery_domain_open", "DELETE FROM mail_domain"
						 " USING delivery"
						 " JOIN address ON address.id = delivery.address_id"
						 " WHERE delivery.id = $1::bigint"
						 " AND domain = " DOMAIN_OF},
	/* A minute at first, doubled up to an hour. */
	[DOMAIN_CLOSE] = {"delivery_domain_close",
			  "INSERT INTO mail_domain AS known (domain, failures, closed_until)"
			  " SELECT " DOMAIN_OF ", 1, clock_now()"
			  " FROM delivery"
			  " JOIN address ON address.id = delivery.address_id"
			  " WHERE delivery.id = $1::bigint"
			  " ON CONFLICT (domain) DO UPDATE"
			  " SET failures = LEAST(known.failures + 1, 1000),"
			  " closed_until = CASE WHEN known.failures + 1 < " DOMAIN_FAILURES ""
			  " THEN clock_now()"
			  " ELSE clock_now() + interval '1 min'"
			  " * LEAST(60, 2 ^ LEAST(10, known.failures + 1 - " DOMAIN_FAILURES
			  ")) END"},
	/* Hard refusals on three days since a mail was last taken, or one that is enough. */
	[ADDRESS_JUDGE] = {"delivery_address_judge",
			   "UPDATE address"
			   " SET state = 'dead', dead_at = clock_now(), dead_reason = left($2, 500)"
			   " WHERE id = ("
			   " SELECT address_id"
			   " FROM delivery"
			   " WHERE id = $1::bigint)"
			   " AND state IN ('new', 'confirmed')"
			   " AND ($3::boolean OR 3 <= ("
			   " SELECT count(DISTINCT (refused.changed_at AT TIME ZONE 'UTC')::date)"
			   " FROM delivery AS refused"
			   " WHERE refused.address_id = address.id AND refused.hard"
			   " AND refused.changed_at > COALESCE(("
			   " SELECT max(taken.sent_at)"
			   " FROM delivery AS taken"
			   " WHERE taken.address_id = address.id), '-infinity')))"},
	[ADDRESS_DROP] = {"delivery_address_drop",
			  "UPDATE delivery"
			  " SET state = 'dropped', lease_until = NULL, changed_at = clock_now(),"
			  " reply = 'address cannot be reached'"
			  " FROM address"
			  " WHERE address.id = delivery.address_id AND address.state = 'dead'"
			  " AND delivery.sent_at IS NULL"
			  " AND delivery.state IN ('pending', 'retry')"
			  " AND address.id = ("
			  " SELECT address_id"
			  " FROM delivery AS refused"
			  " WHERE refused.id = $1::bigint)"},
	[RETURNED] = {"delivery_returned",
		      "UPDATE delivery"
		      " SET state = 'dead', due_at = 'infinity', lease_until = NULL,"
		      " changed_at = clock_now(), sent_at = NULL, reply_code = NULL,"
		      " reply = left($2::text, 500), cause = $3::text, hard = $4::boolean"
		      " WHERE id = $1::bigint AND (state IN ('sent', 'sending', 'unknown')"
		      " OR (state = 'dead' AND $4::boolean AND NOT hard"
		      " AND reply LIKE 'returned: %'))"},
	[FIND_GAME] = {"delivery_find_game",
		       "SELECT delivery.id"
		       " FROM delivery"
		       " JOIN event ON event.id = delivery.event_id"
		       " WHERE delivery.game_id = $1::bigint AND event.ply = $3::integer"
		       " AND delivery.player_id IN ("
		       " SELECT player_id"
		       " FROM seat"
		       " WHERE game_id = $1::bigint AND seat = $2::smallint)"
		       " ORDER BY delivery.state IN ('sent', 'sending', 'unknown') DESC,"
		       " delivery.id DESC"
		       " LIMIT 1"},
	[ADDRESSEE] = {"delivery_addressee", "SELECT address.id, address.player_id"
					     " FROM delivery"
					     " JOIN address ON address.id = delivery.address_id"
					     " WHERE delivery.id = $1::bigint"},
	[LIST] = {"delivery_list",
		  "SELECT delivery.id, event.kind, delivery.template, event.ply, delivery.state,"
		  " delivery.created_at, delivery.changed_at, delivery.sent_at,"
		  " CASE WHEN delivery.state IN ('pending', 'retry', 'unknown')"
		  " AND delivery.due_at < 'infinity' THEN delivery.due_at END,"
		  " delivery.attempts, delivery.reply_code, delivery.reply, address.email"
		  " FROM delivery"
		  " JOIN event ON event.id = delivery.event_id"
		  " JOIN address ON address.id = delivery.address_id"
		  " WHERE delivery.game_id = $1::bigint AND delivery.player_id = $2::bigint"
		  " AND delivery.id > $3::bigint"
		  " ORDER BY delivery.id"
		  " LIMIT $4::integer"},
	[COUNTS] = {"delivery_counts",
		    "SELECT state, count(*), COALESCE(GREATEST(0, EXTRACT(EPOCH FROM"
		    " clock_now() - min(due_at) FILTER (WHERE due_at < 'infinity'))), 0)::bigint"
		    " FROM delivery"
		    " WHERE state IN ('pending', 'retry', 'sending', 'unknown')"
		    " GROUP BY state"
		    " UNION ALL"
		    " SELECT 'dead', count(*), 0"
		    " FROM delivery"
		    " WHERE state = 'dead'"
		    " ORDER BY state"},
	[LETTERS] = {"delivery_letters",
		     "SELECT id, template, game_id, player_id, state, attempts, created_at,"
		     " changed_at, due_at, reply_code, reply"
		     " FROM delivery"
		     " WHERE state = ANY ($1::text[])"
		     " ORDER BY id DESC"
		     " LIMIT $2::integer"},
	[AGAIN] = {"delivery_again",
		   "UPDATE delivery"
		   " SET state = 'pending', due_at = clock_now(), lease_until = NULL"
		   " WHERE id = $1::bigint AND state IN ('dead', 'unknown', 'retry', 'pending')"},
};
const DbQueryTable delivery_queries = {queries, G_N_ELEMENTS(queries)};

int delivery_claim(Db *db, int limit, DeliveryClaim *claims_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, MIN(limit, DELIVERY_CLAIM_MAX));
	if (!db_queue(db, &queries[EXPIRE], NULL, error) ||
	    !db_queue(db, &queries[CLAIM], &params, error))
		return -1;
	g_autoptr(DbResult) expired = db_next(db, error);
	g_autoptr(DbResult) result = expired ? db_next(db, error) : NULL;
	if (!result) {
		db_drain(db);
		return -1;
	}
	for (int row = 0; row < db_rows(result); row++) {
		claims_r[row].id = db_int(result, row, 0);
		claims_r[row].attempts = (int)db_int(result, row, 1);
		g_strlcpy(claims_r[row].lease, db_text(result, row, 2), sizeof claims_r[row].lease);
	}
	return db_rows(result);
}

bool delivery_release(Db *db, const DeliveryClaim *claims, int count, GError **error)
{
	if (count == 0)
		return true;
	GString *ids = g_string_new("{");
	for (int i = 0; i < count; i++)
		g_string_append_printf(ids, "%s%" G_GINT64_FORMAT, i ? "," : "", claims[i].id);
	g_string_append_c(ids, '}');
	g_autofree char *text = g_string_free(ids, FALSE);
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, text);
	db_param_text(&params, claims[0].lease);
	g_autoptr(DbResult) result = db_run(db, &queries[RELEASE], &params, error);
	return result != NULL;
}

bool delivery_start(Db *db, const DeliveryClaim *claim, int brake, DeliveryStart *start_r,
		    GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, claim->id);
	db_param_text(&params, claim->lease);
	db_param_int(&params, brake);
	g_autoptr(DbResult) result = db_run(db, &queries[START], &params, error);
	if (!result)
		return false;
	if (db_rows(result) == 0)
		*start_r = DELIVERY_LOST;
	else if (db_bool(result, 0, 0))
		*start_r = DELIVERY_CLOSED;
	else
		*start_r = db_bool(result, 0, 1) ? DELIVERY_BRAKED : DELIVERY_STARTED;
	return true;
}

static const char *const outcome_states[] = {
	[DELIVERY_SENT] = "sent",       [DELIVERY_RETRY] = "retry",     [DELIVERY_DEAD] = "dead",
	[DELIVERY_UNKNOWN] = "unknown", [DELIVERY_DROPPED] = "dropped",
};

/* What hard refusals mean for the address of a delivery. */
static bool address_judge_queue(Db *db, int64_t id, const char *reply, bool address_dead,
				GError **error)
{
	DbParams judge = DB_PARAMS_EMPTY;
	db_param_int(&judge, id);
	db_param_text(&judge, reply);
	db_param_bool(&judge, address_dead);
	DbParams drop = DB_PARAMS_EMPTY;
	db_param_int(&drop, id);
	return db_queue(db, &queries[ADDRESS_JUDGE], &judge, error) &&
	       db_queue(db, &queries[ADDRESS_DROP], &drop, error);
}

/* Reads the answers of all that is queued. */
static bool answers_read(Db *db, GError **error)
{
	bool done = true;
	while (done && db_queued(db) > 0) {
		g_autoptr(DbResult) answer = db_next(db, error);
		done = answer != NULL;
	}
	db_drain(db);
	return done;
}

/* What the mail tells of its domain. */
static bool domain_queue(Db *db, const DeliveryClaim *claim, const DeliveryResult *result,
			 GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, claim->id);
	if (result->outcome == DELIVERY_SENT)
		return db_queue(db, &queries[DOMAIN_OPEN], &params, error);
	return !result->put_off || db_queue(db, &queries[DOMAIN_CLOSE], &params, error);
}

static bool finish_queue(Db *db, const DeliveryClaim *claim, const DeliveryResult *result,
			 GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, claim->id);
	db_param_int(&params, claim->attempts + 1);
	db_param_text(&params, outcome_states[result->outcome]);
	if (result->code)
		db_param_int(&params, result->code);
	else
		db_param_null(&params);
	db_param_text(&params, result->reply);
	db_param_text(&params, result->cause);
	db_param_bool(&params, result->hard);
	if (!db_queue(db, &queries[FINISH], &params, error) ||
	    !domain_queue(db, claim, result, error))
		return false;
	return !result->hard ||
	       address_judge_queue(db, claim->id, result->reply, result->address_dead, error);
}

bool delivery_finish(Db *db, const DeliveryClaim *claim, const DeliveryResult *result,
		     GError **error)
{
	if (!finish_queue(db, claim, result, error))
		return false;
	return answers_read(db, error);
}

DbResult *delivery_list(Db *db, int64_t game_id, int64_t player_id, int64_t after_id, int limit,
			GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, game_id);
	db_param_int(&params, player_id);
	db_param_int(&params, after_id);
	db_param_int(&params, limit);
	return db_run(db, &queries[LIST], &params, error);
}

DbResult *delivery_counts(Db *db, GError **error)
{
	return db_run(db, &queries[COUNTS], NULL, error);
}

DbResult *delivery_letters(Db *db, const char *states, int limit, GError **error)
{
	g_autofree char *array = g_strdup_printf("{%s}", states);
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, array);
	db_param_int(&params, limit);
	return db_run(db, &queries[LETTERS], &params, error);
}

bool delivery_again(Db *db, int64_t id, bool *found_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	g_autoptr(DbResult) result = db_run(db, &queries[AGAIN], &params, error);
	if (!result)
		return false;
	*found_r = db_touched(result) == 1;
	return true;
}

/* A report that comes again finds nothing to do: the address may have been revived meanwhile. */
bool delivery_returned(Db *db, int64_t id, const DeliveryReturn *returned, bool *found_r,
		       GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	db_param_text(&params, returned->reply);
	db_param_text(&params, returned->cause);
	db_param_bool(&params, returned->hard);
	g_autoptr(DbResult) result = db_run(db, &queries[RETURNED], &params, error);
	if (result == NULL)
		return false;
	*found_r = db_touched(result) == 1;
	if (!*found_r || !returned->hard)
		return true;
	return address_judge_queue(db, id, returned->reply, returned->address_dead, error) &&
	       answers_read(db, error);
}

bool delivery_find_game(Db *db, int64_t game_id, int seat, int ply, int64_t *id_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, game_id);
	db_param_int(&params, seat);
	db_param_int(&params, ply);
	g_autoptr(DbResult) result = db_run(db, &queries[FIND_GAME], &params, error);
	if (!result)
		return false;
	*id_r = db_rows(result) ? db_int(result, 0, 0) : 0;
	return true;
}

bool delivery_addressee(Db *db, int64_t id, int64_t *address_id_r, int64_t *player_id_r,
			GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	g_autoptr(DbResult) result = db_run(db, &queries[ADDRESSEE], &params, error);
	if (!result)
		return false;
	*address_id_r = db_rows(result) ? db_int(result, 0, 0) : 0;
	*player_id_r = db_rows(result) ? db_int(result, 0, 1) : 0;
	return true;
}
