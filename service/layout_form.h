/* The one form of a typed layout. */
#ifndef SERVICE_LAYOUT_FORM_H
#define SERVICE_LAYOUT_FORM_H

/* The normalised lines of a layout (parted by "\n") without blanks, and in one line, with "/"
 * between the ranks, unless drawn signs stand in it. The caller frees. */
char *layout_form_spell(const char *lines);

#endif
