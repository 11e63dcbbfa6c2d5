/* Mails that are understood but whose sender must confirm them first. */
#ifndef SERVICE_MAIL_HOLD_H
#define SERVICE_MAIL_HOLD_H

#include "service/mail_act.h"

/* Asks the player (at the primary address) whether the mail is his: one mail with a link to a page
 * with a button. Joins the mail's transaction. False with DB_ERROR. */
bool mail_hold(MailAct *act, GError **error);

#endif
