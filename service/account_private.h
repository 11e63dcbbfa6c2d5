/* What the files of account.h share. */
#ifndef SERVICE_ACCOUNT_PRIVATE_H
#define SERVICE_ACCOUNT_PRIVATE_H

#include "db/address.h"
#include "db/mail_code.h"
#include "db/token.h"
#include "service/account.h"

#include <jansson.h>

enum { ACCOUNT_LOGIN_SECONDS = 90 * 24 * 60 * 60 };

/* Refuses languages and zones that there are not. */
bool account_language_check(const char *language, GError **error);
bool account_time_zone_check(const char *time_zone, GError **error);
/* Refuses one more of what there are count of. LIMIT_REACHED. */
bool account_limit_check(int count, int limit, GError **error);
/* Whether the player, who is locked, may have one more address. LIMIT_REACHED. */
bool account_address_room(const AccountAccess *access, int64_t player_id, GError **error);
/* The key of an address; NULL with FIELD_INVALID for the field "email". The caller frees. */
char *account_email_key(const char *email, GError **error);

/* Counts one mail to an address that a player (0: the client's address) causes. RATE_LIMITED. */
bool account_mail_count(const AccountAccess *access, const char *email_key, int64_t player_id,
			GError **error);
/* A code to be mailed. */
typedef struct {
	MailCodeKind kind;
	const char *event;    /* "mail.login" */
	const char *template; /* of mail/templates */
	int64_t address_id;   /* 0: nobody's, see account_mail */
	int64_t player_id;    /* 0: none yet */
	int64_t inbox_id;     /* the mail that the code lets act; 0: none */
	json_t *data;         /* see db/mail_code.h; borrowed; NULL: none */
} AccountMail;
/* Makes the code and the delivery. Where there is nobody to write to it does as much work to no
 * effect, so that the time it takes tells nothing. Joins a transaction. */
bool account_mail(const AccountAccess *access, const AccountMail *mail, GError **error);

/* Makes an address that belongs to the player the primary one, with the mails about it; whoever
 * calls has locked the player. */
bool account_primary_make(const AccountAccess *access, int64_t player_id, const Address *address,
			  GError **error);
/* Tells an address that it is the primary one now. */
bool account_primary_tell(const AccountAccess *access, const Address *address, GError **error);
/* Undoes a change of the primary address. Joins a transaction. CODE_USED, ADDRESS_TAKEN. */
bool account_revert(const AccountAccess *access, int64_t change_id, GError **error);
/* Takes an address from its player, with the codes that would still let it in. */
bool account_address_release(Db *db, int64_t address_id, GError **error);
/* Stores a token with a new secret (prefix and hash of the values given are not looked at). NULL
 * with FIELD_INVALID. The caller frees. */
char *account_token_store(Db *db, const TokenNew *token, int64_t *id_r, GError **error);

#endif
