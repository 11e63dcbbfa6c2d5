/* The inside of a Response, for response.c and http_send.c. */
#ifndef SERVICE_RESPONSE_PRIVATE_H
#define SERVICE_RESPONSE_PRIVATE_H

#include "service/response.h"

enum { RESPONSE_HEADERS_MAX = 24 };

typedef struct {
	char *name, *value;
} ResponseHeader;

struct Response {
	int status;
	const char *content_type; /* NULL without a body */
	const char *cache;
	GString *text; /* the body is either this */
	GBytes *bytes; /* or this */
	char *json;    /* or this, from jansson's allocator (malloc) */
	size_t json_size;
	char *etag; /* in quotation marks */
	int header_count;
	ResponseHeader headers[RESPONSE_HEADERS_MAX];
};

#endif
