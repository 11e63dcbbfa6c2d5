#ifndef MAIL_FIELDS_H
#define MAIL_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

/* The header fields of a message as they came, top to bottom (RFC 5322 section 2.2). Read without
 * any library, so that what counts is what stands there: how many From fields, which of several
 * Authentication-Results is the topmost. */

enum {
	FIELDS_SIZE_MAX = 65536, /* bytes of a whole header block */
	FIELDS_COUNT_MAX = 500,
};

typedef struct Fields Fields;

/* Reads the header block at the start of `bytes`; a first line "From …" of a mailbox file is
 * skipped. `body_r` gets the offset of what follows the empty line. NULL if the block is larger
 * than FIELDS_SIZE_MAX or has more than FIELDS_COUNT_MAX fields. */
Fields *fields_read(const uint8_t *bytes, size_t size, size_t *body_r);
void fields_free(Fields *fields);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Fields, fields_free)

/* The offset of the first header line: behind the "From …" line of a mailbox file. */
size_t fields_start(const uint8_t *bytes, size_t size);

/* How many fields have this name (any case). */
size_t fields_count(const Fields *fields, const char *name);

/* The value of the nth field of that name, 0 the topmost: unfolded, trimmed, otherwise as it came,
 * not decoded, perhaps not UTF-8 (but without NUL). NULL if there is none. */
const char *fields_nth(const Fields *fields, const char *name, size_t nth);

/* The topmost one. */
const char *fields_first(const Fields *fields, const char *name);

/* Whether any field's name starts with this (any case). */
bool fields_any_with_prefix(const Fields *fields, const char *prefix);

/* The topmost value with encoded words decoded (RFC 2047), valid UTF-8 in one line. The caller
 * owns it; NULL if there is none. `sanitised_r` may be NULL: whether control characters had to go.
 */
char *fields_text(const Fields *fields, const char *name, bool *sanitised_r);

/* The ids of a References or In-Reply-To field, without angle brackets, in their order; commas
 * between them are forgiven. The caller owns them (g_strfreev). Empty if there is none. */
char **fields_ids(const Fields *fields, const char *name);

#endif
