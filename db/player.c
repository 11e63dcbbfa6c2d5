#include "player.h"

enum {
	PLAYER_FIND,
	PLAYER_FIND_NAME_KEY,
	PLAYER_INSERT,
	PLAYER_UPDATE,
	PLAYER_NAME_FREE,
	PLAYER_LOCK,
};

#define PLAYER_SELECT                                                          \
	"SELECT player.id, player.name, player.language, player.time_zone,"    \
	" rfc3339(player.created_at), address.email, mail_stopped_at IS NULL," \
	" remarks, guest, address.state IS DISTINCT FROM 'dead'"               \
	" FROM player"                                                         \
	" LEFT JOIN address ON address.player_id = player.id AND address.is_primary"

static const DbQuery queries[] = {
	[PLAYER_FIND] = {"player_find", PLAYER_SELECT " WHERE player.id = $1::bigint"},
	[PLAYER_FIND_NAME_KEY] = {"player_find_name_key",
				  PLAYER_SELECT " WHERE player.name_key = $1::text"},
	[PLAYER_INSERT] = {"player_insert",
			   "INSERT INTO player (name, name_key, name_look, language, time_zone,"
			   " guest)"
			   " VALUES ($1::text, $2::text, $3::text, $4::text, $5::text,"
			   " $6::boolean)"
			   " ON CONFLICT DO NOTHING"
			   " RETURNING id"},
	[PLAYER_UPDATE] = {"player_update",
			   "UPDATE player"
			   " SET name = COALESCE($2::text, name),"
			   " name_key = COALESCE($3::text, name_key),"
			   " name_look = COALESCE($4::text, name_look),"
			   " language = COALESCE($5::text, language),"
			   " time_zone = COALESCE($6::text, time_zone),"
			   " mail_stopped_at = CASE"
			   " WHEN $7::boolean IS NULL THEN mail_stopped_at"
			   " WHEN NOT $7::boolean THEN COALESCE(mail_stopped_at, clock_now())"
			   " END,"
			   " remarks = COALESCE($8::boolean, remarks),"
			   " guest = guest AND $2::text IS NULL"
			   " WHERE id = $1::bigint"},
	[PLAYER_NAME_FREE] = {"player_name_free",
			      "SELECT NOT EXISTS ("
			      " SELECT 1"
			      " FROM player"
			      " WHERE (name_key = $2::text OR name_look = $3::text)"
			      " AND id <> $1::bigint)"},
	[PLAYER_LOCK] = {"player_lock", "SELECT 1"
					" FROM player"
					" WHERE id = $1::bigint"
					" FOR NO KEY UPDATE"},
};
const DbQueryTable player_queries = {queries, G_N_ELEMENTS(queries)};

void player_free(Player *player)
{
	if (player == NULL)
		return;
	g_free(player->name);
	g_free(player->language);
	g_free(player->time_zone);
	g_free(player->since);
	g_free(player->email);
	g_free(player);
}

static Player *player_read(const DbResult *result)
{
	Player *player = g_new0(Player, 1);
	player->id = db_int(result, 0, 0);
	player->name = g_strdup(db_text(result, 0, 1));
	player->language = g_strdup(db_text(result, 0, 2));
	player->time_zone = g_strdup(db_text(result, 0, 3));
	player->since = g_strdup(db_text(result, 0, 4));
	player->email = g_strdup(db_text(result, 0, 5));
	player->mail = db_bool(result, 0, 6);
	player->remarks = db_bool(result, 0, 7);
	player->guest = db_bool(result, 0, 8);
	player->reachable = db_bool(result, 0, 9);
	return player;
}

static bool player_get(Db *db, int query, const DbParams *params, Player **player_r, GError **error)
{
	g_autoptr(DbResult) result = db_run(db, &queries[query], params, error);
	if (!result)
		return false;
	*player_r = db_rows(result) ? player_read(result) : NULL;
	return true;
}

bool player_find(Db *db, int64_t id, Player **player_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	return player_get(db, PLAYER_FIND, &params, player_r, error);
}

bool player_find_name_key(Db *db, const char *name_key, Player **player_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, name_key);
	return player_get(db, PLAYER_FIND_NAME_KEY, &params, player_r, error);
}

static void param_values(DbParams *params, const PlayerValues *values)
{
	db_param_text(params, values->name);
	db_param_text(params, values->name_key);
	db_param_text(params, values->name_look);
	db_param_text(params, values->language);
	db_param_text(params, values->time_zone);
}

bool player_insert(Db *db, const PlayerValues *values, int64_t *id_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	param_values(&params, values);
	db_param_bool(&params, values->guest);
	g_autoptr(DbResult) result = db_run(db, &queries[PLAYER_INSERT], &params, error);
	if (!result)
		return false;
	*id_r = db_rows(result) ? db_int(result, 0, 0) : 0;
	return true;
}

/* NULL keeps what there is. */
static void param_choice(DbParams *params, const bool *choice)
{
	if (choice)
		db_param_bool(params, *choice);
	else
		db_param_null(params);
}

bool player_update(Db *db, int64_t id, const PlayerValues *values, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	param_values(&params, values);
	param_choice(&params, values->mail);
	param_choice(&params, values->remarks);
	g_autoptr(DbResult) result = db_run(db, &queries[PLAYER_UPDATE], &params, error);
	return result != NULL;
}

bool player_name_taken(const GError *error)
{
	return db_error_is_constraint(error, "player_name_key") ||
	       db_error_is_constraint(error, "player_name_look");
}

bool player_name_free(Db *db, int64_t id, const PlayerValues *values, bool *free_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	db_param_text(&params, values->name_key);
	db_param_text(&params, values->name_look);
	g_autoptr(DbResult) result = db_run(db, &queries[PLAYER_NAME_FREE], &params, error);
	if (!result)
		return false;
	*free_r = db_bool(result, 0, 0);
	return true;
}

bool player_lock(Db *db, int64_t id, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, id);
	g_autoptr(DbResult) result = db_run(db, &queries[PLAYER_LOCK], &params, error);
	return result != NULL;
}
