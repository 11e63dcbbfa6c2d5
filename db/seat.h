/* Seats: what a player wishes about one game. */
#ifndef DB_SEAT_H
#define DB_SEAT_H

#include "db.h"

/* Stops the mails of a game to a player who sits in it, or lets them come again. */
bool seat_mail_stop(Db *db, int64_t game_id, int64_t player_id, bool stop, GError **error);

#endif
