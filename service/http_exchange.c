/* One request on the network thread, which never blocks: head, body, off to a worker, answer. */
#include "service/http_guard.h"
#include "service/http_private.h"

#include "mail/incoming.h"
#include "service/log.h"
#include "service/metrics.h"
#include "service/response_private.h"

#include <string.h>

enum {
	DRAIN_MAX = 1024 *
		    1024, /* bytes of too large a body that are read before the connection ends */
	NAME_PARTS = 2,
};

void *exchange_begin(void *cls, const char *target, struct MHD_Connection *connection)
{
	HttpServer *server = cls;
	HttpExchange *exchange = g_new0(HttpExchange, 1);
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	exchange->server = server;
	exchange->client = info->socket_context;
	exchange->connection = connection;
	exchange->target = g_strdup(target == NULL ? "" : target);
	exchange->target_place = target;
	clients_phase(server->clients, exchange->client, CLIENT_HEAD);
	return exchange;
}

/* ---- answers ----------------------------------------------------------------------------- */

static void response_free_later(void *response)
{
	response_free(response);
}

static void header_add(struct MHD_Response *answer, const char *name, const char *value)
{
	if (MHD_add_response_header(answer, name, value) != MHD_YES)
		g_critical("event=header_refused name=%s", name);
}

/* Hands the response, whose body it then owns, to libmicrohttpd's form. */
static struct MHD_Response *answer_make(Response *response, bool close)
{
	size_t size = 0;
	const char *body = response_body(response, &size);
	struct MHD_Response *answer = MHD_create_response_from_buffer_with_free_callback_cls(
		size, (void *)(uintptr_t)(body == NULL ? "" : body), response_free_later, response);
	g_assert(answer != NULL);
	if (response->content_type != NULL)
		header_add(answer, "Content-Type", response->content_type);
	header_add(answer, "Cache-Control", response->cache);
	if (response->etag != NULL)
		header_add(answer, "ETag", response->etag);
	for (int i = 0; i < response->header_count; i++)
		header_add(answer, response->headers[i].name, response->headers[i].value);
	if (close)
		header_add(answer, "Connection", "close");
	return answer;
}

static enum MHD_Result exchange_send(HttpExchange *exchange)
{
	HttpServer *server = exchange->server;
	Response *response = g_steal_pointer(&exchange->response);
	int status = response->status;
	int64_t took = g_get_monotonic_time() - exchange->whole_at;
	const Route *route = exchange->request->match.route;
	clients_phase(server->clients, exchange->client, CLIENT_TAKING);
	struct MHD_Response *answer =
		answer_make(response, exchange->last || atomic_load(&server->draining));
	enum MHD_Result sent = MHD_queue_response(exchange->connection, (unsigned)status, answer);
	MHD_destroy_response(answer);
	metrics_answer(route, status, took);
	if (log_wants(CONFIG_LOG_DEBUG))
		g_debug("event=request request=%s route=%s status=%d us=%" G_GINT64_FORMAT,
			exchange->request->name, route == NULL ? "" : route->path, status, took);
	return sent;
}

/* Answers an error of the request itself at once, without a worker. */
static enum MHD_Result exchange_refuse(HttpExchange *exchange, const GError *error)
{
	Dispatcher *dispatcher = exchange->server->dispatcher;
	if (exchange->whole_at == 0)
		exchange->whole_at = g_get_monotonic_time();
	exchange->response = dispatch_problem(exchange->request, error);
	dispatch_complete(dispatcher, exchange->request, exchange->response);
	return exchange_send(exchange);
}

/* The same, and ends the connection: what follows is not to be read. */
static enum MHD_Result exchange_cut(HttpExchange *exchange, const GError *error)
{
	exchange->last = true;
	metrics_connection_refused(false);
	return exchange_refuse(exchange, error);
}

/* ---- the head ---------------------------------------------------------------------------- */

static enum MHD_Result header_take(void *data, enum MHD_ValueKind kind, const char *name,
				   const char *value)
{
	(void)kind;
	Request *request = data;
	if (request->header_count < REQUEST_HEADERS_MAX)
		request->headers[request->header_count] =
			(RequestHeader){name, value == NULL ? "" : value};
	request->header_count++;
	return MHD_YES;
}

static void request_match(HttpExchange *exchange)
{
	Request *request = exchange->request;
	char path[ROUTE_PATH_MAX + 1];
	request->table = exchange->server->table;
	route_path(exchange->target, path);
	route_match(request->table, request_method(request), path, &request->match);
}

static void request_begin(HttpExchange *exchange, const char *method)
{
	HttpServer *server = exchange->server;
	Request *request = request_new(server->config, method, exchange->target);
	unsigned number = atomic_fetch_add(&server->requests, 1) + 1;
	g_snprintf(request->name, sizeof(request->name), "%08x-%x", server->run, number);
	MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, header_take, request);
	exchange->request = request;
}

static bool head_check(HttpExchange *exchange, const char *method, const char *version,
		       GError **error)
{
	Request *request = exchange->request;
	if (request->header_count > REQUEST_HEADERS_MAX) {
		request->header_count = REQUEST_HEADERS_MAX;
		problem_set(error, PROBLEM_REQUEST_MALFORMED, "fault", "too-many-headers", NULL);
		return false;
	}
	GuardHead head = {method,           version,          exchange->target_place,
			  exchange->target, request->headers, request->header_count};
	return guard_check(&head, error);
}

