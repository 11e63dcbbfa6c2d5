#ifndef MAIL_BASE64_H
#define MAIL_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

/*
 * The bytes of a base64 text, at most `max`. It ends at its padding, or at the first line that is
 * none: what a scanner or a list hung on is no text (*tail_r becomes true). Signs in it that are no
 * base64 are passed over (RFC 2045 section 6.8). Where it breaks off amid its lines, the last line
 * of the text, which is not whole, is left out: half a turn may be a turn. *cut_r becomes true if
 * there was more than `max`. The caller owns the bytes.
 */
GByteArray *base64_decode(const GByteArray *raw, size_t max, bool *tail_r, bool *cut_r);

#endif
