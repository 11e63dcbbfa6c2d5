#include "service/api_challenge.h"
#include "service/cursor.h"
#include "service/field.h"
#include "service/game_option.h"
#include "service/idempotency.h"
#include "service/lobby.h"
#include "service/view.h"

#include <string.h>

enum {
	CHALLENGES_LIMIT = 50,
	CHALLENGES_LIMIT_MAX = CHALLENGE_LIST_MAX - 1,
	MESSAGE_MAX = 500,
	EMAIL_MAX = 254,
	RULES_KEY_MAX = 40,
};

/* ---- making one ---- */

/* The order with the texts it borrows. */
typedef struct {
	ChallengeOrder order;
	char *opponent, *email, *rules, *options, *clock, *message;
} Wish;

static void wish_clear(Wish *wish)
{
	g_clear_pointer(&wish->opponent, g_free);
	g_clear_pointer(&wish->email, g_free);
	g_clear_pointer(&wish->rules, g_free);
	g_clear_pointer(&wish->options, g_free);
	g_clear_pointer(&wish->clock, g_free);
	g_clear_pointer(&wish->message, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Wish, wish_clear)

/* "opponent": a player's number or name; "email": an address; neither: open to all. */
static bool opponent_read(const json_t *body, Wish *wish, GError **error)
{
	bool good = !field_given(body, "opponent") || !field_given(body, "email");
	if (!good)
		problem_set_field(error, "email", FIELD_NOT_BOTH, "other", "opponent", NULL);
	good = field_text_optional(body, "email", 1, EMAIL_MAX, &wish->email, error) && good;
	if (json_is_number(json_object_get(body, "opponent")))
		return field_int(body, "opponent", 1, INT64_MAX, &wish->order.opponent_id, error) &&
		       good;
	if (!field_text_optional(body, "opponent", 1, EMAIL_MAX, &wish->opponent, error))
		return false;
	if (wish->opponent != NULL && strchr(wish->opponent, '@') != NULL) {
		problem_set_field(error, "opponent", FIELD_ADDRESS_NOT_NAME, NULL);
		good = false;
	}
	return good;
}

enum { KIND_PLAYER, KIND_ADDRESS, KIND_OPEN };

static const char *const kinds[] = {"player", "address", "open", NULL};
/* What says whom a challenge of a kind goes to. */
static const char *const kind_fields[] = {"opponent", "email"};

/* A program that did not find its opponent means nobody, not everybody. */
static bool null_check(const json_t *body, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kind_fields); i++) {
		if (!json_is_null(json_object_get(body, kind_fields[i])))
			continue;
		problem_set_field(error, kind_fields[i], FIELD_MISSING, NULL);
		return false;
	}
	return true;
}

/* "kind" may be said, to be sure; it must fit what is given, and with an opponent of null it must
 * be said. */
static bool kind_check(const json_t *body, const Wish *wish, GError **error)
{
	const bool player = wish->opponent != NULL || wish->order.opponent_id != 0;
	const int meant = player ? KIND_PLAYER : wish->email != NULL ? KIND_ADDRESS : KIND_OPEN;
	int kind = meant;
	if (!field_choice_optional(body, "kind", kinds, &kind, error))
		return false;
	if (meant == KIND_OPEN && !field_given(body, "kind"))
		return null_check(body, error);
	if (kind == meant)
		return true;
	if (kind == KIND_OPEN)
		problem_set_field(error, "kind", FIELD_NOT_BOTH, "other", kind_fields[meant], NULL);
	else
		problem_set_field(error, kind_fields[kind], FIELD_MISSING, NULL);
	return false;
}

static bool choices_read(const json_t *body, Wish *wish, GError **error)
{
	static const char *const seats[] = {"first", "second", "random", NULL};
	static const char *const visibilities[] = {"public", "private", NULL};
	static const char *const languages[] = {
#define X(name, code, locale) code,
		LANGUAGES(X)
#undef X
			NULL};
	int seat = 2, visibility = 0, language = (int)wish->order.language;
	bool good = field_choice_optional(body, "seat", seats, &seat, error);
	good = field_choice_optional(body, "visibility", visibilities, &visibility, error) && good;
	good = field_choice_optional(body, "language", languages, &language, error) && good;
	wish->order.seat = seats[seat];
	wish->order.visibility = visibilities[visibility];
	wish->order.language = (Language)language;
	return good;
}

/* Rules that are none have no options either. */
static bool options_read(const json_t *body, Wish *wish, GError **error)
{
	const GameRules *rules = wish->rules == NULL ? NULL : rules_find(wish->rules);
	const json_t *options = NULL;
	if (!field_object_optional(body, "options", &options, error))
		return false;
	if (rules == NULL)
		return options == NULL || field_none(options, "options", error);
	wish->options = game_option_read(rules, options, error);
	return wish->options != NULL;
}

