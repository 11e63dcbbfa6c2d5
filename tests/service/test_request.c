/* Bodies, parameters, headers and preconditions of requests, without a network. */
#include "service/field.h"
#include "service/request_private.h"
#include "service/text.h"

#include <string.h>

static Request *request_with(const char *name, const char *value)
{
	Request *request = request_new(NULL, "GET", "/");
	request->headers[0] = (RequestHeader){name, value};
	request->header_count = 1;
	return request;
}

static Request *request_body_new(const char *type, const char *body, size_t size)
{
	Request *request = request_with("Content-Type", type);
	request->body = g_byte_array_new();
	g_byte_array_append(request->body, (const uint8_t *)body, (unsigned)size);
	return request;
}

/* ---- JSON -------------------------------------------------------------------------------- */

typedef struct {
	const char *text;
	size_t size; /* 0: the text's own */
	const char *reason;
} BadJson;

static void bad_json_is_refused_with_its_reason(void)
{
	static const BadJson rows[] = {
		{"", 0, "empty"},
		{"{\"a\":1", 0, "ends-too-early"},
		{"{\"a\":1,\"a\":2}", 0, "duplicate-key"},
		{"{\"a\":{\"b\":1,\"b\":2}}", 0, "duplicate-key"},
		{"{\"a\":1}\0", 8, "syntax"},
		{"{\"a\":\"x\0y\"}", 11, "syntax"},
		{"{\"a\":\"\\u0000\"}", 0, "nul-character"},
		{"{\"\\u0000\":1}", 0, "nul-character"},
		{"{\"a\":\"\\ud800\"}", 0, "syntax"},
		{"{\"a\":\"\\udc00\\ud800\"}", 0, "syntax"},
		{"{\"a\":\"\xff\"}", 0, "not-utf-8"},
		{"{\"a\":\"\xc0\xaf\"}", 0, "not-utf-8"},
		{"{\"a\":\"\xed\xa0\x80\"}", 0, "not-utf-8"},
		{"{\"a\":\"\n\"}", 0, "syntax"},
		{"\xef\xbb\xbf{\"a\":1}", 0, "syntax"},
		{"{\"a\":1} x", 0, "syntax"},
		{"{\"a\":1}{}", 0, "syntax"},
		{"{\"a\":1,}", 0, "syntax"},
		{"{a:1}", 0, "syntax"},
		{"{'a':1}", 0, "syntax"},
		{"{\"a\":1}//x", 0, "syntax"},
		{"{\"a\":9223372036854775808}", 0, "number-too-large"},
		{"{\"a\":1e400}", 0, "number-too-large"},
		{"{\"a\":NaN}", 0, "syntax"},
		{"{\"a\":01}", 0, "syntax"},
		{"[]", 0, "not-an-object"},
		{"1", 0, "syntax"},
		{"\"a\"", 0, "syntax"},
		{"null", 0, "syntax"},
		{"[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]", 0, "too-deep"},
		{"{\"a\":[[[[[[[[[[[[[[[[", 0, "too-deep"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		size_t size = rows[i].size == 0 ? strlen(rows[i].text) : rows[i].size;
		g_autoptr(Request) request =
			request_body_new("application/json", rows[i].text, size);
		g_autoptr(GError) error = NULL;
		g_assert_null(request_json(request, &error));
		g_assert_error(error, PROBLEM_ERROR, PROBLEM_JSON_INVALID);
		g_test_message("row %zu", i);
		g_assert_cmpstr(problem_argument(error, "reason"), ==, rows[i].reason);
		for (int language = 0; language < LANGUAGE_COUNT; language++) {
			g_autofree char *detail = problem_detail(error, (Language)language);
			g_assert_nonnull(strstr(detail, problem_argument(error, "line")));
		}
	}
}

static void good_json_is_read(void)
{
	static const char *const rows[] = {
		"{}",
		" {\"a\":1}\r\n",
		"{\"a\":\"[[[[[[[[[[[[[[[[[[[[[[\"}",
		"{\"a\":\"\\\"[[[[[[[[[[[[[[[[[[[[[[\"}",
		"{\"a\":[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]}",
		"{\"a\":\"\\ud83d\\ude00\"}",
		"{\"a\":9223372036854775807}",
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Request) request = request_body_new("application/json; charset=UTF-8",
							      rows[i], strlen(rows[i]));
		g_autoptr(GError) error = NULL;
		json_t *json = request_json(request, &error);
		g_assert_no_error(error);
		g_assert_true(json_is_object(json));
		g_assert_true(json == request_json(request, &error));
	}
}

