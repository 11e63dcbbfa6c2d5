#include "placeholder.h"

#include <string.h>

enum { PLAIN_WIDTH = 72 };

/* Appends one line, wrapped at blanks; what hangs over keeps the line's indent. */
static void line_wrap(GString *text, const char *line)
{
	size_t indent = strspn(line, " ");
	g_auto(GStrv) words = g_strsplit(line + indent, " ", -1);
	g_string_append_len(text, line, (long)indent);
	long used = (long)indent;
	for (size_t i = 0; words[i] != NULL; i++) {
		long length = g_utf8_strlen(words[i], -1);
		if (i > 0 && used + 1 + length > PLAIN_WIDTH) {
			g_string_append_c(text, '\n');
			g_string_append_len(text, line, (long)indent);
			used = (long)indent;
		} else if (i > 0) {
			g_string_append_c(text, ' ');
			used++;
		}
		g_string_append(text, words[i]);
		used += length;
	}
	g_string_append_c(text, '\n');
}

/* Appends a value that stands alone in its line: each of its lines with the same indent. The board
 * is a drawing and stays as it is. */
static void value_append(GString *text, const char *line, const Placeholder *placeholder,
			 const char *value)
{
	bool is_board = strcmp(placeholder->name, "board") == 0;
	g_auto(GStrv) rows = g_strsplit(value, "\n", -1);
	for (size_t i = 0; rows[i] != NULL; i++) {
		if (rows[i][0] == '\0' && rows[i + 1] == NULL && i > 0) {
			continue;
		}
		g_autofree char *row =
			g_strdup_printf("%.*s%s", (int)(placeholder->start - line), line, rows[i]);
		if (is_board) {
			g_string_append_printf(text, "%s\n", row);
		} else {
			line_wrap(text, g_strchomp(row));
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
	line_wrap(text, filled);
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
