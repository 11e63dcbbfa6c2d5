/*
 * A client that loads an HTTP server, cheap enough not to be what is measured:
 *
 *     load PORT CONNECTIONS SECONDS STATUS FILE [repeat]
 *
 * Each line of FILE is a request: method, path, token and JSON body, separated by tabs (the last
 * two may be empty). Line i belongs to connection i modulo CONNECTIONS, which sends its lines in
 * order, each after the answer to the one before; with "repeat" it begins again at the end. Every
 * answer must have the status. One JSON object on stdout, which tells too whether the lines ran out
 * before the time; exit code 1 when an answer had another status or a connection failed.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <glib.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { BUFFER_SIZE = 256 * 1024, EVENTS = 64, WAIT_MS = 20000 };

typedef struct {
	int socket;
	size_t next; /* line to send next */
	int64_t sent_at;
	size_t size; /* bytes of the answer so far */
	char *buffer;
} Connection;

typedef struct {
	int port, count, status;
	double seconds;
	bool repeat;
	GPtrArray *requests; /* of GString: the bytes to send */
	Connection *connections;
	GArray *latencies; /* uint32_t, microseconds */
	uint64_t body_bytes;
	int64_t until;
	int open;
	bool failed, exhausted;
} Load;

static char *request_text(const char *line)
{
	g_auto(GStrv) parts = g_strsplit(line, "\t", 4);
	if (g_strv_length(parts) != 4)
		g_error("four fields are needed: %s", line);
	GString *text = g_string_new(NULL);
	g_string_append_printf(text, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n", parts[0], parts[1]);
	if (*parts[2] != '\0')
		g_string_append_printf(text, "Authorization: Bearer %s\r\n", parts[2]);
	if (*parts[3] != '\0')
		g_string_append_printf(text,
				       "Content-Type: application/json\r\nContent-Length: %zu\r\n",
				       strlen(parts[3]));
	g_string_append_printf(text, "\r\n%s", parts[3]);
	return g_string_free(text, FALSE);
}

static void requests_read(Load *load, const char *path)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	if (!g_file_get_contents(path, &text, NULL, &error))
		g_error("%s", error->message);
	load->requests = g_ptr_array_new_with_free_func(g_free);
	for (char *line = text; *line != '\0';) {
		char *end = strchr(line, '\n');
		g_assert(end != NULL);
		*end = '\0';
		g_ptr_array_add(load->requests, request_text(line));
		line = end + 1;
	}
}

static void load_fail(Load *load, const Connection *connection, const char *why)
{
	if (!load->failed)
		fprintf(stderr, "load: %s: %.*s\n", why, (int)MIN(connection->size, 2000),
			connection->buffer);
	load->failed = true;
}

static void connection_close(Load *load, Connection *connection)
{
	close(connection->socket);
	connection->socket = -1;
	load->open--;
}

/* Sends the connection's next line, or closes it when there is none or the time is over. */
static void request_send(Load *load, Connection *connection)
{
	const int64_t now = g_get_monotonic_time();
	if (connection->next >= load->requests->len && load->repeat)
		connection->next = (size_t)(connection - load->connections);
	load->exhausted |= connection->next >= load->requests->len;
	if (load->failed || now >= load->until || connection->next >= load->requests->len) {
		connection_close(load, connection);
		return;
	}
	const char *text = load->requests->pdata[connection->next];
	connection->next += (size_t)load->count;
	connection->size = 0;
	connection->sent_at = now;
	const size_t length = strlen(text);
	if (send(connection->socket, text, length, MSG_NOSIGNAL) != (ssize_t)length) {
		load_fail(load, connection, "a request could not be sent");
		connection_close(load, connection);
	}
}

/* Whether the answer is whole; *body_r: bytes of its body. */
static bool answer_is_whole(const Connection *connection, size_t *body_r)
{
	const char *text = connection->buffer;
	const char *end = strstr(text, "\r\n\r\n");
	if (end == NULL)
		return false;
	const char *length = strcasestr(text, "\r\nContent-Length:");
	*body_r = length == NULL || length > end ? 0 : strtoul(length + 17, NULL, 10);
	return connection->size >= (size_t)(end - text) + 4 + *body_r;
}

