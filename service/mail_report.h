/* Reports of mail servers about mails of ours: bounces, complaints, wishes to get no more. */
#ifndef SERVICE_MAIL_REPORT_H
#define SERVICE_MAIL_REPORT_H

#include "db/inbox.h"
#include "service/config.h"
#include "service/mail_in.h"

/* Does what follows from a decision BOUNCE, COMPLAINT or UNSUBSCRIBE. Joins the mail's transaction.
 * seat: whose secret a VERP address of a game carries; 0: none. False with DB_ERROR. */
bool mail_report(Db *db, const Config *config, const MailDecision *decision, int seat,
		 GError **error);

#endif
