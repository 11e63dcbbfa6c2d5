#include "service/problem.h"

#include "db/db.h"
#include "service/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* What problem_set was given; hangs on the GError. */
typedef struct {
	GPtrArray *pairs; /* name, value, name, value …; of the first field, if it is one */
	GPtrArray *more;  /* such lists, of the further fields at fault */
} ProblemErrorPrivate;

static GPtrArray *pairs_new(void)
{
	return g_ptr_array_new_with_free_func(g_free);
}

static void pairs_free(void *pairs)
{
	g_ptr_array_unref(pairs);
}

static void pairs_copy(const GPtrArray *from, GPtrArray *to)
{
	for (unsigned i = 0; i < from->len; i++)
		g_ptr_array_add(to, g_strdup(from->pdata[i]));
}

static void problem_error_private_init(ProblemErrorPrivate *private)
{
	private->pairs = pairs_new();
	private->more = g_ptr_array_new_with_free_func(pairs_free);
}

static void problem_error_private_copy(const ProblemErrorPrivate *from, ProblemErrorPrivate *to)
{
	pairs_copy(from->pairs, to->pairs);
	for (unsigned i = 0; i < from->more->len; i++) {
		GPtrArray *pairs = pairs_new();
		pairs_copy(from->more->pdata[i], pairs);
		g_ptr_array_add(to->more, pairs);
	}
}

static void problem_error_private_clear(ProblemErrorPrivate *private)
{
	g_ptr_array_unref(private->pairs);
	g_ptr_array_unref(private->more);
}

G_DEFINE_EXTENDED_ERROR(ProblemError, problem_error)

typedef struct {
	int status;
	const char *type, *url, *title_key, *detail_key;
	int retry_after;
} ProblemRow;

static const ProblemRow rows[] = {
#define X(code, status, type, retry) \
	{status, type, "/problems/" type, "problem." type, "problem." type ".detail", retry},
	PROBLEMS(X)
#undef X
};

static const struct {
	const char *name, *key;
} faults[] = {
#define X(code, name) {name, "field." name},
	FIELD_FAULTS(X)
#undef X
};

static void pairs_collect(GPtrArray *pairs, va_list arguments)
{
	for (const char *name = va_arg(arguments, const char *); name != NULL;
	     name = va_arg(arguments, const char *)) {
		const char *value = va_arg(arguments, const char *);
		g_assert(value != NULL);
		g_ptr_array_add(pairs, g_strdup(name));
		g_ptr_array_add(pairs, g_strdup(value));
	}
}

/* The message is for logs; it names no argument, since one may hold an address. */
static GError *error_new(ProblemCode code)
{
	g_assert((int)code >= 0 && code < PROBLEM_COUNT);
	return g_error_new_literal(PROBLEM_ERROR, (int)code, rows[code].type);
}

void problem_set(GError **error, ProblemCode code, ...)
{
	GError *created = error_new(code);
	va_list arguments;
	va_start(arguments, code);
	pairs_collect(problem_error_get_private(created)->pairs, arguments);
	va_end(arguments);
	g_propagate_error(error, created);
}

/* What is wrong with the thing of this kind ("field", "parameter") and name. */
static void fault_add(GPtrArray *pairs, const char *kind, const char *name, FieldFault fault)
{
	g_assert((int)fault >= 0 && fault < FIELD_FAULT_COUNT);
	g_ptr_array_add(pairs, g_strdup(kind));
	g_ptr_array_add(pairs, g_strdup(name));
	g_ptr_array_add(pairs, g_strdup("problem"));
	g_ptr_array_add(pairs, g_strdup(faults[fault].name));
}

static const char *pairs_find(const GPtrArray *pairs, const char *name)
{
	for (unsigned i = 0; pairs != NULL && i < pairs->len; i += 2)
		if (strcmp(pairs->pdata[i], name) == 0)
			return pairs->pdata[i + 1];
	return NULL;
}

/* A field is told its first fault only: what else is wrong with it follows from that. */
static void fault_more(GError *error, GPtrArray *pairs)
{
	if (problem_fault_of(error, pairs_find(pairs, "field")))
		g_ptr_array_unref(pairs);
	else
		g_ptr_array_add(problem_error_get_private(error)->more, pairs);
}

void problem_set_field(GError **error, const char *field, FieldFault fault, ...)
{
	GPtrArray *pairs = pairs_new();
	va_list arguments;
	va_start(arguments, fault);
	pairs_collect(pairs, arguments);
	va_end(arguments);
	fault_add(pairs, "field", field, fault);
	if (error != NULL && *error != NULL) {
		g_assert(g_error_matches(*error, PROBLEM_ERROR, PROBLEM_FIELD_INVALID));
		fault_more(*error, pairs);
		return;
	}
	GError *created = error_new(PROBLEM_FIELD_INVALID);
	pairs_copy(pairs, problem_error_get_private(created)->pairs);
	g_ptr_array_unref(pairs);
	g_propagate_error(error, created);
}

