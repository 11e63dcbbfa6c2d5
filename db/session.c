#include "session.h"

enum { SESSION_AUTH, SESSION_TOUCH, SESSION_INSERT, SESSION_END, SESSION_END_ALL };

#define SESSION_TOUCH_DUE               \
	"(session.last_used_at IS NULL" \
	" OR session.last_used_at < clock_now() - INTERVAL '1 hour')"

static const DbQuery queries[] = {
	[SESSION_AUTH] = {"session_auth",
			  "SELECT player.id, 0::bigint, session.id, player.name, player.language,"
			  " player.time_zone, NULL::text, " SESSION_TOUCH_DUE ", player.guest,"
			  " address.id IS NOT NULL"
			  " FROM session"
			  " JOIN player ON player.id = session.player_id"
			  " LEFT JOIN address ON address.player_id = player.id"
			  " AND address.is_primary AND address.state = 'dead'"
			  " WHERE session.hash = $1::bytea AND session.expires_at > clock_now()"},
	[SESSION_TOUCH] = {"session_touch", "UPDATE session"
					    " SET last_used_at = clock_now()"
					    " WHERE id = $1::bigint AND " SESSION_TOUCH_DUE},
	[SESSION_INSERT] = {"session_insert", "INSERT INTO session (player_id, hash, expires_at)"
					      " VALUES ($1::bigint, $2::bytea,"
					      " clock_now() + $3::integer * INTERVAL '1 second')"},
	[SESSION_END] = {"session_end", "DELETE FROM session"
					" WHERE id = $1::bigint"},
	[SESSION_END_ALL] = {"session_end_all", "DELETE FROM session"
						" WHERE player_id = $1::bigint"},
};
const DbQueryTable session_queries = {queries, G_N_ELEMENTS(queries)};

bool session_auth_queue(Db *db, const uint8_t hash[SESSION_HASH_SIZE], GError **error)
{
	g_autofree char *hex = db_hex(hash, SESSION_HASH_SIZE);
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, hex);
	return db_queue(db, &queries[SESSION_AUTH], &params, error);
}

/* Runs a query whose parameter is one number. */
static bool session_run(Db *db, int query, int64_t id, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	g_autoptr(DbResult) result = db_run(db, &queries[query], &params, error);
	return result != NULL;
}

bool session_touch(Db *db, int64_t session_id, GError **error)
{
	return session_run(db, SESSION_TOUCH, session_id, error);
}

bool session_insert(Db *db, int64_t player_id, const uint8_t hash[SESSION_HASH_SIZE],
		    GError **error)
{
	g_autofree char *hex = db_hex(hash, SESSION_HASH_SIZE);
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, player_id);
	db_param_text(&params, hex);
	db_param_int(&params, SESSION_SECONDS);
	g_autoptr(DbResult) result = db_run(db, &queries[SESSION_INSERT], &params, error);
	return result != NULL;
}

bool session_end(Db *db, int64_t session_id, GError **error)
{
	return session_run(db, SESSION_END, session_id, error);
}

bool session_end_all(Db *db, int64_t player_id, GError **error)
{
	return session_run(db, SESSION_END_ALL, player_id, error);
}
