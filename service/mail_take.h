/*
 * From a mail in the inbox to what comes of it, in one transaction: lock the row, decide, act,
 * write down the decision and the one answer. A fault that passes leaves the row as it was.
 */
#ifndef SERVICE_MAIL_TAKE_H
#define SERVICE_MAIL_TAKE_H

#include "db/db.h"
#include "service/config.h"

#include <stdint.h>

/* Takes one mail; does nothing if somebody did already. False with DB_ERROR: it stays in the inbox,
 * and a worker takes it up when the lease is over. */
bool mail_take(Db *db, const Config *config, int64_t inbox_id, GError **error);

/* Lets a mail act that was held, now that its player confirmed it: as mail_take, but neither sender
 * nor memory is asked. Joins a transaction. *taken_r: false if it is not held (any more), or its
 * text is gone. */
bool mail_take_held(Db *db, const Config *config, int64_t inbox_id, bool *taken_r, GError **error);

#endif
