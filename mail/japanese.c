#include "japanese.h"

#include <stdint.h>
#include <string.h>

typedef enum Set { SET_ASCII, SET_KANJI, SET_KANJI_MORE, SET_KANA } Set;

static const struct {
	const char *escape; /* behind ESC */
	Set set;
} escapes[] = {
	{"(B", SET_ASCII}, {"(J", SET_ASCII}, {"$@", SET_KANJI},
	{"$B", SET_KANJI}, {"(I", SET_KANA},  {"$(D", SET_KANJI_MORE},
};

bool japanese_is(const char *charset)
{
	return g_str_has_prefix(charset, "iso-2022-jp") || strcmp(charset, "csiso2022jp") == 0;
}

/* An escape sequence: its length without ESC, 0 if it is none of these. */
static size_t escape_read(const uint8_t *at, size_t left, Set *set_r)
{
	for (size_t i = 0; i < G_N_ELEMENTS(escapes); i++) {
		const size_t length = strlen(escapes[i].escape);
		if (left >= length && memcmp(at, escapes[i].escape, length) == 0) {
			*set_r = escapes[i].set;
			return length;
		}
	}
	return 0;
}

static bool is_graphic(uint8_t c)
{
	return c > 0x20 && c < 0x7f;
}

/* One letter: how many bytes it took. A line's end ends a set. */
static size_t letter_write(GByteArray *euc, const uint8_t *at, size_t left, Set *set)
{
	const bool is_pair = (*set == SET_KANJI || *set == SET_KANJI_MORE) && left >= 2 &&
			     is_graphic(at[0]) && is_graphic(at[1]);
	const uint8_t high[] = {(uint8_t)(at[0] | 0x80), (uint8_t)((is_pair ? at[1] : 0) | 0x80)};
	static const uint8_t kana = 0x8e, more = 0x8f;
	if (is_pair) {
		g_byte_array_append(euc, &more, *set == SET_KANJI_MORE);
		g_byte_array_append(euc, high, 2);
		return 2;
	}
	if (*set == SET_KANA && is_graphic(at[0])) {
		g_byte_array_append(euc, &kana, 1);
		g_byte_array_append(euc, high, 1);
		return 1;
	}
	if (at[0] == '\n') {
		*set = SET_ASCII;
	}
	g_byte_array_append(euc, at, 1);
	return 1;
}

GByteArray *japanese_to_euc(const GByteArray *bytes)
{
	GByteArray *euc = g_byte_array_new();
	Set set = SET_ASCII;
	size_t at = 0;
	while (at < bytes->len) {
		if (bytes->data[at] != 0x1b) {
			at += letter_write(euc, bytes->data + at, bytes->len - at, &set);
			continue;
		}
		const size_t length = escape_read(bytes->data + at + 1, bytes->len - at - 1, &set);
		if (length == 0) {
			g_byte_array_unref(euc);
			return NULL;
		}
		at += 1 + length;
	}
	return euc;
}
