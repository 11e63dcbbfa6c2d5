/* What /readyz and /metrics ask the database. */
#ifndef DB_HEALTH_H
#define DB_HEALTH_H

#include "db.h"

/* One round trip, nothing else. */
bool health_ping(Db *db, GError **error);
/* Rows: state of deliveries that are not done, their number, seconds since the oldest was due.
 * NULL with DB_ERROR. */
DbResult *health_deliveries(Db *db, GError **error);

#endif
