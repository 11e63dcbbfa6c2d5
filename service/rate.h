/*
 * Rate limits. Requests: token buckets in memory, per process, one for each class and token (or
 * client address). Whatever sends mail counts in the database, for all processes together.
 */
#ifndef SERVICE_RATE_H
#define SERVICE_RATE_H

#include "db/db.h"
#include "service/config.h"

typedef struct RateTable RateTable;

/* Where a bucket stands after a request: draft-ietf-httpapi-ratelimit-headers-11. */
typedef struct {
	bool allowed;
	ConfigRate limit;
	int remaining; /* requests left now */
	int reset_s;   /* seconds until the next one is free, when none is left; else until full */
} RateState;

RateTable *rate_table_new(void);
void rate_table_free(RateTable *table);
/* Takes one request from the bucket of key (any bytes: a hash, an address). now_ms is monotonic. */
RateState rate_take(RateTable *table, ConfigRate limit, const void *key, size_t key_size,
		    int64_t now_ms);

/* Counts one mail against a bucket of the database: at most limit.quota in limit.window_s seconds
 * for kind ("login.address") and key (an address's key, a client's address; hashed here). True and
 * counted, or false with RATE_LIMITED (argument retry_after) or DB_ERROR. Joins a transaction. */
bool rate_mail_take(Db *db, const char *kind, const char *key, ConfigRate limit, GError **error);
/* The same for mails that nobody waits for: *may_r tells whether it was counted; false with
 * DB_ERROR only. */
bool rate_mail_may(Db *db, const char *kind, const char *key, ConfigRate limit, bool *may_r,
		   GError **error);

#endif
