/*
 * What libmicrohttpd 0.9.75 lets through and we do not: shapes of requests that two programs may
 * read differently (request smuggling), and targets that are not what they look like. Whatever is
 * refused here is answered and its connection closed, so that nothing behind it is ever read.
 */
#ifndef SERVICE_HTTP_GUARD_H
#define SERVICE_HTTP_GUARD_H

#include "service/request_private.h"

enum { GUARD_TARGET_MAX = 4096 }; /* bytes */

/* A request's head as libmicrohttpd shows it. All texts lie in its receive buffer. */
typedef struct {
	const char *method, *version;
	const char *target_place; /* where the target stood in the buffer */
	const char *target;       /* a copy of it as it was sent */
	const RequestHeader *headers;
	int header_count;
} GuardHead;

/* True when all is well. Else REQUEST_MALFORMED (argument "fault" names it), TARGET_INVALID,
 * TARGET_TOO_LONG, EXPECTATION_FAILED or VERSION_NOT_SUPPORTED. */
bool guard_check(const GuardHead *head, GError **error);
/* The check of the target alone: "/…" (or "*" for OPTIONS) of visible ASCII; whole escapes; no %00;
 * and in the path no "//", "..", "%2f", "%5c". */
bool guard_target_fits(const char *method, const char *target);

#endif
