#include "prune.h"

/* Rows of one statement, so that no transaction is long. */
#define PRUNE_ROWS "5000"

static const DbQuery queries[PRUNE_KINDS] = {
	{"prune_mails", "WITH old AS ("
			" SELECT id"
			" FROM event"
			" WHERE kind LIKE 'mail.%' AND at < clock_now() - INTERVAL '30 days'"
			" AND NOT EXISTS ("
			" SELECT"
			" FROM delivery"
			" WHERE event_id = event.id AND state IN ('pending', 'sending', 'retry'))"
			" ORDER BY at"
			" LIMIT " PRUNE_ROWS "), gone AS ("
			" DELETE FROM delivery"
			" WHERE event_id IN ("
			" SELECT id"
			" FROM old))"
			" DELETE FROM event"
			" WHERE id IN ("
			" SELECT id"
			" FROM old)"},
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
	/* Of people who never confirmed; whoever is invited or asked for silence stays. */
	{"prune_addresses", "DELETE FROM address"
			    " WHERE id IN ("
			    " SELECT id"
			    " FROM address"
			    " WHERE player_id IS NULL AND state = 'new'"
			    " AND created_at < clock_now() - INTERVAL '30 days'"
			    " AND NOT EXISTS ("
			    " SELECT"
			    " FROM mail_code"
			    " WHERE address_id = address.id)"
			    " AND NOT EXISTS ("
			    " SELECT"
			    " FROM delivery"
			    " WHERE address_id = address.id)"
			    " AND NOT EXISTS ("
			    " SELECT"
			    " FROM challenge"
			    " WHERE address_id = address.id)"
			    " AND NOT EXISTS ("
			    " SELECT"
			    " FROM address_change"
			    " WHERE address.id IN (old_address_id, new_address_id))"
			    " LIMIT " PRUNE_ROWS ")"},
	{"prune_rates", "DELETE FROM mail_rate"
			" WHERE (kind, key) IN ("
			" SELECT kind, key"
			" FROM mail_rate"
			" WHERE window_start < clock_now() - INTERVAL '1 day'"
			" LIMIT " PRUNE_ROWS ")"},
};
const DbQueryTable prune_queries = {queries, G_N_ELEMENTS(queries)};

static const char *const names[PRUNE_KINDS] = {"mails",  "codes",     "answers", "sessions",
					       "tokens", "addresses", "rates"};

bool prune_all(Db *db, PruneCount counts_r[PRUNE_KINDS], GError **error)
{
	for (int i = 0; i < PRUNE_KINDS; i++) {
		counts_r[i] = (PruneCount){.name = names[i]};
		int64_t rows;
		do {
			g_autoptr(DbResult) result = db_run(db, &queries[i], NULL, error);
			if (!result)
				return false;
			rows = db_touched(result);
			counts_r[i].count += rows;
		} while (rows > 0);
	}
	return true;
}
