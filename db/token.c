#include "token.h"

enum {
	TOKEN_AUTH,
	TOKEN_TOUCH,
	TOKEN_INSERT,
	TOKEN_LIST,
	TOKEN_REVOKE,
	TOKEN_REVOKE_SINCE_CHANGE,
};

#define TOKEN_TOUCH_DUE \
	"(token.last_used_at IS NULL OR token.last_used_at < clock_now() - INTERVAL '1 hour')"
#define TOKEN_VALID          \
	"revoked_at IS NULL" \
	" AND (token.expires_at IS NULL OR token.expires_at > clock_now())"

static const DbQuery queries[] = {
	[TOKEN_AUTH] = {"token_auth",
			"SELECT player.id, token.id, 0::bigint, player.name, player.language,"
			" player.time_zone, array_to_string(scopes, ' '), " TOKEN_TOUCH_DUE
			", false, false FROM token"
			" JOIN player ON player.id = token.player_id"
			" WHERE token.hash = $1::bytea AND " TOKEN_VALID},
	[TOKEN_TOUCH] = {"token_touch", "UPDATE token"
					" SET last_used_at = clock_now()"
					" WHERE id = $1::bigint AND " TOKEN_TOUCH_DUE},
	[TOKEN_INSERT] = {"token_insert",
			  "INSERT INTO token (player_id, name, prefix, hash, scopes, expires_at)"
			  " SELECT $1::bigint, $2::text, $3::text, $4::bytea,"
			  " string_to_array($5::text, ' '), LEAST(COALESCE($6::timestamptz,"
			  " clock_now() + NULLIF($7::integer, 0) * INTERVAL '1 second'),"
			  " (SELECT maker.expires_at FROM token AS maker"
			  " WHERE maker.id = $8::bigint))"
			  " WHERE $6::timestamptz IS NULL OR $6::timestamptz > clock_now()"
			  " RETURNING id"},
	[TOKEN_LIST] = {"token_list",
			"SELECT id, name, prefix, array_to_string(scopes, ' '),"
			" rfc3339(created_at), rfc3339(expires_at),"
			" to_char(last_used_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
			" FROM token"
			" WHERE player_id = $1::bigint AND ($2::bigint = 0 OR id = $2::bigint)"
			" AND " TOKEN_VALID " ORDER BY id"},
	[TOKEN_REVOKE] = {"token_revoke", "UPDATE token"
					  " SET revoked_at = clock_now()"
					  " WHERE player_id = $1::bigint AND id = $2::bigint"
					  " AND " TOKEN_VALID},
	[TOKEN_REVOKE_SINCE_CHANGE] = {"token_revoke_since_change",
				       "UPDATE token"
				       " SET revoked_at = clock_now()"
				       " FROM address_change"
				       " WHERE token.player_id = $1::bigint"
				       " AND token.revoked_at IS NULL"
				       " AND address_change.id = $2::bigint"
				       " AND token.created_at >= address_change.changed_at"},
};
const DbQueryTable token_queries = {queries, G_N_ELEMENTS(queries)};

/* Runs a query whose parameters are two numbers. */
static DbResult *token_run(Db *db, int query, int64_t first, int64_t second, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, first);
	db_param_int(&params, second);
	return db_run(db, &queries[query], &params, error);
}

bool token_auth_queue(Db *db, const uint8_t hash[TOKEN_HASH_SIZE], GError **error)
{
	g_autofree char *hex = db_hex(hash, TOKEN_HASH_SIZE);
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, hex);
	return db_queue(db, &queries[TOKEN_AUTH], &params, error);
}

bool token_touch(Db *db, int64_t token_id, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, token_id);
	g_autoptr(DbResult) result = db_run(db, &queries[TOKEN_TOUCH], &params, error);
	return result != NULL;
}

bool token_insert(Db *db, const TokenNew *token, int64_t *id_r, GError **error)
{
	g_autofree char *hash = db_hex(token->hash, TOKEN_HASH_SIZE);
	g_autofree char *scopes = scopes_text(token->scopes);
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, token->player_id);
	db_param_text(&params, token->name);
	db_param_text(&params, token->prefix);
	db_param_text(&params, hash);
	db_param_text(&params, scopes);
	db_param_text(&params, token->expires_at);
	db_param_int(&params, token->lifetime_s);
	db_param_int(&params, token->within_id);
	g_autoptr(DbResult) result = db_run(db, &queries[TOKEN_INSERT], &params, error);
	if (!result)
		return false;
	*id_r = db_rows(result) ? db_int(result, 0, 0) : 0;
	return true;
}

DbResult *token_list(Db *db, int64_t player_id, int64_t token_id, GError **error)
{
	return token_run(db, TOKEN_LIST, player_id, token_id, error);
}

bool token_revoke(Db *db, int64_t player_id, int64_t token_id, bool *revoked_r, GError **error)
{
	g_autoptr(DbResult) result = token_run(db, TOKEN_REVOKE, player_id, token_id, error);
	if (!result)
		return false;
	*revoked_r = db_touched(result) == 1;
	return true;
}

bool token_revoke_since_change(Db *db, int64_t player_id, int64_t change_id, GError **error)
{
	g_autoptr(DbResult) result =
		token_run(db, TOKEN_REVOKE_SINCE_CHANGE, player_id, change_id, error);
	return result != NULL;
}
