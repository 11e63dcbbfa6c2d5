#ifndef MAIL_HEADER_H
#define MAIL_HEADER_H

#include <stdbool.h>

#include <glib.h>

/* Header lines of a message (RFC 5322, RFC 2047). Only for mail/. */

/* Appends "Name: value", folded at blanks so that no line is over 76 bytes unless a single word is
 * longer, with CRLF. False and MAIL_ERROR_HEADER if `value` is not printable ASCII throughout or
 * has a word too long for a line. */
bool header_append(GString *headers, const char *name, const char *value, GError **error);

/* As header_append for ids between angle brackets, separated by blanks: `ids` ends with NULL. Ids
 * are never encoded. */
bool header_append_ids(GString *headers, const char *name, const char *const *ids, GError **error);

/* As header_append for free text, any UTF-8: encoded words where it is not plain ASCII. Refuses
 * control bytes. */
bool header_append_text(GString *headers, const char *name, const char *text, GError **error);

/* As header_append for "phrase <token>"; `phrase` is any UTF-8 or NULL, `token` an address in ASCII
 * or a list id. */
bool header_append_mailbox(GString *headers, const char *name, const char *phrase,
			   const char *token, GError **error);

#endif
