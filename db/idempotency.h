/* Answers kept for requests that carried an Idempotency-Key: the same key gets the same answer. */
#ifndef DB_IDEMPOTENCY_H
#define DB_IDEMPOTENCY_H

#include "db.h"

enum { IDEMPOTENCY_KEY_MAX = 255, IDEMPOTENCY_HASH_SIZE = 32 };
/* The constraint that a key breaks when it comes a second time. */
#define IDEMPOTENCY_ONCE "idempotency_once"

typedef struct {
	bool same_request; /* the key came with this very request */
	int status;
	const char *location; /* NULL: none */
	const char *body;     /* NULL: the answer is rebuilt from the turn (game_id, ply) */
	int64_t game_id;
	int ply;
	DbResult *result; /* owns the texts */
} IdempotencyAnswer;

void idempotency_answer_free(IdempotencyAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(IdempotencyAnswer, idempotency_answer_free)

/* The answer kept for a player's key; request_hash as db_hex() writes it. *answer_r is NULL (and
 * the call true) if the key is new. */
bool idempotency_find(Db *db, int64_t player_id, const char *key, const char *request_hash,
		      IdempotencyAnswer **answer_r, GError **error);
/* The same inside a transaction, after waiting for another that uses this key just now. */
bool idempotency_find_locked(Db *db, int64_t player_id, const char *key, const char *request_hash,
			     IdempotencyAnswer **answer_r, GError **error);

/* What is kept; all is borrowed, location and body may be NULL. */
typedef struct {
	int64_t player_id;
	const char *key, *request_hash;
	int status;
	const char *location, *body;
	int64_t game_id; /* with a NULL body: the turn that the answer is rebuilt from */
	int ply;
} IdempotencyDraft;
bool idempotency_keep(Db *db, const IdempotencyDraft *draft, GError **error);

/* Takes a stranger's one-time key, whose answer is always the same and need not be kept: hash as
 * db_hex() writes it. *first_r is false if it was taken within ten minutes (who gets no mail comes
 * back to the same form); of two at the same time one waits
 * for the other. Joins a transaction. */
bool idempotency_take(Db *db, const char *hash, bool *first_r, GError **error);

#endif
