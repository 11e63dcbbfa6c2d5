#include "service/route.h"

#include "service/api_account.h"
#include "service/api_challenge.h"
#include "service/api_game.h"
#include "service/api_health.h"
#include "service/api_mail.h"
#include "service/web/pages.h"
#include "service/web/style.h"

#include <stdio.h>
#include <string.h>

#define HTML "text/html"
#define JSON_OR_HTML "application/json, text/html"
#define PLAIN "text/plain"
#define SVG "image/svg+xml"
#define PNG "image/png"

/* clang-format off */
const Route routes[] = {
	/* operations */
	{"GET", "/healthz", "getHealth", ACCESS_NOBODY, SCOPE_NONE, RATE_NONE, NULL, api_health_live, NULL, true, NULL, false},
	{"GET", "/readyz", "getReadiness", ACCESS_NOBODY, SCOPE_NONE, RATE_NONE, NULL, api_health_ready, NULL, false, NULL, false},
	{"GET", "/metrics", "getMetrics", ACCESS_NOBODY, SCOPE_NONE, RATE_NONE, NULL, api_health_metrics, PLAIN, false, NULL, false},
	/* documents */
	{"GET", "/openapi.json", "getDescription", ACCESS_NOBODY, SCOPE_NONE, RATE_READ, NULL, api_health_openapi, NULL, true, NULL, false},
	{"GET", "/problems", "listProblems", ACCESS_NOBODY, SCOPE_NONE, RATE_READ, NULL, api_health_problems, JSON_OR_HTML, true, NULL, false},
	{"GET", "/problems/{type}", "getProblem", ACCESS_NOBODY, SCOPE_NONE, RATE_READ, NULL, api_health_problem, JSON_OR_HTML, true, NULL, false},
	/* players: the account's own doors need a token with all scopes, as a login gives it */
	{"POST", "/v1/players", "signUp", ACCESS_NOBODY, SCOPE_NONE, RATE_LOGIN, NULL, api_players_create, NULL, false, NULL, true},
	{"GET", "/v1/players", "findPlayers", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, NULL, api_players_list, NULL, false, "name", false},
	{"GET", "/v1/players/{player}", "getPlayer", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, NULL, api_players_get, NULL, false, NULL, false},
	{"POST", "/v1/logins", "requestLogin", ACCESS_NOBODY, SCOPE_NONE, RATE_LOGIN, NULL, api_logins_create, NULL, false, NULL, true},
	{"POST", "/v1/logins/confirm", "confirmCode", ACCESS_NOBODY, SCOPE_NONE, RATE_LOGIN, NULL, api_logins_confirm, NULL, false, NULL, true},
	{"GET", "/v1/me", "getMe", ACCESS_TOKEN, SCOPE_READ, RATE_READ, NULL, api_me_get, NULL, false, NULL, false},
	{"PATCH", "/v1/me", "changeMe", ACCESS_TOKEN, SCOPE_ALL, RATE_WRITE, NULL, api_me_change, NULL, false, NULL, true},
	{"GET", "/v1/me/addresses", "listAddresses", ACCESS_TOKEN, SCOPE_READ, RATE_READ, NULL, api_me_addresses, NULL, false, NULL, false},
	{"POST", "/v1/me/addresses", "addAddress", ACCESS_TOKEN, SCOPE_ALL, RATE_WRITE, NULL, api_me_address_add, NULL, false, NULL, true},
	{"POST", "/v1/me/addresses/{id}/primary", "makeAddressPrimary", ACCESS_TOKEN, SCOPE_ALL, RATE_WRITE, NULL, api_me_address_primary, NULL, false, NULL, false},
	{"DELETE", "/v1/me/addresses/{id}", "removeAddress", ACCESS_TOKEN, SCOPE_ALL, RATE_WRITE, NULL, api_me_address_remove, NULL, false, NULL, false},
	{"GET", "/v1/tokens", "listTokens", ACCESS_TOKEN, SCOPE_READ, RATE_READ, NULL, api_tokens_list, NULL, false, NULL, false},
	{"POST", "/v1/tokens", "makeToken", ACCESS_TOKEN, SCOPE_NONE, RATE_WRITE, NULL, api_tokens_create, NULL, false, NULL, true},
	{"DELETE", "/v1/tokens/{id}", "revokeToken", ACCESS_TOKEN, SCOPE_NONE, RATE_WRITE, NULL, api_tokens_revoke, NULL, false, NULL, false},
	/* rules */
	{"GET", "/v1/rules", "listRules", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, NULL, api_rules_list, NULL, false, NULL, false},
	{"GET", "/v1/rules/{key}", "getRules", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, NULL, api_rules_get, NULL, false, NULL, false},
	/* challenges */
	{"GET", "/v1/challenges", "listChallenges", ACCESS_TOKEN, SCOPE_READ, RATE_READ, NULL, api_challenges_list, NULL, false, "list state cursor limit", false},
	{"POST", "/v1/challenges", "makeChallenge", ACCESS_TOKEN, SCOPE_CHALLENGE, RATE_WRITE, NULL, api_challenges_create, NULL, false, NULL, true},
	{"GET", "/v1/challenges/{id}", "getChallenge", ACCESS_TOKEN, SCOPE_READ, RATE_READ, NULL, api_challenges_get, NULL, false, NULL, false},
	{"POST", "/v1/challenges/{id}/accept", "acceptChallenge", ACCESS_TOKEN, SCOPE_CHALLENGE, RATE_WRITE, NULL, api_challenges_accept, NULL, false, NULL, false},
	{"POST", "/v1/challenges/{id}/decline", "declineChallenge", ACCESS_TOKEN, SCOPE_CHALLENGE, RATE_WRITE, NULL, api_challenges_decline, NULL, false, NULL, false},
	{"POST", "/v1/challenges/{id}/cancel", "cancelChallenge", ACCESS_TOKEN, SCOPE_CHALLENGE, RATE_WRITE, NULL, api_challenges_cancel, NULL, false, NULL, false},
	/* games: the scope read is looked at where private games are */
	{"GET", "/v1/games", "listGames", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, NULL, api_games_list, NULL, false, "player mine awaiting rules phase cursor limit", false},
	{"GET", "/v1/games/{id}", "getGame", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, api_game_prefetch, api_games_get, NULL, false, NULL, false},
	{"GET", "/v1/games/{id}/turns", "listTurns", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, api_game_prefetch, api_turns_list, NULL, false, "cursor limit", false},
	{"POST", "/v1/games/{id}/turns", "playTurn", ACCESS_TOKEN, SCOPE_PLAY, RATE_WRITE, api_game_prefetch, api_turns_post, NULL, false, NULL, true},
	{"GET", "/v1/games/{id}/turns/{ply}", "getTurn", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, api_game_prefetch, api_turns_get, NULL, false, NULL, false},
	{"GET", "/v1/games/{id}/setup", "getSetup", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, api_game_prefetch, api_setup_get, NULL, false, NULL, false},
	{"POST", "/v1/games/{id}/setup", "sendSetup", ACCESS_TOKEN, SCOPE_PLAY, RATE_WRITE, NULL, api_setup_post, NULL, false, NULL, true},
	{"GET", "/v1/games/{id}/steps", "listSteps", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, api_game_prefetch, api_steps_list, NULL, false, "prefix", false},
	{"POST", "/v1/games/{id}/resign", "resignGame", ACCESS_TOKEN, SCOPE_PLAY, RATE_WRITE, NULL, api_games_resign, NULL, false, NULL, false},
	{"GET", "/v1/games/{id}/board.svg", "getBoardSvg", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, api_game_prefetch, api_boards_svg, SVG, false, "ply orientation", false},
	{"GET", "/v1/games/{id}/board.png", "getBoardPng", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, api_game_prefetch, api_boards_png, PNG, false, "ply orientation", false},
	{"GET", "/v1/games/{id}/board.txt", "getBoardText", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, api_game_prefetch, api_boards_text, PLAIN, false, "ply orientation", false},
	{"GET", "/v1/games/{id}/record.json", "getRecord", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, api_game_prefetch, api_records_json, NULL, false, NULL, false},
	{"GET", "/v1/games/{id}/record.txt", "getRecordText", ACCESS_ANYONE, SCOPE_NONE, RATE_READ, api_game_prefetch, api_records_text, PLAIN, false, NULL, false},
	{"GET", "/v1/games/{id}/deliveries", "listDeliveries", ACCESS_TOKEN, SCOPE_READ, RATE_READ, api_game_prefetch, api_deliveries_list, NULL, false, "cursor limit", false},
	/* mail that came in: limited by whoever brings it */
	{"POST", "/v1/mail", "bringMail", ACCESS_TOKEN, SCOPE_MAIL, RATE_NONE, NULL, api_mail_post, NULL, false, "recipient sender", true},
	/* pages */
	{"GET", "/", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, NULL, home_page_get, HTML, false, NULL, false},
	{"GET", "/style.css", NULL, ACCESS_NOBODY, SCOPE_NONE, RATE_NONE, NULL, style_sheet, "text/css", true, NULL, false},
	{"GET", "/icon.svg", NULL, ACCESS_NOBODY, SCOPE_NONE, RATE_NONE, NULL, style_icon, SVG, true, NULL, false},
	{"GET", "/sign-up", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, NULL, login_page_sign_up_get, HTML, false, NULL, false},
	{"POST", "/sign-up", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_LOGIN, NULL, login_page_sign_up_post, HTML, false, NULL, false},
	{"GET", "/login", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, NULL, login_page_get, HTML, false, NULL, false},
	{"POST", "/login", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_LOGIN, NULL, login_page_post, HTML, false, NULL, false},
	{"POST", "/logout", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_WRITE, NULL, login_page_logout, HTML, false, NULL, false},
	{"GET", "/confirm", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, NULL, confirm_page_type, HTML, false, NULL, false},
	{"POST", "/confirm", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_LOGIN, NULL, confirm_page_typed, HTML, false, NULL, false},
	{"GET", "/confirm/{code}", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, NULL, confirm_page_get, HTML, false, NULL, false},
	{"POST", "/confirm/{code}", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_LOGIN, NULL, confirm_page_post, HTML, false, NULL, false},
	{"GET", "/games", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_READ, NULL, games_page_get, HTML, false, NULL, false},
	{"GET", "/games/{id}", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, api_game_prefetch, game_page_get, HTML, false, NULL, false},
	{"GET", "/games/{id}/board.svg", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, api_game_prefetch, api_boards_svg, SVG, false, NULL, false},
	{"POST", "/games/{id}/turns", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, api_game_prefetch, game_form_turn, HTML, false, NULL, false},
	{"POST", "/games/{id}/setup", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, game_setup_form_post, HTML, false, NULL, false},
	{"POST", "/games/{id}/resign", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, api_game_prefetch, game_form_resign, HTML, false, NULL, false},
	{"GET", "/challenges/new", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_READ, NULL, challenge_form_get, HTML, false, NULL, false},
	{"POST", "/challenges", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, challenge_form_post, HTML, false, NULL, false},
	{"GET", "/challenges/{id}", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, NULL, challenge_page_get, HTML, false, NULL, false},
	{"POST", "/challenges/{id}/accept", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, challenge_page_accept, HTML, false, NULL, false},
	{"POST", "/challenges/{id}/decline", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, challenge_page_decline, HTML, false, NULL, false},
	{"POST", "/challenges/{id}/cancel", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, challenge_page_cancel, HTML, false, NULL, false},
	{"GET", "/invitations/{id}/{secret}", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, NULL, invitation_page_get, HTML, false, NULL, false},
	{"POST", "/invitations/{id}/{secret}", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_WRITE, NULL, invitation_page_post, HTML, false, NULL, false},
	{"GET", "/unsubscribe/{player_id}/{secret}", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, NULL, unsubscribe_page_get, HTML, false, NULL, false},
	{"POST", "/unsubscribe/{player_id}/{secret}", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_WRITE, NULL, unsubscribe_page_post, HTML, false, NULL, false},
	{"GET", "/settings", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_READ, NULL, settings_page_get, HTML, false, NULL, false},
	{"POST", "/settings/profile", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, settings_page_profile, HTML, false, NULL, false},
	{"POST", "/settings/language", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, settings_page_language, HTML, false, NULL, false},
	{"POST", "/settings/mail", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, settings_page_mail, HTML, false, NULL, false},
	{"POST", "/settings/remarks", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, settings_page_remarks, HTML, false, NULL, false},
	{"POST", "/settings/sessions", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, settings_page_sessions, HTML, false, NULL, false},
	{"POST", "/settings/addresses", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, settings_address_add, HTML, false, NULL, false},
	{"POST", "/settings/addresses/{id}/primary", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, settings_address_primary, HTML, false, NULL, false},
	{"POST", "/settings/addresses/{id}/remove", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, settings_address_remove, HTML, false, NULL, false},
	{"POST", "/settings/tokens", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, settings_token_make, HTML, false, NULL, false},
	{"POST", "/settings/tokens/{id}/revoke", NULL, ACCESS_SESSION, SCOPE_NONE, RATE_WRITE, NULL, settings_token_revoke, HTML, false, NULL, false},
	{"GET", "/rules", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, NULL, rules_page_list, HTML, false, NULL, false},
	{"GET", "/rules/{key}", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, NULL, rules_page_get, HTML, false, NULL, false},
	{"GET", "/rules/{key}/board.svg", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, NULL, rules_page_board, SVG, false, NULL, false},
	{"GET", "/privacy", NULL, ACCESS_VISITOR, SCOPE_NONE, RATE_READ, NULL, privacy_page_get, HTML, false, NULL, false},
	{0},
};
/* clang-format on */

