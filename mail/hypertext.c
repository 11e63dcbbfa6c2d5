#include "hypertext.h"

#include <string.h>

#include "elements.h"
#include "entity.h"
#include "markers.h"

enum { NAME_MAX_LENGTH = 40, VALUE_MAX_LENGTH = 2000, TEXT_MAX = 65536 };

typedef struct Page {
	MailLines *lines;
	GString *line;
	size_t written; /* bytes in all lines */
	bool blank;     /* seen since the last letter */
	unsigned depth; /* how deep the line is quoted */
	bool cut;
	Elements *open;
} Page;

typedef struct Tag {
	char name[NAME_MAX_LENGTH];
	bool closes;
	unsigned effects;
} Tag;

static bool is_one_of(const char *name, const char *const *names)
{
	return g_strv_contains(names, name);
}

static bool is_block(const char *name)
{
	static const char *const names[] = {
		"p",       "div",     "br",      "tr",     "li",       "ul",      "ol",
		"table",   "h1",      "h2",      "h3",     "h4",       "h5",      "h6",
		"hr",      "pre",     "article", "center", "dl",       "dt",      "dd",
		"address", "section", "header",  "footer", "fieldset", "form",    "figure",
		"body",    "html",    "tbody",   "thead",  "legend",   "details", "blockquote",
		"tfoot",   "main",    "aside",   "nav",    NULL,
	};
	return is_one_of(name, names);
}

static bool is_void(const char *name)
{
	static const char *const names[] = {"br",   "hr",   "img",    "meta", "link", "input",
					    "base", "area", "source", "wbr",  "col",  NULL};
	return is_one_of(name, names);
}

static bool is_raw_text(const char *name)
{
	static const char *const names[] = {"style",    "script", "title",   "xml",
					    "textarea", "xmp",    "noembed", NULL};
	return is_one_of(name, names);
}

/* Ends the line; an empty one stays only if `keep`. */
static void page_break(Page *page, bool keep)
{
	page->blank = false;
	bool is_shown = page->line->len > 0 || keep;
	if (is_shown && page->written <= TEXT_MAX) {
		page->written += page->line->len + 1;
		if (page->depth > 0) {
			lines_add(page->lines, g_strdup(page->line->str), page->depth, false);
		} else {
			lines_add_marked(page->lines, g_strdup(page->line->str));
		}
	}
	g_string_truncate(page->line, 0);
}

static void page_letter(Page *page, gunichar c)
{
	bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
	const bool is_kept = (elements_effects(page->open) & MARKER_KEEP) != 0;
	if (is_kept && c == '\n') {
		page_break(page, true);
	} else if (is_blank && !is_kept) {
		page->blank = page->line->len > 0;
	} else if (page->line->len <= TEXT_MAX) {
		g_string_append(page->line, page->blank ? " " : "");
		g_string_append_unichar(page->line, c);
		page->blank = false;
	}
}

/* Text up to the next tag: its length. */
static size_t text_read(Page *page, const char *html)
{
	bool is_read = (elements_effects(page->open) & MARKER_DROP) == 0;
	const char *at = html;
	do {
		size_t length = 0;
		gunichar c = *at == '&' ? entity_read(at, &length) : 0;
		if (c == 0) {
			c = g_utf8_get_char(at);
			length = (size_t)(g_utf8_next_char(at) - at);
		}
		if (is_read) {
			page_letter(page, c);
		}
		at += length;
	} while (*at != '\0' && *at != '<');
	return (size_t)(at - html);
}

/* Nothing from here on is the sender's. */
static void page_cut(Page *page)
{
	page_break(page, false);
	lines_add(page->lines, g_strdup(""), 0, true);
	page->cut = true;
}

/* Within a quote nothing is cut: what stands behind it may be an answer. */
static void element_begin(Page *page, const Tag *tag)
{
	bool cuts = (tag->effects & MARKER_CUT) != 0 && page->depth == 0;
	if (cuts || (!is_void(tag->name) && !elements_open(page->open, tag->name, tag->effects))) {
		page_cut(page);
	}
}

