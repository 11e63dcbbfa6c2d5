#include "follow.h"

#include "event.h"

enum { FOLLOW_SET, FOLLOW_END, FOLLOW_DUE };

/* Days of a follower begin at seven in the morning: then yesterday's mail is due. */
#define FOLLOW_DAY "((clock_now() AT TIME ZONE player.time_zone) - INTERVAL '7 hours')::date"

static const DbQuery queries[] = {
	[FOLLOW_SET] = {"follow_set",
			"INSERT INTO follow (game_id, player_id, rhythm, told_on, told_ply)"
			" SELECT game.id, player.id, $3::text, " FOLLOW_DAY ", game.ply"
			" FROM game, player"
			" WHERE game.id = $1::bigint AND player.id = $2::bigint"
			" ON CONFLICT (game_id, player_id) DO UPDATE"
			" SET rhythm = excluded.rhythm, told_on = excluded.told_on,"
			" told_ply = excluded.told_ply"},
	[FOLLOW_END] = {"follow_end", "DELETE FROM follow"
				      " WHERE game_id = $1::bigint AND player_id = $2::bigint"},
	/* Nobody's local day is behind the one of UTC by more than one. */
	[FOLLOW_DUE] = {"follow_due",
			"WITH due AS MATERIALIZED ("
			" SELECT follow.game_id, follow.player_id, follow.told_ply, game.ply,"
			" " FOLLOW_DAY " AS day"
			" FROM follow"
			" JOIN player ON player.id = follow.player_id"
			" JOIN game ON game.id = follow.game_id"
			" WHERE follow.rhythm = 'day'"
			" AND follow.told_on < ((clock_now() AT TIME ZONE 'UTC')"
			" + INTERVAL '7 hours')::date"
			" AND follow.told_on < " FOLLOW_DAY " ORDER BY follow.told_on"
			" LIMIT 200"
			" FOR NO KEY UPDATE OF follow SKIP LOCKED)"
			" UPDATE follow"
			" SET told_on = due.day, told_ply = due.ply"
			" FROM due"
			" WHERE follow.game_id = due.game_id"
			" AND follow.player_id = due.player_id"
			" RETURNING due.game_id, due.player_id, due.told_ply, due.ply"},
};
const DbQueryTable follow_queries = {queries, G_N_ELEMENTS(queries)};

bool follow_set(Db *db, int64_t game_id, int64_t player_id, const char *rhythm, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, game_id);
	db_param_int(&params, player_id);
	db_param_text(&params, rhythm);
	g_autoptr(DbResult) result = db_run(db, &queries[FOLLOW_SET], &params, error);
	return result != NULL;
}

bool follow_end(Db *db, int64_t game_id, int64_t player_id, bool *ended_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, game_id);
	db_param_int(&params, player_id);
	g_autoptr(DbResult) result = db_run(db, &queries[FOLLOW_END], &params, error);
	if (!result)
		return false;
	*ended_r = db_touched(result) == 1;
	return true;
}

static bool day_tell(Db *db, const DbResult *rows, int row, GError **error)
{
	const int64_t since = db_int(rows, row, 2);
	g_autofree char *data = g_strdup_printf("{\"since\": %" G_GINT64_FORMAT "}", since);
	const Event event = {
		.kind = "mail.news.watch",
		.game_id = db_int(rows, row, 0),
		.ply = (int)db_int(rows, row, 3),
		.data = data,
		.template = "watch-day",
		.players = {db_int(rows, row, 1)},
	};
	return event.ply == since || event_append(db, &event, NULL, error);
}

static bool tell_work(Db *db, void *user_data, GError **error)
{
	int *count_r = user_data;
	g_autoptr(DbResult) rows = db_run(db, &queries[FOLLOW_DUE], NULL, error);
	if (!rows)
		return false;
	*count_r = db_rows(rows);
	for (int row = 0; row < *count_r; row++)
		if (!day_tell(db, rows, row, error))
			return false;
	return true;
}

bool follow_tell(Db *db, int *count_r, GError **error)
{
	return db_transact(db, tell_work, count_r, error);
}
