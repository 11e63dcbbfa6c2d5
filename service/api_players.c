#include "service/api_account.h"

#include "service/field.h"
#include "service/idempotency.h"
#include "service/link.h"
#include "service/view_account.h"

#include <string.h>

enum { EMAIL_MAX = 254, TEXT_MAX = 200, DIGITS_MAX = 18 };

AccountAccess api_account_access(const Request *request)
{
	return (AccountAccess){
		.db = request_db(request),
		.config = request_config(request),
		.client = request_address(request),
	};
}

Response *api_account_mailed(const Request *request, const char *email)
{
	g_autofree char *confirm = link_path(request_config(request), "/v1/logins/confirm");
	return response_json(
		202, json_pack("{s:s, s:{s:s}}", "email", email, "links", "confirm", confirm));
}

Response *api_players_create(Request *request, GError **error)
{
	static const char *const names[] = {"email", "name", "language", "time_zone", NULL};
	g_autofree char *email = NULL, *name = NULL, *language = NULL, *time_zone = NULL;
	const json_t *body = request_json(request, error);
	if (body == NULL)
		return NULL;
	bool good = field_only(body, names, error);
	good = field_text(body, "email", 0, EMAIL_MAX, &email, error) && good;
	good = field_text(body, "name", 0, TEXT_MAX, &name, error) && good;
	good = field_text_optional(body, "language", 0, TEXT_MAX, &language, error) && good;
	good = field_text_optional(body, "time_zone", 0, TEXT_MAX, &time_zone, error) && good;
	AccountAccess access = api_account_access(request);
	const AccountSignUp wish = {
		.email = email,
		.name = name,
		.language = language ? language : language_code(request_language(request)),
		.time_zone = time_zone,
	};
	if (!good) {
		account_sign_up_check(&wish, error);
		return NULL;
	}
	if (!idempotency_key_any(request, &access.once, error))
		return NULL;
	return account_sign_up(&access, &wish, error) ? api_account_mailed(request, email) : NULL;
}

/* The player whose number or name this is; *player_r is NULL if there is none. */
static bool player_look_up(Db *db, const char *text, Player **player_r, GError **error)
{
	const size_t length = strlen(text);
	if (length <= DIGITS_MAX && strspn(text, "0123456789") == length)
		return player_find(db, g_ascii_strtoll(text, NULL, 10), player_r, error);
	g_autofree char *name = g_uri_unescape_string(text, NULL);
	if (name == NULL || !g_utf8_validate(name, -1, NULL))
		return true;
	g_autofree char *key = name_key(name);
	return player_find_name_key(db, key, player_r, error);
}

Response *api_players_get(Request *request, GError **error)
{
	g_autoptr(Player) player = NULL;
	if (!player_look_up(request_db(request), request_path_text(request, "player"), &player,
			    error))
		return NULL;
	if (player == NULL) {
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
		return NULL;
	}
	return response_json(200, view_player(request_config(request), player));
}

/* By name: a list of one or none. */
Response *api_players_list(Request *request, GError **error)
{
	const char *name = request_query(request, "name");
	if (name == NULL) {
		problem_set_parameter(error, "name", FIELD_MISSING, NULL);
		return NULL;
	}
	g_autofree char *key = name_key(name);
	g_autoptr(Player) player = NULL;
	if (!player_find_name_key(request_db(request), key, &player, error))
		return NULL;
	json_t *list = json_array();
	if (player != NULL)
		json_array_append_new(list, view_player(request_config(request), player));
	return response_json(200, json_pack("{s:o}", "players", list));
}
