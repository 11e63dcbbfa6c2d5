#ifndef MAIL_STRIP_H
#define MAIL_STRIP_H

#include <stdbool.h>

#include <glib.h>

#include "lines.h"

enum { STRIP_LINES_MAX = 200 }; /* lines kept; what is longer is cut */

/* The lines that the sender wrote: without quotes, the lines that introduce them, headers of quoted
 * messages, signatures, what phones and scanners add, and all that stands below our marker line.
 * A line that holds one of our own reply addresses (at `domain`) is never kept. Tables, no regular
 * expressions; the time is linear in the length.
 * The caller owns the array of texts; `cut_r` may be NULL: whether there were too many lines. */
GPtrArray *strip_lines(const MailLines *lines, const char *domain, bool *cut_r);

#endif
