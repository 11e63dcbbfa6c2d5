#include "service/api_account.h"

#include "db/token.h"
#include "service/field.h"
#include "service/idempotency.h"
#include "service/view_account.h"

enum { EMAIL_MAX = 254, TEXT_MAX = 200 };

Response *api_logins_create(Request *request, GError **error)
{
	static const char *const names[] = {"email", NULL};
	g_autofree char *email = NULL;
	const json_t *body = request_json(request, error);
	if (body == NULL)
		return NULL;
	bool good = field_only(body, names, error);
	good = field_text(body, "email", 0, EMAIL_MAX, &email, error) && good;
	if (!good)
		return NULL;
	AccountAccess access = api_account_access(request);
	if (!idempotency_key_any(request, &access.once, error))
		return NULL;
	return account_login_request(&access, email, error) ? api_account_mailed(request, email)
							    : NULL;
}

static Response *confirmed_answer(Request *request, const AccountConfirmed *confirmed,
				  GError **error)
{
	Db *db = request_db(request);
	g_autoptr(Player) player = NULL;
	g_autoptr(DbResult) token = NULL;
	if (!player_find(db, confirmed->player_id, &player, error))
		return NULL;
	if (confirmed->token_id != 0) {
		token = token_list(db, confirmed->player_id, confirmed->token_id, error);
		if (token == NULL)
			return NULL;
	}
	return response_json(200,
			     view_confirmed(request_config(request), confirmed, player, token));
}

Response *api_logins_confirm(Request *request, GError **error)
{
	static const char *const names[] = {"code", "name", NULL};
	g_autofree char *code = NULL, *name = NULL;
	const json_t *body = request_json(request, error);
	if (body == NULL)
		return NULL;
	bool good = field_only(body, names, error);
	good = field_text(body, "code", 0, TEXT_MAX, &code, error) && good;
	good = field_text_optional(body, "name", 0, TEXT_MAX, &name, error) && good;
	if (!good)
		return NULL;
	const AccountAccess access = api_account_access(request);
	const AccountConfirm order = {.code = code, .name = name, .grant = ACCOUNT_GRANT_TOKEN};
	g_autoptr(AccountConfirmed) confirmed = account_confirm(&access, &order, error);
	return confirmed != NULL ? confirmed_answer(request, confirmed, error) : NULL;
}
