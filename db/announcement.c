#include "announcement.h"

enum { ANNOUNCEMENT_MAKE };

static const DbQuery queries[] = {
	[ANNOUNCEMENT_MAKE] =
		{"announcement_make",
		 "WITH made AS ("
		 " INSERT INTO announcement (hash, subject, body)"
		 " VALUES (sha256(convert_to($1::text || chr(10) || $2::text, 'UTF8')), $1::text,"
		 " $2::text)"
		 " ON CONFLICT DO NOTHING"
		 " RETURNING id"
		 "), happened AS ("
		 " INSERT INTO event (kind, announcement_id)"
		 " SELECT 'mail.news.announcement', id"
		 " FROM made"
		 " RETURNING id"
		 "), told AS ("
		 " INSERT INTO delivery (event_id, address_id, template, player_id, state, reply,"
		 " due_at)"
		 " SELECT happened.id, address_id, 'announcement', player_id,"
		 " CASE WHEN hindrance IS NULL THEN 'pending' ELSE 'dropped' END, hindrance,"
		 " clock_now() + row_number() OVER (ORDER BY address_id) * INTERVAL '50 ms'"
		 " FROM happened, recipient"
		 " WHERE is_primary"
		 " RETURNING state"
		 ")"
		 " SELECT EXISTS ("
		 " SELECT"
		 " FROM made), count(*) FILTER (WHERE state = 'pending')"
		 " FROM told"},
};
const DbQueryTable announcement_queries = {queries, G_N_ELEMENTS(queries)};

bool announcement_make(Db *db, const char *subject, const char *body, bool *made_r, int64_t *told_r,
		       GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, subject);
	db_param_text(&params, body);
	g_autoptr(DbResult) result = db_run(db, &queries[ANNOUNCEMENT_MAKE], &params, error);
	if (!result)
		return false;
	*made_r = db_bool(result, 0, 0);
	*told_r = db_int(result, 0, 1);
	return true;
}