static void order_fill(Wish *wish)
{
	ChallengeOrder *order = &wish->order;
	order->opponent_name = wish->opponent;
	order->email = wish->email;
	order->rules = wish->rules;
	order->options = wish->options;
	order->message = wish->message && *wish->message ? wish->message : NULL;
}

/* Whatever is wrong with it is told at once. */
static bool wish_read(Request *request, Wish *wish, GError **error)
{
	static const char *const names[] = {"kind",    "opponent", "email",      "rules",
					    "options", "seat",     "visibility", "language",
					    "clock",   "message",  NULL};
	const json_t *clock = NULL;
	json_t *body = request_json(request, error);
	if (body == NULL)
		return false;
	bool good = field_only(body, names, error);
	good = opponent_read(body, wish, error) && good;
	good = kind_check(body, wish, error) && good;
	good = field_text(body, "rules", 1, RULES_KEY_MAX, &wish->rules, error) && good;
	good = options_read(body, wish, error) && good;
	good = choices_read(body, wish, error) && good;
	good = field_lines_optional(body, "message", 0, MESSAGE_MAX, &wish->message, error) && good;
	good = field_object_optional(body, "clock", &clock, error) && good;
	good = lobby_clock_check(clock, error) && good;
	order_fill(wish);
	good = lobby_challenge_check(&wish->order, error) && good;
	wish->order.clock = wish->clock = good ? lobby_clock(clock, error) : NULL;
	return wish->clock != NULL;
}

static Response *challenge_answer(Request *request, int status, int64_t challenge_id,
				  GError **error)
{
	g_autoptr(Challenge) challenge = NULL;
	if (!challenge_find(request_db(request), challenge_id, &challenge, error))
		return NULL;
	g_assert(challenge != NULL);
	GString *body = g_string_sized_new(1024);
	view_challenge(body, request_config(request), challenge, request_player(request));
	return response_json_text(status, body);
}

static Response *create_answer(Request *request, GError **error)
{
	g_auto(Wish) wish = {
		.order = {.challenger_id = request_player(request)},
	};
	/* An invitation speaks its maker's language unless another is asked for. */
	language_parse(request_actor(request)->language, &wish.order.language);
	int64_t id = 0;
	if (!wish_read(request, &wish, error))
		return NULL;
	if (!lobby_challenge(request_db(request), request_config(request), &wish.order, &id, error))
		return NULL;
	Response *response = challenge_answer(request, 201, id, error);
	if (response == NULL)
		return NULL;
	g_autofree char *location = g_strdup_printf("/v1/challenges/%" G_GINT64_FORMAT, id);
	response_header(response, "Location", location);
	return response;
}

Response *api_challenges_create(Request *request, GError **error)
{
	return idempotency_run(request, create_answer, error);
}

/* ---- answering one ---- */

/* Puts the challenge as it stands into the problem that is about to be raised. */
static void challenge_problem(Request *request)
{
	g_autoptr(Challenge) challenge = NULL;
	const int64_t viewer = request_player(request);
	if (!challenge_find(request_db(request), request_path_id(request, "id"), &challenge,
			    NULL) ||
	    challenge == NULL || !lobby_visible(challenge, viewer))
		return;
	g_autoptr(GString) text = g_string_new(NULL);
	view_challenge(text, request_config(request), challenge, viewer);
	request_problem_member(request, "challenge", json_loadb(text->str, text->len, 0, NULL));
}

static Response *accepted_answer(Request *request, int64_t game_id, bool repeated, GError **error)
{
	Db *db = request_db(request);
	const int64_t viewer = request_player(request);
	g_autoptr(Challenge) challenge = NULL;
	g_autoptr(Game) game = NULL;
	if (!challenge_find(db, request_path_id(request, "id"), &challenge, error) ||
	    !game_find(db, game_id, &game, error))
		return NULL;
	GString *body = g_string_new("{\"challenge\":");
	view_challenge(body, request_config(request), challenge, viewer);
	g_string_append(body, ",\"game\":");
	view_game(body, request_config(request), game);
	g_string_append_c(body, '}');
	Response *response = response_json_text(repeated ? 200 : 201, body);
	g_autofree char *location = g_strdup_printf("/v1/games/%" G_GINT64_FORMAT, game_id);
	response_header(response, "Location", location);
	return response;
}

