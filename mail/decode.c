#include "decode.h"

#include <stdint.h>
#include <string.h>

#include "base64.h"
#include "japanese.h"

static const char replacement[] = "\xef\xbf\xbd";

GByteArray *decode_transfer(const GByteArray *raw, GMimeContentEncoding encoding, size_t max,
			    DecodeFaults *faults)
{
	if (encoding == GMIME_CONTENT_ENCODING_BASE64) {
		return base64_decode(raw, max, &faults->base64_tail, &faults->cut);
	}
	GMimeEncoding state;
	g_mime_encoding_init_decode(&state, encoding);
	size_t room = g_mime_encoding_outlen(&state, raw->len);
	GByteArray *out = g_byte_array_sized_new((unsigned)room);
	g_byte_array_set_size(out, (unsigned)room);
	size_t length =
		g_mime_encoding_flush(&state, (const char *)raw->data, raw->len, (char *)out->data);
	faults->cut = faults->cut || length > max;
	g_byte_array_set_size(out, (unsigned)MIN(length, max));
	return out;
}

/* Names that mail programs use and iconv does not know, or knows as less than they mean. */
static const struct {
	const char *name;
	const char *means;
} charset_names[] = {
	{"utf8", "utf-8"},
	{"unicode-1-1-utf-8", "utf-8"},
	{"iso-8859-1", "windows-1252"},
	{"iso8859-1", "windows-1252"},
	{"iso_8859-1", "windows-1252"},
	{"latin1", "windows-1252"},
	{"us-ascii", "windows-1252"},
	{"ascii", "windows-1252"},
	{"ansi", "windows-1252"},
	{"iso-8859-9", "windows-1254"},
	{"iso-8859-11", "windows-874"},
	{"tis-620", "windows-874"},
	{"iso-8859-8-i", "iso-8859-8"},
	{"iso-8859-8-e", "iso-8859-8"},
	{"iso-8859-6-i", "iso-8859-6"},
	{"shift_jis", "cp932"},
	{"shift-jis", "cp932"},
	{"sjis", "cp932"},
	{"x-sjis", "cp932"},
	{"ms_kanji", "cp932"},
	{"windows-31j", "cp932"},
	{"x-euc-jp", "euc-jp"},
	{"gb2312", "gb18030"},
	{"gb_2312-80", "gb18030"},
	{"x-gbk", "gb18030"},
	{"gbk", "gb18030"},
	{"cp936", "gb18030"},
	{"windows-936", "gb18030"},
	{"hz-gb-2312", "gb18030"},
	{"big5", "big5-hkscs"},
	{"cn-big5", "big5-hkscs"},
	{"x-x-big5", "big5-hkscs"},
	{"ks_c_5601-1987", "cp949"},
	{"ks_c_5601", "cp949"},
	{"euc-kr", "cp949"},
	{"ksc5601", "cp949"},
	{"koi8", "koi8-r"},
	{"x-cp1251", "windows-1251"},
	{"cp-1251", "windows-1251"},
	{"win-1251", "windows-1251"},
	{"x-cp1252", "windows-1252"},
	{"x-mac-roman", "macintosh"},
	{"x-mac-cyrillic", "mac-cyrillic"},
	{"unicode-1-1-utf-7", "utf-7"},
};

static bool bytes_are_seven_bit(const GByteArray *bytes)
{
	for (unsigned i = 0; i < bytes->len; i++) {
		if (bytes->data[i] >= 0x80) {
			return false;
		}
	}
	return true;
}

/* Whether a charset writes other letters with the bytes of ASCII, so that its bytes look like
 * UTF-8. Some do so with nothing but these: where others stand, it is not that charset. */
static bool charset_hides(const char *charset, const GByteArray *bytes)
{
	static const struct {
		const char *prefix;
		bool is_seven_bit;
	} names[] = {
		{"iso-2022-", true}, {"csiso2022", true}, {"utf-7", true},  {"utf-16", false},
		{"utf-32", false},   {"ucs-2", false},    {"ucs-4", false},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (g_str_has_prefix(charset, names[i].prefix)) {
			return !names[i].is_seven_bit || bytes_are_seven_bit(bytes);
		}
	}
	return false;
}

/* The charset's name without the junk around it, as iconv wants it. */
static char *charset_clean(const char *declared)
{
	static const char name_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_.:+";
	g_autofree char *lower = g_ascii_strdown(declared == NULL ? "" : declared, -1);
	const char *start = lower + strcspn(lower, name_letters);
	g_autofree char *name = g_strndup(start, strspn(start, name_letters));
	for (size_t i = 0; i < G_N_ELEMENTS(charset_names); i++) {
		if (strcmp(name, charset_names[i].name) == 0) {
			return g_strdup(charset_names[i].means);
		}
	}
	return g_steal_pointer(&name);
}

