#ifndef MAIL_COMPOSE_H
#define MAIL_COMPOSE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* A picture inside the HTML part. */
typedef struct MailPicture {
	GBytes *png;
	const char *content_id; /* like a message id, without brackets: board@play.example.org */
	const char *alt;        /* what a reader who does not see it needs to know */
	const char *name;       /* of its placeholder (template.h); NULL: board */
	const struct MailPicture *next; /* further ones of the same mail; NULL: none */
} MailPicture;

/* Who or what caused the mail (RFC 3834). */
typedef enum MailCause {
	MAIL_AUTO_GENERATED, /* something happened */
	MAIL_AUTO_REPLIED,   /* the answer to a mail */
} MailCause;

/* One mail to one recipient. Strings are UTF-8; message ids come without angle brackets. What may
 * be NULL leaves its headers out. All is borrowed. */
typedef struct MailMessage {
	const char *from_name; /* NULL: the address alone */
	const char *from_address;
	const char *to_address;
	const char *reply_to; /* NULL: none */
	const char *subject;
	int64_t date; /* seconds since 1970 UTC */
	const char *message_id;
	/* NULL-ended, oldest first; the last is In-Reply-To too. NULL: none. */
	const char *const *references;
	MailCause cause;                 /* Auto-Submitted, with X-Auto-Response-Suppress */
	const char *loop_domain;         /* X-Board-Loop; may be NULL */
	const char *list_name;           /* may be NULL, also when there is a list_id */
	const char *list_id;             /* turns.play.example.org; NULL: none */
	const char *unsubscribe_url;     /* with List-Unsubscribe-Post (RFC 8058); NULL: none */
	const char *unsubscribe_address; /* NULL: none */
	const char *feedback_id;         /* NULL: none */
	const char *text;                /* LF */
	const char *html;                /* NULL: text alone */
	const MailPicture *picture;      /* the first; NULL: none; needs html */
} MailMessage;

/* The complete message as RFC 5322 bytes, ready for smtp_send: ASCII, CRLF, no line over 76 bytes
 * unless a single word is longer (hard limit 998), RFC 2047 headers, bodies quoted-printable or
 * base64 (RFC 2045), multipart/alternative(text, related(html, png…)). The same message gives the
 * same bytes, so that a retry repeats the mail exactly. The caller owns them.
 * NULL and MAIL_ERROR_ADDRESS, _HEADER or _BODY if an address is none, a header's value holds a
 * byte below 0x20 or 0x7f, or a text is not UTF-8. */
GBytes *mail_compose(const MailMessage *message, GError **error);

#endif
