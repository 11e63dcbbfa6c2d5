#include "service/api_game.h"

#include "db/player.h"
#include "service/cursor.h"
#include "service/idempotency.h"
#include "service/name.h"
#include "service/rule_book.h"
#include "service/view.h"

#include <string.h>

enum { GAMES_LIMIT = 50, GAMES_LIMIT_MAX = GAME_LIST_MAX - 1 };

bool api_game_prefetch(Request *request, GError **error)
{
	return game_find_queue(request_db(request), request_path_id(request, "id"), error);
}

/* A token without the scope read does not show its owner's private games. */
int64_t api_game_viewer(const Request *request)
{
	const Actor *actor = request_actor(request);
	return actor != NULL && (actor->scopes & (SCOPE_READ | SCOPE_PLAY)) ? actor->player_id : 0;
}

Game *api_game_next(Request *request, GError **error)
{
	g_autoptr(Game) game = NULL;
	if (!game_find_next(request_db(request), &game, error))
		return NULL;
	if (game == NULL || !game_visible(game, api_game_viewer(request))) {
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
		return NULL;
	}
	return g_steal_pointer(&game);
}

void api_game_problem(Request *request, const Game *game)
{
	if (game == NULL)
		return;
	g_autofree char *etag = view_game_etag(game, game->version);
	g_autofree char *quoted = g_strdup_printf("\"%s\"", etag);
	request_problem_header(request, "ETag", quoted);
	request_problem_member(request, "game", view_game_json(request_config(request), game));
}

bool api_game_expect(const Game *game, void *user_data, GError **error)
{
	g_autofree char *etag = view_game_etag(game, game->version);
	return request_if_match(user_data, etag, error) &&
	       request_if_none_match(user_data, etag, error);
}

Response *api_game_etag(Response *response, const Game *game, int version)
{
	g_autofree char *etag = view_game_etag(game, version);
	response_etag(response, etag);
	return response;
}

static Response *game_answer(const Request *request, const Game *game)
{
	GString *body = g_string_sized_new(2048);
	view_game(body, request_config(request), game);
	return api_game_etag(response_json_text(200, body), game, game->version);
}

Response *api_games_get(Request *request, GError **error)
{
	g_autoptr(Game) game = api_game_next(request, error);
	return game == NULL ? NULL : game_answer(request, game);
}

/* ---- the list ---- */

static bool choice_refuse(const char *name, const char *choices, GError **error)
{
	problem_set_parameter(error, name, FIELD_NOT_A_CHOICE, "choices", choices, NULL);
	return false;
}

static bool rules_check(const char *key, GError **error)
{
	if (key == NULL || rules_find(key) != NULL)
		return true;
	g_autofree char *keys = rule_book_keys();
	return choice_refuse("rules", keys, error);
}

/* Whose games "player=7" or "player=Anna" asks for: somebody there is. */
static bool named_read(const Request *request, int64_t *player_id_r, GError **error)
{
	const char *text = request_query(request, "player");
	if (text == NULL)
		return true;
	if (strspn(text, "0123456789") == strlen(text))
		return request_query_int(request, "player", 1, INT64_MAX, player_id_r, error);
	g_autofree char *key = name_key(text);
	g_autoptr(Player) player = NULL;
	if (!player_find_name_key(request_db(request), key, &player, error))
		return false;
	if (player == NULL) {
		problem_set_parameter(error, "player", FIELD_NOT_A_PLAYER, NULL);
		return false;
	}
	*player_id_r = player->id;
	return true;
}

/* "mine=true" and "awaiting=me" ask for the caller's games. */
static bool player_read(const Request *request, GameFilter *filter, GError **error)
{
	const char *mine = request_query(request, "mine");
	const char *awaiting = request_query(request, "awaiting");
	if (mine != NULL && strcmp(mine, "true") != 0 && strcmp(mine, "false") != 0)
		return choice_refuse("mine", "true, false", error);
	if (awaiting != NULL && strcmp(awaiting, "me") != 0)
		return choice_refuse("awaiting", "me", error);
	if (!named_read(request, &filter->player_id, error))
		return false;
	const bool own = awaiting != NULL || g_strcmp0(mine, "true") == 0;
	if (!own)
		return true;
	if (filter->viewer_id == 0 && request_actor(request) != NULL) {
		problem_set(error, PROBLEM_SCOPE_MISSING, "scope", "read", NULL);
		return false;
	}
	if (filter->viewer_id == 0) {
		problem_set(error, PROBLEM_UNAUTHORIZED, NULL);
		return false;
	}
	if (filter->player_id != 0 && filter->player_id != filter->viewer_id)
		return choice_refuse("player", request_actor(request)->name, error);
	filter->player_id = filter->viewer_id;
	filter->awaiting = awaiting != NULL;
	return true;
}

static bool filter_read(const Request *request, GameFilter *filter_r, GError **error)
{
	*filter_r = (GameFilter){
		.viewer_id = api_game_viewer(request),
		.rules = request_query(request, "rules"),
		.phase = request_query(request, "phase"),
		.limit = GAMES_LIMIT,
	};
	if (!cursor_read(request, GAMES_LIMIT_MAX, &filter_r->before_id, &filter_r->limit, error))
		return false;
	if (!rules_check(filter_r->rules, error))
		return false;
	static const char *const phases[] = {"setup", "play", "over", NULL};
	if (filter_r->phase != NULL && !g_strv_contains(phases, filter_r->phase))
		return choice_refuse("phase", "setup, play, over", error);
	return player_read(request, filter_r, error);
}

Response *api_games_list(Request *request, GError **error)
{
	GameFilter filter;
	if (!filter_read(request, &filter, error))
		return NULL;
	const int limit = filter.limit++;
	g_autoptr(GameList) list = game_list(request_db(request), &filter, error);
	if (list == NULL)
		return NULL;
	GString *body = g_string_new("{\"games\":[");
	for (int i = 0; i < MIN(list->count, limit); i++) {
		if (i > 0)
			g_string_append_c(body, ',');
		view_game(body, request_config(request), &list->games[i]);
	}
	g_string_append_c(body, ']');
	return cursor_answer(request, body, list->count > limit ? list->games[limit - 1].id : 0);
}

/* ---- resigning ---- */

static Response *resign_answer(Request *request, GError **error)
{
	Db *db = request_db(request);
	g_autoptr(Game) game = NULL;
	if (!game_find(db, request_path_id(request, "id"), &game, error))
		return NULL;
	const ResignOrder order = {
		.player_id = request_player(request),
		.expect = request_is_conditional(request) ? api_game_expect : NULL,
		.expect_data = request,
	};
	bool repeated = false;
	if (!play_resign(db, &game, &order, &repeated, error)) {
		api_game_problem(request, game);
		return NULL;
	}
	return game_answer(request, game);
}

Response *api_games_resign(Request *request, GError **error)
{
	return idempotency_run(request, resign_answer, error);
}
