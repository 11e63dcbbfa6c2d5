/*
 * The inside of a Request, for request*.c, dispatch.c and http*.c. Made by the network thread, then
 * owned by one worker until its answer is handed back.
 */
#ifndef SERVICE_REQUEST_PRIVATE_H
#define SERVICE_REQUEST_PRIVATE_H

#include "service/rate.h"
#include "service/request.h"
#include "service/route.h"
#include "service/secret.h"

enum {
	REQUEST_HEADERS_MAX = 64,
	REQUEST_PARAMETERS_MAX = 32,
	REQUEST_ADDRESS_SIZE = 46, /* INET6_ADDRSTRLEN */
	REQUEST_NAME_SIZE = 28,
};

/* A name and its value: a header (borrowed, not trimmed) or a parameter (owned, decoded). */
typedef struct {
	const char *name, *value;
} RequestHeader;
typedef struct {
	char *name, *value;
} RequestParameter;
typedef struct {
	int count;
	RequestParameter rows[REQUEST_PARAMETERS_MAX];
} RequestParameters;

struct Request {
	const Route *table;
	RouteMatch match;
	const Config *config;
	Db *db; /* NULL on the network thread */
	char name[REQUEST_NAME_SIZE];
	char address[REQUEST_ADDRESS_SIZE];
	char *method; /* as sent: "HEAD" */
	char *target;
	GByteArray *body; /* NULL: none */
	int header_count;
	RequestHeader headers[REQUEST_HEADERS_MAX];
	GPtrArray *joined; /* values made by request_header; NULL until there is one */
	RequestParameters query, form;
	json_t *json;                         /* NULL until read */
	uint8_t credential[SECRET_HASH_SIZE]; /* of the token or cookie, if authenticates */
	bool authenticates;
	Actor *actor; /* NULL: a stranger */
	RateState rate;
	bool rate_known;
	json_t *members;               /* of a problem; NULL: none */
	GPtrArray *headers_of_problem; /* name, value, … owned; NULL: none */
};

/* A request that knows nothing yet but its method and target (both copied). */
Request *request_new(const Config *config, const char *method, const char *target);
void request_free(Request *request);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Request, request_free)

/* Decodes "a=1&b=2" of a query or a form. False with the name of the parameter at fault (or "") in
 * *fault_r, to be freed: bad escapes, no UTF-8, control characters but line ends, twice the same.
 */
bool parameters_read(const char *text, size_t size, RequestParameters *parameters_r,
		     char **fault_r);
const char *parameters_find(const RequestParameters *parameters, const char *name);
void parameters_clear(RequestParameters *parameters);

/* Reads the query of the target; operations under /v1 refuse parameters that their route does not
 * know.
 * QUERY_INVALID. */
bool request_query_read(Request *request, GError **error);
/* Whether If-None-Match names this tag (with its quotation marks; weak comparison). */
bool request_none_match(const Request *request, const char *quoted_etag);
/* Whether the client takes this media type (Accept; RFC 9110 section 12.5.1). */
bool request_accepts(const Request *request, const char *media_type);
/* Refuses a body with anything in it on an operation that changes something and takes none (with a
 * GET it means nothing: RFC 9110 section 9.3.1). UNSUPPORTED_MEDIA_TYPE,
 * JSON_INVALID, FIELD_INVALID. */
bool request_body_check(Request *request, GError **error);
/* Whether the body is of this media type; NULL header: no. */
bool request_body_is(const Request *request, const char *media_type);

#endif
