/*
 * Accounts: the only writer of players, addresses, mailed codes, tokens and sessions. REST and the
 * pages call the same functions. There are no passwords: whoever reads the mail is the owner.
 * Nothing here tells a stranger whether an address is known.
 */
#ifndef SERVICE_ACCOUNT_H
#define SERVICE_ACCOUNT_H

#include "db/actor.h"
#include "db/db.h"
#include "service/config.h"
#include "service/name.h"

/* Through what a use case works, and who causes mails. */
typedef struct {
	Db *db;
	const Config *config;
	const char *client; /* the client's address, for limits of mails */
	const char *once;   /* sign-up and login: the key of the form or request; the second one
			       with it does nothing. NULL: none */
} AccountAccess;

/* ---- sign-up and login (account.c) ---- */

/* What somebody enters; all is text as it came, NULL where it is missing. */
typedef struct {
	const char *email, *name;
	const char *language;  /* "de" */
	const char *time_zone; /* IANA name; NULL: UTC */
} AccountSignUp;
/* FIELD_INVALID for all that is wrong with it; adds to an error that is so already. */
bool account_sign_up_check(const AccountSignUp *wish, GError **error);
/* Mails a code that makes the account; to an address that has one, a code that logs in; to that of
 * a guest, one that gives the guest's account the name. Nothing tells which. FIELD_INVALID,
 * NAME_TAKEN, RATE_LIMITED. */
bool account_sign_up(const AccountAccess *access, const AccountSignUp *wish, GError **error);
/* Mails a code that logs in, if a player has confirmed this address. Nothing tells whether.
 * FIELD_INVALID, RATE_LIMITED. */
bool account_login_request(const AccountAccess *access, const char *email, GError **error);
/* Makes a player whose primary address, confirmed by this, is address_id (which must be nobody's).
 * Joins a transaction. FIELD_INVALID (time_zone), NAME_TAKEN, ADDRESS_TAKEN. */
typedef struct {
	int64_t address_id;
	const Name *name;
	const char *language; /* a code of language.h */
	const char *time_zone;
	bool guest; /* the name is one of ours until another is chosen */
} AccountNew;
bool account_create(Db *db, const AccountNew *account, int64_t *player_id_r, GError **error);

/* ---- mails that are held (account.c) ---- */

/* A mail that somebody wrote in a player's name. All is borrowed. */
typedef struct {
	int64_t inbox_id;
	int64_t address_id, player_id; /* whom to ask; player 0: somebody invited */
	const char *from;              /* who claims to have written it */
	int64_t game_id;               /* that it is about; 0: none */
	int64_t trust_id;              /* the address to be trusted once confirmed; 0: none */
} AccountHeld;
/* Mails a code that lets the mail act. Joins a transaction. */
bool account_hold(Db *db, const Config *config, const AccountHeld *held, GError **error);

/* ---- codes that come back (account_code.c) ---- */

typedef enum {
	ACCOUNT_SIGNED_UP,
	ACCOUNT_LOGGED_IN,
	ACCOUNT_ADDRESS_ADDED,
	ACCOUNT_ADDRESS_REVERTED,
	ACCOUNT_MAIL_ACTED,
} AccountDid;
/* "signed-up", "logged-in", "address-added", "address-reverted", "mail-acted" */
const char *account_did_name(AccountDid did);

/* What a code would do, without doing it: for the page with the button. */
typedef struct AccountCode {
	AccountDid will;
	char *email; /* the address it was mailed to */
	char *name;  /* of the player, or wanted for a new one */
	/* Of a mail that was held: who wrote it, the game (0: none), the command (NULL: words). */
	char *from;
	int64_t game_id;
	char *written;
} AccountCode;
void account_code_free(AccountCode *code);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AccountCode, account_code_free)
/* NULL with CODE_UNKNOWN, CODE_USED, CODE_EXPIRED. */
AccountCode *account_code_look(const AccountAccess *access, const char *code, GError **error);

