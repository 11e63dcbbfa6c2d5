/* What the parts of the HTTP server share: http.c (its life), http_exchange.c (one request on the
 * network thread) and http_pool.c (workers). */
#ifndef SERVICE_HTTP_PRIVATE_H
#define SERVICE_HTTP_PRIVATE_H

#include "service/dispatch.h"
#include "service/http_client.h"

#include <microhttpd.h>
#include <stdatomic.h>

typedef struct HttpPool HttpPool;

typedef struct HttpServer {
	const Config *config;
	const Route *table;
	struct MHD_Daemon *daemon;
	HttpClients *clients;
	Dispatcher *dispatcher;
	HttpPool *pool;
	uint32_t run; /* first half of the requests' names */
	atomic_uint requests;
	atomic_bool draining; /* every answer ends its connection */
} HttpServer;

/* One request, from its first line to the end of its answer. */
typedef struct HttpExchange {
	HttpServer *server;
	HttpClient *client;
	struct MHD_Connection *connection;
	char *target;             /* as sent */
	const char *target_place; /* where it stood in libmicrohttpd's buffer */
	Request *request;         /* NULL until the head was read */
	size_t body_size;         /* received so far, kept or not */
	bool too_large;
	bool last;                 /* the connection ends with its answer */
	bool in_flight;            /* suspended: the pool has it, or had it */
	int64_t whole_at;          /* monotonic microseconds when its last byte was there */
	Response *response;        /* NULL until it was made */
	struct HttpExchange *next; /* in the pool's queue */
} HttpExchange;

/* Callbacks of libmicrohttpd; cls is the HttpServer. */
void *exchange_begin(void *cls, const char *target, struct MHD_Connection *connection);
enum MHD_Result exchange_go_on(void *cls, struct MHD_Connection *connection, const char *url,
			       const char *method, const char *version, const char *data,
			       size_t *data_size, void **exchange);
void exchange_end(void *cls, struct MHD_Connection *connection, void **exchange,
		  enum MHD_RequestTerminationCode how);

HttpPool *pool_new(HttpServer *server);
/* Ends the threads; the queue must be empty. */
void pool_free(HttpPool *pool);
/* Hands a suspended exchange to a worker, which makes its answer and resumes it. */
void pool_put(HttpPool *pool, HttpExchange *exchange);

#endif
