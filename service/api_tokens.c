#include "service/api_account.h"

#include "db/token.h"
#include "service/field.h"
#include "service/idempotency.h"
#include "service/view_account.h"

enum { TEXT_MAX = 200 };

Response *api_tokens_list(Request *request, GError **error)
{
	const Actor *actor = request_actor(request);
	g_autoptr(DbResult) rows = token_list(request_db(request), actor->player_id, 0, error);
	if (rows == NULL)
		return NULL;
	return response_json(200, json_pack("{s:o}", "tokens", view_tokens(rows, actor->token_id)));
}

static bool scope_add(const json_t *value, Scopes *scopes, GError **error)
{
	const Scopes scope =
		json_is_string(value) ? scope_parse(json_string_value(value)) : (Scopes)SCOPE_NONE;
	*scopes |= scope;
	if (scope != SCOPE_NONE)
		return true;
	g_autofree char *names = scopes_text(SCOPE_ALL);
	g_auto(GStrv) list = g_strsplit(names, " ", -1);
	g_autofree char *choices = g_strjoinv(", ", list);
	problem_set_field(error, "scopes", FIELD_NOT_A_CHOICE, "choices", choices, NULL);
	return false;
}

static bool scopes_read(const json_t *body, Scopes *scopes_r, GError **error)
{
	const json_t *list = NULL;
	size_t index;
	json_t *value;
	*scopes_r = SCOPE_NONE;
	if (!field_list_optional(body, "scopes", &list, error))
		return false;
	json_array_foreach(list, index, value) if (!scope_add(value, scopes_r, error)) return false;
	return true;
}

/* The only answer that ever holds the secret. */
static Response *created_answer(Request *request, int64_t token_id, const char *secret,
				GError **error)
{
	const Actor *actor = request_actor(request);
	g_autoptr(DbResult) rows =
		token_list(request_db(request), actor->player_id, token_id, error);
	if (rows == NULL)
		return NULL;
	json_t *token = view_token(rows, 0, actor->token_id);
	json_object_set_new(token, "token", json_string(secret));
	return response_json(201, token);
}

static Response *create_answer(Request *request, GError **error)
{
	static const char *const names[] = {"name", "scopes", "expires_at", NULL};
	g_autofree char *name = NULL, *expires_at = NULL;
	AccountToken token = {0};
	const json_t *body = request_json(request, error);
	if (body == NULL)
		return NULL;
	bool good = field_only(body, names, error);
	good = field_text(body, "name", 0, TEXT_MAX, &name, error) && good;
	good = scopes_read(body, &token.scopes, error) && good;
	good = field_text_optional(body, "expires_at", 0, TEXT_MAX, &expires_at, error) && good;
	token.name = name;
	token.expires_at = expires_at;
	if (!account_token_check(&token, error) || !good)
		return NULL;
	const AccountAccess access = api_account_access(request);
	int64_t id;
	g_autofree char *secret =
		account_token_new(&access, request_actor(request), &token, &id, error);
	return secret != NULL ? created_answer(request, id, secret, error) : NULL;
}

Response *api_tokens_create(Request *request, GError **error)
{
	return idempotency_run_secret(request, create_answer, "token", error);
}

Response *api_tokens_revoke(Request *request, GError **error)
{
	if (!account_token_revoke(request_db(request), request_actor(request),
				  request_path_id(request, "id"), error))
		return NULL;
	return response_empty(204);
}
