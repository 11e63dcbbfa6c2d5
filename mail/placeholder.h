#ifndef MAIL_PLACEHOLDER_H
#define MAIL_PLACEHOLDER_H

#include <stdbool.h>

#include <glib.h>

#include "template.h"

/* What the renderers of template.c, plain.c and html.c share. Only for mail/. */

/* One {{name}} in a text. */
typedef struct Placeholder {
	const char *start; /* the first brace */
	const char *end;   /* behind the last one */
	char name[40];
} Placeholder;

/* Finds the first placeholder at or after `text`. */
bool placeholder_find(const char *text, Placeholder *found_r);

/* Whether `line` is nothing but one placeholder, maybe indented by blanks. */
bool placeholder_alone(const char *line, Placeholder *found_r);

/* Whether its value is a link: named url or …_url, and of http or https. */
bool placeholder_is_link(const Placeholder *placeholder, const char *text);

/* Whether its value is a drawing, whose lines stay as they are: named board, board_… or ranks_…. */
bool placeholder_is_drawing(const Placeholder *placeholder);

/* The value of that name, NULL if there is none. */
const MailValue *value_find(const MailValue *values, const char *name);

/* The text of a value that must exist; "" if it is empty. */
const char *value_text(const MailValue *values, const char *name);

/* `line` with every placeholder replaced by its value as one line: control characters (line ends
 * too) become blanks. The caller owns it. */
char *line_fill(const char *line, const MailValue *values);

/* The text part: paragraphs filled and wrapped, a blank line between them. The caller owns it. */
char *plain_render(char *const *paragraphs, const MailValue *values);

/* What an HTML part is made of. */
typedef struct HtmlPage {
	const char *language;
	const char *subject;
	char *const *paragraphs;
	const MailValue *values;
	const MailPicture *picture;
} HtmlPage;

/* The HTML part, a whole document. The caller owns it. */
char *html_render(const HtmlPage *page);

#endif