static const char *const access_names[] = {
	[ACCESS_NOBODY] = "nobody",   [ACCESS_ANYONE] = "anyone",   [ACCESS_TOKEN] = "token",
	[ACCESS_VISITOR] = "visitor", [ACCESS_SESSION] = "session",
};

/* Path patterns and paths are compared part by part, split at "/"; a part may be empty ("/"). */
typedef struct {
	const char *start;
	size_t length;
} PathPart;

static bool part_next(const char **path, PathPart *part_r)
{
	if (**path != '/')
		return false;
	const char *start = *path + 1;
	size_t length = strcspn(start, "/");
	*part_r = (PathPart){start, length};
	*path = start + length;
	return true;
}

static bool part_is_pattern(PathPart part)
{
	return part.length > 2 && part.start[0] == '{' && part.start[part.length - 1] == '}';
}

static bool part_is_id(PathPart pattern)
{
	static const char end[] = "id}";
	size_t size = sizeof(end) - 1;
	return pattern.length >= size &&
	       memcmp(pattern.start + pattern.length - size, end, size) == 0 &&
	       (pattern.length == size + 1 || pattern.start[pattern.length - size - 1] == '_');
}

/* A positive 64-bit number without a leading zero: each thing has one address. */
static bool id_read(PathPart part, int64_t *id_r)
{
	if (part.length == 0 || part.length > 19 || part.start[0] == '0')
		return false;
	uint64_t number = 0;
	for (size_t i = 0; i < part.length; i++) {
		if (part.start[i] < '0' || part.start[i] > '9')
			return false;
		number = number * 10 + (uint64_t)(part.start[i] - '0');
	}
	if (number > INT64_MAX)
		return false;
	*id_r = (int64_t)number;
	return true;
}