/* What the caller gets when a code proves who it is (not for ACCOUNT_ADDRESS_ADDED and
 * ACCOUNT_MAIL_ACTED): a token named "login" with all scopes for 90 days, or a session of a
 * browser. */
typedef enum { ACCOUNT_GRANT_TOKEN, ACCOUNT_GRANT_SESSION } AccountGrant;
typedef struct {
	const char *code; /* as it was typed */
	const char *name; /* another name than the one of the sign-up; NULL: that one */
	AccountGrant grant;
} AccountConfirm;
typedef struct AccountConfirmed {
	AccountDid did;
	int64_t player_id; /* 0: a mail of somebody without an account acted */
	int64_t token_id;  /* 0: none */
	char *secret;      /* the token, or the session's cookie; NULL: none */
} AccountConfirmed;
void account_confirmed_free(AccountConfirmed *confirmed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AccountConfirmed, account_confirmed_free)
/* Uses a code, once. NULL with CODE_UNKNOWN, CODE_USED, CODE_EXPIRED, NAME_TAKEN (the code stays
 * good: try another name), ADDRESS_TAKEN, FIELD_INVALID. */
AccountConfirmed *account_confirm(const AccountAccess *access, const AccountConfirm *order,
				  GError **error);

/* ---- addresses of a player (account_address.c) ---- */

/* Mails a code to a further address; with it the address becomes the player's, and the primary one
 * if so wished. Nothing tells whether it is another's. FIELD_INVALID, RATE_LIMITED. */
bool account_address_add(const AccountAccess *access, int64_t player_id, const char *email,
			 bool primary, GError **error);
/* Makes a confirmed address the primary one and tells both; the old one can undo it for seven
 * days. NOT_FOUND. */
bool account_address_primary(const AccountAccess *access, int64_t player_id, int64_t address_id,
			     GError **error);
/* NOT_FOUND, ADDRESS_PRIMARY. */
bool account_address_remove(const AccountAccess *access, int64_t player_id, int64_t address_id,
			    GError **error);

/* ---- the player and the tokens (account_player.c) ---- */

/* What to change; NULL keeps what there is. */
typedef struct {
	const char *name, *language, *time_zone;
	const bool *mail;    /* false: no mails about games */
	const bool *remarks; /* false: words around a turn are kept from the opponent */
} AccountChange;
/* FIELD_INVALID for all that is wrong with it; adds to an error that is so already. */
bool account_update_check(const AccountChange *change, GError **error);
/* FIELD_INVALID, NAME_TAKEN. */
bool account_update(Db *db, int64_t player_id, const AccountChange *change, GError **error);

typedef struct AccountToken {
	const char *name; /* 1 to 60 characters */
	Scopes scopes;
	const char *expires_at; /* RFC 3339; NULL: never */
} AccountToken;
/* FIELD_INVALID for all that is wrong with it; adds to an error that is so already. */
bool account_token_check(const AccountToken *token, GError **error);
/* Makes a token; its secret is returned once and never stored. The caller frees it. NULL with
 * SCOPE_MISSING (the actor's own token has fewer scopes), FIELD_INVALID, LIMIT_REACHED. */
char *account_token_new(const AccountAccess *access, const Actor *actor, const AccountToken *token,
			int64_t *id_r, GError **error);
/* Revokes a token of the actor's: a token revokes itself, one with all scopes any. SCOPE_MISSING,
 * NOT_FOUND. */
bool account_token_revoke(Db *db, const Actor *actor, int64_t token_id, GError **error);

/* ---- sessions of browsers (account_session.c) ---- */

/* A new session for whoever has proved to be the player. Its cookie; the caller frees it. */
char *account_session_new(Db *db, int64_t player_id, GError **error);
/* Ends the actor's session, or all of the player's. */
bool account_log_out(Db *db, const Actor *actor, bool everywhere, GError **error);

#endif
