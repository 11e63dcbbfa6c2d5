#include "health.h"

enum { HEALTH_PING };

static const DbQuery queries[] = {
	[HEALTH_PING] = {"health_ping", "SELECT 1"},
};
const DbQueryTable health_queries = {queries, G_N_ELEMENTS(queries)};

bool health_ping(Db *db, GError **error)
{
	g_autoptr(DbResult) result = db_run(db, &queries[HEALTH_PING], NULL, error);
	return result != NULL;
}
