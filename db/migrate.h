/*
 * Migrations: db/migrations/NNNN_name.sql, embedded, run in order and once, forward only, each in
 * its own transaction with its checksum recorded, all under an advisory lock. Afterwards
 * db/grants.sql gives the service's role its rights.
 */
#ifndef MIGRATE_H
#define MIGRATE_H

#include <glib.h>
#include <stdbool.h>

/* Number of the newest migration this program carries. */
int migrate_newest(void);

/* Brings the database of owner_conninfo up to date and gives service_role its rights. Writes how
 * many migrations ran to count_r. Fails with DB_ERROR_SCHEMA when an applied migration's text
 * differs from the one carried, or one fails (its name in the message). */
bool migrate_run(const char *owner_conninfo, const char *service_role, int *count_r,
		 GError **error);

/* The user name a connection string would log in as; NULL with DB_ERROR_SCHEMA if the string is
 * malformed or names none. Free with g_free. */
char *migrate_conninfo_user(const char *conninfo, GError **error);

#endif
