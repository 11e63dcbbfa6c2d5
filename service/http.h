/*
 * The HTTP server: libmicrohttpd with one epoll thread that never blocks. A request is suspended,
 * answered by one of config->workers threads, each the owner of one Db, and resumed.
 */
#ifndef SERVICE_HTTP_H
#define SERVICE_HTTP_H

#include "service/dispatch.h"

typedef struct HttpServer HttpServer;

/* Listens and answers from now on by the rows of table. config and table must outlive it.
 * NULL with HTTP_ERROR when it cannot listen. Block SIGTERM and SIGINT in the caller before. */
HttpServer *http_start(const Config *config, const Route *table, ProblemPageFn *problem_page,
		       GError **error);
/* The port it listens on. */
int http_port(const HttpServer *server);
/* Stops: /readyz says so for config->stop_delay_s, then no new connections, requests in flight are
 * answered (config->stop_timeout_s, then their connections are cut), all else is freed. NULL does
 * nothing. */
void http_stop(HttpServer *server);
/* Whether any server of the process is stopping: /readyz says so. */
bool http_is_stopping(void);

#define HTTP_ERROR (http_error_quark())
GQuark http_error_quark(void);

#endif
