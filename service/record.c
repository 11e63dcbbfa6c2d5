#include "service/record.h"

#include "rules/rules.h"
#include "service/link.h"

#include <string.h>

char *record_instant(const char *stamp)
{
	return g_strdup_printf("%.10sT%.8sZ", stamp, stamp + 11);
}

static json_t *instant(const char *stamp)
{
	g_autofree char *text = record_instant(stamp);
	return json_string(text);
}

static json_t *id_text(int64_t id)
{
	g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, id);
	return json_string(text);
}

static json_t *players_json(const Game *game)
{
	json_t *players = json_array();
	for (int i = 0; i < GAME_SEATS; i++) {
		json_t *player = json_object();
		json_object_set_new(player, "name", json_string(game->seat[i].name));
		json_object_set_new(player, "userid", id_text(game->seat[i].player_id));
		json_object_set_new(player, "result", json_integer(game->winner == i + 1));
		json_array_append_new(players, player);
	}
	return players;
}

static json_t *header_json(const Config *config, const Game *game)
{
	const GameRules *rules = rules_find(game->rules);
	g_autofree char *url = link_game(config, game->id, -1);
	json_t *header = json_object();
	json_t *variants = json_array();
	if (*game->options)
		json_array_append_new(variants, json_string(game->options));
	json_object_set_new(header, "game",
			    json_pack("{s:s, s:o}", "name", rules->name, "variants", variants));
	json_object_set_new(
		header, "site",
		json_pack("{s:s, s:I}", "name", "Ludopost", "gameid", (json_int_t)game->id));
	json_object_set_new(header, "date-start", instant(game->created_at));
	json_object_set_new(header, "date-end", instant(game->ended_at));
	json_object_set_new(header, "date-generated", instant(game->changed_at));
	json_object_set_new(header, "unrated", json_true());
	json_object_set_new(header, "players", players_json(game));
	json_object_set_new(header, "startingPosition", json_string(game->start_board));
	json_object_set_new(header, "termination", json_string(game->reason));
	json_object_set_new(header, "url", json_string(url));
	return header;
}

static void round_fill(json_t *round, size_t entries)
{
	while (json_array_size(round) < entries)
		json_array_append_new(round, json_null());
}

/* Rounds of one turn for each seat; null where a seat had none. */
static json_t *moves_json(const TurnList *turns)
{
	json_t *rounds = json_array();
	json_t *round = NULL;
	for (int i = 0; i < turns->count; i++) {
		const size_t place = (size_t)turns->turns[i].seat - 1;
		if (round == NULL || json_array_size(round) > place) {
			if (round != NULL)
				round_fill(round, GAME_SEATS);
			round = json_array();
			json_array_append_new(rounds, round);
		}
		round_fill(round, place);
		json_array_append_new(round, json_string(turns->turns[i].text));
	}
	if (round != NULL)
		round_fill(round, GAME_SEATS);
	return rounds;
}

json_t *record_json(const Config *config, const Game *game, const TurnList *turns)
{
	g_assert(game->reason != NULL);
	return json_pack("{s:o, s:o}", "header", header_json(config, game), "moves",
			 moves_json(turns));
}

/* [Name "value"], quotation marks and backslashes escaped as in PGN. */
static void tag_append(GString *out, const char *name, const char *value)
{
	g_string_append_c(out, '[');
	g_string_append_c(out, g_ascii_toupper(name[0]));
	g_string_append(out, name + 1);
	g_string_append(out, " \"");
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			g_string_append_c(out, '\\');
		g_string_append_c(out, *value);
	}
	g_string_append(out, "\"]\n");
}

static void date_append(GString *out, const char *name, const char *stamp)
{
	g_autofree char *date = g_strndup(stamp, 10);
	tag_append(out, name, g_strdelimit(date, "-", '.'));
}

static const char *result_text(const Game *game)
{
	static const char *const results[] = {"1/2-1/2", "1-0", "0-1"};
	return game->reason == NULL ? "*" : results[game->winner];
}

static void tags_append(GString *out, const Config *config, const Game *game)
{
	const GameRules *rules = rules_find(game->rules);
	g_autofree char *url = link_game(config, game->id, -1);
	g_autofree char *plies = g_strdup_printf("%d", game->ply);
	tag_append(out, "game", rules->name);
	if (*game->options)
		tag_append(out, "options", game->options);
	tag_append(out, "site", url);
	date_append(out, "date", game->created_at);
	if (game->ended_at != NULL)
		date_append(out, "endDate", game->ended_at);
	for (int i = 0; i < GAME_SEATS; i++)
		tag_append(out, rules->seat_names[i], game->seat[i].name);
	tag_append(out, "result", result_text(game));
	if (game->reason != NULL)
		tag_append(out, "termination", game->reason);
	tag_append(out, "plyCount", plies);
	tag_append(out, "board", game->start_board);
}

void record_turns(GString *out, const TurnList *turns)
{
	int number = 0, seat_before = GAME_SEATS;
	for (int i = 0; i < turns->count; i++) {
		const Turn *turn = &turns->turns[i];
		if (turn->seat <= seat_before) {
			g_string_append_printf(out, "%s%d.", i ? "\n" : "", ++number);
			for (int seat = 1; seat < turn->seat; seat++)
				g_string_append(out, " ...");
		}
		g_string_append_printf(out, " %s", turn->text);
		seat_before = turn->seat;
	}
}

GString *record_text(const Config *config, const Game *game, const TurnList *turns)
{
	GString *out = g_string_new(NULL);
	tags_append(out, config, game);
	g_string_append_c(out, '\n');
	record_turns(out, turns);
	g_string_append_printf(out, "%s%s\n", turns->count ? "\n" : "", result_text(game));
	return out;
}
