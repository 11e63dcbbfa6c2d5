#ifndef MAIL_SMTP_STATUS_H
#define MAIL_SMTP_STATUS_H

#include <stdbool.h>
#include <stddef.h>

/* What a refusal says about the recipient (RFC 3463, RFC 5248); also for bounces. */
typedef enum SmtpCause {
	SMTP_CAUSE_NONE,     /* no refusal, or one that says nothing lasting */
	SMTP_CAUSE_DEAD,     /* 5.1.1 5.1.2 5.1.3 5.1.10: no such address; write there no more */
	SMTP_CAUSE_DISABLED, /* 5.2.1: counts as a hard bounce, but may come back */
	SMTP_CAUSE_FULL,     /* 5.2.2 and 4.2.2: soft */
	SMTP_CAUSE_POLICY,   /* 5.7.x 4.7.x: our fault or our standing; alarm, spare the player */
	SMTP_CAUSE_UNCLEAR,  /* any other 5xx: look at the text; do not suppress on the first one */
} SmtpCause;

/* The cause named by a reply code and an enhanced status ("" or NULL if there was none). */
SmtpCause smtp_status_cause(int code, const char *enhanced);

/* Whether one such refusal is enough to stop writing to the address. */
bool smtp_cause_suppresses(SmtpCause cause);

/* `none`, `dead`, `disabled`, `full`, `policy`, `unclear`. */
const char *smtp_cause_name(SmtpCause cause);

/* Finds the enhanced status at the start of a reply's text ("5.1.1 no such user"), puts it into
 * `enhanced_r` (at least `size` 12 bytes), or "" and false if there is none. */
bool smtp_status_parse(const char *text, char *enhanced_r, size_t size);

#endif
