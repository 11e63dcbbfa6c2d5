/*
 * Codes that were mailed, as link and as text. Only the hash of a code is stored; key and nonce
 * make it again when the mail is rendered.
 */
#ifndef DB_MAIL_CODE_H
#define DB_MAIL_CODE_H

#include "db.h"

/* Kind, its name, seconds for which such a code is valid. */
#define MAIL_CODE_KINDS(X)                      \
	X(SIGNUP, "signup", 3 * 24 * 60 * 60)   \
	X(LOGIN, "login", 30 * 60)              \
	X(ADDRESS, "address", 3 * 24 * 60 * 60) \
	X(REVERT, "revert", 7 * 24 * 60 * 60)   \
	X(MAIL, "mail", 3 * 24 * 60 * 60)
typedef enum {
#define X(code, name, seconds) MAIL_CODE_##code,
	MAIL_CODE_KINDS(X)
#undef X
		MAIL_CODE_KIND_COUNT
} MailCodeKind;

enum { MAIL_CODE_NONCE_SIZE = 16, MAIL_CODE_HASH_SIZE = 32 };

/* A code to be stored. */
typedef struct {
	MailCodeKind kind;
	int64_t address_id;
	int64_t player_id; /* 0: none yet */
	int64_t inbox_id;  /* of kind MAIL: the mail that was held; else 0 */
	const char *data;  /* a JSON object, see the table; NULL: {} */
	int key_number;
	uint8_t nonce[MAIL_CODE_NONCE_SIZE];
	uint8_t hash[MAIL_CODE_HASH_SIZE];
} MailCodeNew;

/* A code that came back. */
typedef struct MailCode {
	int64_t id;
	MailCodeKind kind;
	int64_t address_id;
	int64_t player_id; /* 0: none */
	int64_t inbox_id;  /* the mail that was held; 0: none */
	char *data;        /* JSON */
	bool used;
	bool expired;
} MailCode;

/* Frees the code; NULL does nothing. */
void mail_code_free(MailCode *code);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MailCode, mail_code_free)

/* Seconds for which a code of this kind is valid. */
int mail_code_seconds(MailCodeKind kind);

/* *id_r is 0 (and the call true) when there is no such address. */
bool mail_code_insert(Db *db, const MailCodeNew *code, int64_t *id_r, GError **error);
/* *code_r is NULL (and the call true) when there is no such code. The caller frees it. */
bool mail_code_find(Db *db, const uint8_t hash[MAIL_CODE_HASH_SIZE], MailCode **code_r,
		    GError **error);
/* Uses the code up. *used_r is false when somebody else was faster, or it has expired. */
bool mail_code_use(Db *db, int64_t id, bool *used_r, GError **error);
/* Makes the other codes of this kind for the same address worthless. */
bool mail_code_void(Db *db, int64_t address_id, MailCodeKind kind, GError **error);
/* Makes a player's codes of a kind worthless. */
bool mail_code_void_player(Db *db, int64_t player_id, MailCodeKind kind, GError **error);

#endif