static void only_json_is_taken_for_json(void)
{
	static const char *const types[] = {"text/json",
					    "application/jsonp",
					    "text/plain",
					    "application/json; charset=latin1",
					    "application/x-www-form-urlencoded",
					    ""};
	for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
		g_autoptr(Request) request = request_body_new(types[i], "{}", 2);
		g_autoptr(GError) error = NULL;
		g_assert_null(request_json(request, &error));
		g_assert_error(error, PROBLEM_ERROR, PROBLEM_UNSUPPORTED_MEDIA_TYPE);
	}
}

/* ---- fields ------------------------------------------------------------------------------ */

static void fault_expect(const GError *error, const char *field, const char *problem)
{
	g_assert_error(error, PROBLEM_ERROR, PROBLEM_FIELD_INVALID);
	g_assert_cmpstr(problem_argument(error, "field"), ==, field);
	g_assert_cmpstr(problem_argument(error, "problem"), ==, problem);
	for (int language = 0; language < LANGUAGE_COUNT; language++) {
		json_t *json = problem_json(error, (Language)language);
		json_t *entry = json_array_get(json_object_get(json, "errors"), 0);
		g_assert_cmpstr(json_string_value(json_object_get(entry, "field")), ==, field);
		json_decref(json);
	}
}

static json_t *body_of(const char *text)
{
	json_t *body = json_loads(text, 0, NULL);
	g_assert_nonnull(body);
	return body;
}

static void a_text_is_checked_and_normalised(void)
{
	static const struct {
		const char *body, *problem;
	} rows[] = {
		{"{}", "missing"},
		{"{\"name\":null}", "missing"},
		{"{\"name\":7}", "not-text"},
		{"{\"name\":\"a\"}", "too-short"},
		{"{\"name\":\"abcde\"}", "too-long"},
		{"{\"name\":\"a\\nb\"}", "control-character"},
		{"{\"name\":\"a\\u0085b\"}", "control-character"},
		{"{\"name\":\"a\\u2028b\"}", "control-character"},
	};
	g_autofree char *text = NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = NULL;
		json_t *body = body_of(rows[i].body);
		g_assert_false(field_text(body, "name", 2, 4, &text, &error));
		fault_expect(error, "name", rows[i].problem);
		json_decref(body);
	}
	json_t *body = body_of("{\"name\":\"a\\u0308bcd\"}");
	g_assert_true(field_text(body, "name", 2, 4, &text, NULL));
	g_assert_cmpstr(text, ==,
			"\xc3\xa4"
			"bcd");
	json_decref(body);
}

static void a_number_is_whole_and_within_its_range(void)
{
	static const struct {
		const char *body, *problem;
	} rows[] = {
		{"{\"ply\":\"1\"}", "not-integer"},    {"{\"ply\":1.5}", "not-integer"},
		{"{\"ply\":true}", "not-integer"},     {"{\"ply\":0}", "too-small"},
		{"{\"ply\":4294967297}", "too-large"},
	};
	int64_t ply = 7;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = NULL;
		json_t *body = body_of(rows[i].body);
		g_assert_false(field_int(body, "clock.ply", 1, 1000, &ply, &error));
		fault_expect(error, "clock.ply", rows[i].problem);
		g_assert_cmpint(ply, ==, 7);
		json_decref(body);
	}
	json_t *whole = body_of("{\"ply\":12.0}");
	g_assert_true(field_int(whole, "clock.ply", 1, 1000, &ply, NULL));
	g_assert_cmpint(ply, ==, 12);
	json_decref(whole);
	ply = 7;
	json_t *body = body_of("{}");
	g_assert_true(field_int_optional(body, "ply", 1, 1000, &ply, NULL));
	g_assert_cmpint(ply, ==, 7);
	json_decref(body);
}

