#include "migrate.h"

#include <libpq-fe.h>
#include <stdint.h>
#include <string.h>

#include "db.h"
#include "embedded.h"
#include "schema.h"

typedef PGconn Connection;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Connection, PQfinish)
typedef PQconninfoOption ConninfoOptions;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ConninfoOptions, PQconninfoFree)

/* Any number will do that no other advisory lock of ours has. */
#define MIGRATION_LOCK "727274001"
#define MIGRATION_FOLDER "db/migrations/"

/* "db/migrations/0001_start.sql" is 1; 0 for a file that is no migration. */
static int file_version(const EmbeddedFile *file)
{
	if (!g_str_has_prefix(file->path, MIGRATION_FOLDER))
		return 0;
	return (int)g_ascii_strtoll(file->path + strlen(MIGRATION_FOLDER), NULL, 10);
}

static const char *file_text(const EmbeddedFile *file)
{
	return (const char *)file->bytes;
}

int migrate_newest(void)
{
	int newest = 0;
	for (const EmbeddedFile *file = db_files; file->path; file++)
		newest = MAX(newest, file_version(file));
	return newest;
}

/* Fails with the server's words after "what". Always returns false. */
static bool connection_fault(PGconn *connection, const char *what, GError **error)
{
	g_autofree char *words = g_strstrip(g_strdup(PQerrorMessage(connection)));
	const bool lost = PQstatus(connection) != CONNECTION_OK;
	g_set_error(error, DB_ERROR, lost ? DB_ERROR_UNAVAILABLE : DB_ERROR_SCHEMA, "%s: %s", what,
		    words);
	return false;
}

static bool execute(PGconn *connection, const char *sql, const char *what, GError **error)
{
	g_autoptr(DbResult) result = PQexec(connection, sql);
	const ExecStatusType status = PQresultStatus(result);
	if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
		return true;
	return connection_fault(connection, what, error);
}

bool schema_check(PGconn *connection, GError **error)
{
	g_autoptr(DbResult) result =
		PQexec(connection, "SELECT max(version)\nFROM schema_migration");
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const bool fresh = state && strcmp(state, "42P01") == 0;
	if (!fresh && PQresultStatus(result) != PGRES_TUPLES_OK)
		return connection_fault(connection, "reading schema_migration", error);
	const int64_t version = fresh ? 0 : db_int(result, 0, 0);
	if (version >= migrate_newest())
		return true;
	g_set_error(error, DB_ERROR, DB_ERROR_SCHEMA,
		    "the database has migration %d, this program needs %d: run `ludopost migrate`",
		    (int)version, migrate_newest());
	return false;
}

/* The checksum recorded for a version, "" when it was not applied, NULL with an error. */
static char *checksum_recorded(PGconn *connection, int version, GError **error)
{
	g_autofree char *number = g_strdup_printf("%d", version);
	const char *values[] = {number};
	g_autoptr(DbResult) result = PQexecParams(
		connection, "SELECT checksum\nFROM schema_migration\nWHERE version = $1::integer",
		1, NULL, values, NULL, NULL, 0);
	if (PQresultStatus(result) != PGRES_TUPLES_OK) {
		connection_fault(connection, "reading schema_migration", error);
		return NULL;
	}
	return g_strdup(db_rows(result) ? db_text(result, 0, 0) : "");
}

static bool migration_record(PGconn *connection, const EmbeddedFile *file, const char *checksum,
			     GError **error)
{
	g_autofree char *number = g_strdup_printf("%d", file_version(file));
	const char *values[] = {number, file->path + strlen(MIGRATION_FOLDER), checksum};
	g_autoptr(DbResult) result =
		PQexecParams(connection,
			     "INSERT INTO schema_migration (version, name, checksum, applied_at)\n"
			     "VALUES ($1::integer, $2, $3, clock_now())",
			     3, NULL, values, NULL, NULL, 0);
	if (PQresultStatus(result) == PGRES_COMMAND_OK)
		return true;
	return connection_fault(connection, file->path, error);
}

