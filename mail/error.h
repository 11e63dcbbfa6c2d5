#ifndef MAIL_ERROR_H
#define MAIL_ERROR_H

#include <glib.h>

/* What mail/ complains about. The messages are for logs: English, without addresses. */
#define MAIL_ERROR (mail_error_quark())
GQuark mail_error_quark(void);

typedef enum MailError {
	MAIL_ERROR_ADDRESS, /* not one mailbox, or one that cannot be written in ASCII */
	MAIL_ERROR_HEADER,  /* a header's value holds a control byte or is no UTF-8 */
	MAIL_ERROR_BODY,    /* a text that is no UTF-8 or holds a NUL */
} MailError;

#endif
