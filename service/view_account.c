#include "service/view_account.h"

#include "service/link.h"

/* Takes value over. */
static void member(json_t *object, const char *name, json_t *value)
{
	if (json_object_set_new(object, name, value) != 0)
		g_error("event=out_of_memory where=view_account");
}

/* A text, or null. */
static json_t *text_or_null(const char *text)
{
	return text != NULL ? json_string(text) : json_null();
}

static json_t *list_or_abort(void)
{
	json_t *list = json_array();
	g_assert(list != NULL);
	return list;
}

static void append(json_t *list, json_t *value)
{
	if (json_array_append_new(list, value) != 0)
		g_error("event=out_of_memory where=view_account");
}

json_t *view_player(const Config *config, const Player *player)
{
	g_autofree char *path = g_strdup_printf("/v1/players/%" G_GINT64_FORMAT, player->id);
	g_autofree char *self = link_path(config, path);
	json_t *object = json_object();
	member(object, "id", json_integer(player->id));
	member(object, "name", json_string(player->name));
	member(object, "since", json_string(player->since));
	member(object, "links", json_pack("{s:s}", "self", self));
	return object;
}

json_t *view_me(const Config *config, const Player *player)
{
	g_autofree char *self = link_path(config, "/v1/me");
	g_autofree char *addresses = link_path(config, "/v1/me/addresses");
	g_autofree char *tokens = link_path(config, "/v1/tokens");
	json_t *object = view_player(config, player);
	member(object, "email", text_or_null(player->email));
	member(object, "language", json_string(player->language));
	member(object, "time_zone", json_string(player->time_zone));
	member(object, "mail", json_boolean(player->mail));
	member(object, "remarks", json_boolean(player->remarks));
	member(object, "guest", json_boolean(player->guest));
	member(object, "reachable", json_boolean(player->reachable));
	member(object, "links",
	       json_pack("{s:s, s:s, s:s}", "self", self, "addresses", addresses, "tokens",
			 tokens));
	return object;
}

json_t *view_addresses(const DbResult *rows)
{
	json_t *list = list_or_abort();
	for (int row = 0; row < db_rows(rows); row++) {
		json_t *object = json_object();
		member(object, "id", json_integer(db_int(rows, row, 0)));
		member(object, "email", json_string(db_text(rows, row, 1)));
		member(object, "state", json_string(db_text(rows, row, 2)));
		member(object, "primary", json_boolean(db_bool(rows, row, 3)));
		member(object, "confirmed_at", text_or_null(db_text(rows, row, 4)));
		append(list, object);
	}
	return list;
}

/* "read play" as a list. */
static json_t *scopes_list(const char *text)
{
	g_auto(GStrv) names = g_strsplit(text, " ", -1);
	json_t *list = list_or_abort();
	for (char **name = names; *name; name++)
		append(list, json_string(*name));
	return list;
}

json_t *view_token(const DbResult *rows, int row, int64_t current_id)
{
	const int64_t id = db_int(rows, row, 0);
	json_t *object = json_object();
	member(object, "id", json_integer(id));
	member(object, "name", json_string(db_text(rows, row, 1)));
	member(object, "prefix", json_string(db_text(rows, row, 2)));
	member(object, "scopes", scopes_list(db_text(rows, row, 3)));
	member(object, "created_at", json_string(db_text(rows, row, 4)));
	member(object, "expires_at", text_or_null(db_text(rows, row, 5)));
	member(object, "last_used_on", text_or_null(db_text(rows, row, 6)));
	member(object, "current", json_boolean(id == current_id));
	return object;
}

json_t *view_tokens(const DbResult *rows, int64_t current_id)
{
	json_t *list = list_or_abort();
	for (int row = 0; row < db_rows(rows); row++)
		append(list, view_token(rows, row, current_id));
	return list;
}

json_t *view_confirmed(const Config *config, const AccountConfirmed *confirmed,
		       const Player *player, const DbResult *token)
{
	json_t *object = json_object();
	member(object, "did", json_string(account_did_name(confirmed->did)));
	member(object, "player", player == NULL ? json_null() : view_player(config, player));
	if (token == NULL)
		return object;
	member(object, "token", json_string(confirmed->secret));
	member(object, "token_id", json_integer(confirmed->token_id));
	member(object, "scopes", scopes_list(db_text(token, 0, 3)));
	member(object, "expires_at", text_or_null(db_text(token, 0, 5)));
	return object;
}
