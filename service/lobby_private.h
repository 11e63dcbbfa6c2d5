/* Between lobby.c and invitation.c: answers to a challenge whose row is locked. */
#ifndef SERVICE_LOBBY_PRIVATE_H
#define SERVICE_LOBBY_PRIVATE_H

#include "service/lobby.h"

bool lobby_accept_locked(Db *db, const Challenge *challenge, int64_t player_id, int64_t *game_id_r,
			 bool *repeated_r, GError **error);
/* player_id 0: nobody with an account. */
bool lobby_decline_locked(Db *db, const Challenge *challenge, int64_t player_id, bool *repeated_r,
			  GError **error);

#endif
