#ifndef MAIL_SMTP_H
#define MAIL_SMTP_H

#include <stdbool.h>

#include <glib.h>

#include "smtp_status.h"

/* Giving mails to a mail server with libcurl. One SmtpSession per thread; it keeps its connection.
 */

#define SMTP_ERROR (smtp_error_quark())
GQuark smtp_error_quark(void);

typedef enum SmtpTls {
	SMTP_TLS_AUTO,     /* required unless the server is this very machine */
	SMTP_TLS_REQUIRED, /* STARTTLS, or TLS from the first byte (smtps) */
	SMTP_TLS_NONE,     /* clear text; a login is then refused unless the server is local */
} SmtpTls;

/* Where and how to send. All is copied. Times are seconds. */
typedef struct SmtpSettings {
	const char *url; /* smtp://host[:port] or smtps://host[:port], nothing else in it */
	SmtpTls tls;
	const char *ca_file; /* certificates to trust instead of the system's; NULL: the system's */
	const char *user;    /* NULL: no login */
	const char *password;
	const char *hello_name;    /* what EHLO says: this host's domain name */
	unsigned connect_timeout;  /* 0: 30 */
	unsigned response_timeout; /* for each answer, also the one after the final dot; 0: 60 */
	unsigned total_timeout;    /* for one mail as a whole; 0: 300 */
} SmtpSettings;

typedef enum SmtpClass {
	SMTP_SENT,      /* accepted: 250 after the final dot */
	SMTP_TEMPORARY, /* certainly not accepted; try again later */
	SMTP_PERMANENT, /* certainly refused, and would be again */
	SMTP_AMBIGUOUS, /* lost after the final dot: may have been accepted */
	SMTP_CONFIG,    /* not accepted, and none will be until somebody mends settings or server:
			   try again later and raise an alarm */
} SmtpClass;

/* What became of a mail. */
typedef struct SmtpResult {
	SmtpClass class;
	int code;          /* last reply code of the server, 0 if there was none */
	char enhanced[12]; /* RFC 3463 status of that reply, "5.1.1", or "" */
	SmtpCause cause;   /* why a refusal was one, see smtp_status.h */
	char *reply;       /* the last reply, lines joined by LF; valid UTF-8; never NULL */
	char *problem;     /* what libcurl or we say about a failure; "" when sent; never NULL */
	const char *stage; /* how far it went: `connect`, `hello`, `starttls`, `login`, `mail`,
			      `rcpt`, `data`, `body` */
	bool encrypted;    /* TLS was on */
	char *server_name; /* what the server calls itself in its greeting; "" if unknown */
} SmtpResult;

void smtp_result_free(SmtpResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SmtpResult, smtp_result_free)

/* `sent`, `temporary`, `permanent`, `ambiguous`, `config`: for logs, tables and metrics. */
const char *smtp_class_name(SmtpClass class);

/* To be called once before any thread starts. The program ignores SIGPIPE. */
void smtp_prepare(void);

typedef struct SmtpSession SmtpSession;
/* Opens nothing yet. NULL and SMTP_ERROR if url, hello_name or a combination of settings is wrong.
 * The caller owns the session. */
SmtpSession *smtp_session_new(const SmtpSettings *settings, GError **error);
void smtp_session_free(SmtpSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SmtpSession, smtp_session_free)

/* Sends one message to one recipient. Blocks at most total_timeout (plus a second), whatever the
 * server does. `envelope_from` may be "" (null sender); both are bare addresses. `message` is what
 * mail_compose gave. Never fails otherwise than by its result, which the caller owns. */
SmtpResult *smtp_send(SmtpSession *session, const char *envelope_from, const char *envelope_to,
		      GBytes *message);

/* Connects, greets, turns TLS on and logs in as the settings say, and asks whether the server takes
 * mails from this sender; sends none. SMTP_SENT: it does. The session is of no further use. */
SmtpResult *smtp_check(SmtpSession *session, const char *envelope_from);

/* From any thread: makes a running smtp_send, and every later one, give up within a second or so
 * (temporary, or ambiguous after the final dot). For shutting down. */
void smtp_session_interrupt(SmtpSession *session);

#endif
