#ifndef MAIL_DECODE_H
#define MAIL_DECODE_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>
#include <gmime/gmime.h>

/* Bytes of a part to text. */

/* What could not be taken as it came. */
typedef struct DecodeFaults {
	bool base64_tail; /* something stood behind the base64 */
	bool lossy;       /* bytes that mean nothing in the charset */
	bool cut;         /* longer than was read */
} DecodeFaults;

/* Undoes the transfer encoding; at most `max` bytes come out. Base64 ends at its padding or at the
 * first line that is none, so that what a scanner hung on is no text. The caller owns the bytes. */
GByteArray *decode_transfer(const GByteArray *raw, GMimeContentEncoding encoding, size_t max,
			    DecodeFaults *faults);

/* The text in UTF-8 without NUL: UTF-8 if that is what the bytes are, else by the declared charset
 * (NULL: none was), else as windows-1252. A byte order mark goes. The caller owns it. */
char *decode_charset(const GByteArray *bytes, const char *declared, DecodeFaults *faults);

#endif
