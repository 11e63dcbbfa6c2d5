/* A game's record for other programs and for people. */
#ifndef SERVICE_RECORD_H
#define SERVICE_RECORD_H

#include "db/game.h"
#include "service/config.h"

#include <jansson.h>

/* Abstract Play's game record, schema "gamerecord/1-0-0": only for a game that is over. The caller
 * owns it. */
json_t *record_json(const Config *config, const Game *game, const TurnList *turns);
/* Tags as in chess's PGN, then the numbered turns and the result ("*" while it is played). The
 * caller frees. */
GString *record_text(const Config *config, const Game *game, const TurnList *turns);
/* Only the numbered turns, a line each round, without a last line end. */
void record_turns(GString *out, const TurnList *turns);
/* "2026-11-30T02:00:00Z" of an instant as PostgreSQL writes it, in UTC. The caller frees. */
char *record_instant(const char *stamp);

#endif
