/* Handlers of players, logins, one's own account and tokens. */
#ifndef SERVICE_API_ACCOUNT_H
#define SERVICE_API_ACCOUNT_H

#include "service/account.h"
#include "service/request.h"

/* What use cases of account.h work with, from a request: also for the pages. */
AccountAccess api_account_access(const Request *request);
/* 202 to whoever asked for a mail; the same whatever is known about the address. */
Response *api_account_mailed(const Request *request, const char *email);

/* service/api_players.c */
Response *api_players_create(Request *request, GError **error);
Response *api_players_list(Request *request, GError **error);
Response *api_players_get(Request *request, GError **error);
/* service/api_logins.c */
Response *api_logins_create(Request *request, GError **error);
Response *api_logins_confirm(Request *request, GError **error);
/* service/api_me.c */
Response *api_me_get(Request *request, GError **error);
Response *api_me_change(Request *request, GError **error);
Response *api_me_addresses(Request *request, GError **error);
Response *api_me_address_add(Request *request, GError **error);
Response *api_me_address_primary(Request *request, GError **error);
Response *api_me_address_remove(Request *request, GError **error);
/* service/api_tokens.c */
Response *api_tokens_list(Request *request, GError **error);
Response *api_tokens_create(Request *request, GError **error);
Response *api_tokens_revoke(Request *request, GError **error);

#endif
