#include "health.h"

enum { HEALTH_PING, HEALTH_DELIVERIES };

static const DbQuery queries[] = {
	[HEALTH_PING] = {"health_ping", "SELECT 1"},
	[HEALTH_DELIVERIES] = {"health_deliveries",
			       "SELECT state, count(*), "
			       "greatest(0, extract(epoch FROM clock_now() - min(due_at)))::bigint "
			       "FROM delivery "
			       "WHERE state IN ('pending', 'retry', 'sending', 'unknown') "
			       "GROUP BY state "
			       "ORDER BY state"},
};
const DbQueryTable health_queries = {queries, G_N_ELEMENTS(queries)};

bool health_ping(Db *db, GError **error)
{
	g_autoptr(DbResult) result = db_run(db, &queries[HEALTH_PING], NULL, error);
	return result != NULL;
}

DbResult *health_deliveries(Db *db, GError **error)
{
	return db_run(db, &queries[HEALTH_DELIVERIES], NULL, error);
}
