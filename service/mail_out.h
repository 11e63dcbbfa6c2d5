/*
 * One delivery as a mail: looks whether it is still true, and renders it in the reader's language.
 * Rendered twice it has the same bytes, so that a retry repeats the mail.
 */
#ifndef SERVICE_MAIL_OUT_H
#define SERVICE_MAIL_OUT_H

#include "db/letter.h"
#include "service/config.h"

typedef struct MailOut {
	char *dropped; /* why it must not be sent any more (English, for the delivery); else NULL */
	char *envelope_from, *envelope_to;
	GBytes *message;
} MailOut;

/* NULL with an error when this letter can never be a mail: a malformed address, an unknown
 * template, a board that cannot be read. Free: mail_out_free. */
MailOut *mail_out_make(const Config *config, const Letter *letter, GError **error);
void mail_out_free(MailOut *mail);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MailOut, mail_out_free)

#endif
