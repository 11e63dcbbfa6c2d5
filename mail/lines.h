#ifndef MAIL_LINES_H
#define MAIL_LINES_H

#include <stdbool.h>

#include <glib.h>

/* The text of a mail as lines, each with what is known about its being quoted. */

typedef struct MailLine {
	char *text;     /* UTF-8, without the line's end; quote marks of plain text still there */
	unsigned depth; /* how deep it is quoted; 0: not */
	bool cut;       /* nothing from here on was written by the sender */
	bool barred;    /* its depth is told by a bar at its start alone, which may be drawn */
	char *parts;    /* the lines it was joined from, parted by "\n"; NULL: it stood so */
} MailLine;

/* An array of MailLine that frees its texts. */
typedef GArray MailLines;

MailLines *lines_new(void);
void lines_free(MailLines *lines);

/* Appends a line; takes `text`. */
void lines_add(MailLines *lines, char *text, unsigned depth, bool cut);
/* Appends a line whose depth nothing but its own marks tells; takes `text`. */
void lines_add_marked(MailLines *lines, char *text);

const MailLine *lines_at(const MailLines *lines, size_t index);

/* How a plain text part says it is wrapped (RFC 3676). */
typedef struct LinesFlow {
	bool flowed;
	bool delete_space;
} LinesFlow;

/* The lines of plain text in UTF-8, flowed ones joined. The caller owns them. */
MailLines *lines_of_plain(const char *text, LinesFlow flow);

/* How deep a line is quoted by the marks at its start: ">", bars, initials with ">". */
unsigned line_depth(const char *text);
/* What stands behind those marks. */
const char *line_content(const char *text);

/* A line as it is compared: invisible characters gone, every blank a plain one and never two, none
 * at the ends, small letters, at most 2,000 bytes looked at. The caller owns it. */
char *line_key(const char *text);

#endif
