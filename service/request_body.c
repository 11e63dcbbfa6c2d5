/* Parameters of the query and of forms, and JSON bodies. */
#include "service/field.h"
#include "service/request_private.h"

#include <string.h>

enum { JSON_DEPTH_MAX = 16 };

/* ---- parameters -------------------------------------------------------------------------- */

/* Decodes %XX and "+"; NULL when an escape is bad, the text is no UTF-8 or has control characters.
 */
static char *parameter_decode(const char *text, size_t size)
{
	GString *out = g_string_sized_new(size);
	bool good = true;
	for (size_t i = 0; i < size && good; i++) {
		if (text[i] != '%') {
			g_string_append_c(out, (char)(text[i] == '+' ? ' ' : text[i]));
			continue;
		}
		good = i + 2 < size && g_ascii_isxdigit(text[i + 1]) &&
		       g_ascii_isxdigit(text[i + 2]);
		if (!good)
			break;
		int byte =
			g_ascii_xdigit_value(text[i + 1]) * 16 + g_ascii_xdigit_value(text[i + 2]);
		good = (byte >= 0x20 || byte == '\t' || byte == '\n' || byte == '\r') &&
		       byte != 0x7f;
		g_string_append_c(out, (char)byte);
		i += 2;
	}
	good = good && g_utf8_validate(out->str, (long)out->len, NULL);
	return g_string_free(out, !good);
}

static bool parameter_add(RequestParameters *parameters, const char *text, size_t size,
			  char **fault_r)
{
	size_t name_size = MIN(strcspn(text, "="), size);
	char *name = parameter_decode(text, name_size);
	char *value = name_size == size
			      ? g_strdup("")
			      : parameter_decode(text + name_size + 1, size - name_size - 1);
	bool good = name != NULL && *name != '\0' && value != NULL &&
		    parameters->count < REQUEST_PARAMETERS_MAX &&
		    parameters_find(parameters, name) == NULL;
	if (good) {
		parameters->rows[parameters->count++] = (RequestParameter){name, value};
		return true;
	}
	*fault_r = name == NULL ? g_strdup("") : g_steal_pointer(&name);
	g_free(name);
	g_free(value);
	return false;
}

bool parameters_read(const char *text, size_t size, RequestParameters *parameters_r, char **fault_r)
{
	const char *end = text + size;
	while (text < end) {
		const char *next = memchr(text, '&', (size_t)(end - text));
		if (next == NULL)
			next = end;
		if (next > text &&
		    !parameter_add(parameters_r, text, (size_t)(next - text), fault_r))
			return false;
		text = next + 1;
	}
	return true;
}

const char *parameters_find(const RequestParameters *parameters, const char *name)
{
	for (int i = 0; i < parameters->count; i++)
		if (strcmp(parameters->rows[i].name, name) == 0)
			return parameters->rows[i].value;
	return NULL;
}

void parameters_clear(RequestParameters *parameters)
{
	for (int i = 0; i < parameters->count; i++) {
		g_free(parameters->rows[i].name);
		g_free(parameters->rows[i].value);
	}
	parameters->count = 0;
}

/* ---- query ------------------------------------------------------------------------------- */

/* Links to pages and calls of monitors may carry what others put there. */
static bool query_check(const Request *request, GError **error)
{
	const Route *route = request->match.route;
	if (route == NULL || !g_str_has_prefix(route->path, "/v1/"))
		return true;
	for (int i = 0; i < request->query.count; i++) {
		const char *name = request->query.rows[i].name;
		if (route_knows(route, name))
			continue;
		problem_set_parameter(error, name, FIELD_UNKNOWN, NULL);
		return false;
	}
	return true;
}

bool request_query_read(Request *request, GError **error)
{
	const char *query = strchr(request->target, '?');
	if (query == NULL)
		return true;
	g_autofree char *fault = NULL;
	if (parameters_read(query + 1, strlen(query + 1), &request->query, &fault))
		return query_check(request, error);
	bool twice = parameters_find(&request->query, fault) != NULL;
	problem_set_parameter(error, fault, twice ? FIELD_GIVEN_TWICE : FIELD_BAD_FORMAT, NULL);
	return false;
}

const char *request_query(const Request *request, const char *name)
{
	return parameters_find(&request->query, name);
}

char *request_target_with(const Request *request, const char *name, const char *value)
{
	const char *target = request->target;
	GString *out = g_string_new_len(target, (ssize_t)strcspn(target, "?"));
	g_string_append_printf(out, "?%s=%s", name, value);
	for (int i = 0; i < request->query.count; i++) {
		const RequestParameter *row = &request->query.rows[i];
		if (strcmp(row->name, name) == 0)
			continue;
		g_autofree char *escaped = g_uri_escape_string(row->value, NULL, FALSE);
		g_string_append_printf(out, "&%s=%s", row->name, escaped);
	}
	return g_string_free(out, FALSE);
}

