#ifndef MAIL_ELEMENTS_H
#define MAIL_ELEMENTS_H

#include <stdbool.h>

/* The open elements of an HTML page, as a browser keeps them: which ones a tag opens and ends. Each
 * has effects (a set of MarkerEffect) on all that stands in it. */

typedef struct Elements Elements;

Elements *elements_new(void);
void elements_free(Elements *elements);

/* A start tag, name in small letters: first ends what cannot go on in it, as a paragraph in a next
 * one. False if too many are open to remember another. */
bool elements_open(Elements *elements, const char *name, unsigned effects);
/* An end tag. Nothing happens if no such element is open, or is one beyond the table's cell. */
void elements_close(Elements *elements, const char *name);

/* The effects of all open elements together. */
unsigned elements_effects(const Elements *elements);
/* How many of them have this effect. */
unsigned elements_count(const Elements *elements, unsigned effect);

#endif
