#ifndef MAIL_STRIP_H
#define MAIL_STRIP_H

#include <stdbool.h>

#include <glib.h>

#include "lines.h"

enum { STRIP_LINES_MAX = 200 }; /* lines kept; what is longer is cut */

/* Whether a line begins a block. */
typedef bool StripBeginsFn(const char *line);
/* Whether a line goes on with a block. next: the line after it, "" if there is none or it is empty;
 * apart: empty lines stand before it. */
typedef bool StripGoesOnFn(const char *line, const char *next, bool apart);

/* Lines that belong together though they look like quotes, rules or signatures: in a block nothing
 * of the kind is looked for. It has a heading that nobody quotes, and ends before the first line
 * that does not go on with it, or is quoted by anything but a bar. */
typedef struct StripBlocks {
	StripBeginsFn *begins;
	StripGoesOnFn *goes_on;
} StripBlocks;

/* The lines that the sender wrote: without quotes, the lines that introduce them, headers of quoted
 * messages, signatures, what phones and scanners add, and all that stands below our marker line.
 * A line that holds one of our own reply addresses (at `domain`) is never kept. Tables, no regular
 * expressions; the time is linear in the length.
 * A block (blocks may be NULL: there are none) is one text, its lines parted by "\n", without the
 * empty ones. The caller owns the array of texts; `cut_r` may be NULL: whether there were too many
 * lines. */
GPtrArray *strip_lines(const MailLines *lines, const char *domain, const StripBlocks *blocks,
		       bool *cut_r);

#endif
