#include "service/api_game.h"
#include "service/cursor.h"
#include "service/field.h"
#include "service/idempotency.h"
#include "service/json_text.h"
#include "service/turn_words.h"
#include "service/view.h"

#include <stdlib.h>
#include <string.h>

enum { TURNS_LIMIT = 200, TURNS_LIMIT_MAX = 500, SQUARE_NAME_SIZE = 4, PLY_DIGITS = 9 };

/* ---- what the referee said ---- */

static json_t *squares_json(const Refusal *refusal)
{
	json_t *squares = json_array();
	for (int i = 0; i < refusal->square_count; i++) {
		char name[SQUARE_NAME_SIZE];
		rules_square_name(refusal->squares[i], name);
		json_array_append_new(squares, json_string(name));
	}
	return squares;
}

static json_t *nearest_json(const NearestTurns *nearest)
{
	json_t *turns = json_array();
	for (int i = 0; i < nearest->count; i++)
		json_array_append_new(turns, json_string(nearest->turn[i]));
	return turns;
}

static json_t *readings_json(const Refusal *refusal)
{
	json_t *readings = json_array();
	for (int i = 0; i < 2; i++)
		json_array_append_new(readings, json_string(refusal->reading[i]));
	return readings;
}

void api_game_refusal(Request *request, const GameRules *rules, const Refusal *refusal,
		      const NearestTurns *nearest)
{
	if (refusal->code == REFUSAL_NONE)
		return;
	g_autofree char *words = turn_words_refusal(rules, refusal, request_language(request));
	request_problem_member(request, "detail", json_string(words));
	request_problem_member(request, "rule", json_string(rules_refusal_name(refusal->code)));
	request_problem_member(request, "step", json_integer(refusal->step));
	request_problem_member(request, "squares", squares_json(refusal));
	if (refusal->code == REFUSAL_AMBIGUOUS)
		request_problem_member(request, "readings", readings_json(refusal));
	if (nearest != NULL)
		request_problem_member(request, "nearest", nearest_json(nearest));
}

/* ---- playing ---- */

static bool order_read(Request *request, TurnOrder *order_r, GError **error)
{
	static const char *const names[] = {"ply", "turn", NULL};
	json_t *body = request_json(request, error);
	if (body == NULL)
		return false;
	if (!field_given(body, "ply")) {
		problem_set(error, PROBLEM_PLY_MISSING, NULL);
		return false;
	}
	bool good = field_only(body, names, error);
	good = field_int(body, "ply", 1, INT32_MAX, &order_r->ply, error) && good;
	/* Whatever text it is, the referee says what is wrong with it. */
	const json_t *turn = json_object_get(body, "turn");
	order_r->text = json_string_value(turn);
	if (order_r->text != NULL)
		return good;
	problem_set_field(error, "turn", field_given(body, "turn") ? FIELD_NOT_TEXT : FIELD_MISSING,
			  NULL);
	return false;
}

static Response *played_answer(Request *request, const PlayAnswer *answer)
{
	GString *body = g_string_sized_new(1024);
	view_turn_played(body, request_config(request), answer);
	const bool created = !answer->repeated || answer->kept_status == 201;
	Response *response = response_json_text(created ? 201 : 200, body);
	g_autofree char *location = g_strdup_printf("/v1/games/%" G_GINT64_FORMAT "/turns/%d",
						    answer->turn.game_id, answer->turn.ply);
	response_header(response, "Location", location);
	if (answer->kept_status != 0)
		idempotency_replayed(response);
	return api_game_etag(response, answer->game, answer->version);
}

Response *api_turns_post(Request *request, GError **error)
{
	g_autoptr(Game) game = NULL;
	if (!game_find_next(request_db(request), &game, error))
		return NULL;
	TurnOrder order = {
		.player_id = request_player(request),
		.channel = "rest",
		.expect = request_is_conditional(request) ? api_game_expect : NULL,
		.expect_data = request,
	};
	if (!idempotency_key(request, &order.key, error) || !order_read(request, &order, error))
		return NULL;
	g_autofree char *hash = order.key ? idempotency_hash(request) : NULL;
	order.request_hash = hash;
	g_auto(PlayAnswer) answer = {0};
	if (play_turn(request_db(request), g_steal_pointer(&game), &order, &answer, error))
		return played_answer(request, &answer);
	if (answer.game == NULL)
		return NULL;
	api_game_problem(request, answer.game);
	api_game_refusal(request, rules_find(answer.game->rules), &answer.refusal, &answer.nearest);
	return NULL;
}

/* ---- reading turns ---- */

Response *api_turns_list(Request *request, GError **error)
{
	g_autoptr(Game) game = api_game_next(request, error);
	int64_t after = 0;
	int limit = TURNS_LIMIT;
	if (game == NULL || !cursor_read(request, TURNS_LIMIT_MAX, &after, &limit, error))
		return NULL;
	if (after > game->ply) {
		problem_set(error, PROBLEM_CURSOR_INVALID, NULL);
		return NULL;
	}
	g_autoptr(TurnList) list =
		turn_list(request_db(request), game->id, (int)after, limit + 1, error);
	if (list == NULL)
		return NULL;
	GString *body = g_string_sized_new(4096);
	json_text_first(body, "game_id", game->id);
	g_string_append(body, ",\"turns\":[");
	for (int i = 0; i < MIN(list->count, limit); i++) {
		if (i > 0)
			g_string_append_c(body, ',');
		view_turn(body, &list->turns[i]);
	}
	g_string_append_c(body, ']');
	const int64_t last = list->count > limit ? list->turns[limit - 1].ply : 0;
	return cursor_answer(request, body, last);
}

Response *api_turns_get(Request *request, GError **error)
{
	g_autoptr(Game) game = api_game_next(request, error);
	if (game == NULL)
		return NULL;
	const char *text = request_path_text(request, "ply");
	const bool number =
		strlen(text) <= PLY_DIGITS && strspn(text, "0123456789") == strlen(text);
	g_autoptr(Turn) turn = NULL;
	if (number &&
	    !turn_find(request_db(request), game->id, (int)strtol(text, NULL, 10), &turn, error))
		return NULL;
	if (turn == NULL) {
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
		return NULL;
	}
	GString *body = g_string_new(NULL);
	view_turn(body, turn);
	return response_json_text(200, body);
}
