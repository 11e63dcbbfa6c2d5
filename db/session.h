/* Sessions of the pages: a cookie of which only the SHA-256 is stored. As in token.h. */
#ifndef DB_SESSION_H
#define DB_SESSION_H

#include "actor.h"
#include "db.h"

enum { SESSION_HASH_SIZE = 32 };

/* Queues the statement that finds whom the cookie with this hash stands for; no round trip.
 * actor_next reads what comes of it. */
bool session_auth_queue(Db *db, const uint8_t hash[SESSION_HASH_SIZE], GError **error);
/* Writes down that the session was used, when Actor.touch_due said so. */
bool session_touch(Db *db, int64_t session_id, GError **error);

/* A new session of a player for SESSION_SECONDS. */
enum { SESSION_SECONDS = 30 * 24 * 60 * 60 };
bool session_insert(Db *db, int64_t player_id, const uint8_t hash[SESSION_HASH_SIZE],
		    GError **error);
/* Ends one session; all of a player's. */
bool session_end(Db *db, int64_t session_id, GError **error);
bool session_end_all(Db *db, int64_t player_id, GError **error);

#endif
