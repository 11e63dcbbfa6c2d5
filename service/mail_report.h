/*
 * Mails of machines, and of people who have had enough: what reports of mail servers, complaints
 * and requests to leave do to deliveries, addresses and players. Only who knows the secret that the
 * reported mail carried is believed; others are logged and change nothing.
 */
#ifndef SERVICE_MAIL_REPORT_H
#define SERVICE_MAIL_REPORT_H

#include "db/db.h"
#include "service/config.h"
#include "service/mail_in.h"

/* Does what a decision BOUNCE, COMPLAINT or UNSUBSCRIBE asks for; nothing for others. A bounce ends
 * its delivery, and the address when it says so (5.1.1) or is one of several (hard ones on three
 * days); a complaint and a request to leave stop the mails about games of a player,
 * and all mails to somebody who is none. No mail answers them. seat: whose secret a VERP address of
 * a game carries; 0: none. Joins a transaction; false with DB_ERROR. */
bool mail_report(Db *db, const Config *config, const MailDecision *decision, int seat,
		 GError **error);

#endif
