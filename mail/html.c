#include "placeholder.h"

#include <string.h>

/* Colours are left to the reader's light or dark scheme; the few that are named are readable on
 * both. Nothing is fetched from anywhere. */
#define PARAGRAPH "<p style=\"margin:0 0 16px\">"
/* Long links must not make a phone scroll sideways. */
#define SMALL_PRINT                                               \
	"<p style=\"margin:0 0 8px;font-size:13px;color:#767676;" \
	"overflow-wrap:anywhere;word-break:break-word\">"
#define QUOTATION "<p style=\"margin:0 0 16px;padding-left:12px;border-left:4px solid #767676\">"
#define CODE "<p style=\"margin:0 0 16px;font-family:monospace;font-size:24px;letter-spacing:2px\">"
#define DRAWING "<p style=\"margin:0 0 16px;font-family:monospace;white-space:pre-wrap\">"
#define BUTTON                                                                       \
	"display:inline-block;padding:12px 20px;border-radius:6px;font-weight:bold;" \
	"text-decoration:none;border:1px solid "
#define BUTTON_FILLED BUTTON "#1f5fa8;background-color:#1f5fa8;color:#ffffff"
#define BUTTON_OUTLINED BUTTON "#767676;color:inherit"

typedef struct HtmlWriter {
	GString *html;
	const HtmlPage *page;
	bool has_button;
	bool small_print;
} HtmlWriter;

static void text_append(GString *html, const char *text)
{
	g_autofree char *escaped = g_markup_escape_text(text, -1);
	g_string_append(html, escaped);
}

static void rows_append(GString *html, const char *text)
{
	g_auto(GStrv) rows = g_strsplit(text, "\n", -1);
	for (size_t i = 0; rows[i] != NULL; i++) {
		if (i > 0 && rows[i][0] == '\0' && rows[i + 1] == NULL) {
			continue;
		}
		g_string_append(html, i > 0 ? "<br>\n" : "");
		text_append(html, rows[i]);
	}
}

static void value_append(HtmlWriter *writer, const Placeholder *placeholder, bool alone)
{
	const char *text = value_text(writer->page->values, placeholder->name);
	if (placeholder_is_link(placeholder, text)) {
		g_autofree char *escaped = g_markup_escape_text(text, -1);
		g_string_append_printf(writer->html, "<a href=\"%s\">%s</a>", escaped, escaped);
		return;
	}
	if (placeholder_is_drawing(placeholder)) {
		text_append(writer->html, text); /* DRAWING keeps its line ends */
		return;
	}
	if (alone) {
		rows_append(writer->html, text);
		return;
	}
	g_autofree char *token = g_strdup_printf("{{%s}}", placeholder->name);
	g_autofree char *line = line_fill(token, writer->page->values);
	text_append(writer->html, line);
}

static void line_append(HtmlWriter *writer, const char *line)
{
	Placeholder placeholder;
	bool alone = placeholder_alone(line, &placeholder);
	line += strspn(line, " ");
	while (placeholder_find(line, &placeholder)) {
		g_autofree char *before = g_strndup(line, (size_t)(placeholder.start - line));
		text_append(writer->html, before);
		value_append(writer, &placeholder, alone);
		line = placeholder.end;
	}
	text_append(writer->html, line);
}

static void button_append(HtmlWriter *writer, const char *label, const char *url)
{
	g_autofree char *filled = line_fill(label, writer->page->values);
	g_autofree char *href = g_markup_escape_text(url, -1);
	size_t length = strlen(filled);
	if (length > 0 && filled[length - 1] == ':') {
		filled[length - 1] = '\0';
	}
	if (g_str_has_suffix(filled, "\u00a0")) { /* French writes one before the colon */
		filled[strlen(filled) - strlen("\u00a0")] = '\0';
	}
	g_string_append_printf(writer->html, PARAGRAPH "<a href=\"%s\" style=\"%s\">", href,
			       writer->has_button ? BUTTON_OUTLINED : BUTTON_FILLED);
	text_append(writer->html, filled);
	g_string_append(writer->html, "</a></p>\n");
	writer->has_button = true;
}

/* The picture that stands for a drawing; NULL: its lines do. */
static const MailPicture *picture_find(const HtmlPage *page, const Placeholder *placeholder)
{
	for (const MailPicture *picture = page->picture; picture != NULL; picture = picture->next) {
		const char *name = picture->name == NULL ? "board" : picture->name;
		if (strcmp(name, placeholder->name) == 0) {
			return picture;
		}
	}
	return NULL;
}

static void picture_append(HtmlWriter *writer, const MailPicture *picture)
{
	g_autofree char *alt = g_markup_escape_text(picture->alt, -1);
	g_string_append_printf(writer->html,
			       PARAGRAPH "<img src=\"cid:%s\" alt=\"%s\" style=\"display:block;"
					 "width:100%%;max-width:480px;height:auto\"></p>\n",
			       picture->content_id, alt);
}

static const char *paragraph_tag(const HtmlWriter *writer, const char *first)
{
	Placeholder placeholder;
	if (writer->small_print) {
		return SMALL_PRINT;
	}
	if (!placeholder_alone(first, &placeholder)) {
		return PARAGRAPH;
	}
	if (placeholder_is_drawing(&placeholder)) {
		return DRAWING;
	}
	if (strcmp(placeholder.name, "code") == 0) {
		return CODE;
	}
	return first[0] == ' ' ? QUOTATION : PARAGRAPH;
}

static void lines_append(HtmlWriter *writer, char *const *lines)
{
	g_string_append(writer->html, paragraph_tag(writer, lines[0]));
	for (size_t i = 0; lines[i] != NULL; i++) {
		g_string_append(writer->html, i > 0 ? "<br>\n" : "");
		line_append(writer, lines[i]);
	}
	g_string_append(writer->html, "</p>\n");
}

static void paragraph_append(HtmlWriter *writer, const char *paragraph)
{
	g_auto(GStrv) split = g_strsplit(paragraph, "\n", -1);
	char *const *lines = split;
	if (strcmp(lines[0], "--") == 0) {
		g_string_append(writer->html, "<hr>\n");
		writer->small_print = true;
		lines++;
	}
	size_t count = g_strv_length((char **)lines);
	Placeholder placeholder;
	if (count == 0) {
		return;
	}
	if (count == 2 && placeholder_alone(lines[1], &placeholder) && !writer->small_print) {
		const char *url = value_text(writer->page->values, placeholder.name);
		if (placeholder_is_link(&placeholder, url)) {
			button_append(writer, lines[0], url);
			return;
		}
	}
	const MailPicture *picture = placeholder_alone(lines[0], &placeholder)
					     ? picture_find(writer->page, &placeholder)
					     : NULL;
	if (picture != NULL) {
		picture_append(writer, picture);
		return;
	}
	lines_append(writer, lines);
}

char *html_render(const HtmlPage *page)
{
	g_autoptr(GString) html = g_string_new("<!DOCTYPE html>\n");
	g_autofree char *title = g_markup_escape_text(page->subject, -1);
	g_string_append_printf(
		html,
		"<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s</title>\n</head>\n"
		"<body style=\"margin:0;padding:16px;font-family:sans-serif;font-size:16px;"
		"line-height:1.5\">\n<div style=\"max-width:600px;margin:0 auto\">\n",
		page->language, title);
	HtmlWriter writer = {html, page, false, false};
	for (size_t i = 0; page->paragraphs[i] != NULL; i++) {
		paragraph_append(&writer, page->paragraphs[i]);
	}
	g_string_append(html, "</div>\n</body>\n</html>\n");
	return g_string_free(g_steal_pointer(&html), FALSE);
}