static Response *accept_answer(Request *request, GError **error)
{
	int64_t game_id = 0;
	bool repeated = false;
	if (lobby_accept(request_db(request), request_path_id(request, "id"),
			 request_player(request), &game_id, &repeated, error))
		return accepted_answer(request, game_id, repeated, error);
	return NULL;
}

static Response *decline_answer(Request *request, GError **error)
{
	const int64_t id = request_path_id(request, "id");
	bool repeated = false;
	if (!lobby_decline(request_db(request), id, request_player(request), &repeated, error))
		return NULL;
	return challenge_answer(request, 200, id, error);
}

static Response *cancel_answer(Request *request, GError **error)
{
	const int64_t id = request_path_id(request, "id");
	bool repeated = false;
	if (!lobby_cancel(request_db(request), id, request_player(request), &repeated, error))
		return NULL;
	return challenge_answer(request, 200, id, error);
}

/* A challenge that is closed by now is shown with the refusal; it is looked at after the rollback.
 */
static Response *answer_run(Request *request, HandlerFn *work, GError **error)
{
	g_autoptr(GError) refusal = NULL;
	Response *response = idempotency_run(request, work, &refusal);
	if (response != NULL)
		return response;
	if (g_error_matches(refusal, PROBLEM_ERROR, PROBLEM_CHALLENGE_CLOSED))
		challenge_problem(request);
	g_propagate_error(error, g_steal_pointer(&refusal));
	return NULL;
}

Response *api_challenges_accept(Request *request, GError **error)
{
	return answer_run(request, accept_answer, error);
}

Response *api_challenges_decline(Request *request, GError **error)
{
	return answer_run(request, decline_answer, error);
}

Response *api_challenges_cancel(Request *request, GError **error)
{
	return answer_run(request, cancel_answer, error);
}

/* ---- reading them ---- */

Response *api_challenges_get(Request *request, GError **error)
{
	g_autoptr(Challenge) challenge = NULL;
	const int64_t viewer = request_player(request);
	if (!challenge_find(request_db(request), request_path_id(request, "id"), &challenge, error))
		return NULL;
	if (challenge == NULL || !lobby_visible(challenge, viewer)) {
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
		return NULL;
	}
	GString *body = g_string_sized_new(1024);
	view_challenge(body, request_config(request), challenge, viewer);
	return response_json_text(200, body);
}

/* The place of a query's value among the choices; keeps *index_r if it was not given. */
static bool choice_read(const Request *request, const char *name, const char *const *choices,
			int *index_r, GError **error)
{
	const char *value = request_query(request, name);
	for (int i = 0; value != NULL && choices[i] != NULL; i++)
		if (strcmp(value, choices[i]) == 0) {
			*index_r = i;
			return true;
		}
	if (value == NULL)
		return true;
	g_autofree char *list = g_strjoinv(", ", (char **)(uintptr_t)choices);
	problem_set_parameter(error, name, FIELD_NOT_A_CHOICE, "choices", list, NULL);
	return false;
}

static bool filter_read(const Request *request, ChallengeFilter *filter, GError **error)
{
	static const char *const sides[] = {
		[CHALLENGES_MINE] = "mine",
		[CHALLENGES_INCOMING] = "incoming",
		[CHALLENGES_OUTGOING] = "outgoing",
		[CHALLENGES_OPEN] = "open",
		NULL,
	};
	static const char *const states[] = {"open",      "accepted", "declined",
					     "cancelled", "any",      NULL};
	int side = CHALLENGES_MINE, state = 0;
	if (!choice_read(request, "list", sides, &side, error) ||
	    !choice_read(request, "state", states, &state, error) ||
	    !cursor_read(request, CHALLENGES_LIMIT_MAX, &filter->before_id, &filter->limit, error))
		return false;
	filter->side = (ChallengeSide)side;
	filter->state = strcmp(states[state], "any") == 0 ? NULL : states[state];
	return true;
}

Response *api_challenges_list(Request *request, GError **error)
{
	const int64_t viewer = request_player(request);
	ChallengeFilter filter = {.player_id = viewer, .limit = CHALLENGES_LIMIT};
	if (!filter_read(request, &filter, error))
		return NULL;
	const int limit = filter.limit++;
	g_autoptr(ChallengeList) list = challenge_list(request_db(request), &filter, error);
	if (list == NULL)
		return NULL;
	GString *body = g_string_new("{\"challenges\":[");
	for (int i = 0; i < MIN(list->count, limit); i++) {
		if (i > 0)
			g_string_append_c(body, ',');
		view_challenge(body, request_config(request), &list->challenges[i], viewer);
	}
	g_string_append_c(body, ']');
	return cursor_answer(request, body,
			     list->count > limit ? list->challenges[limit - 1].id : 0);
}
