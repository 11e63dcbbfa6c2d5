/* An answer, put together by a handler and sent by http.h. */
#ifndef SERVICE_RESPONSE_H
#define SERVICE_RESPONSE_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

typedef struct Response Response;

/* Frees the response; NULL does nothing. Handlers return theirs instead. */
void response_free(Response *response);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Response, response_free)

/* application/json; takes body over (NULL is a programmer's error: out of memory or bad UTF-8). */
Response *response_json(int status, json_t *body);
/* As response_json for JSON that was written directly (jansson costs as much as a query); takes the
 * GString over. */
Response *response_json_text(int status, GString *body);
/* Any bytes; content_type must live for ever ("image/png"); takes its own reference of body. */
Response *response_bytes(int status, const char *content_type, GBytes *body);
/* Text of any type, "text/html; charset=utf-8"; takes the GString over. */
Response *response_text(int status, const char *content_type, GString *body);
/* No body: 204, 303 … */
Response *response_empty(int status);
/* 303 See Other to a path of our own ("/games/7"). */
Response *response_redirect(const char *location);

/* Adds a header; both are copied. Bytes below 0x20 or 0x7f in value are a programmer's error: check
 * what came from outside before. */
void response_header(Response *response, const char *name, const char *value);
/* Strong entity tag: etag without quotes, "g7-v12" → ETag: "g7-v12". A GET that brings the same in
 * If-None-Match is answered 304 by the dispatcher. */
void response_etag(Response *response, const char *etag);
/* Cache-Control in place of "no-store"; value must live for ever. */
void response_cache(Response *response, const char *value);

int response_status(const Response *response);
/* The body's bytes, owned by the response; NULL when there is none. */
const char *response_body(const Response *response, size_t *size_r);
/* Value of a header set by response_header; NULL if there is none. */
const char *response_find(const Response *response, const char *name);

#endif
