/* Spectators of public games: who gets a mail for each turn, or one for each day with turns. The
 * mails for each turn are made when the feed is filled (event.h). */
#ifndef DB_FOLLOW_H
#define DB_FOLLOW_H

#include "db.h"

/* Follows a game (or changes how): rhythm is "turn" or "day". */
bool follow_set(Db *db, int64_t game_id, int64_t player_id, const char *rhythm, GError **error);
/* *ended_r is false (and the call true) if the player did not follow it. */
bool follow_end(Db *db, int64_t game_id, int64_t player_id, bool *ended_r, GError **error);

/* Makes the mails that are due to those who want one a day: after seven in the morning where they
 * live, if turns were played since the last one, or the game ended. *count_r: how many followers
 * were looked at (at most 200 a call). */
bool follow_tell(Db *db, int *count_r, GError **error);

#endif
