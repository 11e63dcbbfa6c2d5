#ifndef MAIL_MARKERS_H
#define MAIL_MARKERS_H

#include <glib.h>

/* What the elements of an HTML mail mean for its reading: the one table of the marks that mail
 * programs put around quotes and signatures. */

typedef enum MarkerEffect {
	MARKER_NOTHING = 0,
	MARKER_QUOTE = 1, /* the element's text is quoted */
	MARKER_DROP = 2,  /* the element's text is not read: a signature, hidden or struck out */
	MARKER_CUT = 4,   /* nothing from the element's start on is the sender's */
	MARKER_KEEP = 8,  /* the ends of its lines count */
} MarkerEffect;

/* The effects (a set) of an element by its name, in small letters. */
unsigned marker_of_element(const char *name);

/* The effects (a set) of one of its attributes; both in small letters. */
unsigned marker_of_attribute(const char *name, const char *value);

#endif
