#include "mail_rate.h"

enum { MAIL_RATE_TAKE, MAIL_RATE_WAIT };

static const DbQuery queries[] = {
	[MAIL_RATE_TAKE] = {"mail_rate_take",
			    "INSERT INTO mail_rate AS bucket (kind, key, window_start, taken) "
			    "VALUES ($1, $2::bytea, clock_now(), 1) "
			    "ON CONFLICT (kind, key) DO UPDATE "
			    "SET window_start = CASE WHEN bucket.window_start "
			    "+ make_interval(secs => $4::integer) <= clock_now() "
			    "THEN clock_now() ELSE bucket.window_start END, "
			    "taken = CASE WHEN bucket.window_start "
			    "+ make_interval(secs => $4::integer) <= clock_now() "
			    "THEN 1 ELSE bucket.taken + 1 END "
			    "WHERE bucket.taken < $3::integer "
			    "OR bucket.window_start + make_interval(secs => $4::integer) "
			    "<= clock_now() "
			    "RETURNING taken"},
	[MAIL_RATE_WAIT] = {"mail_rate_wait",
			    "SELECT ceil(extract(epoch FROM window_start "
			    "+ make_interval(secs => $3::integer) - clock_now()))::integer "
			    "FROM mail_rate "
			    "WHERE kind = $1 AND key = $2::bytea"},
};
const DbQueryTable mail_rate_queries = {queries, G_N_ELEMENTS(queries)};

/* How long until the window ends; at least one second. */
static bool wait_read(Db *db, const MailRate *rate, int *wait_s_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, rate->kind);
	db_param_text(&params, rate->key);
	db_param_int(&params, rate->window_s);
	g_autoptr(DbResult) result = db_run(db, &queries[MAIL_RATE_WAIT], &params, error);
	if (result == NULL)
		return false;
	int wait = db_rows(result) == 0 ? 1 : (int)db_int(result, 0, 0);
	*wait_s_r = CLAMP(wait, 1, rate->window_s);
	return true;
}

bool mail_rate_take(Db *db, const MailRate *rate, int *wait_s_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, rate->kind);
	db_param_text(&params, rate->key);
	db_param_int(&params, rate->quota);
	db_param_int(&params, rate->window_s);
	g_autoptr(DbResult) result = db_run(db, &queries[MAIL_RATE_TAKE], &params, error);
	if (result == NULL)
		return false;
	*wait_s_r = 0;
	return db_rows(result) > 0 || wait_read(db, rate, wait_s_r, error);
}
