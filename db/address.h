/*
 * Mail addresses: things of their own, since invited people have no account and players may have
 * several. Each belongs to one player at most; one of a player's is the primary one, to which
 * mails about games go. All functions join an open transaction.
 */
#ifndef DB_ADDRESS_H
#define DB_ADDRESS_H

#include "db.h"

typedef struct Address {
	int64_t id;
	char *email;       /* as it was entered */
	int64_t player_id; /* 0: nobody's */
	char *state;       /* new, confirmed, dead, never */
	char *language;    /* "de" */
	bool is_primary;
	bool mail_trusted; /* commands from it need no confirmation any more */
} Address;

/* Frees the address; NULL does nothing. */
void address_free(Address *address);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Address, address_free)

/* The address with this key, made if there is none. language is that of a mail to somebody without
 * an account; NULL keeps it for an address there is ("en" for a new one). */
bool address_obtain(Db *db, const char *email, const char *email_key, const char *language,
		    Address **address_r, GError **error);
/* *address_r is NULL (and the call true) when there is none. The caller frees it. */
bool address_find_key(Db *db, const char *email_key, Address **address_r, GError **error);
bool address_find_id(Db *db, int64_t id, Address **address_r, GError **error);
/* The primary address of a player. */
bool address_find_primary(Db *db, int64_t player_id, Address **address_r, GError **error);
/* As address_find_id, its row locked until the end of the transaction. */
bool address_lock(Db *db, int64_t id, Address **address_r, GError **error);

/* Makes the address the player's own and confirmed; whoever calls has locked it. */
bool address_give(Db *db, int64_t id, int64_t player_id, GError **error);
/* Takes the address away from its player. */
bool address_release(Db *db, int64_t id, GError **error);
/* Nobody's address only: nothing is written there any more, whoever asks (or that is taken back).
 */
bool address_never_set(Db *db, int64_t id, bool never, GError **error);
/* From now on commands without a game's secret need no confirmation if they come from this address
 * of the player's (and our own mail server vouches for it). */
bool address_trust(Db *db, int64_t id, int64_t player_id, GError **error);
/* Makes it the player's only primary one. *old_id_r is the one before, 0 if there was none. */
bool address_primary_set(Db *db, int64_t player_id, int64_t id, int64_t *old_id_r, GError **error);
/* Rows: id, email, state, is_primary, confirmed_at; the primary one first. NULL with DB_ERROR. */
DbResult *address_list(Db *db, int64_t player_id, GError **error);

/* A change of the primary address that can be undone. */
typedef struct {
	int64_t id, player_id, old_address_id, new_address_id;
	bool open; /* neither undone nor too old to be */
} AddressChange;
bool address_change_insert(Db *db, const AddressChange *change, int revert_s, int64_t *id_r,
			   GError **error);
/* Id 0 in *change_r when there is none. */
bool address_change_find(Db *db, int64_t id, AddressChange *change_r, GError **error);
/* Marks this change and the player's later ones as undone. Rows: the addresses that must go: the
 * new ones of those changes, but the one that this change is undone to. NULL with DB_ERROR. */
DbResult *address_change_revert(Db *db, const AddressChange *change, GError **error);

#endif
