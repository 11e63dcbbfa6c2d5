#include "service/field.h"

#include <glib.h>
#include <string.h>

/* "kind" of "clock.kind": the fields of body have short names, problems long ones. */
static const char *short_name(const char *field)
{
	const char *dot = strrchr(field, '.');
	return dot == NULL ? field : dot + 1;
}

static json_t *field_find(const json_t *body, const char *field)
{
	json_t *value = json_object_get(body, short_name(field));
	return json_is_null(value) ? NULL : value;
}

static json_t *field_require(const json_t *body, const char *field, GError **error)
{
	json_t *value = field_find(body, field);
	if (value == NULL)
		problem_set_field(error, field, FIELD_MISSING, NULL);
	return value;
}

static bool characters_fit(const char *text, bool lines)
{
	for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar character = g_utf8_get_char(at);
		if (lines && (character == '\n' || character == '\t' || character == '\r'))
			continue;
		if (g_unichar_type(character) == G_UNICODE_CONTROL ||
		    g_unichar_type(character) == G_UNICODE_LINE_SEPARATOR ||
		    g_unichar_type(character) == G_UNICODE_PARAGRAPH_SEPARATOR)
			return false;
	}
	return true;
}

static void length_refuse(GError **error, const char *field, FieldFault fault, const char *name,
			  int limit)
{
	g_autofree char *number = g_strdup_printf("%d", limit);
	problem_set_field(error, field, fault, name, number, NULL);
}

static bool text_take(const json_t *value, const char *field, bool lines, char **text_r,
		      GError **error)
{
	if (!json_is_string(value)) {
		problem_set_field(error, field, FIELD_NOT_TEXT, NULL);
		return false;
	}
	const char *text = json_string_value(value);
	if (!characters_fit(text, lines)) {
		problem_set_field(error, field, FIELD_CONTROL_CHARACTER, NULL);
		return false;
	}
	*text_r = g_utf8_normalize(text, -1, G_NORMALIZE_DEFAULT_COMPOSE);
	return true;
}

static bool length_check(const char *text, const char *field, int min, int max, GError **error)
{
	long length = g_utf8_strlen(text, -1);
	if (length == 0 && min == 1)
		problem_set_field(error, field, FIELD_MISSING, NULL);
	else if (length < min)
		length_refuse(error, field, FIELD_TOO_SHORT, "min", min);
	else if (length > max)
		length_refuse(error, field, FIELD_TOO_LONG, "max", max);
	return length >= min && length <= max;
}

bool field_text(const json_t *body, const char *field, int min, int max, char **text_r,
		GError **error)
{
	const json_t *value = field_require(body, field, error);
	g_autofree char *text = NULL;
	if (value == NULL || !text_take(value, field, false, &text, error) ||
	    !length_check(text, field, min, max, error))
		return false;
	*text_r = g_steal_pointer(&text);
	return true;
}

bool field_text_optional(const json_t *body, const char *field, int min, int max, char **text_r,
			 GError **error)
{
	*text_r = NULL;
	return !field_given(body, field) || field_text(body, field, min, max, text_r, error);
}

bool field_lines_optional(const json_t *body, const char *field, int min, int max, char **text_r,
			  GError **error)
{
	*text_r = NULL;
	const json_t *value = field_find(body, field);
	g_autofree char *text = NULL;
	if (value == NULL)
		return true;
	if (!text_take(value, field, true, &text, error) ||
	    !length_check(text, field, min, max, error))
		return false;
	*text_r = g_steal_pointer(&text);
	return true;
}

static void number_refuse(GError **error, const char *field, FieldFault fault, const char *name,
			  int64_t limit)
{
	g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, limit);
	problem_set_field(error, field, fault, name, number, NULL);
}

/* JSON has one kind of number: 1, 1.0 and 1e0 are the same (as far as a double is exact). */
static bool whole_number(const json_t *value, int64_t *number_r)
{
	const double exact_max = 9007199254740992.0; /* 2^53 */
	if (json_is_integer(value)) {
		*number_r = json_integer_value(value);
		return true;
	}
	double real = json_real_value(value);
	if (!json_is_real(value) || !(real >= -exact_max && real <= exact_max))
		return false;
	*number_r = (int64_t)real;
	return (double)*number_r == real;
}

