#ifndef MAIL_ENTITY_H
#define MAIL_ENTITY_H

#include <stddef.h>

#include <glib.h>

/* The character of an HTML reference at `text` ("&nbsp;" "&#8209;" "&#x2011;"; the semicolon may be
 * missing) and its length in bytes; 0 if it is none or names no character of text. */
gunichar entity_read(const char *text, size_t *length_r);

#endif
