#include "event.h"

enum { EVENT_APPEND, FEED_LOCK, FEED_FILL };

static const DbQuery queries[] = {
	[EVENT_APPEND] =
		{"event_append",
		 "WITH made AS ("
		 " INSERT INTO event (kind, game_id, ply, challenge_id, mail_code_id,"
		 " player_id, data, inbox_id)"
		 " VALUES ($1::text, $2::bigint, $3::integer, $4::bigint, $5::bigint,"
		 " $6::bigint, COALESCE($7::jsonb, '{}'), $11::bigint)"
		 " RETURNING id"
		 "), pending AS ("
		 " INSERT INTO feed_pending (event_id)"
		 " SELECT id"
		 " FROM made"
		 " WHERE $1::text NOT LIKE 'mail.%'"
		 "), reader AS ("
		 " SELECT address_id, player_id, state, hindrance"
		 " FROM recipient"
		 " WHERE player_id = ANY ($9::bigint[]) AND is_primary"
		 " UNION"
		 " SELECT address_id, player_id, state, hindrance"
		 " FROM recipient"
		 " WHERE address_id = ANY ($10::bigint[])"
		 "), judged AS ("
		 " SELECT address_id, player_id, CASE"
		 " WHEN $1::text NOT LIKE 'mail.%' OR $1::text LIKE 'mail.news.%'"
		 " OR state = 'never' THEN hindrance"
		 " END AS hindrance"
		 " FROM reader"
		 "), told AS ("
		 " INSERT INTO delivery (event_id, address_id, template, player_id,"
		 " game_id, state, reply)"
		 " SELECT made.id, judged.address_id, $8::text, judged.player_id, $2::bigint,"
		 " CASE WHEN hindrance IS NULL THEN 'pending' ELSE 'dropped' END,"
		 " hindrance"
		 " FROM made, judged"
		 " WHERE $8::text IS NOT NULL"
		 ")"
		 " SELECT id"
		 " FROM made"},
	[FEED_LOCK] = {"feed_lock", "SELECT pg_try_advisory_xact_lock(727274002)"},
	/* Who follows a game gets a mail for each turn but the last, which the game's end tells. */
	[FEED_FILL] = {"feed_fill",
		       "WITH moved AS ("
		       " DELETE FROM feed_pending"
		       " WHERE event_id IN ("
		       " SELECT event_id"
		       " FROM feed_pending"
		       " ORDER BY event_id"
		       " LIMIT 1000)"
		       " RETURNING event_id"
		       "), watched AS ("
		       " INSERT INTO delivery (event_id, address_id, template, player_id, game_id,"
		       " state, reply)"
		       " SELECT event.id, recipient.address_id, 'watch', follow.player_id, game.id,"
		       " CASE WHEN hindrance IS NULL THEN 'pending' ELSE 'dropped' END, hindrance"
		       " FROM moved"
		       " JOIN event ON event.id = moved.event_id"
		       " JOIN follow ON follow.game_id = event.game_id AND follow.rhythm = 'turn'"
		       " AND follow.since <= event.at"
		       " JOIN game ON game.id = event.game_id AND game.visibility = 'public'"
		       " JOIN recipient ON recipient.player_id = follow.player_id"
		       " AND recipient.is_primary"
		       " WHERE (event.kind = 'game.over' OR event.kind = 'turn.played'"
		       " AND (game.phase <> 'over' OR game.ply > event.ply))"
		       " AND NOT EXISTS ("
		       " SELECT"
		       " FROM seat"
		       " WHERE seat.game_id = game.id AND seat.player_id = follow.player_id"
		       " AND seat.left_ply IS NULL)"
		       " ON CONFLICT DO NOTHING"
		       ")"
		       " INSERT INTO feed (event_id)"
		       " SELECT event_id"
		       " FROM moved"
		       " ORDER BY event_id"},
};
const DbQueryTable event_queries = {queries, G_N_ELEMENTS(queries)};

static void param_id(DbParams *params, int64_t id)
{
	if (id)
		db_param_int(params, id);
	else
		db_param_null(params);
}

/* Ids that end with 0 as the text of an SQL array, "{3,4}". */
static char *ids_text(const int64_t *ids)
{
	GString *text = g_string_new("{");
	for (int i = 0; ids[i]; i++)
		g_string_append_printf(text, "%s%" G_GINT64_FORMAT, i ? "," : "", ids[i]);
	g_string_append_c(text, '}');
	return g_string_free(text, FALSE);
}

bool event_append_queue(Db *db, const Event *event, GError **error)
{
	g_autofree char *players = ids_text(event->players);
	g_autofree char *addresses = ids_text(event->addresses);
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, event->kind);
	param_id(&params, event->game_id);
	if (event->game_id)
		db_param_int(&params, event->ply);
	else
		db_param_null(&params);
	param_id(&params, event->challenge_id);
	param_id(&params, event->mail_code_id);
	param_id(&params, event->player_id);
	db_param_text(&params, event->data);
	db_param_text(&params, event->template);
	db_param_text(&params, players);
	db_param_text(&params, addresses);
	param_id(&params, event->inbox_id);
	return db_queue(db, &queries[EVENT_APPEND], &params, error);
}

bool event_append_next(Db *db, int64_t *event_id_r, GError **error)
{
	g_autoptr(DbResult) result = db_next(db, error);
	if (!result)
		return false;
	if (event_id_r)
		*event_id_r = db_int(result, 0, 0);
	return true;
}

bool event_append(Db *db, const Event *event, int64_t *event_id_r, GError **error)
{
	if (!event_append_queue(db, event, error))
		return false;
	const bool done = event_append_next(db, event_id_r, error);
	if (!done)
		db_drain(db);
	return done;
}

/* The rows must be looked at after the lock was taken, hence two statements. */
static bool fill_work(Db *db, void *user_data, GError **error)
{
	int *moved_r = user_data;
	*moved_r = 0;
	g_autoptr(DbResult) lock = db_run(db, &queries[FEED_LOCK], NULL, error);
	if (!lock)
		return false;
	if (!db_bool(lock, 0, 0))
		return true;
	g_autoptr(DbResult) result = db_run(db, &queries[FEED_FILL], NULL, error);
	if (!result)
		return false;
	*moved_r = (int)db_touched(result);
	return true;
}

bool feed_fill(Db *db, int *moved_r, GError **error)
{
	return db_transact(db, fill_work, moved_r, error);
}
