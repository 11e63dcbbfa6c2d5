#include "service/api_account.h"

#include "db/address.h"
#include "service/field.h"
#include "service/idempotency.h"
#include "service/view_account.h"

enum { EMAIL_MAX = 254, TEXT_MAX = 200 };

Response *api_me_get(Request *request, GError **error)
{
	g_autoptr(Player) player = NULL;
	if (!player_find(request_db(request), request_player(request), &player, error))
		return NULL;
	return response_json(200, view_me(request_config(request), player));
}

Response *api_me_change(Request *request, GError **error)
{
	static const char *const names[] = {"name", "language", "time_zone",
					    "mail", "remarks",  NULL};
	g_autofree char *name = NULL, *language = NULL, *time_zone = NULL;
	bool mail = false, remarks = false;
	const json_t *body = request_json(request, error);
	if (body == NULL)
		return NULL;
	bool good = field_only(body, names, error);
	good = field_text_optional(body, "name", 0, TEXT_MAX, &name, error) && good;
	good = field_text_optional(body, "language", 0, TEXT_MAX, &language, error) && good;
	good = field_text_optional(body, "time_zone", 0, TEXT_MAX, &time_zone, error) && good;
	good = field_bool_optional(body, "mail", &mail, error) && good;
	good = field_bool_optional(body, "remarks", &remarks, error) && good;
	const AccountChange change = {
		.name = name,
		.language = language,
		.time_zone = time_zone,
		.mail = field_given(body, "mail") ? &mail : NULL,
		.remarks = field_given(body, "remarks") ? &remarks : NULL,
	};
	if (!account_update_check(&change, error) || !good ||
	    !account_update(request_db(request), request_player(request), &change, error))
		return NULL;
	return api_me_get(request, error);
}

/* ---- addresses ---- */

Response *api_me_addresses(Request *request, GError **error)
{
	g_autoptr(DbResult) rows =
		address_list(request_db(request), request_player(request), error);
	if (rows == NULL)
		return NULL;
	return response_json(200, json_pack("{s:o}", "addresses", view_addresses(rows)));
}

static Response *add_answer(Request *request, GError **error)
{
	static const char *const names[] = {"email", "primary", NULL};
	g_autofree char *email = NULL;
	bool primary = false;
	const json_t *body = request_json(request, error);
	if (body == NULL)
		return NULL;
	bool good = field_only(body, names, error);
	good = field_text(body, "email", 0, EMAIL_MAX, &email, error) && good;
	good = field_bool_optional(body, "primary", &primary, error) && good;
	if (!good)
		return NULL;
	const AccountAccess access = api_account_access(request);
	if (!account_address_add(&access, request_player(request), email, primary, error))
		return NULL;
	return api_account_mailed(request, email);
}

Response *api_me_address_add(Request *request, GError **error)
{
	return idempotency_run(request, add_answer, error);
}

static Response *primary_answer(Request *request, GError **error)
{
	const AccountAccess access = api_account_access(request);
	if (!account_address_primary(&access, request_player(request),
				     request_path_id(request, "id"), error))
		return NULL;
	return api_me_addresses(request, error);
}

Response *api_me_address_primary(Request *request, GError **error)
{
	return idempotency_run(request, primary_answer, error);
}

Response *api_me_address_remove(Request *request, GError **error)
{
	const AccountAccess access = api_account_access(request);
	if (!account_address_remove(&access, request_player(request),
				    request_path_id(request, "id"), error))
		return NULL;
	return response_empty(204);
}
