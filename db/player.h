/* Players as they are stored. Names were checked before, and their keys made (service/name.h). */
#ifndef DB_PLAYER_H
#define DB_PLAYER_H

#include "db.h"

typedef struct Player {
	int64_t id;
	char *name;
	char *language;  /* "de" */
	char *time_zone; /* "Europe/Berlin" */
	char *since;     /* "2026-11-30T02:00:00Z" */
	char *email;     /* the primary address; NULL if there is none */
	bool mail;       /* false: told to stop all mails about games */
	bool remarks;    /* words around a turn sent by mail reach the opponent */
	bool guest;      /* answered an invitation and has not chosen a name yet */
	bool reachable;  /* false: the primary address is dead */
} Player;

/* Frees the player; NULL does nothing. */
void player_free(Player *player);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Player, player_free)

/* *player_r is NULL (and the call true) when there is no such player. The caller frees it. */
bool player_find(Db *db, int64_t id, Player **player_r, GError **error);
bool player_find_name_key(Db *db, const char *name_key, Player **player_r, GError **error);

/* What may be written of a player; NULL keeps what there is. The three of the name go together. */
typedef struct {
	const char *name, *name_key, *name_look;
	const char *language;
	const char *time_zone;
	const bool *mail;
	const bool *remarks;
	bool guest; /* of a new one only: a name that is chosen later ends it */
} PlayerValues;

/* Adds a player; all texts are needed. Waits for a racing one of the same name: *id_r is 0 (and
 * the call true) when the name is taken. */
bool player_insert(Db *db, const PlayerValues *values, int64_t *id_r, GError **error);
/* Changes a player. A taken name is DB_ERROR_CONSTRAINT: player_name_taken(). */
bool player_update(Db *db, int64_t id, const PlayerValues *values, GError **error);
bool player_name_taken(const GError *error);
/* Whether the name could be had just now by somebody who is not the player with this id (0: a
 * stranger). */
bool player_name_free(Db *db, int64_t id, const PlayerValues *values, bool *free_r, GError **error);
/* Locks the player's row until the end of the transaction: changes of addresses come one by one. */
bool player_lock(Db *db, int64_t id, GError **error);

#endif