bool field_int(const json_t *body, const char *field, int64_t min, int64_t max, int64_t *number_r,
	       GError **error)
{
	const json_t *value = field_require(body, field, error);
	if (value == NULL)
		return false;
	int64_t number = 0;
	if (!whole_number(value, &number)) {
		problem_set_field(error, field, FIELD_NOT_INTEGER, NULL);
		return false;
	}
	if (number < min)
		number_refuse(error, field, FIELD_TOO_SMALL, "min", min);
	else if (number > max)
		number_refuse(error, field, FIELD_TOO_LARGE, "max", max);
	else
		*number_r = number;
	return number >= min && number <= max;
}

bool field_int_optional(const json_t *body, const char *field, int64_t min, int64_t max,
			int64_t *number_r, GError **error)
{
	return !field_given(body, field) || field_int(body, field, min, max, number_r, error);
}

bool field_bool_optional(const json_t *body, const char *field, bool *value_r, GError **error)
{
	const json_t *value = field_find(body, field);
	if (value == NULL)
		return true;
	if (!json_is_boolean(value)) {
		problem_set_field(error, field, FIELD_NOT_BOOLEAN, NULL);
		return false;
	}
	*value_r = json_is_true(value);
	return true;
}

static char *choices_join(const char *const *choices)
{
	return g_strjoinv(", ", (char **)(uintptr_t)choices);
}

bool field_choice(const json_t *body, const char *field, const char *const *choices, int *index_r,
		  GError **error)
{
	const json_t *value = field_require(body, field, error);
	if (value == NULL)
		return false;
	for (int i = 0; json_is_string(value) && choices[i] != NULL; i++) {
		if (strcmp(choices[i], json_string_value(value)) != 0)
			continue;
		*index_r = i;
		return true;
	}
	g_autofree char *list = choices_join(choices);
	problem_set_field(error, field, FIELD_NOT_A_CHOICE, "choices", list, NULL);
	return false;
}

bool field_choice_optional(const json_t *body, const char *field, const char *const *choices,
			   int *index_r, GError **error)
{
	return !field_given(body, field) || field_choice(body, field, choices, index_r, error);
}

bool field_object_optional(const json_t *body, const char *field, const json_t **object_r,
			   GError **error)
{
	*object_r = field_find(body, field);
	if (*object_r == NULL || json_is_object(*object_r))
		return true;
	*object_r = NULL;
	problem_set_field(error, field, FIELD_NOT_OBJECT, NULL);
	return false;
}

bool field_list_optional(const json_t *body, const char *field, const json_t **list_r,
			 GError **error)
{
	*list_r = field_find(body, field);
	if (*list_r == NULL || json_is_array(*list_r))
		return true;
	*list_r = NULL;
	problem_set_field(error, field, FIELD_NOT_LIST, NULL);
	return false;
}

bool field_given(const json_t *body, const char *field)
{
	return field_find(body, field) != NULL;
}

bool field_only_in(const json_t *object, const char *field, const char *const *names,
		   GError **error)
{
	bool good = true;
	const char *name = NULL;
	json_t *value = NULL;
	json_object_foreach((json_t *)(uintptr_t)object, name, value)
	{
		if (g_strv_contains(names, name))
			continue;
		g_autofree char *path =
			field == NULL ? g_strdup(name) : g_strconcat(field, ".", name, NULL);
		problem_set_field(error, path, FIELD_UNKNOWN, NULL);
		good = false;
	}
	return good;
}

bool field_only(const json_t *body, const char *const *names, GError **error)
{
	return field_only_in(body, NULL, names, error);
}

bool field_none(const json_t *object, const char *field, GError **error)
{
	static const char *const names[] = {NULL};
	return field_only_in(object, field, names, error);
}
