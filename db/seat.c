#include "seat.h"

enum { SEAT_MAIL_STOP };

static const DbQuery queries[] = {
	[SEAT_MAIL_STOP] = {"seat_mail_stop",
			    "UPDATE seat"
			    " SET mail_stopped_at = CASE WHEN $3::boolean THEN clock_now() END"
			    " WHERE game_id = $1::bigint AND player_id = $2::bigint"
			    " AND left_ply IS NULL"
			    " AND (mail_stopped_at IS NOT NULL) <> $3::boolean"},
};
const DbQueryTable seat_queries = {queries, G_N_ELEMENTS(queries)};

bool seat_mail_stop(Db *db, int64_t game_id, int64_t player_id, bool stop, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, game_id);
	db_param_int(&params, player_id);
	db_param_bool(&params, stop);
	g_autoptr(DbResult) result = db_run(db, &queries[SEAT_MAIL_STOP], &params, error);
	return result != NULL;
}
