#include "service/http.h"

#include "service/http_private.h"
#include "service/metrics.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	CONNECTION_MEMORY = 8 * 1024, /* allocated whole for each connection */
	BACKLOG = 1024,
	SPARE_FILES = 128, /* database, mail, log … */
	STOP_LOOK_US = 5000,
};

G_DEFINE_QUARK(http_error, http_error)

static atomic_bool stopping;

static void connection_note(void *cls, struct MHD_Connection *connection, void **client,
			    enum MHD_ConnectionNotificationCode how)
{
	HttpServer *server = cls;
	if (how == MHD_CONNECTION_NOTIFY_CLOSED) {
		clients_close(server->clients, *client);
		*client = NULL;
		return;
	}
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	int socket = info->connect_fd;
	info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	*client = clients_open(server->clients, socket, info->client_addr);
}

static enum MHD_Result connection_admit(void *cls, const struct sockaddr *address,
					socklen_t address_size)
{
	(void)address_size;
	HttpServer *server = cls;
	return clients_admit(server->clients, address) ? MHD_YES : MHD_NO;
}

static void library_log(void *cls, const char *format, va_list arguments)
{
	(void)cls;
	g_autofree char *text = g_strdup_vprintf(format, arguments);
	g_debug("event=libmicrohttpd message=\"%s\"", g_strchomp(text));
}

/* Targets stay as they were sent: we decode what we need ourselves. */
static size_t unescape_nothing(void *cls, struct MHD_Connection *connection, char *text)
{
	(void)cls;
	(void)connection;
	return strlen(text);
}

typedef union {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
} SocketAddress;

static SocketAddress listen_address(const Config *config)
{
	SocketAddress address;
	memset(&address, 0, sizeof(address));
	if (inet_pton(AF_INET, config->listen, &address.in.sin_addr) == 1) {
		address.in.sin_family = AF_INET;
		address.in.sin_port = htons((uint16_t)config->port);
		return address;
	}
	inet_pton(AF_INET6, config->listen, &address.in6.sin6_addr);
	address.in6.sin6_family = AF_INET6;
	address.in6.sin6_port = htons((uint16_t)config->port);
	return address;
}

/* A connection needs a file; the soft limit is often 1024. */
static void file_limit_raise(const Config *config)
{
	struct rlimit limit;
	rlim_t wanted = (rlim_t)config->connections + SPARE_FILES;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
		return;
	limit.rlim_cur = MIN(wanted, limit.rlim_max);
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < wanted)
		g_warning("event=file_limit_low files=%llu wanted=%llu",
			  (unsigned long long)limit.rlim_cur, (unsigned long long)wanted);
}

static struct MHD_Daemon *daemon_start(HttpServer *server)
{
	const Config *config = server->config;
	SocketAddress address = listen_address(config);
	unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
			 MHD_USE_ERROR_LOG | MHD_USE_ITC;
	if (address.any.sa_family == AF_INET6)
		flags |= MHD_USE_IPv6 | MHD_USE_DUAL_STACK;
	return MHD_start_daemon(
		flags, (uint16_t)config->port, connection_admit, server, exchange_go_on, server,
		MHD_OPTION_EXTERNAL_LOGGER, library_log, NULL, MHD_OPTION_SOCK_ADDR, &address.any,
		MHD_OPTION_NOTIFY_CONNECTION, connection_note, server, MHD_OPTION_NOTIFY_COMPLETED,
		exchange_end, server, MHD_OPTION_URI_LOG_CALLBACK, exchange_begin, server,
		MHD_OPTION_UNESCAPE_CALLBACK, unescape_nothing, NULL,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)config->connections,
		MHD_OPTION_CONNECTION_TIMEOUT, 0u, MHD_OPTION_LISTEN_BACKLOG_SIZE,
		(unsigned)BACKLOG, MHD_OPTION_END);
}

static void server_free(HttpServer *server)
{
	pool_free(server->pool);
	if (server->daemon != NULL)
		MHD_stop_daemon(server->daemon);
	clients_free(server->clients);
	dispatcher_free(server->dispatcher);
	g_free(server);
}

HttpServer *http_start(const Config *config, const Route *table, ProblemPageFn *problem_page,
		       GError **error)
{
	HttpServer *server = g_new0(HttpServer, 1);
	server->config = config;
	server->table = table;
	server->run = g_random_int();
	metrics_start(table);
	file_limit_raise(config);
	server->dispatcher = dispatcher_new(config, problem_page);
	server->clients = clients_new(config);
	server->pool = pool_new(server);
	errno = 0;
	server->daemon = daemon_start(server);
	if (server->daemon != NULL)
		return server;
	g_set_error(error, HTTP_ERROR, 0, "cannot listen on %s port %d: %s", config->listen,
		    config->port, g_strerror(errno));
	server_free(server);
	return NULL;
}

int http_port(const HttpServer *server)
{
	return MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

bool http_is_stopping(void)
{
	return atomic_load(&stopping);
}

/* Waits until all connections have ended, or the time is over. */
static void connections_await(HttpServer *server)
{
	int64_t until =
		g_get_monotonic_time() + server->config->stop_timeout_s * G_TIME_SPAN_SECOND;
	while (clients_count(server->clients) > 0 && g_get_monotonic_time() < until) {
		clients_shut(server->clients, false);
		g_usleep(STOP_LOOK_US);
	}
	clients_shut(server->clients, true);
	/* libmicrohttpd aborts when it is stopped with suspended connections. A worker always comes
	 * back: statements have time-outs. */
	while (metrics_gauge(GAUGE_IN_FLIGHT) > 0)
		g_usleep(STOP_LOOK_US);
}

void http_stop(HttpServer *server)
{
	if (server == NULL)
		return;
	atomic_store(&stopping, true);
	g_usleep((unsigned long)server->config->stop_delay_s * G_USEC_PER_SEC);
	atomic_store(&server->draining, true);
	int socket = MHD_quiesce_daemon(server->daemon);
	if (socket != MHD_INVALID_SOCKET)
		close(socket);
	connections_await(server);
	server_free(server);
}
