#include "absence.h"

enum { ABSENCE_ADD };

static const DbQuery queries[] = {
	/* No zone is more than twelve hours behind UTC. */
	[ABSENCE_ADD] = {"absence_add",
			 "WITH wish AS ("
			 " SELECT $3::date < ("
			 "(clock_now() AT TIME ZONE 'UTC') - interval '12 hours')::date AS past"
			 "), added AS ("
			 " INSERT INTO absence (player_id, first_day, last_day)"
			 " SELECT $1::bigint, $2::date, $3::date"
			 " FROM wish"
			 " WHERE NOT past"
			 " ON CONFLICT ON CONSTRAINT absence_once DO NOTHING"
			 " RETURNING id"
			 ")"
			 " SELECT past, EXISTS (SELECT FROM added)"
			 " FROM wish"},
};
const DbQueryTable absence_queries = {queries, G_N_ELEMENTS(queries)};

bool absence_add(Db *db, int64_t player_id, const char *first_day, const char *last_day,
		 AbsenceAdded *added_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, player_id);
	db_param_text(&params, first_day);
	db_param_text(&params, last_day);
	g_autoptr(DbResult) result = db_run(db, &queries[ABSENCE_ADD], &params, error);
	if (!result)
		return false;
	const bool is_past = db_bool(result, 0, 0);
	const bool is_added = db_bool(result, 0, 1);
	*added_r = is_past ? ABSENCE_PAST : is_added ? ABSENCE_ADDED : ABSENCE_KNOWN;
	return true;
}
