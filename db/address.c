#include "address.h"

enum {
	ADDRESS_OBTAIN,
	ADDRESS_FIND_KEY,
	ADDRESS_FIND,
	ADDRESS_FIND_PRIMARY,
	ADDRESS_LOCK,
	ADDRESS_GIVE,
	ADDRESS_RELEASE,
	ADDRESS_NEVER_SET,
	ADDRESS_TRUST,
	ADDRESS_PRIMARY_CLEAR,
	ADDRESS_PRIMARY_SET,
	ADDRESS_LIST,
	ADDRESS_CHANGE_INSERT,
	ADDRESS_CHANGE_FIND,
	ADDRESS_CHANGE_REVERT,
};

#define ADDRESS_COLUMNS                                                                          \
	" id, email, player_id, state, is_primary, mail_trusted_at IS NOT NULL AS mail_trusted," \
	" language"

static const DbQuery queries[] = {
	/* The update writes the row it found back, so that it is returned and locked. */
	[ADDRESS_OBTAIN] = {"address_obtain",
			    "INSERT INTO address (email, email_key, language)"
			    " VALUES ($1::text, $2::text, COALESCE($3::text, 'en'))"
			    " ON CONFLICT (email_key) DO UPDATE"
			    " SET language = CASE"
			    " WHEN address.player_id IS NULL"
			    " THEN COALESCE($3::text, address.language)"
			    " ELSE address.language END"
			    " RETURNING" ADDRESS_COLUMNS},
	[ADDRESS_FIND_KEY] = {"address_find_key", "SELECT" ADDRESS_COLUMNS " FROM address"
						  " WHERE email_key = $1::text"},
	[ADDRESS_FIND] = {"address_find", "SELECT" ADDRESS_COLUMNS " FROM address"
					  " WHERE id = $1::bigint"},
	[ADDRESS_FIND_PRIMARY] = {"address_find_primary",
				  "SELECT" ADDRESS_COLUMNS " FROM address"
				  " WHERE player_id = $1::bigint AND is_primary"},
	[ADDRESS_LOCK] = {"address_lock", "SELECT" ADDRESS_COLUMNS " FROM address"
					  " WHERE id = $1::bigint"
					  " FOR NO KEY UPDATE"},
	[ADDRESS_GIVE] = {"address_give", "UPDATE address"
					  " SET player_id = $2::bigint, state = 'confirmed',"
					  " confirmed_at = COALESCE(confirmed_at, clock_now()),"
					  " dead_at = NULL, dead_reason = NULL"
					  " WHERE id = $1::bigint"},
	[ADDRESS_RELEASE] = {"address_release",
			     "UPDATE address"
			     " SET player_id = NULL, is_primary = false, confirmed_at = NULL,"
			     " mail_trusted_at = NULL,"
			     " state = CASE WHEN state = 'confirmed' THEN 'new' ELSE state END"
			     " WHERE id = $1::bigint"},
	[ADDRESS_NEVER_SET] = {"address_never_set",
			       "UPDATE address"
			       " SET state = CASE WHEN $2::boolean THEN 'never' ELSE 'new' END"
			       " WHERE id = $1::bigint AND player_id IS NULL"
			       " AND (state = 'never') <> $2::boolean"},
	[ADDRESS_TRUST] = {"address_trust", "UPDATE address"
					    " SET mail_trusted_at = clock_now()"
					    " WHERE id = $1::bigint AND player_id = $2::bigint"
					    " AND mail_trusted_at IS NULL"},
	[ADDRESS_PRIMARY_CLEAR] = {"address_primary_clear",
				   "UPDATE address"
				   " SET is_primary = false"
				   " WHERE player_id = $1::bigint AND is_primary"
				   " RETURNING id"},
	[ADDRESS_PRIMARY_SET] = {"address_primary_set",
				 "UPDATE address"
				 " SET is_primary = true"
				 " WHERE player_id = $1::bigint AND id = $2::bigint"},
	[ADDRESS_LIST] = {"address_list",
			  "SELECT id, email, state, is_primary, rfc3339(confirmed_at)"
			  " FROM address"
			  " WHERE player_id = $1::bigint"
			  " ORDER BY is_primary DESC, id"},
	[ADDRESS_CHANGE_INSERT] = {"address_change_insert",
				   "INSERT INTO address_change (player_id, old_address_id,"
				   " new_address_id, revert_until)"
				   " VALUES ($1::bigint, $2::bigint, $3::bigint,"
				   " clock_now() + $4::integer * INTERVAL '1 second')"
				   " RETURNING id"},
	[ADDRESS_CHANGE_FIND] = {"address_change_find",
				 "SELECT id, player_id, old_address_id, new_address_id,"
				 " reverted_at IS NULL AND revert_until > clock_now()"
				 " FROM address_change"
				 " WHERE id = $1::bigint"},
	[ADDRESS_CHANGE_REVERT] = {"address_change_revert",
				   "WITH undone AS ("
				   " UPDATE address_change"
				   " SET reverted_at = clock_now()"
				   " WHERE player_id = $1::bigint AND id >= $2::bigint"
				   " AND reverted_at IS NULL"
				   " RETURNING new_address_id"
				   ")"
				   " SELECT DISTINCT new_address_id"
				   " FROM undone"
				   " WHERE new_address_id <> $3::bigint"},
};
const DbQueryTable address_queries = {queries, G_N_ELEMENTS(queries)};

