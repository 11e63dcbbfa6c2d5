/* Tokens of players and their bots: "lp_…", of which only the SHA-256 is stored. */
#ifndef DB_TOKEN_H
#define DB_TOKEN_H

#include "actor.h"
#include "db.h"

enum { TOKEN_HASH_SIZE = 32 };

/* Queues the statement that finds whom the token with this hash stands for; no round trip. False
 * with DB_ERROR if the connection is gone. actor_next reads what comes of it: none when the token
 * is unknown, revoked or expired. */
bool token_auth_queue(Db *db, const uint8_t hash[TOKEN_HASH_SIZE], GError **error);
/* Writes down that the token was used, when Actor.touch_due said so (once an hour at most). */
bool token_touch(Db *db, int64_t token_id, GError **error);

/* A token to be stored. All is borrowed. */
typedef struct {
	int64_t player_id;
	const char *name;
	const char *prefix; /* the beginning that may be shown */
	const uint8_t *hash;
	Scopes scopes;
	const char *expires_at; /* RFC 3339; NULL: as lifetime_s says */
	int lifetime_s;         /* 0: never */
	int64_t within_id;      /* a token that this one must not outlive; 0: none */
} TokenNew;
/* *id_r is 0 (and the call true) when it would expire at once. */
bool token_insert(Db *db, const TokenNew *token, int64_t *id_r, GError **error);
/* Rows: id, name, prefix, scopes (separated by blanks), created_at, expires_at, last_used_on (a
 * day) of those neither revoked nor expired, in order of id; of one token if token_id is not 0.
 * NULL with DB_ERROR. */
DbResult *token_list(Db *db, int64_t player_id, int64_t token_id, GError **error);
/* *revoked_r is false when the player has no such token. */
bool token_revoke(Db *db, int64_t player_id, int64_t token_id, bool *revoked_r, GError **error);
/* Revokes all tokens made since a change of the primary address. */
bool token_revoke_since_change(Db *db, int64_t player_id, int64_t change_id, GError **error);

#endif
