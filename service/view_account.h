/* Players, addresses and tokens as JSON: the only place that says which members they have. The
 * caller owns what is returned. */
#ifndef SERVICE_VIEW_ACCOUNT_H
#define SERVICE_VIEW_ACCOUNT_H

#include "db/db.h"
#include "db/player.h"
#include "service/account.h"

#include <jansson.h>

/* What everybody may see of a player: id, name, since. */
json_t *view_player(const Config *config, const Player *player);
/* What the player sees of himself or herself. */
json_t *view_me(const Config *config, const Player *player);
/* A list of the rows of address_list(). */
json_t *view_addresses(const DbResult *rows);
/* One row of token_list(); current_id: the token that asks. */
json_t *view_token(const DbResult *rows, int row, int64_t current_id);
/* A list of all of them. */
json_t *view_tokens(const DbResult *rows, int64_t current_id);
/* What became of a code; token: the row of the new token, NULL if there is none. */
json_t *view_confirmed(const Config *config, const AccountConfirmed *confirmed,
		       const Player *player, const DbResult *token);

#endif
