#include "service/api_game.h"
#include "service/record.h"

static TurnList *record_load(Request *request, Game **game_r, GError **error)
{
	*game_r = api_game_next(request, error);
	if (*game_r == NULL)
		return NULL;
	return turn_list(request_db(request), (*game_r)->id, 0, INT32_MAX, error);
}

Response *api_records_json(Request *request, GError **error)
{
	g_autoptr(Game) game = NULL;
	g_autoptr(TurnList) turns = record_load(request, &game, error);
	if (turns == NULL)
		return NULL;
	if (game->reason == NULL) {
		problem_set(error, PROBLEM_GAME_NOT_OVER, NULL);
		return NULL;
	}
	json_t *record = record_json(request_config(request), game, turns);
	return api_game_etag(response_json(200, record), game, game->version);
}

Response *api_records_text(Request *request, GError **error)
{
	g_autoptr(Game) game = NULL;
	g_autoptr(TurnList) turns = record_load(request, &game, error);
	if (turns == NULL)
		return NULL;
	GString *text = record_text(request_config(request), game, turns);
	return api_game_etag(response_text(200, "text/plain; charset=utf-8", text), game,
			     game->version);
}