/* Applies one migration in a transaction of its own, or checks that the applied one is the same. */
static bool migration_apply(PGconn *connection, const EmbeddedFile *file, int *count,
			    GError **error)
{
	g_autofree char *checksum =
		g_compute_checksum_for_data(G_CHECKSUM_SHA256, file->bytes, file->size);
	g_autofree char *recorded = checksum_recorded(connection, file_version(file), error);
	if (!recorded)
		return false;
	if (*recorded) {
		if (strcmp(recorded, checksum) == 0)
			return true;
		g_set_error(error, DB_ERROR, DB_ERROR_SCHEMA,
			    "%s was changed after it had been applied: restore its old text, and "
			    "put the change into a new migration",
			    file->path);
		return false;
	}
	const bool done = execute(connection, "BEGIN", file->path, error) &&
			  execute(connection, file_text(file), file->path, error) &&
			  migration_record(connection, file, checksum, error) &&
			  execute(connection, "COMMIT", file->path, error);
	if (!done)
		return execute(connection, "ROLLBACK", file->path, NULL) && false;
	(*count)++;
	return true;
}

static bool role_grant(PGconn *connection, const char *role, const char *grants, GError **error)
{
	const char *values[] = {role};
	g_autoptr(DbResult) set =
		PQexecParams(connection, "SELECT set_config('ludopost.service_role', $1, false)", 1,
			     NULL, values, NULL, NULL, 0);
	if (PQresultStatus(set) != PGRES_TUPLES_OK)
		return connection_fault(connection, "naming the service's role", error);
	return execute(connection, grants, "db/grants.sql", error);
}

static bool migrations_apply(PGconn *connection, const char *role, int *count, GError **error)
{
	static const char table[] = "CREATE TABLE IF NOT EXISTS schema_migration (\n"
				    "    version integer PRIMARY KEY,\n"
				    "    name text NOT NULL,\n"
				    "    checksum text NOT NULL,\n"
				    "    applied_at timestamptz NOT NULL\n"
				    ")";
	if (!execute(connection, table, "creating schema_migration", error))
		return false;
	for (const EmbeddedFile *file = db_files; file->path; file++) {
		const bool done = file_version(file)
					  ? migration_apply(connection, file, count, error)
					  : role_grant(connection, role, file_text(file), error);
		if (!done)
			return false;
	}
	return true;
}

bool migrate_run(const char *owner_conninfo, const char *service_role, int *count_r, GError **error)
{
	*count_r = 0;
	g_autoptr(Connection) connection = PQconnectdb(owner_conninfo);
	if (PQstatus(connection) != CONNECTION_OK)
		return connection_fault(connection, "connecting as the owner", error);
	/* "already exists, skipping" is no news. */
	if (!execute(connection, "SET client_min_messages = warning", "settings", error))
		return false;
	/* The lock belongs to this connection and ends with it, whatever happens. */
	return execute(connection, "SELECT pg_advisory_lock(" MIGRATION_LOCK ")",
		       "waiting for another migration", error) &&
	       migrations_apply(connection, service_role, count_r, error);
}

char *migrate_conninfo_user(const char *conninfo, GError **error)
{
	char *fault = NULL;
	g_autoptr(ConninfoOptions) options = PQconninfoParse(conninfo, &fault);
	if (!options) {
		g_set_error(error, DB_ERROR, DB_ERROR_SCHEMA, "connection string: %s",
			    fault ? g_strstrip(fault) : "malformed");
		PQfreemem(fault);
		return NULL;
	}
	for (const PQconninfoOption *option = options; option->keyword; option++)
		if (strcmp(option->keyword, "user") == 0 && option->val && *option->val)
			return g_strdup(option->val);
	g_set_error_literal(error, DB_ERROR, DB_ERROR_SCHEMA,
			    "connection string: user= is missing");
	return NULL;
}
