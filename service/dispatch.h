/*
 * From a whole request to its answer: route, credentials, limits, the one round trip that brings
 * authentication and prefetched results, handler, and what every answer carries. In two halves, so
 * that a worker can send several requests' statements before it waits for the first.
 */
#ifndef SERVICE_DISPATCH_H
#define SERVICE_DISPATCH_H

#include "service/request_private.h"

typedef struct Dispatcher Dispatcher;

/* Makes the page that shows a problem to a person. */
typedef Response *ProblemPageFn(Request *request, const GError *problem);

/* problem_page: of routes with ACCESS_VISITOR and ACCESS_SESSION; NULL: JSON for them too. */
Dispatcher *dispatcher_new(const Config *config, ProblemPageFn *problem_page);
void dispatcher_free(Dispatcher *dispatcher);

/* Whether the network thread may answer by itself: no row, or one that needs no database. */
bool dispatch_is_immediate(const Request *request);
/* The first half: checks what can be checked before and queues statements, behind those of other
 * requests if there are some. NULL and go on with dispatch_finish, or already the answer; what it
 * queued till then is the caller's to throw away. */
Response *dispatch_begin(Dispatcher *dispatcher, Request *request);
/* Queues a request's statements once more, after they failed together with those of others. NULL
 * and go on with dispatch_finish, or already the answer. */
Response *dispatch_again(const Dispatcher *dispatcher, Request *request);
/* The second half; never NULL. Leaves nothing queued. */
Response *dispatch_finish(Dispatcher *dispatcher, Request *request);
/* The answer to an error, for what is refused before there is a route. */
Response *dispatch_problem(const Request *request, const GError *error);
/* Adds what every answer carries: security headers, limits, X-Request-Id. */
void dispatch_complete(const Dispatcher *dispatcher, const Request *request, Response *response);

#endif
