#include "service/web/markup.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

enum { TEXT_SIZE = 8192 };

struct Markup {
	GString *text;
	GPtrArray *open; /* names of the open elements, innermost last */
};

Markup *markup_new(void)
{
	Markup *markup = g_new0(Markup, 1);
	markup->text = g_string_sized_new(TEXT_SIZE);
	markup->open = g_ptr_array_new();
	g_string_append(markup->text, "<!DOCTYPE html>\n");
	return markup;
}

void markup_free(Markup *markup)
{
	if (markup == NULL)
		return;
	if (markup->text != NULL)
		g_string_free(markup->text, TRUE);
	g_ptr_array_unref(markup->open);
	g_free(markup);
}

static const char *escaped(char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static void escape_append(GString *out, const char *text)
{
	for (; *text != '\0'; text++) {
		const char *entity = escaped(*text);
		if (entity != NULL)
			g_string_append(out, entity);
		else
			g_string_append_c(out, *text);
	}
}

static void tag_append(GString *out, const char *element, va_list attributes)
{
	g_string_append_printf(out, "<%s", element);
	for (const char *name = va_arg(attributes, const char *); name != NULL;
	     name = va_arg(attributes, const char *)) {
		const char *value = va_arg(attributes, const char *);
		if (value == NULL)
			continue;
		g_string_append_printf(out, " %s", name);
		if (*value == '\0')
			continue;
		g_string_append(out, "=\"");
		escape_append(out, value);
		g_string_append_c(out, '"');
	}
	g_string_append_c(out, '>');
}

static void element_push(Markup *markup, const char *element)
{
	g_ptr_array_add(markup->open, (void *)(uintptr_t)element);
}

/* A line end between blocks keeps the source readable; inside a sentence it would be a blank. */
static bool is_inline(const char *element)
{
	static const char *const names[] = {"a",     "span",   "strong",   "em",
					    "code",  "button", "time",     "b",
					    "label", "option", "textarea", NULL};
	return g_strv_contains(names, element);
}

void markup_begin(Markup *markup, const char *element, ...)
{
	va_list attributes;
	va_start(attributes, element);
	tag_append(markup->text, element, attributes);
	va_end(attributes);
	element_push(markup, element);
}

void markup_end(Markup *markup)
{
	g_assert(markup->open->len > 0);
	const char *element = g_ptr_array_steal_index(markup->open, markup->open->len - 1);
	g_string_append_printf(markup->text, is_inline(element) ? "</%s>" : "</%s>\n", element);
}

void markup_empty(Markup *markup, const char *element, ...)
{
	va_list attributes;
	va_start(attributes, element);
	tag_append(markup->text, element, attributes);
	va_end(attributes);
}

void markup_text(Markup *markup, const char *text)
{
	if (text != NULL)
		escape_append(markup->text, text);
}

void markup_line(Markup *markup, const char *element, const char *text, ...)
{
	va_list attributes;
	va_start(attributes, text);
	tag_append(markup->text, element, attributes);
	va_end(attributes);
	element_push(markup, element);
	markup_text(markup, text);
	markup_end(markup);
}

GString *markup_finish(Markup *markup)
{
	g_assert(markup->open->len == 0);
	GString *text = g_steal_pointer(&markup->text);
	markup_free(markup);
	return text;
}
