/* Tokens of players and their bots: "lp_…", of which only the SHA-256 is stored. */
#ifndef DB_TOKEN_H
#define DB_TOKEN_H

#include "actor.h"
#include "db.h"

enum { TOKEN_HASH_SIZE = 32 };

/* Queues the statement that finds whom the token with this hash stands for; no round trip. False
 * with DB_ERROR if the connection is gone. */
bool token_auth_queue(Db *db, const uint8_t hash[TOKEN_HASH_SIZE], GError **error);
/* Reads its result, in the order in which statements were queued. *actor_r is NULL (and the call
 * true) when no such token is valid: unknown, revoked or expired. The caller frees *actor_r. */
bool token_auth_next(Db *db, Actor **actor_r, GError **error);
/* Writes down that the token was used, when Actor.touch_due said so (once an hour at most). */
bool token_touch(Db *db, int64_t token_id, GError **error);

#endif
