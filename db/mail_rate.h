/* Buckets of whatever sends mail: one row a kind and key, counted by all processes together. */
#ifndef DB_MAIL_RATE_H
#define DB_MAIL_RATE_H

#include "db.h"

/* Counts one more against (kind, key): at most quota in window_s seconds. *wait_s_r is 0 when it
 * was counted, else the seconds until the window ends. key is hexadecimal text (db_hex). False with
 * DB_ERROR. */
bool mail_rate_take(Db *db, const char *kind, const char *key, int quota, int window_s,
		    int *wait_s_r, GError **error);

#endif
