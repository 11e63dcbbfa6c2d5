#include "fields.h"

#include <string.h>

#include <gmime/gmime.h>

#include "library.h"

enum { IDS_MAX = 200, ID_LENGTH_MAX = 998 };

typedef struct Field {
	char *name;
	GString *value;
} Field;

struct Fields {
	GArray *all;  /* of Field */
	bool goes_on; /* the line before was a field, not junk, whose continuation is junk too */
};

static void field_clear(void *data)
{
	Field *field = data;
	g_free(field->name);
	g_string_free(field->value, TRUE);
}

void fields_free(Fields *fields)
{
	if (fields == NULL) {
		return;
	}
	g_array_unref(fields->all);
	g_free(fields);
}

/* The length of the line at `at`, its end included; `content_r` without it. */
static size_t line_length(const uint8_t *at, size_t size, size_t *content_r)
{
	const uint8_t *end = memchr(at, '\n', size);
	size_t length = end == NULL ? size : (size_t)(end - at) + 1;
	size_t content = length;
	while (content > 0 && (at[content - 1] == '\n' || at[content - 1] == '\r')) {
		content--;
	}
	*content_r = content;
	return length;
}

size_t fields_start(const uint8_t *bytes, size_t size)
{
	size_t content;
	bool is_mailbox = size > 5 && memcmp(bytes, "From ", 5) == 0;
	return is_mailbox ? line_length(bytes, size, &content) : 0;
}

/* A piece of a value: NUL and bare carriage returns become blanks. */
static void value_append(GString *value, const uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		bool is_blank = bytes[i] == '\0' || bytes[i] == '\r' || bytes[i] == '\t';
		g_string_append_c(value, is_blank ? ' ' : (char)bytes[i]);
	}
}

/* The length of the name before a field's colon, 0 if the line is no field. */
static size_t name_length(const uint8_t *line, size_t length)
{
	const uint8_t *colon = memchr(line, ':', length);
	size_t name = colon == NULL ? 0 : (size_t)(colon - line);
	while (name > 0 && (line[name - 1] == ' ' || line[name - 1] == '\t')) {
		name--;
	}
	for (size_t i = 0; i < name; i++) {
		if (line[i] <= ' ' || line[i] >= 0x7f) {
			return 0;
		}
	}
	return name;
}

static void field_add(Fields *fields, const uint8_t *line, size_t length)
{
	size_t name = name_length(line, length);
	fields->goes_on = name > 0;
	if (name == 0) {
		return;
	}
	const uint8_t *colon = memchr(line, ':', length);
	size_t before = (size_t)(colon - line) + 1;
	GString *value = g_string_new(NULL);
	value_append(value, line + before, length - before);
	Field field = {g_ascii_strdown((const char *)line, (ssize_t)name), value};
	g_array_append_val(fields->all, field);
}

static void field_continue(Fields *fields, const uint8_t *line, size_t length)
{
	if (!fields->goes_on) {
		return;
	}
	value_append(g_array_index(fields->all, Field, fields->all->len - 1).value, line, length);
}

/* A field with all its continued lines: the offset behind it. */
static size_t field_read(Fields *fields, const uint8_t *bytes, size_t size, size_t at)
{
	size_t content;
	size_t length = line_length(bytes + at, size - at, &content);
	bool is_continued = bytes[at] == ' ' || bytes[at] == '\t';
	if (is_continued) {
		field_continue(fields, bytes + at, content);
	} else {
		field_add(fields, bytes + at, content);
	}
	return at + length;
}

Fields *fields_read(const uint8_t *bytes, size_t size, size_t *body_r)
{
	g_autoptr(Fields) fields = g_new0(Fields, 1);
	fields->all = g_array_new(FALSE, FALSE, sizeof(Field));
	g_array_set_clear_func(fields->all, field_clear);
	size_t start = fields_start(bytes, size), at = start;
	size_t content = 1;
	while (at < size) {
		size_t length = line_length(bytes + at, size - at, &content);
		if (content == 0) {
			at += length;
			break;
		}
		if (at + length - start > FIELDS_SIZE_MAX || fields->all->len > FIELDS_COUNT_MAX) {
			return NULL;
		}
		at = field_read(fields, bytes, size, at);
	}
	if (fields->all->len > FIELDS_COUNT_MAX) {
		return NULL;
	}
	for (unsigned i = 0; i < fields->all->len; i++) {
		GString *value = g_array_index(fields->all, Field, i).value;
		g_strstrip(value->str);
	}
	*body_r = at;
	return g_steal_pointer(&fields);
}

size_t fields_count(const Fields *fields, const char *name)
{
	size_t count = 0;
	while (fields_nth(fields, name, count) != NULL) {
		count++;
	}
	return count;
}

const char *fields_nth(const Fields *fields, const char *name, size_t nth)
{
	for (unsigned i = 0; i < fields->all->len; i++) {
		const Field *field = &g_array_index(fields->all, Field, i);
		if (g_ascii_strcasecmp(field->name, name) == 0 && nth-- == 0) {
			return field->value->str;
		}
	}
	return NULL;
}

const char *fields_first(const Fields *fields, const char *name)
{
	return fields_nth(fields, name, 0);
}

bool fields_any_with_prefix(const Fields *fields, const char *prefix)
{
	for (unsigned i = 0; i < fields->all->len; i++) {
		const Field *field = &g_array_index(fields->all, Field, i);
		if (g_ascii_strncasecmp(field->name, prefix, strlen(prefix)) == 0) {
			return true;
		}
	}
	return false;
}

char *fields_text(const Fields *fields, const char *name, bool *sanitised_r)
{
	const char *value = fields_first(fields, name);
	if (sanitised_r != NULL) {
		*sanitised_r = false;
	}
	if (value == NULL) {
		return NULL;
	}
	library_prepare();
	g_autofree char *decoded = g_mime_utils_header_decode_text(NULL, value);
	g_autofree char *valid = g_utf8_make_valid(decoded, -1);
	GString *text = g_string_new(NULL);
	for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);
		bool is_control = g_unichar_iscntrl(c) || c == 0x2028 || c == 0x2029;
		g_string_append_unichar(text, is_control ? ' ' : c);
		if (is_control && sanitised_r != NULL) {
			*sanitised_r = true;
		}
	}
	return g_strstrip(g_string_free(text, FALSE));
}

char **fields_ids(const Fields *fields, const char *name)
{
	GPtrArray *ids = g_ptr_array_new();
	const char *value = fields_first(fields, name);
	g_auto(GStrv) words = g_strsplit_set(value == NULL ? "" : value, " <>,", -1);
	for (size_t i = 0; words[i] != NULL && ids->len < IDS_MAX; i++) {
		if (strchr(words[i], '@') != NULL && strlen(words[i]) <= ID_LENGTH_MAX) {
			g_ptr_array_add(ids, g_strdup(words[i]));
		}
	}
	g_ptr_array_add(ids, NULL);
	return (char **)g_ptr_array_free(ids, FALSE);
}
