#include "service/api_game.h"
#include "service/field.h"
#include "service/idempotency.h"
#include "service/layout_words.h"
#include "service/setup.h"
#include "service/view.h"

enum { LAYOUT_TYPED_MAX = 2000 };

/* What is sealed is for one player's eyes and in nobody's cache. */
static Response *setup_answer(const Request *request, int status, const Game *game,
			      const SetupView *view)
{
	GString *body = g_string_sized_new(2048);
	view_setup(body, request_config(request), game, view);
	Response *response = response_json_text(status, body);
	g_autofree char *etag = view_setup_etag(game, view);
	response_etag(response, etag);
	response_header(response, "Vary", "Authorization");
	if (view->state.sealed && view->viewer != 0)
		response_cache(response, "private, no-store");
	return response;
}

Response *api_setup_get(Request *request, GError **error)
{
	g_autoptr(Game) game = api_game_next(request, error);
	SetupView view;
	if (game == NULL ||
	    !setup_view(request_db(request), game, api_game_viewer(request), &view, error))
		return NULL;
	return setup_answer(request, 200, game, &view);
}

/* ---- sending ---- */

/* The tag of the game holds, and so does that of the set-up as this player saw it. */
static bool setup_expect(const Game *game, void *user_data, GError **error)
{
	const Request *request = user_data;
	g_autofree char *etag = view_game_etag(game, game->version);
	g_autofree char *own =
		view_setup_etag_sealed(game, game_seat(game, request_player(request)));
	return (request_if_match(request, own, NULL) || request_if_match(request, etag, error)) &&
	       request_if_none_match(request, own, error) &&
	       request_if_none_match(request, etag, error);
}

/* "accept" is true where it is given, and stands alone. */
static bool accept_read(const json_t *body, bool *accept_r, GError **error)
{
	*accept_r = false;
	if (!field_bool_optional(body, "accept", accept_r, error))
		return false;
	if (field_given(body, "accept") && !*accept_r) {
		problem_set_field(error, "accept", FIELD_NOT_A_CHOICE, "choices", "true", NULL);
		return false;
	}
	if (*accept_r && field_given(body, "layout")) {
		problem_set_field(error, "accept", FIELD_NOT_BOTH, "other", "layout", NULL);
		return false;
	}
	return true;
}

static bool order_read(Request *request, SetupOrder *order_r, char **layout_r, GError **error)
{
	static const char *const names[] = {"round", "layout", "accept", NULL};
	json_t *body = request_json(request, error);
	bool accept = false;
	if (body == NULL)
		return false;
	bool good = field_only(body, names, error);
	good = field_int(body, "round", 1, INT32_MAX, &order_r->round, error) && good;
	good = field_lines_optional(body, "layout", 1, LAYOUT_TYPED_MAX, layout_r, error) && good;
	order_r->layout = *layout_r;
	good = accept_read(body, &accept, error) && good;
	if (field_given(body, "accept") || *layout_r != NULL)
		return good;
	problem_set_field(error, "layout", FIELD_MISSING, NULL);
	return false;
}

static json_t *fault_json(const GameRules *rules, const LayoutFault *fault, Language language)
{
	g_autofree char *words = layout_words_fault(rules, fault, language);
	json_t *json = json_object();
	json_object_set_new(json, "code", json_string(rules_fault_name(fault->code)));
	json_object_set_new(json, "line",
			    fault->line == 0 ? json_null() : json_integer(fault->line));
	json_object_set_new(json, "count", json_integer(fault->count));
	json_object_set_new(json, "wanted",
			    fault->wanted == 0 ? json_null() : json_integer(fault->wanted));
	json_object_set_new(json, "piece",
			    fault->piece == PIECE_NONE
				    ? json_null()
				    : json_string(rules_piece_name(fault->piece)));
	g_autofree char *text = g_utf8_make_valid(fault->text, -1);
	json_object_set_new(json, "text", *text == '\0' ? json_null() : json_string(text));
	json_object_set_new(json, "detail", json_string(words));
	return json;
}

/* Every mistake, and what was read. */
static void faults_tell(Request *request, const SetupAnswer *answer)
{
	const Game *game = answer->game;
	const GameRules *rules = rules_find(game->rules);
	const Language language = request_language(request);
	json_t *faults = json_array();
	for (int i = 0; i < answer->layout.fault_count; i++)
		json_array_append_new(faults,
				      fault_json(rules, &answer->layout.fault[i], language));
	request_problem_member(request, "faults", faults);
	g_autofree char *drawing = layout_words_drawing(
		rules, &answer->layout, game_seat(game, request_player(request)), language, false);
	request_problem_member(request, "understood", json_string(drawing));
}

static Response *sent_answer(Request *request, const SetupAnswer *answer)
{
	Response *response =
		setup_answer(request, answer->repeated ? 200 : 201, answer->game, &answer->view);
	g_autofree char *location =
		g_strdup_printf("/v1/games/%" G_GINT64_FORMAT "/setup", answer->game->id);
	response_header(response, "Location", location);
	return response;
}

static Response *setup_post(Request *request, GError **error)
{
	SetupOrder order = {
		.player_id = request_player(request),
		.channel = "rest",
		.expect = request_is_conditional(request) ? setup_expect : NULL,
		.expect_data = request,
	};
	g_autofree char *layout = NULL;
	g_autoptr(GError) refusal = NULL;
	g_auto(SetupAnswer) answer = {0};
	if (!order_read(request, &order, &layout, error))
		return NULL;
	if (setup_send(request_db(request), request_path_id(request, "id"), &order, &answer,
		       &refusal))
		return sent_answer(request, &answer);
	api_game_problem(request, answer.game);
	if (g_error_matches(refusal, PROBLEM_ERROR, PROBLEM_LAYOUT_FAULTY))
		faults_tell(request, &answer);
	g_propagate_error(error, g_steal_pointer(&refusal));
	return NULL;
}

Response *api_setup_post(Request *request, GError **error)
{
	return idempotency_run(request, setup_post, error);
}