static void tag_apply(Page *page, const Tag *tag)
{
	bool is_cell = strcmp(tag->name, "td") == 0 || strcmp(tag->name, "th") == 0;
	if (is_block(tag->name)) {
		page_break(page, strcmp(tag->name, "br") == 0 && !tag->closes);
	} else if (is_cell) {
		page_letter(page, ' ');
	}
	if (tag->closes) {
		elements_close(page->open, tag->name);
	} else {
		element_begin(page, tag);
	}
	/* A quote begins and ends with its line, whatever begins and ends it. */
	const unsigned depth = elements_count(page->open, MARKER_QUOTE);
	if (depth != page->depth) {
		page_break(page, false);
		page->depth = depth;
	}
}

/* A word of a tag in small letters, cut to what anybody compares: where it ends. */
static const char *word_read(const char *at, const char *ends, char *word_r, size_t size)
{
	size_t length = strcspn(at, ends), kept = MIN(length, size - 1);
	for (size_t i = 0; i < kept; i++) {
		word_r[i] = g_ascii_tolower(at[i]);
	}
	word_r[kept] = '\0';
	return at + length;
}

static const char *value_read(const char *at, char *value_r, size_t size)
{
	if (*at != '"' && *at != '\'') {
		return word_read(at, " \t\r\n\f>", value_r, size);
	}
	at = word_read(at + 1, *at == '"' ? "\"" : "'", value_r, size);
	return *at == '\0' ? at : at + 1;
}

/* The attributes of a tag: where it ends. */
static const char *attributes_read(const char *at, Tag *tag)
{
	char name[NAME_MAX_LENGTH], value[VALUE_MAX_LENGTH];
	while (*at != '\0' && *at != '>') {
		at += strspn(at, " \t\r\n\f/");
		if (*at == '=') {
			at++;
		}
		at = word_read(at, " \t\r\n\f/>=", name, sizeof name);
		const char *after = at + strspn(at, " \t\r\n\f");
		value[0] = '\0';
		if (*after == '=' && name[0] != '\0') {
			after += 1 + strspn(after + 1, " \t\r\n\f");
			at = value_read(after, value, sizeof value);
		}
		tag->effects |= name[0] == '\0' ? 0 : marker_of_attribute(name, value);
	}
	return *at == '>' ? at + 1 : at;
}

/* Where the text of an element ends that holds no tags; the end of everything if it is not closed.
 */
static const char *raw_text_end(const char *at, const char *name)
{
	while ((at = strstr(at, "</")) != NULL) {
		if (g_ascii_strncasecmp(at + 2, name, strlen(name)) == 0) {
			return at;
		}
		at += 2;
	}
	return NULL;
}

/* A tag at "<": where to go on, NULL at the end. */
static const char *tag_read(Page *page, const char *html)
{
	Tag tag = {.closes = html[1] == '/'};
	const char *at =
		word_read(html + (tag.closes ? 2 : 1), " \t\r\n\f/>", tag.name, sizeof tag.name);
	tag.effects = marker_of_element(tag.name);
	at = attributes_read(at, &tag);
	if (is_raw_text(tag.name)) {
		return tag.closes ? at : raw_text_end(at, tag.name);
	}
	tag_apply(page, &tag);
	return at;
}

/* A comment or declaration at "<!" or "<?": where to go on, NULL at the end. */
static const char *comment_read(const char *html)
{
	bool is_comment = g_str_has_prefix(html, "<!--");
	if (g_str_has_prefix(html, "<!-->")) {
		return html + strlen("<!-->");
	}
	const char *end = strstr(html + (is_comment ? 4 : 2), is_comment ? "-->" : ">");
	return end == NULL ? NULL : end + (is_comment ? 3 : 1);
}

MailLines *hypertext_lines(const char *html)
{
	Page page = {.lines = lines_new(), .line = g_string_new(NULL), .open = elements_new()};
	const char *at = html;
	while (at != NULL && *at != '\0' && !page.cut) {
		bool is_tag = at[0] == '<' && (g_ascii_isalpha(at[1]) || at[1] == '/');
		if (is_tag) {
			at = tag_read(&page, at);
		} else if (at[0] == '<' && (at[1] == '!' || at[1] == '?')) {
			at = comment_read(at);
		} else {
			at += text_read(&page, at);
		}
	}
	page_break(&page, false);
	g_string_free(page.line, TRUE);
	elements_free(page.open);
	return page.lines;
}
