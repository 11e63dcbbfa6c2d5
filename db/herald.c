#include "herald.h"

#include <poll.h>

#define CHANNEL "ludopost_work"

enum { HERALD_CALL };

static const DbQuery queries[] = {
	[HERALD_CALL] = {"herald_call", "SELECT pg_notify('" CHANNEL "', '')"},
};
const DbQueryTable herald_queries = {queries, G_N_ELEMENTS(queries)};

struct Herald {
	char *conninfo;
	PGconn *connection; /* NULL while there is none */
};

Herald *herald_new(const char *conninfo)
{
	Herald *herald = g_new0(Herald, 1);
	herald->conninfo = g_strdup(conninfo);
	return herald;
}

void herald_free(Herald *herald)
{
	if (!herald)
		return;
	PQfinish(herald->connection);
	g_free(herald->conninfo);
	g_free(herald);
}

static bool connection_lost(Herald *herald, GError **error)
{
	g_autofree char *why = g_strdup(PQerrorMessage(herald->connection));
	g_strstrip(g_strdelimit(why, "\r\n", ' '));
	g_set_error(error, DB_ERROR, DB_ERROR_UNAVAILABLE, "database unavailable: %s", why);
	g_clear_pointer(&herald->connection, PQfinish);
	return false;
}

static bool command_run(Herald *herald, const char *command, GError **error)
{
	g_autoptr(DbResult) result = PQexec(herald->connection, command);
	if (PQresultStatus(result) == PGRES_COMMAND_OK)
		return true;
	return connection_lost(herald, error);
}

bool herald_connect(Herald *herald, GError **error)
{
	if (herald->connection)
		return true;
	/* A server that vanished without a word is noticed within a minute. */
	const char *const keys[] = {"dbname",
				    "connect_timeout",
				    "options",
				    "fallback_application_name",
				    "target_session_attrs",
				    "keepalives_idle",
				    "keepalives_interval",
				    "keepalives_count",
				    "tcp_user_timeout",
				    NULL};
	const char *const values[] = {herald->conninfo,
				      "5",
				      "-c statement_timeout=10s",
				      "ludopost",
				      "read-write",
				      "30",
				      "10",
				      "3",
				      "20000",
				      NULL};
	herald->connection = PQconnectdbParams(keys, values, 1);
	if (PQstatus(herald->connection) != CONNECTION_OK)
		return connection_lost(herald, error);
	return command_run(herald, "LISTEN " CHANNEL, error);
}

/* Takes the calls that arrived; those of our own do not count. */
static bool calls_take(Herald *herald)
{
	bool heard = false;
	for (;;) {
		PGnotify *call = PQnotifies(herald->connection);
		if (!call)
			return heard;
		heard = heard || call->be_pid != PQbackendPID(herald->connection);
		PQfreemem(call);
	}
}

bool herald_wait(Herald *herald, int wake_fd, int timeout_ms, bool *heard_r, GError **error)
{
	*heard_r = calls_take(herald);
	if (*heard_r)
		return true;
	struct pollfd sockets[] = {{.fd = PQsocket(herald->connection), .events = POLLIN},
				   {.fd = wake_fd, .events = POLLIN}};
	if (poll(sockets, G_N_ELEMENTS(sockets), timeout_ms) <= 0 || sockets[0].revents == 0)
		return true;
	/* A closed connection is readable too. */
	if (!PQconsumeInput(herald->connection) || PQstatus(herald->connection) != CONNECTION_OK)
		return connection_lost(herald, error);
	*heard_r = calls_take(herald);
	return true;
}

bool herald_call(Herald *herald, GError **error)
{
	return command_run(herald, "NOTIFY " CHANNEL, error);
}

bool herald_call_over(Db *db, GError **error)
{
	g_autoptr(DbResult) result = db_run(db, &queries[HERALD_CALL], NULL, error);
	return result != NULL;
}
