/*
 * From a mail in the inbox to what comes of it, in one transaction: lock the row, decide, act,
 * write down the decision and the one answer. A fault that passes leaves the row as it was.
 */
#ifndef SERVICE_MAIL_TAKE_H
#define SERVICE_MAIL_TAKE_H

#include "db/db.h"
#include "service/config.h"

#include <stdint.h>

/* Seconds after which a worker takes up a mail that its first reader had to leave. */
enum { MAIL_TAKE_AGAIN_S = 5 };

/* Takes one mail; does nothing if somebody did already. After a fault that passes, which does not
 * count as a death of who read it, it stays in the inbox: a worker takes it up in pause_s seconds.
 */
void mail_take(Db *db, const Config *config, int64_t inbox_id, int pause_s);

/* Lets a mail act that was held, now that its player confirmed it: as mail_take, but at once, and
 * neither sender nor memory is asked. Joins a transaction. False with DB_ERROR. *taken_r: false if
 * it is not held (any more), or its text is gone. */
bool mail_take_held(Db *db, const Config *config, int64_t inbox_id, bool *taken_r, GError **error);

#endif
