/* /healthz, /readyz, /metrics, /openapi.json, /problems. */
#ifndef SERVICE_API_HEALTH_H
#define SERVICE_API_HEALTH_H

#include "service/request.h"

Response *api_health_live(Request *request, GError **error);
Response *api_health_ready(Request *request, GError **error);
Response *api_health_metrics(Request *request, GError **error);
Response *api_health_openapi(Request *request, GError **error);
Response *api_health_problems(Request *request, GError **error);
Response *api_health_problem(Request *request, GError **error);

#endif
