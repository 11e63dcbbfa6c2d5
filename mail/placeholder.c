#include "placeholder.h"

#include <stdint.h>
#include <string.h>

bool placeholder_find(const char *text, Placeholder *found_r)
{
	const char *start = strstr(text, "{{");
	if (start == NULL) {
		return false;
	}
	const char *close = strstr(start, "}}");
	g_assert(close != NULL);
	size_t length = (size_t)(close - start) - 2;
	g_assert(length > 0 && length < sizeof found_r->name);
	found_r->start = start;
	found_r->end = close + 2;
	memcpy(found_r->name, start + 2, length);
	found_r->name[length] = '\0';
	return true;
}

bool placeholder_alone(const char *line, Placeholder *found_r)
{
	const char *start = line + strspn(line, " ");
	return placeholder_find(line, found_r) && found_r->start == start && *found_r->end == '\0';
}

bool placeholder_is_link(const Placeholder *placeholder, const char *text)
{
	bool named = strcmp(placeholder->name, "url") == 0 ||
		     g_str_has_suffix(placeholder->name, "_url");
	return named && (g_str_has_prefix(text, "https://") || g_str_has_prefix(text, "http://"));
}

bool placeholder_is_drawing(const Placeholder *placeholder)
{
	return strcmp(placeholder->name, "board") == 0 ||
	       g_str_has_prefix(placeholder->name, "board_") ||
	       g_str_has_prefix(placeholder->name, "ranks_");
}

const MailValue *value_find(const MailValue *values, const char *name)
{
	for (const MailValue *value = values; value->name != NULL; value++) {
		if (strcmp(value->name, name) == 0) {
			return value;
		}
	}
	return NULL;
}

const char *value_text(const MailValue *values, const char *name)
{
	const MailValue *value = value_find(values, name);
	if (value == NULL) {
		g_error("a mail has no value and no part for {{%s}}", name);
	}
	return value->text == NULL ? "" : value->text;
}

static void line_append(GString *line, const char *text)
{
	for (const char *c = text; *c != '\0'; c = g_utf8_next_char(c)) {
		uint32_t character = g_utf8_get_char(c);
		g_string_append_unichar(line, g_unichar_iscntrl(character) ? ' ' : character);
	}
}

char *line_fill(const char *line, const MailValue *values)
{
	g_autoptr(GString) filled = g_string_new(NULL);
	Placeholder placeholder;
	while (placeholder_find(line, &placeholder)) {
		g_string_append_len(filled, line, placeholder.start - line);
		line_append(filled, value_text(values, placeholder.name));
		line = placeholder.end;
	}
	g_string_append(filled, line);
	return g_string_free(g_steal_pointer(&filled), FALSE);
}
