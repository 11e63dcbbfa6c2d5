/* What the handlers of /v1/games/… have in common. */
#ifndef SERVICE_API_GAME_H
#define SERVICE_API_GAME_H

#include "db/game.h"
#include "service/play.h"
#include "service/request.h"

/* Prefetch of every route of one game: queues the game named by {id}. */
bool api_game_prefetch(Request *request, GError **error);
/* Reads it: a game the caller may see, else NOT_FOUND. The caller frees. */
Game *api_game_next(Request *request, GError **error);
/* Who asks, for what only some may see: 0 also for a token that may neither read nor play. */
int64_t api_game_viewer(const Request *request);
/* Puts the game as it stands now into the problem that is about to be raised. NULL does nothing. */
void api_game_problem(Request *request, const Game *game);
/* Puts into it what the referee said: rule, step, squares, readings, nearest legal turns, and the
 * sentence that explains it. nearest may be NULL. */
void api_game_refusal(Request *request, const GameRules *rules, const Refusal *refusal,
		      const NearestTurns *nearest);
/* Puts the entity tag of this version of the game on an answer. Returns it. */
Response *api_game_etag(Response *response, const Game *game, int version);
/* If-Match and If-None-Match as a condition of an order: user_data is the Request. */
bool api_game_expect(const Game *game, void *user_data, GError **error);

/* service/api_games.c */
Response *api_games_list(Request *request, GError **error);
Response *api_games_get(Request *request, GError **error);
Response *api_games_resign(Request *request, GError **error);
/* service/api_turns.c */
Response *api_turns_list(Request *request, GError **error);
Response *api_turns_get(Request *request, GError **error);
Response *api_turns_post(Request *request, GError **error);
/* service/api_steps.c */
Response *api_steps_list(Request *request, GError **error);
/* service/api_setup.c */
Response *api_setup_get(Request *request, GError **error);
Response *api_setup_post(Request *request, GError **error);
/* service/api_boards.c */
Response *api_boards_svg(Request *request, GError **error);
Response *api_boards_png(Request *request, GError **error);
Response *api_boards_text(Request *request, GError **error);
/* service/api_records.c */
Response *api_records_json(Request *request, GError **error);
Response *api_records_text(Request *request, GError **error);
/* service/api_deliveries.c */
Response *api_deliveries_list(Request *request, GError **error);
/* service/api_rules.c */
Response *api_rules_list(Request *request, GError **error);
Response *api_rules_get(Request *request, GError **error);

#endif