/* Bytes of a body, at most: a mail is as large as mails may be. */
static size_t body_limit(const HttpExchange *exchange)
{
	const Route *route = exchange->request->match.route;
	const size_t limit = (size_t)exchange->server->config->body_limit;
	const bool takes_mail = route != NULL && (route->scopes & SCOPE_MAIL) != 0;
	return takes_mail ? MAX(limit, (size_t)INCOMING_SIZE_MAX) : limit;
}

static void too_large_set(const HttpExchange *exchange, GError **error)
{
	g_autofree char *limit = g_strdup_printf("%zu", body_limit(exchange));
	problem_set(error, PROBLEM_BODY_TOO_LARGE, "limit", limit, NULL);
}

/* Content-Length tells beforehand: a client that waits for "100 Continue" is spared the sending,
 * one that sends anyway may finish, within bounds, so that it gets to read why. */
static bool length_check(HttpExchange *exchange, GError **error)
{
	const Request *request = exchange->request;
	const char *text = request_header(request, "Content-Length");
	uint64_t length = text == NULL ? 0 : g_ascii_strtoull(text, NULL, 10);
	if (length <= body_limit(exchange))
		return true;
	exchange->too_large = true;
	if (length <= DRAIN_MAX && request_header(request, "Expect") == NULL)
		return true;
	too_large_set(exchange, error);
	return false;
}

static enum MHD_Result head_done(HttpExchange *exchange, const char *method, const char *version)
{
	g_autoptr(GError) error = NULL;
	request_begin(exchange, method);
	Request *request = exchange->request;
	if (!head_check(exchange, method, version, &error)) {
		clients_address(exchange->server->clients, exchange->client, NULL,
				request->address);
		return exchange_cut(exchange, error);
	}
	clients_address(exchange->server->clients, exchange->client,
			request_header(request, "X-Forwarded-For"), request->address);
	/* libmicrohttpd forgives bare LFs between chunks; so nothing behind them is read. */
	exchange->last = request_header(request, "Transfer-Encoding") != NULL;
	request_match(exchange);
	if (!length_check(exchange, &error))
		return exchange_cut(exchange, error);
	clients_phase(exchange->server->clients, exchange->client, CLIENT_BODY);
	return MHD_YES;
}

/* ---- the body ---------------------------------------------------------------------------- */

static enum MHD_Result body_take(HttpExchange *exchange, const char *data, size_t size)
{
	Request *request = exchange->request;
	exchange->body_size += size;
	if (exchange->body_size > body_limit(exchange)) {
		exchange->too_large = true;
		g_clear_pointer(&request->body, g_byte_array_unref);
		return exchange->body_size > DRAIN_MAX ? MHD_NO : MHD_YES;
	}
	if (request->body == NULL)
		request->body = g_byte_array_new();
	g_byte_array_append(request->body, (const uint8_t *)data, (unsigned)size);
	return MHD_YES;
}

/* ---- the whole --------------------------------------------------------------------------- */

static enum MHD_Result answer_at_once(HttpExchange *exchange)
{
	Dispatcher *dispatcher = exchange->server->dispatcher;
	exchange->response = dispatch_begin(dispatcher, exchange->request);
	if (exchange->response == NULL)
		exchange->response = dispatch_finish(dispatcher, exchange->request);
	dispatch_complete(dispatcher, exchange->request, exchange->response);
	return exchange_send(exchange);
}

static enum MHD_Result request_done(HttpExchange *exchange)
{
	g_autoptr(GError) error = NULL;
	exchange->whole_at = g_get_monotonic_time();
	if (exchange->too_large) {
		too_large_set(exchange, &error);
		return exchange_refuse(exchange, error);
	}
	if (dispatch_is_immediate(exchange->request))
		return answer_at_once(exchange);
	if (!clients_phase(exchange->server->clients, exchange->client, CLIENT_WAITING))
		return MHD_NO;
	exchange->in_flight = true;
	metrics_add(GAUGE_IN_FLIGHT, 1);
	MHD_suspend_connection(exchange->connection);
	pool_put(exchange->server->pool, exchange);
	return MHD_YES;
}

static void flight_end(HttpExchange *exchange)
{
	if (!exchange->in_flight)
		return;
	exchange->in_flight = false;
	metrics_add(GAUGE_IN_FLIGHT, -1);
}

/* The parameters are libmicrohttpd's. NOLINTNEXTLINE(readability-function-size) */
enum MHD_Result exchange_go_on(void *cls, struct MHD_Connection *connection, const char *url,
			       const char *method, const char *version, const char *data,
			       size_t *data_size, void **exchange_place)
{
	(void)cls;
	(void)connection;
	(void)url;
	HttpExchange *exchange = *exchange_place;
	if (exchange->request == NULL)
		return head_done(exchange, method, version);
	if (*data_size > 0) {
		size_t size = *data_size;
		*data_size = 0;
		return body_take(exchange, data, size);
	}
	if (exchange->response != NULL) {
		flight_end(exchange);
		return exchange_send(exchange);
	}
	return request_done(exchange);
}

/* Also called for requests that never became whole, and when the client is gone. */
void exchange_end(void *cls, struct MHD_Connection *connection, void **exchange_place,
		  enum MHD_RequestTerminationCode how)
{
	(void)connection;
	(void)how;
	HttpServer *server = cls;
	HttpExchange *exchange = *exchange_place;
	if (exchange == NULL)
		return;
	flight_end(exchange);
	clients_phase(server->clients, exchange->client, CLIENT_IDLE);
	response_free(exchange->response);
	request_free(exchange->request);
	g_free(exchange->target);
	g_free(exchange);
	*exchange_place = NULL;
}