/* The charset that the bytes themselves show, NULL if none. */
static const char *charset_shown(const GByteArray *bytes)
{
	static const struct {
		const char *mark;
		size_t length;
		const char *charset;
	} marks[] = {
		{"\xff\xfe", 2, "utf-16le"},
		{"\xfe\xff", 2, "utf-16be"},
		{"\xef\xbb\xbf", 3, "utf-8"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
		if (bytes->len >= marks[i].length &&
		    memcmp(bytes->data, marks[i].mark, marks[i].length) == 0) {
			return marks[i].charset;
		}
	}
	if (memmem(bytes->data, bytes->len, "\x1b$B", 3) != NULL ||
	    memmem(bytes->data, bytes->len, "\x1b$@", 3) != NULL) {
		return "iso-2022-jp-2";
	}
	return NULL;
}

/* UTF-16 without a mark: which half of the units is empty more often. */
static const char *utf16_order(const GByteArray *bytes)
{
	size_t even = 0, odd = 0;
	for (size_t i = 0; i < bytes->len; i++) {
		even += i % 2 == 0 && bytes->data[i] == '\0';
		odd += i % 2 == 1 && bytes->data[i] == '\0';
	}
	return odd > even ? "utf-16le" : "utf-16be";
}

/* Bytes in UTF-8, with a sign for each that is none and for NUL. */
static char *text_make(const char *bytes, size_t length, DecodeFaults *faults)
{
	GString *text = g_string_sized_new(length);
	const char *end = bytes + length;
	while (bytes < end) {
		const char *valid_end;
		g_utf8_validate(bytes, end - bytes, &valid_end);
		g_string_append_len(text, bytes, valid_end - bytes);
		bytes = valid_end;
		if (bytes < end) {
			g_string_append(text, replacement);
			faults->lossy = true;
			bytes++;
		}
	}
	return g_string_free(text, FALSE);
}

/* Whether the bytes are UTF-8, but for a letter that was cut off at their end. */
static bool is_utf8(const GByteArray *bytes)
{
	const char *end, *start = (const char *)bytes->data;
	if (bytes->len == 0) {
		return true;
	}
	g_autofree char *without_nul = g_memdup2(bytes->data, bytes->len);
	for (unsigned i = 0; i < bytes->len; i++) {
		without_nul[i] = start[i] == '\0' ? ' ' : start[i];
	}
	bool is_valid = g_utf8_validate(without_nul, bytes->len, &end);
	return is_valid ||
	       g_utf8_get_char_validated(end, without_nul + bytes->len - end) == (gunichar)-2;
}

/* What the converter could not take: the byte is passed over. False at the end. */
static bool byte_skip(char **in, size_t *in_left, GString *text)
{
	if (*in_left == 0) {
		return false;
	}
	++*in;
	--*in_left;
	g_string_append(text, replacement);
	return true;
}

static char *charset_convert(const GByteArray *bytes, const char *charset, DecodeFaults *faults)
{
	GIConv converter = charset[0] == '\0' ? (GIConv)-1 : g_iconv_open("UTF-8", charset);
	if (converter == (GIConv)-1) {
		return NULL;
	}
	GString *text = g_string_new(NULL);
	char *in = (char *)bytes->data;
	size_t in_left = bytes->len;
	bool goes_on = in_left > 0;
	while (goes_on) {
		char chunk[4096];
		char *out = chunk;
		size_t out_left = sizeof chunk;
		size_t before = in_left;
		size_t result = g_iconv(converter, &in, &in_left, &out, &out_left);
		g_string_append_len(text, chunk, (ssize_t)(sizeof chunk - out_left));
		bool is_stuck =
			result == (size_t)-1 && before == in_left && out_left == sizeof chunk;
		if (is_stuck) {
			goes_on = byte_skip(&in, &in_left, text);
			faults->lossy = true;
		} else {
			goes_on = in_left > 0;
		}
	}
	g_iconv_close(converter);
	char *made = text_make(text->str, text->len, faults);
	g_string_free(text, TRUE);
	return made;
}

static char *mark_drop(char *text)
{
	if (g_str_has_prefix(text, "\xef\xbb\xbf")) {
		memmove(text, text + 3, strlen(text + 3) + 1);
	}
	return text;
}

/* Whether more letters beyond ASCII were lost than read. */
static bool is_mostly_wrong(const char *text)
{
	long read = 0, lost = 0;
	for (; *text != '\0'; text = g_utf8_next_char(text)) {
		gunichar c = g_utf8_get_char(text);
		lost += c == 0xfffd;
		read += c >= 0x80 && c != 0xfffd;
	}
	return lost > read;
}

char *decode_charset(const GByteArray *bytes, const char *declared, DecodeFaults *faults)
{
	if (bytes->len == 0) {
		return g_strdup("");
	}
	g_autofree char *charset = charset_clean(declared);
	const char *shown = charset_shown(bytes);
	if (shown != NULL && strcmp(shown, "utf-8") != 0 && !charset_hides(charset, bytes)) {
		g_free(charset);
		charset = g_strdup(shown);
	}
	bool is_plain_utf16 = strcmp(charset, "utf-16") == 0 || strcmp(charset, "ucs-2") == 0;
	if (is_plain_utf16) {
		const char *order = shown != NULL ? shown : utf16_order(bytes);
		g_free(charset);
		charset = g_strdup(order);
	}
	if (is_utf8(bytes) && !charset_hides(charset, bytes)) {
		return mark_drop(text_make((const char *)bytes->data, bytes->len, faults));
	}
	DecodeFaults tried = {false, false, false};
	g_autoptr(GByteArray) euc = japanese_is(charset) ? japanese_to_euc(bytes) : NULL;
	char *text = euc != NULL ? charset_convert(euc, JAPANESE_EUC, &tried)
				 : charset_convert(bytes, charset, &tried);
	if (text == NULL || (strcmp(charset, "utf-8") == 0 && is_mostly_wrong(text))) {
		g_free(text);
		text = charset_convert(bytes, "windows-1252", &tried);
	}
	faults->lossy = faults->lossy || tried.lossy;
	return mark_drop(text);
}
