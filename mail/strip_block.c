#include "strip_block.h"

#include <string.h>

enum {
	BLOCK_LINES = 40,   /* of a block; what follows is no part of it */
	BLOCK_LENGTH = 400, /* bytes of a line of a block that are kept */
	BLANKS_WITHIN = 3,  /* empty lines between two of its lines */
};

/* The text without blanks at its ends, which may be any there are. The caller frees. */
static char *line_trim(const char *text)
{
	const char *end = text, *start = NULL;
	for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
		if (g_unichar_isspace(g_utf8_get_char(at))) {
			continue;
		}
		start = start == NULL ? at : start;
		end = g_utf8_next_char(at);
	}
	if (start == NULL) {
		return g_strdup("");
	}
	if (end - start > BLOCK_LENGTH) {
		end = g_utf8_find_prev_char(start, start + BLOCK_LENGTH);
	}
	return g_strndup(start, (size_t)(end - start));
}

static bool is_own(const MailLine *line)
{
	return !line->cut && (line->depth == 0 || line->barred);
}

/* ---- flowed lines ---- */

/* Whether a block begins somewhere among the parts of a line, or may go on with them. */
static bool parts_hold_block(const MailLine *line, const StripBlocks *blocks)
{
	if (blocks == NULL || line->parts == NULL || !is_own(line)) {
		return false;
	}
	g_auto(GStrv) parts = g_strsplit(line->parts, "\n", -1);
	for (size_t i = 0; parts[i] != NULL; i++) {
		if (blocks->begins(parts[i])) {
			return true;
		}
	}
	return blocks->goes_on(parts[0], parts[1], false);
}

MailLines *strip_block_parts(const MailLines *lines, const StripBlocks *blocks)
{
	MailLines *apart = lines_new();
	for (size_t i = 0; i < lines->len; i++) {
		const MailLine *line = lines_at(lines, i);
		if (!parts_hold_block(line, blocks)) {
			g_array_append_vals(apart, line, 1);
			MailLine *copy = &g_array_index(apart, MailLine, apart->len - 1);
			copy->text = g_strdup(line->text);
			copy->parts = NULL;
			continue;
		}
		g_auto(GStrv) parts = g_strsplit(line->parts, "\n", -1);
		for (size_t j = 0; parts[j] != NULL; j++) {
			lines_add_marked(apart, g_steal_pointer(&parts[j]));
		}
	}
	return apart;
}

/* ---- one block ---- */

/* The text of a line that may belong to a block, NULL if it may not. The caller frees. */
static char *own_line(const MailLines *lines, size_t at)
{
	if (at >= lines->len || !is_own(lines_at(lines, at))) {
		return NULL;
	}
	return line_trim(lines_at(lines, at)->text);
}

/* Whether the line at `at` goes on with a block. */
static bool line_goes_on(const MailLines *lines, size_t at, const StripBlocks *blocks,
			 const char *text, bool apart)
{
	g_autofree char *next = own_line(lines, at + 1);
	return blocks->goes_on(text, next == NULL ? "" : next, apart);
}

size_t strip_block(const MailLines *lines, size_t at, const StripBlocks *blocks, GPtrArray *kept)
{
	size_t end = at + 1, blanks = 0;
	g_autofree char *heading = own_line(lines, at);
	if (blocks == NULL || lines_at(lines, at)->depth > 0 || heading == NULL ||
	    !blocks->begins(heading)) {
		return 0;
	}
	GString *block = g_string_new(heading);
	for (size_t i = end; i < lines->len && end - at < BLOCK_LINES; i++) {
		g_autofree char *text = own_line(lines, i);
		if (text == NULL || blanks > BLANKS_WITHIN) {
			break;
		}
		if (text[0] == '\0') {
			blanks++;
			continue;
		}
		if (!line_goes_on(lines, i, blocks, text, blanks > 0)) {
			break;
		}
		g_string_append_printf(block, "\n%s", text);
		end = i + 1;
		blanks = 0;
	}
	g_ptr_array_add(kept, g_string_free(block, FALSE));
	return end - at;
}