void address_free(Address *address)
{
	if (address == NULL)
		return;
	g_free(address->email);
	g_free(address->state);
	g_free(address->language);
	g_free(address);
}

static Address *address_read(const DbResult *result)
{
	Address *address = g_new0(Address, 1);
	address->id = db_int(result, 0, 0);
	address->email = g_strdup(db_text(result, 0, 1));
	address->player_id = db_int(result, 0, 2);
	address->state = g_strdup(db_text(result, 0, 3));
	address->is_primary = db_bool(result, 0, 4);
	address->mail_trusted = db_bool(result, 0, 5);
	address->language = g_strdup(db_text(result, 0, 6));
	return address;
}

static bool address_get(Db *db, int query, const DbParams *params, Address **address_r,
			GError **error)
{
	g_autoptr(DbResult) result = db_run(db, &queries[query], params, error);
	if (!result)
		return false;
	*address_r = db_rows(result) ? address_read(result) : NULL;
	return true;
}

bool address_obtain(Db *db, const char *email, const char *email_key, const char *language,
		    Address **address_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, email);
	db_param_text(&params, email_key);
	db_param_text(&params, language);
	return address_get(db, ADDRESS_OBTAIN, &params, address_r, error);
}

bool address_find_key(Db *db, const char *email_key, Address **address_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, email_key);
	return address_get(db, ADDRESS_FIND_KEY, &params, address_r, error);
}

static bool address_get_id(Db *db, int query, int64_t id, Address **address_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	return address_get(db, query, &params, address_r, error);
}

bool address_find_id(Db *db, int64_t id, Address **address_r, GError **error)
{
	return address_get_id(db, ADDRESS_FIND, id, address_r, error);
}

bool address_find_primary(Db *db, int64_t player_id, Address **address_r, GError **error)
{
	return address_get_id(db, ADDRESS_FIND_PRIMARY, player_id, address_r, error);
}

bool address_lock(Db *db, int64_t id, Address **address_r, GError **error)
{
	return address_get_id(db, ADDRESS_LOCK, id, address_r, error);
}

/* Runs a query whose parameters are one or two numbers (the second 0: one). */
static DbResult *address_run(Db *db, int query, int64_t first, int64_t second, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, first);
	if (second)
		db_param_int(&params, second);
	return db_run(db, &queries[query], &params, error);
}

bool address_give(Db *db, int64_t id, int64_t player_id, GError **error)
{
	g_autoptr(DbResult) result = address_run(db, ADDRESS_GIVE, id, player_id, error);
	return result != NULL;
}

bool address_release(Db *db, int64_t id, GError **error)
{
	g_autoptr(DbResult) result = address_run(db, ADDRESS_RELEASE, id, 0, error);
	return result != NULL;
}

bool address_trust(Db *db, int64_t id, int64_t player_id, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	db_param_int(&params, player_id);
	g_autoptr(DbResult) result = db_run(db, &queries[ADDRESS_TRUST], &params, error);
	return result != NULL;
}

bool address_never_set(Db *db, int64_t id, bool never, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	db_param_bool(&params, never);
	g_autoptr(DbResult) result = db_run(db, &queries[ADDRESS_NEVER_SET], &params, error);
	return result != NULL;
}

bool address_primary_set(Db *db, int64_t player_id, int64_t id, int64_t *old_id_r, GError **error)
{
	g_autoptr(DbResult) cleared = address_run(db, ADDRESS_PRIMARY_CLEAR, player_id, 0, error);
	if (!cleared)
		return false;
	*old_id_r = db_rows(cleared) ? db_int(cleared, 0, 0) : 0;
	g_autoptr(DbResult) set = address_run(db, ADDRESS_PRIMARY_SET, player_id, id, error);
	return set != NULL;
}

DbResult *address_list(Db *db, int64_t player_id, GError **error)
{
	return address_run(db, ADDRESS_LIST, player_id, 0, error);
}

bool address_change_insert(Db *db, const AddressChange *change, int revert_s, int64_t *id_r,
			   GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, change->player_id);
	db_param_int(&params, change->old_address_id);
	db_param_int(&params, change->new_address_id);
	db_param_int(&params, revert_s);
	g_autoptr(DbResult) result = db_run(db, &queries[ADDRESS_CHANGE_INSERT], &params, error);
	if (!result)
		return false;
	*id_r = db_int(result, 0, 0);
	return true;
}

bool address_change_find(Db *db, int64_t id, AddressChange *change_r, GError **error)
{
	*change_r = (AddressChange){0};
	g_autoptr(DbResult) result = address_run(db, ADDRESS_CHANGE_FIND, id, 0, error);
	if (!result)
		return false;
	if (db_rows(result))
		*change_r = (AddressChange){db_int(result, 0, 0), db_int(result, 0, 1),
					    db_int(result, 0, 2), db_int(result, 0, 3),
					    db_bool(result, 0, 4)};
	return true;
}

DbResult *address_change_revert(Db *db, const AddressChange *change, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, change->player_id);
	db_param_int(&params, change->id);
	db_param_int(&params, change->old_address_id);
	return db_run(db, &queries[ADDRESS_CHANGE_REVERT], &params, error);
}
