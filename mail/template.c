#include "template.h"

#include <string.h>

#include "embedded.h"
#include "placeholder.h"

#define TEMPLATE_FOLDER "mail/templates/"

enum { PART_DEPTH = 4 };

/* What a template is rendered with. */
typedef struct Rendering {
	const char *language;
	const MailValue *values;
} Rendering;

void mail_text_free(MailText *text)
{
	if (text == NULL) {
		return;
	}
	g_free(text->subject);
	g_free(text->body);
	g_free(text->html);
	g_free(text);
}

const char *mail_template_path(size_t n)
{
	return mail_template_files[n].path;
}

const char *mail_template_source(size_t n)
{
	return (const char *)mail_template_files[n].bytes;
}

bool mail_language_known(const char *language)
{
	g_autofree char *folder = g_strdup_printf(TEMPLATE_FOLDER "%s/", language);
	for (const EmbeddedFile *file = mail_template_files; file->path != NULL; file++) {
		if (g_str_has_prefix(file->path, folder)) {
			return true;
		}
	}
	return false;
}

static const char *source_find(const char *language, const char *name)
{
	g_autofree char *path = g_strdup_printf(TEMPLATE_FOLDER "%s/%s.txt", language, name);
	for (const EmbeddedFile *file = mail_template_files; file->path != NULL; file++) {
		if (strcmp(file->path, path) == 0) {
			return (const char *)file->bytes;
		}
	}
	return NULL;
}

/* The body of the part that belongs at a placeholder, without its last line end; NULL if a value
 * does. */
static char *part_find(const Rendering *rendering, const char *name)
{
	const MailValue *value = value_find(rendering->values, name);
	if (value != NULL && value->part == NULL) {
		return NULL;
	}
	g_autofree char *file =
		g_strdelimit(g_strdup(value != NULL ? value->part : name), "_", '-');
	const char *source = source_find(rendering->language, file);
	if (source == NULL || source[0] != '\n') {
		g_error("a mail has no value and no part for {{%s}}", name);
	}
	return g_strchomp(g_strdup(source + 1));
}

/* Puts the parts where they belong. What stays are values. */
static char *parts_expand(const Rendering *rendering, const char *text, unsigned depth)
{
	g_assert(depth < PART_DEPTH);
	g_autoptr(GString) expanded = g_string_new(NULL);
	Placeholder placeholder;
	while (placeholder_find(text, &placeholder)) {
		g_autofree char *part = part_find(rendering, placeholder.name);
		g_string_append_len(expanded, text, placeholder.start - text);
		if (part == NULL) {
			g_string_append_len(expanded, placeholder.start,
					    placeholder.end - placeholder.start);
		} else {
			g_autofree char *whole = parts_expand(rendering, part, depth + 1);
			g_string_append(expanded, whole);
		}
		text = placeholder.end;
	}
	g_string_append(expanded, text);
	return g_string_free(g_steal_pointer(&expanded), FALSE);
}

static bool paragraph_is_told(const char *paragraph, const MailValue *values)
{
	Placeholder placeholder;
	while (placeholder_find(paragraph, &placeholder)) {
		if (value_text(values, placeholder.name)[0] == '\0') {
			return false;
		}
		paragraph = placeholder.end;
	}
	return true;
}

/* The paragraphs that have something to say, NULL-ended. */
static char **paragraphs_split(const char *body, const MailValue *values)
{
	GPtrArray *told = g_ptr_array_new();
	g_auto(GStrv) paragraphs = g_strsplit(body, "\n\n", -1);
	for (size_t i = 0; paragraphs[i] != NULL; i++) {
		const char *paragraph = paragraphs[i] + strspn(paragraphs[i], "\n");
		g_autofree char *trimmed = g_strchomp(g_strdup(paragraph));
		if (trimmed[0] != '\0' && paragraph_is_told(trimmed, values)) {
			g_ptr_array_add(told, g_steal_pointer(&trimmed));
		}
	}
	g_ptr_array_add(told, NULL);
	return (char **)g_ptr_array_free(told, FALSE);
}

MailText *mail_template_render(const char *language, const char *name, const MailValue *values,
			       const MailPicture *picture)
{
	const char *source = source_find(language, name);
	if (source == NULL || source[0] == '\n') {
		g_error("there is no mail %s in %s", name, language);
	}
	const Rendering rendering = {language, values};
	g_autofree char *whole = parts_expand(&rendering, source, 0);
	char *end = strchr(whole, '\n');
	g_assert(end != NULL);
	*end = '\0';
	g_auto(GStrv) paragraphs = paragraphs_split(end + 1, values);
	MailText *text = g_new0(MailText, 1);
	text->subject = g_strstrip(line_fill(whole, values));
	text->body = plain_render(paragraphs, values);
	const HtmlPage page = {language, text->subject, paragraphs, values, picture};
	text->html = html_render(&page);
	return text;
}
