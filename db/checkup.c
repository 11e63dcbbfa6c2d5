#include "checkup.h"

enum { CHECKUP_SERVER, CHECKUP_ZONE, CHECKUP_ARRIVAL };

static const DbQuery queries[] = {
	[CHECKUP_SERVER] = {"checkup_server",
			    "SELECT (extract(epoch FROM clock_now()) * 1000000)::bigint, "
			    "current_setting('transaction_read_only')::boolean, "
			    "(SELECT max(version) FROM schema_migration), "
			    "current_setting('server_version'), "
			    "(SELECT count(*) FROM delivery "
			    "WHERE state IN ('pending', 'retry') "
			    "AND due_at < clock_now() - interval '10 minutes'), "
			    "(SELECT count(*) FROM inbox "
			    "WHERE state = 'new' "
			    "AND arrived_at < clock_now() - interval '10 minutes'), "
			    "(SELECT count(*) FROM inbox WHERE state = 'failed')"},
	/* An unknown zone would be an error. */
	[CHECKUP_ZONE] =
		{"checkup_zone",
		 "SELECT CASE WHEN EXISTS "
		 "(SELECT FROM pg_timezone_names WHERE name = $1::text) "
		 "THEN extract(epoch FROM (to_timestamp($2::bigint) AT TIME ZONE $1::text) "
		 "- (to_timestamp($2::bigint) AT TIME ZONE 'UTC'))::integer END"},
	[CHECKUP_ARRIVAL] = {"checkup_arrival",
			     "SELECT state <> 'new', via, recipient, "
			     "encode(substring(raw FOR 65536), 'escape'), received_at IS NOT NULL "
			     "FROM inbox "
			     "WHERE raw IS NOT NULL "
			     "AND arrived_at > clock_now() - interval '1 hour' "
			     "AND position(convert_to($1, 'UTF8') IN raw) > 0 "
			     "ORDER BY id "
			     "LIMIT 1"},
};
const DbQueryTable checkup_queries = {queries, G_N_ELEMENTS(queries)};

bool checkup_server(Db *db, CheckupServer *server_r, GError **error)
{
	g_autoptr(DbResult) result = db_run(db, &queries[CHECKUP_SERVER], NULL, error);
	if (result == NULL)
		return false;
	*server_r = (CheckupServer){
		.now_us = db_int(result, 0, 0),
		.read_only = db_bool(result, 0, 1),
		.migration = (int)db_int(result, 0, 2),
		.version = g_strdup(db_text(result, 0, 3)),
		.mails_late = db_int(result, 0, 4),
		.inbox_late = db_int(result, 0, 5),
		.inbox_failed = db_int(result, 0, 6),
	};
	return true;
}

void checkup_server_clear(CheckupServer *server)
{
	g_free(server->version);
}

bool checkup_zone(Db *db, const char *zone, int64_t at, bool *known_r, int *offset_s_r,
		  GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, zone);
	db_param_int(&params, at);
	g_autoptr(DbResult) result = db_run(db, &queries[CHECKUP_ZONE], &params, error);
	if (result == NULL)
		return false;
	*known_r = !db_null(result, 0, 0);
	*offset_s_r = (int)db_int(result, 0, 0);
	return true;
}

bool checkup_arrival(Db *db, const char *words, CheckupArrival *arrival_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, words);
	g_autoptr(DbResult) result = db_run(db, &queries[CHECKUP_ARRIVAL], &params, error);
	if (result == NULL)
		return false;
	*arrival_r = (CheckupArrival){.found = db_rows(result) > 0};
	if (!arrival_r->found)
		return true;
	arrival_r->decided = db_bool(result, 0, 0);
	arrival_r->via = g_strdup(db_text(result, 0, 1));
	arrival_r->recipient = g_strdup(db_text(result, 0, 2));
	arrival_r->header = g_strdup(db_text(result, 0, 3));
	arrival_r->dated = db_bool(result, 0, 4);
	return true;
}

void checkup_arrival_clear(CheckupArrival *arrival)
{
	g_free(arrival->via);
	g_free(arrival->recipient);
	g_free(arrival->header);
}