static bool is_unreserved(char character)
{
	return g_ascii_isalnum(character) || (character != '\0' && strchr("-._~", character));
}

static bool text_fits(PathPart part)
{
	for (size_t i = 0; i < part.length; i++)
		if (!is_unreserved(part.start[i]) && part.start[i] != '%')
			return false;
	return part.length > 0 && part.length <= ROUTE_TEXT_MAX;
}

void route_path(const char *target, char path_r[ROUTE_PATH_MAX + 1])
{
	size_t size = 0;
	for (const char *at = target; *at != '\0' && *at != '?'; at++) {
		char text[4] = {*at};
		if (*at == '%') {
			const int byte =
				g_ascii_xdigit_value(at[1]) * 16 + g_ascii_xdigit_value(at[2]);
			if (is_unreserved((char)byte))
				text[0] = (char)byte;
			else
				g_snprintf(text, sizeof(text), "%%%02X", (unsigned)byte);
			at += 2;
		}
		if (size + strlen(text) > ROUTE_PATH_MAX) {
			size = 0;
			break;
		}
		size += g_strlcpy(path_r + size, text, sizeof(text));
	}
	path_r[size] = '\0';
}

static bool pattern_fits(PathPart pattern, PathPart part)
{
	int64_t id = 0;
	if (!part_is_pattern(pattern))
		return pattern.length == part.length &&
		       memcmp(pattern.start, part.start, part.length) == 0;
	return part_is_id(pattern) ? id_read(part, &id) : text_fits(part);
}

