#include "header.h"

#include <string.h>

#include "error.h"

enum {
	LINE_AIM = 76,
	LINE_LIMIT = 998,
	WORD_LIMIT = 60,   /* longer words of free text are encoded, so that they can be folded */
	ENCODED_BYTES = 36 /* of text in one encoded word: 60 characters, fits beside any name */
};

static bool header_refuse(const char *name, const char *why, GError **error)
{
	g_set_error(error, MAIL_ERROR, MAIL_ERROR_HEADER, "header %s: %s", name, why);
	return false;
}

static bool has_control_bytes(const char *text)
{
	for (const char *c = text; *c != '\0'; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f) {
			return true;
		}
	}
	return false;
}

static bool is_ascii(const char *text)
{
	for (const char *c = text; *c != '\0'; c++) {
		if ((unsigned char)*c >= 0x80) {
			return false;
		}
	}
	return true;
}

static void words_fold(GString *headers, size_t used, char *const *words)
{
	for (size_t i = 0; words[i] != NULL; i++) {
		size_t length = strlen(words[i]);
		if (used + 1 + length > LINE_AIM) {
			g_string_append(headers, "\r\n");
			used = 0;
		}
		g_string_append_c(headers, ' ');
		g_string_append(headers, words[i]);
		used += 1 + length;
	}
	g_string_append(headers, "\r\n");
}

bool header_append(GString *headers, const char *name, const char *value, GError **error)
{
	if (has_control_bytes(value) || !is_ascii(value)) {
		return header_refuse(name, "only printable ASCII may stand there", error);
	}
	g_auto(GStrv) words = g_strsplit(value, " ", -1);
	for (size_t i = 0; words[i] != NULL; i++) {
		if (words[i][0] == '\0') {
			return header_refuse(name, "blanks in a row, or at an end", error);
		}
		if (strlen(words[i]) >= LINE_LIMIT) {
			return header_refuse(name, "a word is too long for a line", error);
		}
	}
	g_string_append_printf(headers, "%s:", name);
	words_fold(headers, strlen(name) + 1, words);
	return true;
}

bool header_append_ids(GString *headers, const char *name, const char *const *ids, GError **error)
{
	g_autoptr(GString) value = g_string_new(NULL);
	for (size_t i = 0; ids[i] != NULL; i++) {
		if (strchr(ids[i], '@') == NULL || strpbrk(ids[i], " <>()\",;") != NULL) {
			return header_refuse(name, "this is no message id", error);
		}
		g_string_append_printf(value, "%s<%s>", i == 0 ? "" : " ", ids[i]);
	}
	return header_append(headers, name, value->str, error);
}

/* Whether text can stand as it is: folding at its blanks keeps it, and nothing in it reads as an
 * encoded word. */
static bool text_is_plain(const char *text)
{
	if (!is_ascii(text) || strstr(text, "=?") != NULL || text[0] == '\0') {
		return false;
	}
	size_t word = 0;
	for (const char *c = text;; c++) {
		if (*c != ' ' && *c != '\0') {
			word++;
			continue;
		}
		if (word == 0 || word > WORD_LIMIT) {
			return false;
		}
		if (*c == '\0') {
			return true;
		}
		word = 0;
	}
}

/* RFC 2047: encoded words of whole characters each, separated by blanks that do not count. */
static char *text_encode(const char *text)
{
	g_autoptr(GString) words = g_string_new(NULL);
	while (*text != '\0') {
		const char *end = text;
		while (*end != '\0' && g_utf8_next_char(end) - text <= ENCODED_BYTES) {
			end = g_utf8_next_char(end);
		}
		g_autofree char *base64 =
			g_base64_encode((const unsigned char *)text, (size_t)(end - text));
		g_string_append_printf(words, "%s=?UTF-8?B?%s?=", words->len == 0 ? "" : " ",
				       base64);
		text = end;
	}
	return g_string_free(g_steal_pointer(&words), FALSE);
}

static bool text_check(const char *name, const char *text, GError **error)
{
	if (!g_utf8_validate(text, -1, NULL)) {
		return header_refuse(name, "the text is no UTF-8", error);
	}
	if (has_control_bytes(text)) {
		return header_refuse(name, "the text holds a control byte", error);
	}
	return true;
}

bool header_append_text(GString *headers, const char *name, const char *text, GError **error)
{
	if (!text_check(name, text, error)) {
		return false;
	}
	if (text[0] == '\0') {
		return header_refuse(name, "the text is empty", error);
	}
	g_autofree char *value = text_is_plain(text) ? g_strdup(text) : text_encode(text);
	return header_append(headers, name, value, error);
}

/* A phrase as atoms, as a quoted string, or as encoded words. */
static char *phrase_encode(const char *phrase)
{
	if (!text_is_plain(phrase)) {
		return text_encode(phrase);
	}
	if (strpbrk(phrase, "()<>[]:;@\\,.\"") == NULL) {
		return g_strdup(phrase);
	}
	g_autoptr(GString) quoted = g_string_new("\"");
	for (const char *c = phrase; *c != '\0'; c++) {
		if (*c == '"' || *c == '\\') {
			g_string_append_c(quoted, '\\');
		}
		g_string_append_c(quoted, *c);
	}
	g_string_append_c(quoted, '"');
	return g_string_free(g_steal_pointer(&quoted), FALSE);
}

bool header_append_mailbox(GString *headers, const char *name, const char *phrase,
			   const char *token, GError **error)
{
	if (phrase == NULL || phrase[0] == '\0') {
		g_autofree char *bare = g_strdup_printf("<%s>", token);
		return header_append(headers, name, bare, error);
	}
	if (!text_check(name, phrase, error)) {
		return false;
	}
	g_autofree char *encoded = phrase_encode(phrase);
	g_autofree char *value = g_strdup_printf("%s <%s>", encoded, token);
	return header_append(headers, name, value, error);
}
