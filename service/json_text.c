#include "service/json_text.h"

#include <stdbool.h>
#include <string.h>

enum { STAMP_SECONDS = 19 }; /* "2026-11-30 02:00:00" */

static void escape(GString *out, char letter)
{
	static const char digits[] = "0123456789abcdef";
	if (letter == '"' || letter == '\\') {
		g_string_append_c(out, '\\');
		g_string_append_c(out, letter);
		return;
	}
	if (letter == '\n') {
		g_string_append(out, "\\n");
		return;
	}
	g_string_append(out, "\\u00");
	g_string_append_c(out, digits[(unsigned char)letter >> 4]);
	g_string_append_c(out, digits[(unsigned char)letter & 15]);
}

void json_text_string(GString *out, const char *text)
{
	if (text == NULL) {
		g_string_append(out, "null");
		return;
	}
	g_string_append_c(out, '"');
	const char *plain = text;
	for (const char *at = text; *at; at++) {
		if ((unsigned char)*at >= 0x20 && *at != '"' && *at != '\\')
			continue;
		g_string_append_len(out, plain, at - plain);
		escape(out, *at);
		plain = at + 1;
	}
	g_string_append(out, plain);
	g_string_append_c(out, '"');
}

static void name_append(GString *out, const char *name)
{
	g_string_append(out, ",\"");
	g_string_append(out, name);
	g_string_append(out, "\":");
}

void json_text_member(GString *out, const char *name, const char *text)
{
	name_append(out, name);
	json_text_string(out, text);
}

static void number_append(GString *out, int64_t number)
{
	char digits[24];
	g_snprintf(digits, sizeof(digits), "%" G_GINT64_FORMAT, number);
	g_string_append(out, digits);
}

void json_text_number(GString *out, const char *name, int64_t number)
{
	name_append(out, name);
	number_append(out, number);
}

void json_text_first(GString *out, const char *name, int64_t number)
{
	g_string_append(out, "{\"");
	g_string_append(out, name);
	g_string_append(out, "\":");
	number_append(out, number);
}

void json_text_time(GString *out, const char *name, const char *stamp)
{
	name_append(out, name);
	if (stamp == NULL || strlen(stamp) < STAMP_SECONDS) {
		g_string_append(out, "null");
		return;
	}
	g_string_append_c(out, '"');
	g_string_append_len(out, stamp, STAMP_SECONDS);
	out->str[out->len - (STAMP_SECONDS - 10)] = 'T';
	g_string_append(out, "Z\"");
}

void json_text_raw(GString *out, const char *name, const char *json)
{
	bool in_string = false;
	name_append(out, name);
	for (const char *at = json; *at != '\0'; at++) {
		if (*at == ' ' && !in_string)
			continue;
		if (*at == '"')
			in_string = !in_string;
		if (*at == '\\')
			g_string_append_c(out, *at++);
		g_string_append_c(out, *at);
	}
}