void problem_set_parameter(GError **error, const char *parameter, FieldFault fault, ...)
{
	GError *created = error_new(PROBLEM_QUERY_INVALID);
	GPtrArray *pairs = problem_error_get_private(created)->pairs;
	va_list arguments;
	va_start(arguments, fault);
	pairs_collect(pairs, arguments);
	va_end(arguments);
	fault_add(pairs, "parameter", parameter, fault);
	g_propagate_error(error, created);
}

static GPtrArray *pairs_of(const GError *error)
{
	return error->domain == PROBLEM_ERROR ? problem_error_get_private(error)->pairs : NULL;
}

const char *problem_argument(const GError *error, const char *name)
{
	return pairs_find(pairs_of(error), name);
}

/* The pairs of the field at fault of this number; NULL behind the last. */
static GPtrArray *fault_at(const GError *error, unsigned number)
{
	if (!g_error_matches(error, PROBLEM_ERROR, PROBLEM_FIELD_INVALID))
		return NULL;
	const ProblemErrorPrivate *private = problem_error_get_private(error);
	if (number == 0)
		return private->pairs;
	return number <= private->more->len ? private->more->pdata[number - 1] : NULL;
}

bool problem_fault_of(const GError *error, const char *field)
{
	const char *name = NULL;
	for (unsigned i = 0; (name = problem_fault_field(error, i)) != NULL; i++)
		if (strcmp(name, field) == 0)
			return true;
	return false;
}

const char *problem_fault_field(const GError *error, unsigned number)
{
	return pairs_find(fault_at(error, number), "field");
}

/* In the game's own words if the fault is about one that has some. */
static char *fault_words(GPtrArray *pairs, Language language)
{
	const char *rules = pairs_find(pairs, "rules");
	g_autofree char *key = g_strconcat("field.", pairs_find(pairs, "problem"), NULL);
	g_autofree char *own = g_strconcat(key, ".", rules == NULL ? "" : rules, NULL);
	return text_format_pairs(language, text_find(language, own) == NULL ? key : own, pairs);
}

char *problem_fault_words(const GError *error, unsigned number, Language language)
{
	return fault_words(fault_at(error, number), language);
}

static void member_set(json_t *object, const char *name, json_t *value)
{
	if (json_object_set_new(object, name, value) != 0)
		g_error("event=out_of_memory where=problem");
}

json_t *problem_arguments(const GError *error)
{
	GPtrArray *pairs = pairs_of(error);
	if (pairs == NULL || pairs->len == 0)
		return NULL;
	json_t *arguments = json_object();
	for (unsigned i = 0; i < pairs->len; i += 2)
		member_set(arguments, pairs->pdata[i], json_string(pairs->pdata[i + 1]));
	return arguments;
}

GError *problem_rebuild(ProblemCode code, const json_t *arguments)
{
	GError *error = g_error_new_literal(PROBLEM_ERROR, (int)code, rows[code].type);
	GPtrArray *pairs = problem_error_get_private(error)->pairs;
	const char *name;
	json_t *value;
	json_object_foreach((json_t *)arguments, name, value)
	{
		g_ptr_array_add(pairs, g_strdup(name));
		g_ptr_array_add(pairs, g_strdup(json_string_value(value)));
	}
	return error;
}

ProblemCode problem_code(const GError *error)
{
	if (error->domain == PROBLEM_ERROR)
		return (ProblemCode)error->code;
	if (g_error_matches(error, DB_ERROR, DB_ERROR_UNAVAILABLE) ||
	    g_error_matches(error, DB_ERROR, DB_ERROR_CONFLICT))
		return PROBLEM_UNAVAILABLE;
	return PROBLEM_INTERNAL;
}

int problem_status(ProblemCode code)
{
	return rows[code].status;
}

const char *problem_type(ProblemCode code)
{
	return rows[code].type;
}

const char *problem_url(ProblemCode code)
{
	return rows[code].url;
}

int problem_retry_after(const GError *error)
{
	const char *seconds = problem_argument(error, "retry_after");
	return seconds != NULL ? (int)strtol(seconds, NULL, 10)
			       : rows[problem_code(error)].retry_after;
}

