/* Does the schema fit this program? */
#ifndef SCHEMA_H
#define SCHEMA_H

#include <glib.h>
#include <libpq-fe.h>
#include <stdbool.h>

/* True when every migration this program carries was applied (more may have been: a newer program
 * may run beside). Else DB_ERROR_SCHEMA, saying what to do. The connection is not yet in pipeline
 * mode. */
bool schema_check(PGconn *connection, GError **error);

#endif
