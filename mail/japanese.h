#ifndef MAIL_JAPANESE_H
#define MAIL_JAPANESE_H

#include <stdbool.h>

#include <glib.h>

/* What Japanese mail programs write under the name ISO-2022-JP holds more than that: signs of NEC
 * and IBM, half-width kana, ASCII's "~" and "\\" in the Roman set. iconv reads these as EUC. */

#define JAPANESE_EUC "EUC-JP-MS"

/* Whether a charset, in small letters, is meant so. */
bool japanese_is(const char *charset);

/* The same text in JAPANESE_EUC; NULL if it switches to sets that have no place there. The caller
 * owns it. */
GByteArray *japanese_to_euc(const GByteArray *bytes);

#endif
