#include "lines.h"

#include <string.h>

enum { KEY_LOOKED_AT = 2000, INITIALS_MAX = 4, DEPTH_SHOWN = 8 };

static void line_clear(void *data)
{
	MailLine *line = data;
	g_free(line->text);
	g_free(line->parts);
}

MailLines *lines_new(void)
{
	MailLines *lines = g_array_new(FALSE, FALSE, sizeof(MailLine));
	g_array_set_clear_func(lines, line_clear);
	return lines;
}

void lines_free(MailLines *lines)
{
	if (lines != NULL) {
		g_array_unref(lines);
	}
}

void lines_add(MailLines *lines, char *text, unsigned depth, bool cut)
{
	MailLine line = {.text = text, .depth = depth, .cut = cut};
	g_array_append_val(lines, line);
}

const MailLine *lines_at(const MailLines *lines, size_t index)
{
	return &g_array_index(lines, MailLine, index);
}

static bool is_invisible(gunichar c)
{
	return g_unichar_type(c) == G_UNICODE_FORMAT || c == 0x034f || c == 0x115f ||
	       (c >= 0xfe00 && c <= 0xfe0f);
}

char *line_key(const char *text)
{
	GString *key = g_string_new(NULL);
	for (const char *at = text; *at != '\0' && at - text < KEY_LOOKED_AT;
	     at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);
		bool is_blank = g_unichar_isspace(c) || c == 0x3164 || c == 0x2800;
		if (is_blank && key->len > 0 && key->str[key->len - 1] != ' ') {
			g_string_append_c(key, ' ');
		} else if (!is_blank && !is_invisible(c)) {
			g_string_append_unichar(key, g_unichar_tolower(c));
		}
	}
	return g_strchomp(g_string_free(key, FALSE));
}

/* "AK> ", "健二> " as news readers quote. */
static bool has_initials(const char *key)
{
	int letters = 0;
	while (letters <= INITIALS_MAX && g_unichar_isalpha(g_utf8_get_char(key))) {
		letters++;
		key = g_utf8_next_char(key);
	}
	return letters > 0 && letters <= INITIALS_MAX && key[0] == '>' &&
	       (key[1] == ' ' || key[1] == '\0' || key[1] == '>');
}

/* The length of a bar at the start of a key, 0 if there is none. */
static size_t bar_length(const char *key)
{
	static const char *const bars[] = {"|", "\u2502", "\u2503"};
	for (size_t i = 0; i < G_N_ELEMENTS(bars); i++) {
		if (g_str_has_prefix(key, bars[i])) {
			return strlen(bars[i]);
		}
	}
	return 0;
}

/* The length of a quote mark at the start of a key, 0 if there is none. */
static size_t mark_length(const char *key)
{
	static const char *const marks[] = {">", "\uff1e"};
	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
		if (g_str_has_prefix(key, marks[i])) {
			return strlen(marks[i]);
		}
	}
	return bar_length(key);
}

static unsigned key_depth(const char *key)
{
	unsigned depth = has_initials(key) ? 1 : 0;
	for (size_t length = mark_length(key); length > 0; length = mark_length(key)) {
		depth++;
		key += length;
		key += strspn(key, " ");
	}
	return depth;
}

const char *line_content(const char *text)
{
	text += strspn(text, " \t");
	if (has_initials(text)) {
		text = strchr(text, '>');
	}
	for (size_t length = mark_length(text); length > 0; length = mark_length(text)) {
		text += length;
		text += strspn(text, " \t");
	}
	return text;
}

unsigned line_depth(const char *text)
{
	g_autofree char *key = line_key(text);
	return key_depth(key);
}

void lines_add_marked(MailLines *lines, char *text)
{
	g_autofree char *key = line_key(text);
	MailLine line = {.text = text, .depth = key_depth(key), .barred = bar_length(key) > 0};
	g_array_append_val(lines, line);
}

/* The text with every way to end a line made "\n". */
static char *ends_unify(const char *text)
{
	GString *unified = g_string_new(NULL);
	for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);
		bool is_end = c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029 ||
			      c == '\f' || c == '\v';
		if (c == '\r' && at[1] == '\n') {
			continue;
		}
		g_string_append_unichar(unified, is_end ? '\n' : c);
	}
	return g_string_free(unified, FALSE);
}

typedef struct FlowedLine {
	const char *text; /* behind the quote marks and the space put before */
	unsigned depth;
	bool goes_on;
} FlowedLine;

static FlowedLine flowed_read(const char *raw)
{
	FlowedLine line = {raw, 0, false};
	while (*line.text == '>') {
		line.text++;
		line.depth++;
	}
	if (*line.text == ' ') {
		line.text++;
	}
	size_t length = strlen(line.text);
	line.goes_on = length > 0 && line.text[length - 1] == ' ' && strcmp(line.text, "-- ") != 0;
	return line;
}

/* A paragraph of flowed lines. */
typedef struct Paragraph {
	GString *text;
	GString *parts; /* the lines as they stood, parted by "\n" */
	unsigned depth;
} Paragraph;

static void paragraph_add(MailLines *lines, Paragraph *paragraph)
{
	bool is_joined = strchr(paragraph->parts->str, '\n') != NULL;
	char *parts = g_string_free(g_steal_pointer(&paragraph->parts), !is_joined);
	for (unsigned i = 0; i < MIN(paragraph->depth, DEPTH_SHOWN); i++) {
		g_string_prepend_c(paragraph->text, '>');
	}
	char *text = g_string_free(g_steal_pointer(&paragraph->text), FALSE);
	if (paragraph->depth > 0) {
		lines_add(lines, text, paragraph->depth, false);
	} else {
		lines_add_marked(lines, text);
	}
	g_array_index(lines, MailLine, lines->len - 1).parts = parts;
}

static void paragraph_extend(Paragraph *paragraph, const FlowedLine *line)
{
	if (paragraph->text == NULL) {
		paragraph->text = g_string_new(NULL);
		paragraph->parts = g_string_new(line->text);
	} else {
		g_string_append_printf(paragraph->parts, "\n%s", line->text);
	}
	g_string_append(paragraph->text, line->text);
	paragraph->depth = line->depth;
}

/* Joins flowed lines to paragraphs (RFC 3676 section 4.1). */
static void lines_of_flowed(MailLines *lines, char *const *raw, bool delete_space)
{
	Paragraph paragraph = {.text = NULL};
	for (size_t i = 0; raw[i] != NULL; i++) {
		FlowedLine line = flowed_read(raw[i]);
		bool is_delimiter = strcmp(line.text, "-- ") == 0;
		if (paragraph.text != NULL && (line.depth != paragraph.depth || is_delimiter)) {
			paragraph_add(lines, &paragraph);
		}
		paragraph_extend(&paragraph, &line);
		if (!line.goes_on) {
			paragraph_add(lines, &paragraph);
		} else if (delete_space) {
			g_string_truncate(paragraph.text, paragraph.text->len - 1);
		}
	}
	if (paragraph.text != NULL) {
		paragraph_add(lines, &paragraph);
	}
}

MailLines *lines_of_plain(const char *text, LinesFlow flow)
{
	MailLines *lines = lines_new();
	g_autofree char *unified = ends_unify(text);
	g_auto(GStrv) raw = g_strsplit(unified, "\n", -1);
	if (flow.flowed) {
		lines_of_flowed(lines, raw, flow.delete_space);
		return lines;
	}
	for (size_t i = 0; raw[i] != NULL; i++) {
		lines_add_marked(lines, g_strdup(raw[i]));
	}
	return lines;
}
