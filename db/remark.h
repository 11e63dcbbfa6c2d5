/* What players say to each other in a game. */
#ifndef DB_REMARK_H
#define DB_REMARK_H

#include "db.h"

/* A remark to be kept; all is borrowed. */
typedef struct {
	int64_t game_id;
	int ply; /* of the last turn when it is said */
	int64_t player_id;
	const char *text; /* 1 to 2000 characters */
	bool with_turn;   /* told in the mail about that turn, or about the end of the game */
} RemarkDraft;

/* Keeps it, unless the player switched remarks off: *id_r is 0 then (and the call true). */
bool remark_add(Db *db, const RemarkDraft *draft, int64_t *id_r, GError **error);

#endif
