#include "service/api_game.h"
#include "service/record.h"
#include "service/view.h"

static TurnList *record_load(Request *request, Game **game_r, GError **error)
{
	static const char *const names[] = {NULL};
	*game_r = api_game_next(request, error);
	if (*game_r == NULL || !request_query_only(request, names, error))
		return NULL;
	return turn_list(request_db(request), (*game_r)->id, 0, INT32_MAX, error);
}

static Response *record_answer(Response *response, const Game *game)
{
	g_autofree char *etag = view_game_etag(game, game->version);
	response_etag(response, etag);
	return response;
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
	return record_answer(response_json(200, record), game);
}

Response *api_records_text(Request *request, GError **error)
{
	g_autoptr(Game) game = NULL;
	g_autoptr(TurnList) turns = record_load(request, &game, error);
	if (turns == NULL)
		return NULL;
	GString *text = record_text(request_config(request), game, turns);
	return record_answer(response_text(200, "text/plain; charset=utf-8", text), game);
}
