/* A thread that takes up mails which somebody kept and did not finish: a delivery program that was
 * killed, a database that went away. Any number of processes may run one. */
#ifndef SERVICE_MAIL_SWEEPER_H
#define SERVICE_MAIL_SWEEPER_H

#include "service/config.h"

typedef struct MailSweeper MailSweeper;

/* The configuration must outlive it. */
MailSweeper *mail_sweeper_start(const Config *config);
/* Lets it finish the mail in hand, ends and frees it. NULL does nothing. */
void mail_sweeper_stop(MailSweeper *sweeper);

#endif
