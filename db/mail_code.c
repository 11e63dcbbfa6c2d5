#include "mail_code.h"

#include <string.h>

enum {
	MAIL_CODE_INSERT,
	MAIL_CODE_FIND,
	MAIL_CODE_USE,
	MAIL_CODE_VOID,
	MAIL_CODE_VOID_PLAYER,
};

static const DbQuery queries[] = {
	[MAIL_CODE_INSERT] = {"mail_code_insert",
			      "INSERT INTO mail_code (kind, address_id, player_id, data, key_id,"
			      " nonce, hash, expires_at, inbox_id)"
			      " SELECT $1::text, id, NULLIF($3::bigint, 0),"
			      " COALESCE($4::jsonb, '{}'), $5::integer, $6::bytea, $7::bytea,"
			      " clock_now() + $8::integer * INTERVAL '1 second',"
			      " NULLIF($9::bigint, 0)"
			      " FROM address"
			      " WHERE id = $2::bigint"
			      " RETURNING id"},
	[MAIL_CODE_FIND] = {"mail_code_find", "SELECT id, kind, address_id, player_id, data,"
					      " used_at IS NOT NULL, expires_at <= clock_now(),"
					      " inbox_id"
					      " FROM mail_code"
					      " WHERE hash = $1::bytea"},
	[MAIL_CODE_USE] = {"mail_code_use", "UPDATE mail_code"
					    " SET used_at = clock_now()"
					    " WHERE id = $1::bigint AND used_at IS NULL"
					    " AND expires_at > clock_now()"},
	[MAIL_CODE_VOID] = {"mail_code_void", "UPDATE mail_code"
					      " SET used_at = clock_now()"
					      " WHERE address_id = $1::bigint AND kind = $2::text"
					      " AND used_at IS NULL"},
	[MAIL_CODE_VOID_PLAYER] = {"mail_code_void_player",
				   "UPDATE mail_code"
				   " SET used_at = clock_now()"
				   " WHERE player_id = $1::bigint AND kind = $2::text"
				   " AND used_at IS NULL"},
};
const DbQueryTable mail_code_queries = {queries, G_N_ELEMENTS(queries)};

static const struct {
	const char *name;
	int seconds;
} kinds[] = {
#define X(code, name, seconds) {name, seconds},
	MAIL_CODE_KINDS(X)
#undef X
};

void mail_code_free(MailCode *code)
{
	if (code == NULL)
		return;
	g_free(code->data);
	g_free(code);
}

int mail_code_seconds(MailCodeKind kind)
{
	return kinds[kind].seconds;
}

bool mail_code_insert(Db *db, const MailCodeNew *code, int64_t *id_r, GError **error)
{
	g_autofree char *nonce = db_hex(code->nonce, sizeof code->nonce);
	g_autofree char *hash = db_hex(code->hash, sizeof code->hash);
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, kinds[code->kind].name);
	db_param_int(&params, code->address_id);
	db_param_int(&params, code->player_id);
	db_param_text(&params, code->data);
	db_param_int(&params, code->key_number);
	db_param_text(&params, nonce);
	db_param_text(&params, hash);
	db_param_int(&params, kinds[code->kind].seconds);
	db_param_int(&params, code->inbox_id);
	g_autoptr(DbResult) result = db_run(db, &queries[MAIL_CODE_INSERT], &params, error);
	if (!result)
		return false;
	*id_r = db_rows(result) ? db_int(result, 0, 0) : 0;
	return true;
}

/* The schema's CHECK lists the same kinds. */
static MailCodeKind kind_parse(const char *name)
{
	int kind = 0;
	while (strcmp(kinds[kind].name, name) != 0) {
		kind++;
		g_assert(kind < MAIL_CODE_KIND_COUNT);
	}
	return (MailCodeKind)kind;
}

static MailCode *code_read(const DbResult *result)
{
	MailCode *code = g_new0(MailCode, 1);
	code->id = db_int(result, 0, 0);
	code->kind = kind_parse(db_text(result, 0, 1));
	code->address_id = db_int(result, 0, 2);
	code->player_id = db_int(result, 0, 3);
	code->data = g_strdup(db_text(result, 0, 4));
	code->used = db_bool(result, 0, 5);
	code->expired = db_bool(result, 0, 6);
	code->inbox_id = db_int(result, 0, 7);
	return code;
}

bool mail_code_find(Db *db, const uint8_t hash[MAIL_CODE_HASH_SIZE], MailCode **code_r,
		    GError **error)
{
	g_autofree char *hex = db_hex(hash, MAIL_CODE_HASH_SIZE);
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, hex);
	g_autoptr(DbResult) result = db_run(db, &queries[MAIL_CODE_FIND], &params, error);
	if (!result)
		return false;
	*code_r = db_rows(result) ? code_read(result) : NULL;
	return true;
}

bool mail_code_use(Db *db, int64_t id, bool *used_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	g_autoptr(DbResult) result = db_run(db, &queries[MAIL_CODE_USE], &params, error);
	if (!result)
		return false;
	*used_r = db_touched(result) == 1;
	return true;
}

static bool codes_void(Db *db, int query, int64_t id, MailCodeKind kind, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	db_param_text(&params, kinds[kind].name);
	g_autoptr(DbResult) result = db_run(db, &queries[query], &params, error);
	return result != NULL;
}

bool mail_code_void(Db *db, int64_t address_id, MailCodeKind kind, GError **error)
{
	return codes_void(db, MAIL_CODE_VOID, address_id, kind, error);
}

bool mail_code_void_player(Db *db, int64_t player_id, MailCodeKind kind, GError **error)
{
	return codes_void(db, MAIL_CODE_VOID_PLAYER, player_id, kind, error);
}
