/* Buckets of whatever sends mail: one row a kind and key, counted by all processes together. */
#ifndef DB_MAIL_RATE_H
#define DB_MAIL_RATE_H

#include "db.h"

/* Which bucket, and how much it holds. */
typedef struct {
	const char *kind;
	const char *key; /* hexadecimal text (db_hex) */
	int quota;       /* in window_s seconds */
	int window_s;
} MailRate;

/* Counts one more against a bucket. *wait_s_r is 0 when it was counted, else the seconds until the
 * window ends. False with DB_ERROR. */
bool mail_rate_take(Db *db, const MailRate *rate, int *wait_s_r, GError **error);

#endif
