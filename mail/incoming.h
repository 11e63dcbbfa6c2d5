#ifndef MAIL_INCOMING_H
#define MAIL_INCOMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "fields.h"
#include "lines.h"

/* One message as it came, read within limits. Archives are never unpacked, attachments and enclosed
 * messages never read, nothing is fetched. */

enum {
	INCOMING_SIZE_MAX = 1048576, /* bytes of a message */
	INCOMING_DEPTH_MAX = 20,     /* multiparts within each other */
	INCOMING_PARTS_MAX = 100,
	INCOMING_TEXT_MAX = 65536, /* bytes of decoded text */
};

typedef enum IncomingFault {
	INCOMING_GOOD,
	INCOMING_TOO_LARGE,        /* the message */
	INCOMING_HEADER_TOO_LARGE, /* its header block, or too many fields */
	INCOMING_TOO_DEEP,
	INCOMING_TOO_MANY_PARTS,
} IncomingFault;

/* What a multipart/report says it is, or what its parts are. */
typedef enum IncomingReport {
	INCOMING_REPORT_NONE,
	INCOMING_REPORT_DELIVERY,    /* RFC 3464 */
	INCOMING_REPORT_DISPOSITION, /* RFC 8098: read receipts */
	INCOMING_REPORT_FEEDBACK,    /* RFC 5965: complaints */
	INCOMING_REPORT_OTHER,
} IncomingReport;

typedef struct IncomingMail {
	IncomingFault
		fault; /* if not GOOD, only `fields` is set, and empty if the header is at fault */
	Fields *fields;
	char *from;             /* the one address of the one From field, else NULL */
	char *message_id;       /* without angle brackets; NULL if there is none */
	char *subject;          /* decoded, in one line; NULL if there is none */
	bool subject_sanitised; /* it held control characters */

	MailLines *lines;   /* of the part that counts; NULL if there is none */
	bool from_html;     /* that part was HTML */
	bool has_text;      /* there is a text part, be it attached or empty */
	bool base64_tail;   /* see DecodeFaults */
	bool lossy, is_cut; /* see DecodeFaults */

	IncomingReport report;
	char *report_text;      /* the machine's part of a report; NULL if there is none */
	Fields *report_message; /* the header of the message reported on; NULL if there is none */
} IncomingMail;

/* Reads a message; never fails, see `fault`. */
IncomingMail *incoming_read(const uint8_t *bytes, size_t size);
void incoming_free(IncomingMail *mail);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(IncomingMail, incoming_free)

/* The text that counts as one string, for looking for words in it; "" if there is none. The caller
 * owns it. */
char *incoming_text(const IncomingMail *mail);

#endif
