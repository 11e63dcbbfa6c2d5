/* Whether what a mail says is still true: mails are rendered late, and some not at all any more. */
#ifndef SERVICE_MAIL_TRUE_H
#define SERVICE_MAIL_TRUE_H

#include "db/letter.h"

/* Why the letter must not be sent any more, in English, for the delivery's row; NULL: send it. */
const char *mail_true_hindrance(const Letter *letter);

#endif
