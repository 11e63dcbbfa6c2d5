#include "service/api_health.h"

#include "db/delivery.h"
#include "db/health.h"
#include "db/inbox.h"
#include "service/embedded.h"
#include "service/http.h"
#include "service/metrics.h"
#include "service/version.h"
#include "service/web/pages.h"

#include <string.h>

/* Answers as long as the network thread does. */
Response *api_health_live(Request *request, GError **error)
{
	(void)request;
	(void)error;
	return response_json(200,
			     json_pack("{ss ss}", "status", "ok", "version", LUDOPOST_VERSION));
}

/* Whether requests should be sent here: not while the database is away or the service stops. */
Response *api_health_ready(Request *request, GError **error)
{
	if (http_is_stopping()) {
		problem_set(error, PROBLEM_UNAVAILABLE, NULL);
		return NULL;
	}
	if (!health_ping(request_db(request), error))
		return NULL;
	return response_json(200, json_pack("{ss}", "status", "ready"));
}

static void deliveries_write(GString *out, const DbResult *rows)
{
	g_string_append(
		out,
		"# HELP ludopost_deliveries Notifications that are not done, or dead, by state.\n"
		"# TYPE ludopost_deliveries gauge\n");
	for (int row = 0; row < db_rows(rows); row++)
		g_string_append_printf(out,
				       "ludopost_deliveries{state=\"%s\"} %" G_GINT64_FORMAT "\n",
				       db_text(rows, row, 0), db_int(rows, row, 1));
	g_string_append(
		out, "# HELP ludopost_delivery_overdue_seconds Since the oldest of them was due.\n"
		     "# TYPE ludopost_delivery_overdue_seconds gauge\n");
	for (int row = 0; row < db_rows(rows); row++)
		g_string_append_printf(
			out,
			"ludopost_delivery_overdue_seconds{state=\"%s\"} %" G_GINT64_FORMAT "\n",
			db_text(rows, row, 0), db_int(rows, row, 2));
}

static void inbox_write(GString *out, const DbResult *rows)
{
	g_string_append(out, "# HELP ludopost_inbox Mails that came in and are not done, by state: "
			     "failed ones nobody tries again.\n"
			     "# TYPE ludopost_inbox gauge\n");
	for (int row = 0; row < db_rows(rows); row++)
		g_string_append_printf(out, "ludopost_inbox{state=\"%s\"} %" G_GINT64_FORMAT "\n",
				       db_text(rows, row, 0), db_int(rows, row, 1));
	g_string_append(out, "# HELP ludopost_inbox_age_seconds Since the oldest of them came.\n"
			     "# TYPE ludopost_inbox_age_seconds gauge\n");
	for (int row = 0; row < db_rows(rows); row++)
		g_string_append_printf(
			out, "ludopost_inbox_age_seconds{state=\"%s\"} %" G_GINT64_FORMAT "\n",
			db_text(rows, row, 0), db_int(rows, row, 2));
}

/* Without the database what the process itself counted is still told. */
Response *api_health_metrics(Request *request, GError **error)
{
	(void)error;
	GString *out = g_string_new(NULL);
	metrics_write(out);
	g_autoptr(DbResult) rows = delivery_counts(request_db(request), NULL);
	g_string_append_printf(out,
			       "# HELP ludopost_db_up Whether the database answers.\n"
			       "# TYPE ludopost_db_up gauge\nludopost_db_up %d\n",
			       rows != NULL);
	if (rows != NULL)
		deliveries_write(out, rows);
	g_autoptr(DbResult) inbox = rows == NULL ? NULL : inbox_counts(request_db(request), NULL);
	if (inbox != NULL)
		inbox_write(out, inbox);
	return response_text(200, "text/plain; version=0.0.4; charset=utf-8", out);
}

Response *api_health_openapi(Request *request, GError **error)
{
	(void)request;
	for (const EmbeddedFile *file = service_files; file->path != NULL; file++) {
		if (strcmp(file->path, "service/openapi.json") != 0)
			continue;
		g_autoptr(GBytes) bytes = g_bytes_new_static(file->bytes, file->size);
		Response *response = response_bytes(200, "application/json", bytes);
		response_cache(response, "max-age=300");
		return response;
	}
	problem_set(error, PROBLEM_NOT_FOUND, NULL);
	return NULL;
}

static json_t *problem_describe(ProblemCode code, Language language)
{
	return json_pack("{ss ss si ss*}", "type", problem_url(code), "title",
			 problem_title(code, language), "status", problem_status(code), "detail",
			 problem_meaning(code, language));
}

Response *api_health_problems(Request *request, GError **error)
{
	(void)error;
	if (request_wants_page(request))
		return problem_page_list(request);
	json_t *list = json_array();
	for (int code = 0; code < PROBLEM_COUNT; code++)
		json_array_append_new(
			list, problem_describe((ProblemCode)code, request_language(request)));
	return response_json(200, json_pack("{so}", "problems", list));
}

/* What the "type" of a problem leads to. */
Response *api_health_problem(Request *request, GError **error)
{
	ProblemCode code = PROBLEM_INTERNAL;
	if (!problem_find(request_path_text(request, "type"), &code)) {
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
		return NULL;
	}
	if (request_wants_page(request))
		return problem_page_get(request, code);
	return response_json(200, problem_describe(code, request_language(request)));
}
