#ifndef MAIL_BOUNCE_H
#define MAIL_BOUNCE_H

#include <stdbool.h>

#include "incoming.h"
#include "smtp_status.h"

/* Reports of mail servers about mails of ours: delivery reports (RFC 3464), those in the old shapes
 * of qmail, Exim and others, and complaints (RFC 5965). */

typedef enum BounceKind {
	BOUNCE_NONE,
	BOUNCE_HARD,      /* failed for good */
	BOUNCE_SOFT,      /* failed, but says nothing lasting about the address */
	BOUNCE_DELAYED,   /* still being tried */
	BOUNCE_SUCCESS,   /* delivered, relayed or expanded */
	BOUNCE_COMPLAINT, /* a reader called it spam */
} BounceKind;

typedef struct Bounce {
	BounceKind kind;
	char status[12];   /* enhanced status; "5.0.0" or "4.0.0" if none was given */
	SmtpCause cause;   /* what it says about the recipient */
	bool suppress;     /* enough to stop writing to the address */
	char *recipient;   /* NULL if not told */
	char *message_id;  /* of the mail reported on, without brackets; NULL if not told */
	char *return_path; /* its envelope sender (VERP), without brackets; NULL if not told */
} Bounce;

/* Reads a report. `is_expected`: it came to an address for bounces, or with an empty envelope
 * sender, so that the old shapes, which are but text, may be looked for. A class 5 status makes a
 * bounce hard but for a full mailbox and for policy, which say nothing about the address; without a
 * status it is hard only if the text says that there is no such user. The caller owns it. */
Bounce *bounce_read(const IncomingMail *mail, bool is_expected);
void bounce_free(Bounce *bounce);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Bounce, bounce_free)

#endif