static void a_choice_and_an_unknown_field_are_named(void)
{
	static const char *const choices[] = {"first", "second", NULL};
	static const char *const known[] = {"seat", NULL};
	json_t *body = body_of("{\"seat\":\"third\",\"extra\":1}");
	g_autoptr(GError) error = NULL;
	int choice = 5;
	g_assert_false(field_choice(body, "seat", choices, &choice, &error));
	fault_expect(error, "seat", "not-a-choice");
	g_clear_error(&error);
	g_assert_false(field_only(body, known, &error));
	fault_expect(error, "extra", "unknown");
	json_decref(body);
}

/* ---- preconditions ----------------------------------------------------------------------- */

static void if_match_compares_strongly(void)
{
	static const struct {
		const char *value;
		int problem; /* -1: it matches */
	} rows[] = {
		{"\"g7-v2\"", -1},
		{"\"a\", \"g7-v2\"", -1},
		{"\"a\" ,\t\"g7-v2\" ", -1},
		{"*", -1},
		{"\"g7-v3\"", PROBLEM_PRECONDITION_FAILED},
		{"W/\"g7-v2\"", PROBLEM_PRECONDITION_FAILED},
		{"\"G7-V2\"", PROBLEM_PRECONDITION_FAILED},
		{"g7-v2", PROBLEM_PRECONDITION_MALFORMED},
		{"\"g7-v2", PROBLEM_PRECONDITION_MALFORMED},
		{"\"g7-v2\" x", PROBLEM_PRECONDITION_MALFORMED},
		{"\"g7-v2\"\"a\"", PROBLEM_PRECONDITION_MALFORMED},
		{"\"g7 v2\"", PROBLEM_PRECONDITION_MALFORMED},
		{"w/\"g7-v2\"", PROBLEM_PRECONDITION_MALFORMED},
		{"\"g7-v2\", *", PROBLEM_PRECONDITION_MALFORMED},
		{"", PROBLEM_PRECONDITION_MALFORMED},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Request) request = request_with("If-Match", rows[i].value);
		g_autoptr(GError) error = NULL;
		bool good = request_if_match(request, "g7-v2", &error);
		g_test_message("%s", rows[i].value);
		g_assert_true(good == (rows[i].problem < 0));
		if (!good)
			g_assert_cmpint(error->code, ==, rows[i].problem);
	}
	g_autoptr(Request) without = request_with("X", "y");
	g_assert_true(request_if_match(without, "g7-v2", NULL));
}

static void if_none_match_compares_weakly(void)
{
	static const struct {
		const char *value;
		bool matches;
	} rows[] = {{"\"v2\"", true},  {"W/\"v2\"", true}, {"\"v1\", W/\"v2\"", true}, {"*", true},
		    {"\"v3\"", false}, {"v2", false},      {"\"v2\", junk", false}};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Request) request = request_with("If-None-Match", rows[i].value);
		g_assert_true(request_none_match(request, "\"v2\"") == rows[i].matches);
	}
}

/* ---- parameters, headers, routes --------------------------------------------------------- */

static void parameters_are_decoded_once(void)
{
	g_autoptr(Request) request =
		request_new(NULL, "GET", "/a?x=%2Fb%252F+c&empty=&bare&%C3%A4=%E2%82%AC&n=-5");
	g_autoptr(GError) error = NULL;
	g_assert_true(request_query_read(request, &error));
	g_assert_cmpstr(request_query(request, "x"), ==, "/b%2F c");
	g_assert_cmpstr(request_query(request, "empty"), ==, "");
	g_assert_cmpstr(request_query(request, "bare"), ==, "");
	g_assert_cmpstr(request_query(request, "\xc3\xa4"), ==, "\xe2\x82\xac");
	g_assert_null(request_query(request, "y"));
	int64_t number = 3;
	g_assert_true(request_query_int(request, "n", -9, 9, &number, NULL) && number == -5);
	g_assert_true(request_query_int(request, "absent", 0, 9, &number, NULL) && number == -5);
	g_assert_false(request_query_int(request, "x", 0, 9, &number, &error));
	g_assert_error(error, PROBLEM_ERROR, PROBLEM_QUERY_INVALID);
}