/* How well a row fits: -1 not at all; else the number of literal parts, so that literals win. */
static int row_fits(const char *pattern_path, const char *path)
{
	PathPart pattern = {0}, part = {0};
	int literals = 0;
	while (part_next(&pattern_path, &pattern)) {
		if (!part_next(&path, &part) || !pattern_fits(pattern, part))
			return -1;
		literals += part_is_pattern(pattern) ? 0 : 1;
	}
	return *path == '\0' ? literals : -1;
}

/* The methods of all rows with the path of row, as Allow wants them. */
static char *allow_collect(const Route *table, const char *path)
{
	GString *allow = g_string_new(NULL);
	for (const Route *row = table; row->path != NULL; row++) {
		if (strcmp(row->path, path) != 0)
			continue;
		g_string_append_printf(allow, "%s, ", row->method);
		if (strcmp(row->method, "GET") == 0)
			g_string_append(allow, "HEAD, ");
	}
	g_string_append(allow, "OPTIONS");
	return g_string_free(allow, FALSE);
}

static void parts_collect(const Route *route, const char *path, RouteMatch *match_r)
{
	const char *pattern_path = route->path;
	PathPart pattern = {0}, part = {0};
	int count = 0;
	while (part_next(&pattern_path, &pattern) && part_next(&path, &part)) {
		if (!part_is_pattern(pattern))
			continue;
		g_assert(count < ROUTE_PARTS_MAX);
		memcpy(match_r->part[count], part.start, part.length);
		match_r->part[count][part.length] = '\0';
		if (part_is_id(pattern))
			id_read(part, &match_r->id[count]);
		count++;
	}
}