static void answer_take(Load *load, Connection *connection)
{
	const ssize_t size = recv(connection->socket, connection->buffer + connection->size,
				  BUFFER_SIZE - 1 - connection->size, 0);
	if (size <= 0) {
		load_fail(load, connection, "the connection ended");
		connection_close(load, connection);
		return;
	}
	connection->size += (size_t)size;
	connection->buffer[connection->size] = '\0';
	size_t body = 0;
	if (!answer_is_whole(connection, &body))
		return;
	const uint32_t took = (uint32_t)(g_get_monotonic_time() - connection->sent_at);
	g_array_append_val(load->latencies, took);
	load->body_bytes += body;
	if (strlen(connection->buffer) < 12 ||
	    strtol(connection->buffer + 9, NULL, 10) != load->status)
		load_fail(load, connection, "another status");
	request_send(load, connection);
}

static void connection_open(Load *load, Connection *connection, int epoll)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_port = htons((uint16_t)load->port),
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const int yes = 1;
	connection->buffer = g_malloc0(BUFFER_SIZE);
	connection->next = (size_t)(connection - load->connections);
	connection->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	if (connect(connection->socket, (struct sockaddr *)&address, sizeof(address)) != 0)
		g_error("cannot connect to port %d: %s", load->port, g_strerror(errno));
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
	epoll_ctl(epoll, EPOLL_CTL_ADD, connection->socket, &event);
}

static double load_run(Load *load)
{
	const int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event events[EVENTS];
	load->connections = g_new0(Connection, load->count);
	load->latencies = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (int i = 0; i < load->count; i++)
		connection_open(load, &load->connections[i], epoll);
	load->open = load->count;
	const int64_t start = g_get_monotonic_time();
	load->until = start + (int64_t)(load->seconds * 1e6);
	for (int i = 0; i < load->count; i++)
		request_send(load, &load->connections[i]);
	while (load->open > 0) {
		const int count = epoll_wait(epoll, events, EVENTS, WAIT_MS);
		if (count == 0)
			g_error("no answer for %d ms", WAIT_MS);
		for (int i = 0; i < count; i++)
			answer_take(load, events[i].data.ptr);
	}
	const double took = (double)(g_get_monotonic_time() - start) / 1e6;
	close(epoll);
	for (int i = 0; i < load->count; i++)
		g_free(load->connections[i].buffer);
	g_free(load->connections);
	return took;
}

static int number_compare(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

/* Milliseconds that a share of the answers did not exceed. */
static double latency_at(const Load *load, double share)
{
	const unsigned last = load->latencies->len - 1;
	return g_array_index(load->latencies, uint32_t, (unsigned)(share * last)) / 1e3;
}

static void load_print(const Load *load, double took)
{
	const unsigned count = load->latencies->len;
	if (count == 0) {
		printf("{\"requests\": 0}\n");
		return;
	}
	qsort(load->latencies->data, count, sizeof(uint32_t), number_compare);
	printf("{\"requests\": %u, \"seconds\": %.3f, \"rate\": %.1f, \"p50_ms\": %.3f, "
	       "\"p99_ms\": %.3f, \"max_ms\": %.3f, \"body_bytes\": %.1f, \"exhausted\": %s}\n",
	       count, took, count / took, latency_at(load, 0.5), latency_at(load, 0.99),
	       latency_at(load, 1), (double)load->body_bytes / count,
	       load->exhausted ? "true" : "false");
}

int main(int argc, char **argv)
{
	if (argc < 6) {
		fprintf(stderr, "load PORT CONNECTIONS SECONDS STATUS FILE [repeat]\n");
		return 2;
	}
	Load load = {.port = (int)strtol(argv[1], NULL, 10),
		     .count = (int)strtol(argv[2], NULL, 10),
		     .seconds = g_ascii_strtod(argv[3], NULL),
		     .status = (int)strtol(argv[4], NULL, 10),
		     .repeat = argc > 6};
	requests_read(&load, argv[5]);
	const double took = load_run(&load);
	load_print(&load, took);
	g_ptr_array_unref(load.requests);
	g_array_unref(load.latencies);
	return load.failed ? 1 : 0;
}