bool problem_find(const char *type, ProblemCode *code_r)
{
	for (int i = 0; i < PROBLEM_COUNT; i++) {
		if (strcmp(rows[i].type, type) != 0)
			continue;
		*code_r = (ProblemCode)i;
		return true;
	}
	return false;
}

const char *problem_title(ProblemCode code, Language language)
{
	return text_get(language, rows[code].title_key);
}

const char *problem_meaning(ProblemCode code, Language language)
{
	g_autofree char *key = g_strdup_printf("problem.%s.detail", problem_type(code));
	const char *detail = text_find(language, key);
	return detail == NULL || strstr(detail, "{{") != NULL ? NULL : detail;
}

/* "name: must have at most 30 characters; email: is missing". */
static char *fields_detail(const GError *error, Language language)
{
	GString *detail = g_string_new(NULL);
	const char *name = NULL;
	for (unsigned i = 0; (name = problem_fault_field(error, i)) != NULL; i++) {
		g_autofree char *words = problem_fault_words(error, i, language);
		g_string_append_printf(detail, "%s%s: %s", i > 0 ? "; " : "", name, words);
	}
	return g_string_free(detail, FALSE);
}

static char *parameter_detail(const GError *error, Language language)
{
	g_autofree char *words = fault_words(pairs_of(error), language);
	return g_strconcat(problem_argument(error, "parameter"), ": ", words, NULL);
}

char *problem_detail(const GError *error, Language language)
{
	ProblemCode code = problem_code(error);
	if (code == PROBLEM_FIELD_INVALID)
		return fields_detail(error, language);
	if (code == PROBLEM_QUERY_INVALID)
		return parameter_detail(error, language);
	g_autoptr(GPtrArray) none = g_ptr_array_new();
	GPtrArray *pairs = pairs_of(error);
	const char *reason = pairs_find(pairs, "reason");
	g_autofree char *own = g_strconcat(rows[code].title_key, ".", reason, NULL);
	const char *key =
		reason != NULL && text_find(language, own) != NULL ? own : rows[code].detail_key;
	return text_format_pairs(language, key, pairs == NULL ? none : pairs);
}

/* Arguments that are numbers to programs. */
static json_t *argument_json(const char *name, const char *value)
{
	static const char *const numbers[] = {"column", "limit",       "line",  "max",
					      "min",    "retry_after", "round", NULL};
	int64_t number = 0;
	if (g_strv_contains(numbers, name) &&
	    g_ascii_string_to_signed(value, 10, INT64_MIN, INT64_MAX, &number, NULL))
		return json_integer(number);
	return json_string(value);
}

/* "#/clock/kind" of "clock.kind": RFC 6901 in a fragment, as the examples of RFC 9457 have it. */
static json_t *field_pointer(const char *field)
{
	g_autoptr(GString) path = g_string_new(field);
	g_string_replace(path, "~", "~0", 0);
	g_string_replace(path, "/", "~1", 0);
	g_string_replace(path, ".", "/", 0);
	g_autofree char *escaped = g_uri_escape_string(path->str, "/", TRUE);
	g_autofree char *pointer = g_strconcat("#/", escaped, NULL);
	return json_string(pointer);
}

static void arguments_set(json_t *object, const GPtrArray *pairs)
{
	for (unsigned i = 0; pairs != NULL && i < pairs->len; i += 2)
		if (json_object_get(object, pairs->pdata[i]) == NULL)
			member_set(object, pairs->pdata[i],
				   argument_json(pairs->pdata[i], pairs->pdata[i + 1]));
}

/* "errors": an entry for each field at fault. */
static json_t *field_errors(const GError *error, Language language)
{
	json_t *list = json_array();
	GPtrArray *pairs = NULL;
	for (unsigned i = 0; (pairs = fault_at(error, i)) != NULL; i++) {
		g_autofree char *words = fault_words(pairs, language);
		json_t *entry = json_object();
		arguments_set(entry, pairs);
		member_set(entry, "pointer", field_pointer(pairs_find(pairs, "field")));
		member_set(entry, "detail", json_string(words));
		json_array_append_new(list, entry);
	}
	return list;
}

json_t *problem_json(const GError *error, Language language)
{
	ProblemCode code = problem_code(error);
	g_autofree char *detail = problem_detail(error, language);
	json_t *problem = json_object();
	member_set(problem, "type", json_string(rows[code].url));
	member_set(problem, "title", json_string(problem_title(code, language)));
	member_set(problem, "status", json_integer(rows[code].status));
	member_set(problem, "detail", json_string(detail));
	if (code == PROBLEM_FIELD_INVALID)
		member_set(problem, "errors", field_errors(error, language));
	else
		arguments_set(problem, pairs_of(error));
	return problem;
}