static void a_cookie_is_found_by_its_whole_name(void)
{
	g_autoptr(Request) request =
		request_with("cookie", "xsid=1; sid=a=b ; sidx=2;sid2; =; other=3");
	g_assert_cmpstr(request_cookie(request, "sid"), ==, "a=b");
	g_assert_cmpstr(request_cookie(request, "other"), ==, "3");
	g_assert_null(request_cookie(request, "id"));
}

static Response *handler(Request *request, GError **error)
{
	(void)request;
	(void)error;
	return NULL;
}

static void literal_paths_win_over_patterns(void)
{
	static const Route table[] = {
		{.method = "GET", .path = "/a/{id}", .handler = handler},
		{.method = "GET", .path = "/a/{key}", .handler = handler},
		{.method = "GET", .path = "/a/me", .handler = handler},
		{.method = "POST", .path = "/a/{id}/b/{other_id}", .handler = handler},
		{.method = "DELETE", .path = "/a/only", .handler = handler},
		{.path = NULL},
	};
	static const struct {
		const char *method, *path;
		int row; /* -1: none; -2: not with this method */
	} rows[] = {
		{"GET", "/a/7", 0},         {"GET", "/a/me", 2},
		{"GET", "/a/you", 1},       {"GET", "/a/07", 1},
		{"GET", "/a/-7", 1},        {"GET", "/a/9223372036854775807", 0},
		{"GET", "/a/0", 1},         {"GET", "/a/99999999999999999999", 1},
		{"GET", "/a/y%20ou", 1},    {"GET", "/a/7/", -1},
		{"GET", "/a", -1},          {"GET", "/a/only", -2},
		{"POST", "/a/3/b/4", 3},    {"GET", "/a/3/b/4", -2},
		{"POST", "/a/3/b/0", -1},   {"POST", "/a/3/b/4x", -1},
		{"DELETE", "/a/only", 4},   {"GET", "a/7", -1},
		{"GET", "/b", -1},          {"GET", "", -1},
		{"POST", "/a/3/b/4/c", -1},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		RouteMatch match;
		route_match(table, rows[i].method, rows[i].path, &match);
		g_test_message("%s %s", rows[i].method, rows[i].path);
		g_assert_true(match.route == (rows[i].row < 0 ? NULL : &table[rows[i].row]));
		g_assert_true((match.path == NULL) == (rows[i].row == -1));
	}
	RouteMatch match;
	route_match(table, "POST", "/a/3/b/4", &match);
	g_assert_cmpint(match.id[route_part(match.route, "id")], ==, 3);
	g_assert_cmpint(match.id[route_part(match.route, "other_id")], ==, 4);
	g_assert_cmpint(route_part(match.route, "key"), ==, -1);
}

static void paths_are_written_in_one_way(void)
{
	static const struct {
		const char *target, *path;
	} rows[] = {
		{"/a/b?c=%41", "/a/b"},
		{"/%61/%4a%7e%2D%5f%2e", "/a/J~-_."},
		{"/a/%d0%b9%20%C3%a4", "/a/%D0%B9%20%C3%A4"},
		{"/a/%25%34%31", "/a/%2541"},
		{"/?x", "/"},
		{"*", "*"},
	};
	char path[ROUTE_PATH_MAX + 1];
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		route_path(rows[i].target, path);
		g_assert_cmpstr(path, ==, rows[i].path);
	}
	g_autofree char *whole = g_strnfill(ROUTE_PATH_MAX, 'a');
	route_path(whole, path);
	g_assert_cmpstr(path, ==, whole);
	g_autofree char *longer = g_strconcat(whole, "a", NULL);
	route_path(longer, path);
	g_assert_cmpstr(path, ==, "");
}

