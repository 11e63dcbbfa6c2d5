/* Handlers of /v1/challenges…, in service/api_challenges.c. */
#ifndef SERVICE_API_CHALLENGE_H
#define SERVICE_API_CHALLENGE_H

#include "service/request.h"

Response *api_challenges_list(Request *request, GError **error);
Response *api_challenges_get(Request *request, GError **error);
Response *api_challenges_create(Request *request, GError **error);
Response *api_challenges_accept(Request *request, GError **error);
Response *api_challenges_decline(Request *request, GError **error);
Response *api_challenges_cancel(Request *request, GError **error);

#endif