bool request_query_int(const Request *request, const char *name, int64_t min, int64_t max,
		       int64_t *value_r, GError **error)
{
	const char *text = request_query(request, name);
	if (text == NULL)
		return true;
	g_autoptr(GError) cause = NULL;
	if (g_ascii_string_to_signed(text, 10, min, max, value_r, &cause))
		return true;
	g_autofree char *low = g_strdup_printf("%" G_GINT64_FORMAT, min);
	g_autofree char *high = g_strdup_printf("%" G_GINT64_FORMAT, max);
	if (!g_error_matches(cause, G_NUMBER_PARSER_ERROR, G_NUMBER_PARSER_ERROR_OUT_OF_BOUNDS))
		problem_set_parameter(error, name, FIELD_NOT_INTEGER, NULL);
	else if (*text == '-' || g_ascii_strtoll(text, NULL, 10) < min)
		problem_set_parameter(error, name, FIELD_TOO_SMALL, "min", low, NULL);
	else
		problem_set_parameter(error, name, FIELD_TOO_LARGE, "max", high, NULL);
	return false;
}

/* ---- bodies ------------------------------------------------------------------------------ */

bool request_form_read(Request *request, GError **error)
{
	static const char type[] = "application/x-www-form-urlencoded";
	if (!request_body_is(request, type)) {
		problem_set(error, PROBLEM_UNSUPPORTED_MEDIA_TYPE, "expected", type, NULL);
		return false;
	}
	size_t size = 0;
	const char *text = request_body(request, &size);
	g_autofree char *copy = g_strndup(text, size);
	g_autofree char *fault = NULL;
	if (strlen(copy) == size && parameters_read(copy, size, &request->form, &fault))
		return true;
	problem_set(error, PROBLEM_FORM_INVALID, NULL);
	return false;
}

const char *request_form(const Request *request, const char *name)
{
	return parameters_find(&request->form, name);
}

/* jansson allows 2048 levels; what we read has four. Brackets inside strings do not count. */
static bool depth_fits(const char *text, size_t size)
{
	int depth = 0;
	bool in_string = false;
	for (size_t i = 0; i < size && depth <= JSON_DEPTH_MAX; i++) {
		if (in_string && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			in_string = !in_string;
		else if (!in_string && (text[i] == '{' || text[i] == '['))
			depth++;
		else if (!in_string && (text[i] == '}' || text[i] == ']'))
			depth--;
	}
	return depth <= JSON_DEPTH_MAX;
}

static const char *json_reason(enum json_error_code code)
{
	switch (code) {
	case json_error_duplicate_key:
		return "duplicate-key";
	case json_error_numeric_overflow:
		return "number-too-large";
	case json_error_invalid_utf8:
		return "not-utf-8";
	case json_error_null_character:
	case json_error_null_byte_in_key:
		return "nul-character";
	case json_error_premature_end_of_input:
		return "ends-too-early";
	default:
		return "syntax";
	}
}

static void json_refuse(GError **error, const char *reason, int line, int column)
{
	g_autofree char *line_text = g_strdup_printf("%d", MAX(line, 1));
	g_autofree char *column_text = g_strdup_printf("%d", MAX(column, 1));
	problem_set(error, PROBLEM_JSON_INVALID, "reason", reason, "line", line_text, "column",
		    column_text, NULL);
}

json_t *request_json(Request *request, GError **error)
{
	if (request->json != NULL)
		return request->json;
	if (!request_body_is(request, "application/json")) {
		problem_set(error, PROBLEM_UNSUPPORTED_MEDIA_TYPE, "expected", "application/json",
			    NULL);
		return NULL;
	}
	size_t size = 0;
	const char *text = request_body(request, &size);
	if (size == 0 || !depth_fits(text, size)) {
		json_refuse(error, size == 0 ? "empty" : "too-deep", 1, 1);
		return NULL;
	}
	json_error_t fault;
	json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &fault);
	if (json == NULL) {
		json_refuse(error, json_reason(json_error_code(&fault)), fault.line, fault.column);
		return NULL;
	}
	if (!json_is_object(json)) {
		json_decref(json);
		json_refuse(error, "not-an-object", 1, 1);
		return NULL;
	}
	request->json = json;
	return json;
}

bool request_body_check(Request *request, GError **error)
{
	const Route *route = request->match.route;
	if (route->operation == NULL || route->takes_body || request->body == NULL ||
	    request->body->len == 0 || strcmp(route->method, "GET") == 0)
		return true;
	const json_t *json = request_json(request, error);
	return json != NULL && field_none(json, NULL, error);
}
