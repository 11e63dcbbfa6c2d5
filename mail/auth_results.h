#ifndef MAIL_AUTH_RESULTS_H
#define MAIL_AUTH_RESULTS_H

#include "fields.h"

/* What our own mail server found out about a message's sender (RFC 8601). */

typedef enum AuthVerdict {
	AUTH_UNKNOWN, /* nothing was said, or nothing that decides */
	AUTH_PASS,    /* dmarc=pass, or dkim=pass by the domain of the sender or one above it */
	AUTH_FAIL,    /* dmarc=fail */
} AuthVerdict;

/* The verdict of the topmost Authentication-Results field whose authserv-id is ours; those of
 * others, and ours further down, count for nothing. Comments and quoted strings are no results.
 * from is the address that the mail says it is from; NULL: unknown. */
AuthVerdict auth_results_read(const Fields *fields, const char *authserv_id, const char *from);

#endif
