/*
 * One request as a handler sees it. It belongs to one worker thread and lives until its answer is
 * sent; everything returned as const belongs to it.
 */
#ifndef SERVICE_REQUEST_H
#define SERVICE_REQUEST_H

#include "db/actor.h"
#include "db/db.h"
#include "service/config.h"
#include "service/language.h"
#include "service/problem.h"
#include "service/response.h"

typedef struct Request Request;

/* The cookie that holds a session. */
#define REQUEST_SESSION_COOKIE "ludopost_session"

/* Answers a request. NULL with an error becomes problem+json (pages: a page) in the caller's
 * language. */
typedef Response *HandlerFn(Request *request, GError **error);
/* Queues statements (db_queue) that need nothing of the actor but what SQL finds itself; they
 * travel with the authentication in one round trip and the handler reads their results with
 * db_next in the same order. False stops the request. */
typedef bool PrefetchFn(Request *request, GError **error);

/* "GET" (also for HEAD), and the target as it was sent, "/v1/games/7?ply=0". */
const char *request_method(const Request *request);
const char *request_target(const Request *request);
/* Unique id of this request, sent back as X-Request-Id. */
const char *request_name(const Request *request);

/* A part of the path by its name in the route: {id} and {…_id} are positive 64-bit numbers (others
 * never reach the handler), all else is text of unreserved characters and escapes. A name the
 * route has not is a programmer's error. */
int64_t request_path_id(const Request *request, const char *name);
const char *request_path_text(const Request *request, const char *name);

/* A parameter of the query, decoded; NULL if it was not given. Given twice is refused before. */
const char *request_query(const Request *request, const char *name);
/* An integer of the query within min..max; *value_r keeps its value when it was not given.
 * QUERY_INVALID. */
bool request_query_int(const Request *request, const char *name, int64_t min, int64_t max,
		       int64_t *value_r, GError **error);

/* The target with one parameter of the query set anew and the others kept. The caller frees. */
char *request_target_with(const Request *request, const char *name, const char *value);

/* The value of a header (trimmed); NULL if it was not sent. Several lines are joined by ", ". */
const char *request_header(const Request *request, const char *name);
/* Whether a browser asks for something to look at, where there is JSON and a page. */
bool request_wants_page(const Request *request);
/* The value of a cookie; NULL if it was not sent. */
const char *request_cookie(const Request *request, const char *name);
/* The body as it came. */
const char *request_body(const Request *request, size_t *size_r);
/* The body as a JSON object: application/json, no duplicate keys, limited in depth. Owned by the
 * request. Read it with field.h. UNSUPPORTED_MEDIA_TYPE, JSON_INVALID. */
json_t *request_json(Request *request, GError **error);
/* Reads a body of application/x-www-form-urlencoded; then request_form finds its fields.
 * UNSUPPORTED_MEDIA_TYPE, FORM_INVALID. */
bool request_form_read(Request *request, GError **error);
const char *request_form(const Request *request, const char *name);

/* The actor's language, else the best of Accept-Language. */
Language request_language(const Request *request);
/* Who asks; NULL for a stranger (never on routes whose access demands one). */
const Actor *request_actor(const Request *request);
/* The player's id, 0 for a stranger. */
int64_t request_player(const Request *request);
/* The worker's connection. */
Db *request_db(const Request *request);
const Config *request_config(const Request *request);
/* The client's address in text ("192.0.2.7", "2001:db8::1"), behind a trusted proxy the one it
 * named. For rate limits, never for the log. */
const char *request_address(const Request *request);

/* If-Match against the current strong entity tag (without quotes; NULL: there is none). True when
 * the header is absent or matches ("*" does). PRECONDITION_FAILED, PRECONDITION_MALFORMED (RFC 9110
 * section 13.1.1: weak tags never match). */
bool request_if_match(const Request *request, const char *etag, GError **error);
/* If-None-Match of a request that changes something: PRECONDITION_FAILED when the current tag (or
 * "*") is listed (RFC 9110 section 13.1.2: weak comparison), PRECONDITION_MALFORMED. */
bool request_if_none_match(const Request *request, const char *etag, GError **error);
/* Whether one of the two was sent at all. */
bool request_is_conditional(const Request *request);

/* Puts a member of its own into the problem the handler is about to raise ("nearest"); takes value
 * over. */
void request_problem_member(Request *request, const char *name, json_t *value);
/* Sets a header of the problem the handler is about to raise (ETag of the current state). */
void request_problem_header(Request *request, const char *name, const char *value);

#endif
