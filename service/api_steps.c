#include "service/api_game.h"
#include "service/json_text.h"
#include "service/notation.h"

#include <string.h>

enum { PARTS = PART_BONUS + 1 };

static const char *const part_names[PARTS] = {
	[PART_MAIN] = "main",
	[PART_SURVIVOR] = "survivor",
	[PART_BONUS] = "bonus",
};

static const char *const kind_names[] = {
	[FACT_MOVE] = "move",         [FACT_CAPTURE] = "capture",
	[FACT_ORDO] = "ordo",         [FACT_REMOVED] = NULL, /* no step of its own */
	[FACT_ROTATION] = "rotation", [FACT_CONFRONTATION] = "confrontation",
	[FACT_PASS] = "pass",
};

/* The steps that may follow, as they are told. */
typedef struct {
	const GameRules *rules;
	const Position *position;
	const char *prefix; /* canonical */
	GString *body;
	unsigned kinds[PARTS]; /* bits of FactKind that were among the steps */
} Telling;

static void comma_append(GString *body)
{
	if (body->str[body->len - 1] != '[')
		g_string_append_c(body, ',');
}

static bool step_append(const char *step, bool may_end, void *user_data)
{
	Telling *telling = user_data;
	GString *body = telling->body;
	const TurnFact fact =
		notation_step_fact(telling->rules, telling->position, telling->prefix, step);
	telling->kinds[fact.part] |= 1u << fact.kind;
	comma_append(body);
	g_string_append(body, "{\"step\":");
	json_text_string(body, step);
	json_text_member(body, "part", part_names[fact.part]);
	json_text_member(body, "kind", kind_names[fact.kind]);
	g_string_append(body, may_end ? ",\"may_end\":true}" : ",\"may_end\":false}");
	return true;
}

/* {"part":"bonus","kinds":["rotation","move"],"optional":true} */
static void part_append(const Telling *telling, int part, bool optional)
{
	GString *body = telling->body;
	comma_append(body);
	g_string_append_printf(body, "{\"part\":\"%s\",\"kinds\":[", part_names[part]);
	for (size_t kind = 0; kind < G_N_ELEMENTS(kind_names); kind++) {
		if ((telling->kinds[part] & 1u << kind) == 0)
			continue;
		comma_append(body);
		json_text_string(body, kind_names[kind]);
	}
	g_string_append_printf(body, "],\"optional\":%s}", optional ? "true" : "false");
}

/* The legal steps after a prefix, and what parts of a turn they belong to. */
static bool steps_append(Telling *telling, const char *prefix, Refusal *refusal_r)
{
	GString *body = telling->body;
	bool may_end = false;
	g_string_append(body, ",\"steps\":[");
	if (prefix != NULL && !telling->rules->steps(telling->position, prefix, &may_end,
						     step_append, telling, refusal_r))
		return false;
	g_string_append(body, "],\"parts\":[");
	for (int part = 0; part < PARTS; part++)
		if (telling->kinds[part] != 0)
			part_append(telling, part, may_end);
	g_string_append(body, may_end ? "],\"may_end\":true}" : "],\"may_end\":false}");
	return true;
}

static bool steps_write(Request *request, const Game *game, const char *prefix, GString *body,
			GError **error)
{
	const GameRules *rules = rules_find(game->rules);
	Position position;
	Refusal refusal = {0};
	const bool read = rules->parse(game->board, &position, &refusal);
	g_assert(read);
	g_autofree char *normalised = notation_prefix(rules, &position, prefix);
	g_autofree char *canonical = notation_prefix_canonical(rules, &position, normalised);
	Telling telling = {rules, &position, canonical, body, {0}};
	json_text_member(body, "phase", game->phase);
	json_text_number(body, "ply", game->ply + 1);
	json_text_member(body, "board", game->board);
	json_text_member(body, "prefix", canonical);
	const bool played = strcmp(game->phase, "play") == 0;
	if (steps_append(&telling, played ? normalised : NULL, &refusal))
		return true;
	NearestTurns nearest;
	nearest_find(rules, &position, prefix, &refusal, &nearest);
	api_game_refusal(request, rules, &refusal, &nearest);
	problem_set(error,
		    rules_refusal_unreadable(refusal.code) ? PROBLEM_TURN_UNREADABLE
							   : PROBLEM_TURN_ILLEGAL,
		    NULL);
	return false;
}

Response *api_steps_list(Request *request, GError **error)
{
	g_autoptr(Game) game = api_game_next(request, error);
	if (game == NULL)
		return NULL;
	const char *prefix = request_query(request, "prefix");
	GString *body = g_string_sized_new(4096);
	json_text_first(body, "game_id", game->id);
	if (!steps_write(request, game, prefix ? prefix : "", body, error)) {
		g_string_free(body, TRUE);
		return NULL;
	}
	return api_game_etag(response_json_text(200, body), game, game->version);
}
