/* Targets of requests: the check of the raw bytes, routes, query; and headers that lists are in.
 * The first line of the input is the target, the second a header's value. */
#include "service/http_guard.h"
#include "service/text.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void headers_read(const char *value)
{
	static const char *const names[] = {"If-Match", "If-None-Match", "Accept", "Cookie",
					    "Accept-Language"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(Request) request = request_new(NULL, "GET", "/");
		request->headers[0] = (RequestHeader){names[i], value};
		request->header_count = 1;
		request_if_match(request, "g7-v2", NULL);
		request_none_match(request, "\"g7-v2\"");
		request_accepts(request, "application/json");
		request_cookie(request, "session");
		request_language(request);
	}
}

static void target_read(const char *target)
{
	g_autoptr(Request) request = request_new(NULL, "GET", target);
	char path[ROUTE_PATH_MAX + 1], again[ROUTE_PATH_MAX + 1];
	route_path(target, path);
	route_path(path, again);
	g_assert_cmpstr(path, ==, again);
	g_assert_null(strstr(path, "//"));
	route_match(routes, "GET", path, &request->match);
	for (int i = 0; i < ROUTE_PARTS_MAX; i++)
		g_assert_cmpint(request->match.id[i], >=, 0);
	request_query_read(request, NULL);
	for (int i = 0; i < request->query.count; i++)
		g_assert_true(g_utf8_validate(request->query.rows[i].value, -1, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	text_init();
	g_autofree char *target = g_strndup((const char *)data, size);
	char *value = strchr(target, '\n');
	if (value != NULL) {
		*value++ = '\0';
		headers_read(value);
	}
	if (guard_target_fits("GET", target))
		target_read(target);
	return 0;
}
