/* What /readyz and /metrics ask the database. */
#ifndef DB_HEALTH_H
#define DB_HEALTH_H

#include "db.h"

/* One round trip, nothing else. */
bool health_ping(Db *db, GError **error);
#endif
