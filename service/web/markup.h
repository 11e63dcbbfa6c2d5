/*
 * HTML put together element by element. The one place where text becomes HTML: whatever is text or
 * an attribute's value is escaped here, and elements are closed in the order in which they were
 * opened, so that no page can be malformed and no name can be markup.
 */
#ifndef SERVICE_WEB_MARKUP_H
#define SERVICE_WEB_MARKUP_H

#include <glib.h>

typedef struct Markup Markup;

/* An empty document, begun with its doctype. */
Markup *markup_new(void);
void markup_free(Markup *markup);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Markup, markup_free)

/* Opens an element: pairs of attribute and value, then NULL. A value NULL leaves its attribute out,
 * "" writes it alone ("required"). Names are literals of the program. */
void markup_begin(Markup *markup, const char *element, ...) G_GNUC_NULL_TERMINATED;
/* Closes the element that was opened last. */
void markup_end(Markup *markup);
/* An element without content (input, link, meta); attributes as above. */
void markup_empty(Markup *markup, const char *element, ...) G_GNUC_NULL_TERMINATED;
/* Text inside the open element. NULL is none. */
void markup_text(Markup *markup, const char *text);
/* A whole element with text in it; attributes as above. */
void markup_line(Markup *markup, const char *element, const char *text, ...) G_GNUC_NULL_TERMINATED;

/* The document; all elements must be closed. Frees markup. The caller frees the answer. */
GString *markup_finish(Markup *markup);

#endif
