#ifndef MAIL_RECIPIENT_H
#define MAIL_RECIPIENT_H

#include "fields.h"

/* To whom a message was delivered. */

typedef enum RecipientSource {
	RECIPIENT_NONE,
	RECIPIENT_ENVELOPE,
	RECIPIENT_X_ORIGINAL_TO,
	RECIPIENT_DELIVERED_TO,
	RECIPIENT_ENVELOPE_TO,
	RECIPIENT_TO,
	RECIPIENT_CC,
	RECIPIENT_IN_REPLY_TO, /* found by what it answers: tells the turn, proves nothing */
	RECIPIENT_REFERENCES,
} RecipientSource;

/* `envelope`, `x-original-to` …; NULL for NONE. */
const char *recipient_source_name(RecipientSource source);

/* Is the address of interest? Return true to stop. */
typedef bool RecipientFn(const char *address, void *user_data);

/* Offers the recipients at `domain` in the order of how far they can be trusted: the envelope's
 * (NULL: unknown), then those of our own mail server's fields, only the topmost of each, then To
 * and Cc. Returns the source of the one that was of interest, RECIPIENT_NONE if none was. Addresses
 * are in small letters. */
RecipientSource recipient_find(const Fields *fields, const char *envelope, const char *domain,
			       RecipientFn *each, void *user_data);

#endif
