/*
 * Names of players: 2 to 30 letters and digits of one script, with single spaces, "-" and "_"
 * between them. Nobody may pass for somebody else: names that differ only in case, or that look
 * alike (Unicode TR 39), count as the same. Pure: no database.
 */
#ifndef SERVICE_NAME_H
#define SERVICE_NAME_H

#include <glib.h>
#include <stdbool.h>

enum { NAME_LENGTH_MIN = 2, NAME_LENGTH_MAX = 30 };

typedef struct Name {
	char *text; /* as it is shown, in NFKC */
	char *key;  /* equal for names that differ in case: how a name is looked up */
	char *look; /* equal for names that look alike as they are written */
} Name;

/* Frees the name; NULL does nothing. */
void name_free(Name *name);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Name, name_free)

/* The name somebody wishes to have. NULL with FIELD_INVALID for the field "name"; text may be
 * NULL (missing). */
Name *name_new(const char *text, GError **error);
/* The key to look a name up by, whether it would be allowed or not. The caller frees. */
char *name_key(const char *text);

#endif
