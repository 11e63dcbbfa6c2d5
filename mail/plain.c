#include "placeholder.h"

#include <string.h>

enum { PLAIN_WIDTH = 72 };

/* Appends one line, wrapped at blanks; each line begins with the mark. */
static void line_wrap(GString *text, const char *mark, const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	const long indent = (long)strlen(mark);
	g_string_append(text, mark);
	long used = indent;
	for (size_t i = 0; words[i] != NULL; i++) {
		long length = g_utf8_strlen(words[i], -1);
		if (i > 0 && used + 1 + length > PLAIN_WIDTH) {
			g_string_append_printf(text, "\n%s", mark);
			used = indent;
		} else if (i > 0) {
			g_string_append_c(text, ' ');
			used++;
		}
		g_string_append(text, words[i]);
		used += length;
	}
	g_string_append_c(text, '\n');
}

/* A tag of a record, such as [Board "…"], is one line to the programs that read records. */
static bool is_tag(const char *row)
{
	return row[0] == '[' && g_str_has_suffix(row, "\"]");
}

/* Appends a value that stands alone in its line. A drawing stays as it is. What is indented are
 * somebody's words: quoted, so that no line of theirs is taken for one of whoever replies. */
static void value_append(GString *text, const char *line, const Placeholder *placeholder,
			 const char *value)
{
	const char *mark = placeholder->start > line ? "> " : "";
	g_auto(GStrv) rows = g_strsplit(value, "\n", -1);
	for (size_t i = 0; rows[i] != NULL; i++) {
		if (rows[i][0] == '\0' && rows[i + 1] == NULL && i > 0) {
			continue;
		}
		if (placeholder_is_drawing(placeholder) || (*mark == '\0' && is_tag(rows[i]))) {
			g_string_append_printf(text, "%s\n", rows[i]);
		} else if (rows[i][0] == '\0') {
			g_string_append(text, *mark == '\0' ? "\n" : ">\n");
		} else {
			line_wrap(text, mark, g_strchomp(rows[i]));
		}
	}
}

static void line_append(GString *text, const char *line, const MailValue *values)
{
	Placeholder placeholder;
	if (placeholder_alone(line, &placeholder)) {
		value_append(text, line, &placeholder, value_text(values, placeholder.name));
		return;
	}
	if (strcmp(line, "--") == 0) {
		g_string_append(text, "-- \n");
		return;
	}
	g_autofree char *filled = line_fill(line, values);
	line_wrap(text, "", filled);
}

char *plain_render(char *const *paragraphs, const MailValue *values)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (size_t i = 0; paragraphs[i] != NULL; i++) {
		if (i > 0) {
			g_string_append_c(text, '\n');
		}
		g_auto(GStrv) lines = g_strsplit(paragraphs[i], "\n", -1);
		for (size_t j = 0; lines[j] != NULL; j++) {
			line_append(text, lines[j], values);
		}
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}
