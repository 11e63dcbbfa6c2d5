/* One claimed delivery: started, made a mail, sent, and what became of it written down. */
#ifndef SERVICE_MAIL_JOB_H
#define SERVICE_MAIL_JOB_H

#include "db/delivery.h"
#include "mail/smtp.h"
#include "service/config.h"

#include <stdbool.h>

/* What a job works with; all is borrowed. */
typedef struct {
	const Config *config;
	Db *db;
	SmtpSession *session;
	bool (*stopping)(void *user_data);
	void *user_data;
	const char *trouble; /* after MAIL_JOB_UNREACHABLE: what kind, for the log */
} MailJob;

typedef enum {
	MAIL_JOB_DONE,        /* settled without the mail server */
	MAIL_JOB_SERVED,      /* the mail server gave an answer of its own */
	MAIL_JOB_UNREACHABLE, /* it cannot be reached or talked to: the next would fare no better */
	MAIL_JOB_STOPPED,     /* not begun */
} MailJobEnd;

MailJobEnd mail_job_do(MailJob *job, const DeliveryClaim *claim);

/* A mail server's reply without addresses, on one line: fit to be shown and stored. Free with
 * g_free. */
char *mail_job_reply(const char *reply);

#endif
