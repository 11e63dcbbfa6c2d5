/*
 * Everything secret that is made rather than stored: what mails carry in addresses and links,
 * tokens, codes, and the proofs in forms. A secret is an HMAC-SHA-256 of its purpose and fields,
 * cut to 80 bits, so that a mail rendered twice has the same bytes and nothing need be kept.
 */
#ifndef SERVICE_SECRET_H
#define SERVICE_SECRET_H

#include "service/config.h"

#include <stddef.h>
#include <stdint.h>

enum {
	SECRET_LETTERS = 16,   /* of 5 bits each */
	SECRET_FIELDS_MAX = 3, /* numbers a secret is made of, the rest are 0 */
	SECRET_NONCE_SIZE = 16,
	SECRET_HASH_SIZE = 32, /* SHA-256 */
};

/* Purpose, its name in the HMAC. A secret of one purpose is worth nothing for another. */
#define SECRET_PURPOSES(X)                    \
	X(MOVE, "move")                       \
	X(BOUNCE_GAME, "bounce-game")         \
	X(BOUNCE_DELIVERY, "bounce-delivery") \
	X(INVITE, "invite")                   \
	X(UNSUBSCRIBE, "unsubscribe")         \
	X(CSRF, "csrf")                       \
	X(CODE, "code")
/* Fields: MOVE game, seat, ply; BOUNCE_GAME game, seat, ply; BOUNCE_DELIVERY delivery; INVITE
 * challenge; UNSUBSCRIBE player; CSRF session; CODE is made by secret_code(). */
typedef enum {
#define X(code, name) SECRET_##code,
	SECRET_PURPOSES(X)
#undef X
		SECRET_PURPOSE_COUNT
} SecretPurpose;

/* SECRET_FIELDS(game_id, seat, ply) */
#define SECRET_FIELDS(...) ((const int64_t[SECRET_FIELDS_MAX]){__VA_ARGS__})

/* The secret of a purpose and its fields with one numbered key (config_newest_key() for new ones):
 * 16 lower-case letters and digits without look-alikes. A key that is not set is a programmer's
 * error. The caller frees. */
char *secret_make(const Config *config, int key_number, SecretPurpose purpose,
		  const int64_t fields[SECRET_FIELDS_MAX]);
/* Whether text (in any case, with or without dashes) is that secret under any of the keys; in
 * constant time. text may be NULL. */
bool secret_check(const Config *config, const char *text, SecretPurpose purpose,
		  const int64_t fields[SECRET_FIELDS_MAX]);

/* The code that belongs to a nonce: as secret_make. Mailed, and found again by its hash. */
char *secret_code(const Config *config, int key_number, const uint8_t nonce[SECRET_NONCE_SIZE]);
/* A secret as people are to read and type it: "abcd-efgh-jkmn-pqrs". The caller frees. */
char *secret_grouped(const char *secret);
/* What somebody typed or clicked as the secret it means: dashes, blanks and case are ignored, "0"
 * is read as "o". NULL if it cannot be one. The caller frees. */
char *secret_read(const char *text);

/* Bytes nobody can guess, from the kernel. */
void secret_random(uint8_t *bytes, size_t size);
/* A new token, "lp_" and 40 letters (200 bits); a new cookie, 40 letters. The caller frees. */
char *secret_token_new(void);
char *secret_cookie_new(void);
/* SHA-256 of a text: what is stored of tokens, cookies and codes. */
void secret_hash(const char *text, uint8_t hash_r[SECRET_HASH_SIZE]);
/* Compares two texts in constant time (their lengths are no secret). Neither may be NULL. */
bool secret_equal(const char *one, const char *other);

#endif
