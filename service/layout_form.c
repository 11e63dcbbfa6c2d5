#include "service/layout_form.h"

#include <glib.h>
#include <string.h>

/* Without blanks, and without full stops at its end, which no layout has. */
static void line_spell(GString *spelt, const char *line)
{
	const size_t start = spelt->len;
	for (; *line != '\0'; line++)
		if (*line != ' ')
			g_string_append_c(spelt, *line);
	while (spelt->len > start && spelt->str[spelt->len - 1] == '.')
		g_string_truncate(spelt, spelt->len - 1);
}

char *layout_form_spell(const char *lines)
{
	GString *spelt = g_string_new(NULL);
	g_auto(GStrv) each = g_strsplit(lines, "\n", -1);
	for (int i = 0; each[i] != NULL; i++) {
		if (i > 0)
			g_string_append_c(spelt, '\n');
		line_spell(spelt, each[i]);
	}
	if (spelt->str[strcspn(spelt->str, "|-/\\")] == '\0')
		g_strdelimit(spelt->str, "\n", '/');
	return g_string_free(spelt, FALSE);
}
