#ifndef MAIL_SMTP_ATTEMPT_H
#define MAIL_SMTP_ATTEMPT_H

#include <stdbool.h>

#include <curl/curl.h>

#include "smtp.h"

/* One conversation with the server, as far as it decides what became of the mail. For mail/ only.
 */

/* What we said last. */
typedef enum SmtpStage {
	SMTP_STAGE_CONNECT,
	SMTP_STAGE_HELLO,
	SMTP_STAGE_STARTTLS,
	SMTP_STAGE_LOGIN,
	SMTP_STAGE_MAIL,
	SMTP_STAGE_RCPT,
	SMTP_STAGE_DATA,
	SMTP_STAGE_BODY, /* the server said 354 */
} SmtpStage;

typedef struct SmtpAttempt {
	CURLcode result;
	int code; /* the last complete reply's; 0: none */
	SmtpStage stage;
	bool body_read;     /* libcurl took the last byte: the final dot may have been sent */
	bool login_missing; /* there is a user, but the server let us in without asking */
	bool quitting;      /* all is said */
	bool encrypted;     /* something was said after STARTTLS, or TLS was on from the start */
	bool reused;        /* on a connection that an earlier mail had used */
} SmtpAttempt;

/* What became of the mail. */
SmtpClass smtp_attempt_class(const SmtpAttempt *attempt);

/* Whether an idle connection had died, so that the mail is to be sent again at once on a new one.
 */
bool smtp_attempt_was_idle(const SmtpAttempt *attempt);

/* `connect`, `hello` … */
const char *smtp_stage_name(SmtpStage stage);

/* The stage that a line sent by us begins; `before` if it begins none. */
SmtpStage smtp_stage_of(const char *line, size_t length, SmtpStage before);

#endif
