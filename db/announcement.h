/* What the people who run the service tell everybody. */
#ifndef DB_ANNOUNCEMENT_H
#define DB_ANNOUNCEMENT_H

#include "db.h"

/* Makes one mail to each player there is, by one statement, unless the same words were announced
 * before: *made_r. *told_r: how many will get it; whoever stopped the mails, or cannot be reached,
 * will not. The mails are spread over time, 20 a second, so that turns do not wait behind them. */
bool announcement_make(Db *db, const char *subject, const char *body, bool *made_r, int64_t *told_r,
		       GError **error);

#endif
