#ifndef MAIL_AUTOMATIC_H
#define MAIL_AUTOMATIC_H

#include "incoming.h"

/* Mails that no person wrote (RFC 3834): none of them is answered, none is read for commands. */

typedef enum AutomaticKind {
	AUTOMATIC_NO,
	AUTOMATIC_REPLY, /* vacation, out of office, ticket systems, challenge/response */
	AUTOMATIC_LIST,  /* sent or held by a mailing list */
	AUTOMATIC_LOOP,  /* one of our own came back */
	AUTOMATIC_MDN,   /* read receipts */
} AutomaticKind;

/* `domain`: ours. Bounces are to be looked for before (bounce_read). */
AutomaticKind automatic_kind(const IncomingMail *mail, const char *domain);

/* `auto-reply`, `mailing-list`, `loop`, `mdn`; NULL for NO. */
const char *automatic_name(AutomaticKind kind);

#endif