/* ---- problems and rates ------------------------------------------------------------------ */

static void every_problem_has_its_texts_in_every_language(void)
{
	for (int language = 0; language < LANGUAGE_COUNT; language++)
		for (int code = 0; code < PROBLEM_COUNT; code++) {
			const char *type = problem_type((ProblemCode)code);
			g_autofree char *detail = g_strdup_printf("problem.%s.detail", type);
			g_assert_nonnull(problem_title((ProblemCode)code, (Language)language));
			g_assert_true(code == PROBLEM_FIELD_INVALID ||
				      text_find((Language)language, detail) != NULL);
			ProblemCode found = PROBLEM_INTERNAL;
			g_assert_true(problem_find(type, &found) && (int)found == code);
		}
}

static void a_bucket_empties_and_fills_again(void)
{
	RateTable *table = rate_table_new();
	ConfigRate limit = {3, 30};
	static const struct {
		int64_t at_ms;
		bool allowed;
		int remaining, reset_s;
	} rows[] = {
		{0, true, 2, 10},     {0, true, 1, 20},      {0, true, 0, 10},
		{0, false, 0, 10},    {9999, false, 0, 1},   {10000, true, 0, 10},
		{15000, false, 0, 5}, {500000, true, 2, 10},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		RateState state = rate_take(table, limit, "key", 3, rows[i].at_ms);
		g_assert_true(state.allowed == rows[i].allowed);
		g_assert_cmpint(state.remaining, ==, rows[i].remaining);
		g_assert_cmpint(state.reset_s, ==, rows[i].reset_s);
	}
	g_assert_true(rate_take(table, limit, "other", 5, 0).allowed);
	rate_table_free(table);
}

static void a_flood_of_keys_does_not_free_the_empty_ones(void)
{
	RateTable *table = rate_table_new();
	ConfigRate limit = {1, 1000};
	g_assert_true(rate_take(table, limit, "mallory", 7, 0).allowed);
	for (int i = 0; i < 100000; i++)
		rate_take(table, (ConfigRate){1000, 1}, &i, sizeof(i), 0);
	g_assert_false(rate_take(table, limit, "mallory", 7, 0).allowed);
	rate_table_free(table);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	text_init();
	g_test_add_func("/json/bad_json_is_refused_with_its_reason",
			bad_json_is_refused_with_its_reason);
	g_test_add_func("/json/good_json_is_read", good_json_is_read);
	g_test_add_func("/json/only_json_is_taken_for_json", only_json_is_taken_for_json);
	g_test_add_func("/field/a_text_is_checked_and_normalised",
			a_text_is_checked_and_normalised);
	g_test_add_func("/field/a_number_is_whole_and_within_its_range",
			a_number_is_whole_and_within_its_range);
	g_test_add_func("/field/a_choice_and_an_unknown_field_are_named",
			a_choice_and_an_unknown_field_are_named);
	g_test_add_func("/precondition/if_match_compares_strongly", if_match_compares_strongly);
	g_test_add_func("/precondition/if_none_match_compares_weakly",
			if_none_match_compares_weakly);
	g_test_add_func("/request/parameters_are_decoded_once", parameters_are_decoded_once);
	g_test_add_func("/request/a_cookie_is_found_by_its_whole_name",
			a_cookie_is_found_by_its_whole_name);
	g_test_add_func("/route/literal_paths_win_over_patterns", literal_paths_win_over_patterns);
	g_test_add_func("/route/paths_are_written_in_one_way", paths_are_written_in_one_way);
	g_test_add_func("/problem/every_problem_has_its_texts_in_every_language",
			every_problem_has_its_texts_in_every_language);
	g_test_add_func("/rate/a_bucket_empties_and_fills_again", a_bucket_empties_and_fills_again);
	g_test_add_func("/rate/a_flood_of_keys_does_not_free_the_empty_ones",
			a_flood_of_keys_does_not_free_the_empty_ones);
	return g_test_run();
}