void route_match(const Route *table, const char *method, const char *path, RouteMatch *match_r)
{
	const Route *best = NULL;
	int best_fit = -1;
	*match_r = (RouteMatch){0};
	for (const Route *row = table; row->path != NULL; row++) {
		int fit = row_fits(row->path, path);
		if (fit > best_fit) {
			best_fit = fit;
			best = row;
		}
		if (fit < 0 || strcmp(row->method, method) != 0)
			continue;
		if (match_r->route == NULL || row_fits(match_r->route->path, path) < fit)
			match_r->route = row;
	}
	if (best == NULL)
		return;
	/* A pattern never answers for a literal path that has other methods. */
	if (match_r->route != NULL && row_fits(match_r->route->path, path) < best_fit)
		match_r->route = NULL;
	match_r->path = best->path;
	if (match_r->route != NULL)
		parts_collect(match_r->route, path, match_r);
}

char *route_allow(const Route *table, const RouteMatch *match)
{
	return allow_collect(table, match->path);
}

int route_part(const Route *route, const char *name)
{
	const char *path = route->path;
	PathPart part = {0};
	int count = 0;
	while (part_next(&path, &part)) {
		if (!part_is_pattern(part))
			continue;
		if (part.length == strlen(name) + 2 &&
		    memcmp(part.start + 1, name, part.length - 2) == 0)
			return count;
		count++;
	}
	return -1;
}

bool route_knows(const Route *route, const char *parameter)
{
	const size_t length = strlen(parameter);
	for (const char *name = route->query; name != NULL; name = strchr(name, ' ')) {
		name += *name == ' ';
		if (strcspn(name, " ") == length && strncmp(name, parameter, length) == 0)
			return true;
	}
	return false;
}

int route_print(void)
{
	for (const Route *row = routes; row->path != NULL; row++) {
		printf("%s\t%s\t%s\t%s\t", row->method, row->path,
		       row->operation == NULL ? "" : row->operation, access_names[row->access]);
		for (unsigned i = 0; i < SCOPE_COUNT; i++)
			if ((row->scopes & 1u << i) != 0)
				printf("%s ", scope_name((ScopeIndex)i));
		printf("\t%s\t%s\n", row->query == NULL ? "" : row->query,
		       row->takes_body ? "body" : "");
	}
	return 0;
}
