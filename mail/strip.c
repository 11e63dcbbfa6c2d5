#include "strip.h"

#include <string.h>

#include "strip_block.h"
#include "strip_comb.h"
#include "strip_words.h"

enum {
	ATTRIBUTION_LINES = 4, /* over which "On … wrote:" may be wrapped */
	ATTRIBUTION_LENGTH = 600,
	BLANKS_BEFORE_QUOTE = 3, /* empty lines between it and the quote */
	HEADER_LINES = 12,       /* looked at for a block of headers */
	HEADER_WRAPPED = 3,      /* lines without a label within it */
	LINE_KEPT = 8400,        /* bytes of a line that are kept: more than a remark has */
	QUOTE_LEAST = 6,         /* lines of a quote without marks: our mails have more */
};

typedef struct Reader {
	const MailLines *lines;
	char **keys; /* one for each line */
	size_t count;
	char *own; /* "@domain" */
} Reader;

static bool is_quoted(const Reader *reader, size_t at)
{
	return lines_at(reader->lines, at)->depth > 0;
}

static bool is_blank(const Reader *reader, size_t at)
{
	return reader->keys[at][0] == '\0';
}

/* "__________ Information from … __________", by which scanners announce their foot, also over two
 * lines. */
static bool is_ruled_title(const Reader *reader, size_t at)
{
	static const char rule[] = "_____";
	const char *next = at + 1 < reader->count ? reader->keys[at + 1] : "";
	return g_str_has_prefix(reader->keys[at], rule) &&
	       (g_str_has_suffix(reader->keys[at], rule) || g_str_has_suffix(next, rule));
}

/* "-----Original Message-----" in any language. */
static bool is_dashed_title(const char *key)
{
	size_t length = strlen(key);
	return length > 6 && length < 200 && strncmp(key, "---", 3) == 0 &&
	       strcmp(key + length - 3, "---") == 0;
}

static bool has_digits_apart(const char *at, const char *signs)
{
	for (; *at != '\0'; at++) {
		if (g_ascii_isdigit(at[0]) && at[1] != '\0' && strchr(signs, at[1]) != NULL &&
		    g_ascii_isdigit(at[2])) {
			return true;
		}
	}
	return false;
}

/* What a text says about time: addresses, which hold digits too, are taken out. */
typedef struct Moment {
	bool has_time;
	bool has_date;
} Moment;

static bool is_year(const char *at)
{
	return (strncmp(at, "19", 2) == 0 || strncmp(at, "20", 2) == 0) && g_ascii_isdigit(at[2]) &&
	       g_ascii_isdigit(at[3]) && !g_ascii_isdigit(at[4]);
}

static Moment moment_read(const char *text)
{
	Moment moment = {false, false};
	g_auto(GStrv) words = g_strsplit_set(text, " <>()[],;\"", -1);
	for (size_t i = 0; words[i] != NULL; i++) {
		const char *word = words[i];
		if (strchr(word, '@') != NULL) {
			continue;
		}
		const bool may_be_date = has_digits_apart(word, "/.-");
		moment.has_time = moment.has_time || has_digits_apart(word, ":h") ||
				  (moment.has_date && has_digits_apart(word, "."));
		moment.has_date = moment.has_date || may_be_date;
		for (const char *at = word; *at != '\0'; at++) {
			bool starts = at == word || !g_ascii_isdigit(at[-1]);
			moment.has_date = moment.has_date || (starts && is_year(at));
		}
	}
	return moment;
}

/* The end of "… wrote:": a colon, or "wrote" itself between dashes or as Chinese has it. */
static bool ends_attribution(const char *text)
{
	static const char *const ends[] = {":", "：", "︰", "﹕", "----", "写道", "寫道"};
	g_autofree char *trimmed = g_strdup(text);
	for (size_t length = strlen(trimmed);
	     length > 0 && strchr(" *_\"", trimmed[length - 1]) != NULL; length--) {
		trimmed[length - 1] = '\0';
	}
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		if (g_str_has_suffix(trimmed, ends[i])) {
			return true;
		}
	}
	return false;
}

/* Whether a quote begins here, but for a few empty lines. */
static bool quote_follows(const Reader *reader, size_t at)
{
	size_t end = MIN(reader->count, at + BLANKS_BEFORE_QUOTE + 1);
	while (at < end && is_blank(reader, at) && !is_quoted(reader, at)) {
		at++;
	}
	return at < reader->count && is_quoted(reader, at);
}

/* Whether what stands from a line on can be one of our mails, quoted without marks. */
static bool may_be_mail(const Reader *reader, size_t at)
{
	size_t count = 0;
	for (; at < reader->count && count < QUOTE_LEAST; at++) {
		count += !is_blank(reader, at);
	}
	return count >= QUOTE_LEAST;
}

/* Whether a text is all of what introduces the quote that begins, if so, in the line `after`. A
 * date, a time and a colon do not suffice above a few words. */
static bool is_attribution(const Reader *reader, const char *text, size_t after)
{
	if (!ends_attribution(text)) {
		return false;
	}
	if (strstr(text, reader->own) != NULL || words_end_in_wrote(text)) {
		return true;
	}
	Moment moment = moment_read(text);
	bool has_moment = moment.has_time || moment.has_date;
	bool has_address = strchr(text, '@') != NULL;
	bool is_dashed = strncmp(text, "---", 3) == 0;
	return (words_have_wrote(text) && (has_address || has_moment)) ||
	       (has_address && has_moment) ||
	       (moment.has_time && moment.has_date && !is_dashed &&
		(quote_follows(reader, after) || may_be_mail(reader, after)));
}

/* `count` lines from `at` as one text; NULL if one of them is empty, quoted or not there. */
static char *lines_join(const Reader *reader, size_t at, size_t count)
{
	GString *text = g_string_new(NULL);
	for (size_t i = at; i < at + count; i++) {
		if (i >= reader->count || is_blank(reader, i) || is_quoted(reader, i) ||
		    text->len > ATTRIBUTION_LENGTH) {
			g_string_free(text, TRUE);
			return NULL;
		}
		g_string_append(text, i > at ? " " : "");
		g_string_append(text, reader->keys[i]);
	}
	return g_string_free(text, FALSE);
}

/* Whether some of these lines but the first begin a whole attribution of their own. */
static bool has_later_start(const Reader *reader, size_t at, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		g_autofree char *rest = lines_join(reader, at + i, count - i);
		if (rest != NULL && words_start_attribution(rest) &&
		    is_attribution(reader, rest, at + count)) {
			return true;
		}
	}
	return false;
}

/* Over how many lines an attribution stretches that begins here; 0 if none does. */
static size_t attribution_length(const Reader *reader, size_t at)
{
	const char *first = reader->keys[at];
	Moment moment = moment_read(first);
	bool may_wrap = words_start_attribution(first) || strchr(first, '@') != NULL ||
			g_str_has_suffix(first, "<") || (moment.has_time && moment.has_date);
	for (size_t count = 1; count <= (may_wrap ? ATTRIBUTION_LINES : 1); count++) {
		g_autofree char *text = lines_join(reader, at, count);
		if (text == NULL) {
			return 0;
		}
		if (is_attribution(reader, text, at + count) &&
		    !has_later_start(reader, at, count)) {
			return count;
		}
	}
	return 0;
}

/* Whether the header of another message begins here: two different labels in a few lines. */
static bool starts_headers(const Reader *reader, size_t at)
{
	HeaderLabel first = words_header_label(reader->keys[at]);
	int wrapped = 0;
	if (first == HEADER_LABEL_NONE || first == HEADER_LABEL_REPLY_TO) {
		return false;
	}
	for (size_t i = at + 1; i < MIN(reader->count, at + HEADER_LINES); i++) {
		HeaderLabel label = words_header_label(reader->keys[i]);
		if (label != HEADER_LABEL_NONE && label != first) {
			return true;
		}
		if (label == HEADER_LABEL_NONE && ++wrapped > HEADER_WRAPPED) {
			return false;
		}
	}
	return false;
}

/* Whether such a header begins here as rows of a table with bars, of which each looks quoted. */
static bool starts_table(const Reader *reader, size_t at)
{
	HeaderLabel first = words_table_label(reader->keys[at]);
	HeaderLabel next = at + 1 < reader->count ? words_table_label(reader->keys[at + 1])
						  : HEADER_LABEL_NONE;
	return first != HEADER_LABEL_NONE && next != HEADER_LABEL_NONE && next != first;
}

/* One of our own addresses with its secret, which nobody types. */
static bool names_own_address(const Reader *reader, const char *key)
{
	const char *own = strstr(key, reader->own);
	const char *plus = strchr(key, '+');
	return own != NULL && plus != NULL && plus < own;
}

/* "[image: logo.png]", "[cid:…]", "<#dab4fad8-…>": in place of a picture. */
static bool is_picture(const char *key)
{
	enum { ANCHOR_LENGTH = 39 };
	size_t length = strlen(key);
	bool is_anchor = length == ANCHOR_LENGTH && g_str_has_prefix(key, "<#") &&
			 strspn(key + 2, "0123456789abcdef-") == length - 3;
	if (is_anchor && key[length - 1] == '>') {
		return true;
	}
	return length > 5 && key[length - 1] == ']' &&
	       (g_str_has_prefix(key, "[imag") || g_str_has_prefix(key, "[cid:") ||
		g_str_has_prefix(key, "[bild"));
}

/* "-----BEGIN PGP SIGNED MESSAGE-----", its "Hash:" lines and the empty one: how many lines. */
static size_t signed_head_length(const Reader *reader, size_t at)
{
	size_t length = 1;
	if (strcmp(reader->keys[at], "-----begin pgp signed message-----") != 0) {
		return 0;
	}
	while (at + length < reader->count && !is_blank(reader, at + length)) {
		length++;
	}
	return length;
}

typedef enum Step { STEP_KEEP, STEP_SKIP, STEP_STOP } Step;

/* What to do with the unquoted line at `at`; `length_r` is how many lines it is about. */
static Step line_judge(const Reader *reader, size_t at, size_t *length_r)
{
	const char *key = reader->keys[at];
	*length_r = 1;
	if (key[0] == '\0') {
		return STEP_KEEP;
	}
	size_t head = signed_head_length(reader, at);
	if (head > 0) {
		*length_r = head;
		return STEP_SKIP;
	}
	if (words_are_rule(key) || is_ruled_title(reader, at) || words_mark_end(key) ||
	    starts_headers(reader, at)) {
		return STEP_STOP;
	}
	if (words_name_device(key) || words_name_scanner(key) || is_picture(key)) {
		return STEP_SKIP;
	}
	size_t length = attribution_length(reader, at);
	bool announces = is_dashed_title(key) ||
			 (strlen(key) < 100 && words_announce_message(key) &&
			  (g_str_has_suffix(key, ":") || at + 1 >= reader->count ||
			   starts_headers(reader, at + 1) ||
			   (at + 2 < reader->count && starts_headers(reader, at + 2))));
	if (length == 0 && !announces && !names_own_address(reader, key)) {
		return STEP_KEEP;
	}
	*length_r = MAX(length, 1);
	return quote_follows(reader, at + *length_r) ? STEP_SKIP : STEP_STOP;
}

/* ">>> Anna <anna@example.org> 03.03.2026 21:14 >>>": GroupWise marks nothing but this line. */
static bool is_arrowed_title(const char *key)
{
	return g_str_has_prefix(key, ">>> ") && g_str_has_suffix(key, " >>>");
}

/* What to do with a quoted line: it may say that what follows is not the sender's, unmarked though
 * it is. */
static Step quoted_judge(const Reader *reader, size_t at)
{
	const char *key = reader->keys[at];
	if (starts_table(reader, at)) {
		return STEP_STOP;
	}
	if (key[0] == '\0' || quote_follows(reader, at + 1)) {
		return STEP_SKIP;
	}
	bool is_title = is_dashed_title(key) || words_announce_message(key) ||
			words_header_label(key) != HEADER_LABEL_NONE ||
			is_attribution(reader, key, at + 1);
	return is_arrowed_title(key) || (key[0] != '>' && is_title) ? STEP_STOP : STEP_SKIP;
}

static void line_keep(GPtrArray *kept, const char *text)
{
	bool is_blank_again = text[strspn(text, " \t")] == '\0' &&
			      (kept->len == 0 ||
			       ((const char *)g_ptr_array_index(kept, kept->len - 1))[0] == '\0');
	if (is_blank_again) {
		return;
	}
	size_t length = strlen(text);
	const char *end =
		length <= LINE_KEPT ? text + length : g_utf8_find_prev_char(text, text + LINE_KEPT);
	g_ptr_array_add(kept, g_strstrip(g_strndup(text, (size_t)(end - text))));
}

static bool lines_read(const Reader *reader, const StripBlocks *blocks, GPtrArray *kept)
{
	size_t at = 0;
	while (at < reader->count && !lines_at(reader->lines, at)->cut) {
		bool is_full = kept->len >= STRIP_LINES_MAX;
		size_t length = is_full ? 0 : strip_block(reader->lines, at, blocks, kept);
		if (length > 0) {
			at += length;
			continue;
		}
		length = 1;
		Step step = is_quoted(reader, at) ? quoted_judge(reader, at)
						  : line_judge(reader, at, &length);
		if (step == STEP_STOP) {
			return false;
		}
		if (kept->len >= STRIP_LINES_MAX) {
			return true;
		}
		if (step == STEP_KEEP) {
			line_keep(kept, lines_at(reader->lines, at)->text);
		} else if (is_quoted(reader, at)) {
			line_keep(kept, "");
		}
		at += length;
	}
	return false;
}

GPtrArray *strip_lines(const MailLines *lines, const char *domain, const StripBlocks *blocks,
		       bool *cut_r)
{
	GPtrArray *kept = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *at_domain = g_strconcat("@", domain, NULL);
	MailLines *apart = strip_block_parts(lines, blocks);
	strip_comb_mark(apart);
	Reader reader = {.lines = apart, .count = apart->len, .own = line_key(at_domain)};
	reader.keys = g_new0(char *, reader.count + 1);
	for (size_t i = 0; i < reader.count; i++) {
		reader.keys[i] = line_key(lines_at(apart, i)->text);
	}
	bool is_cut = lines_read(&reader, blocks, kept);
	while (kept->len > 0 && ((const char *)g_ptr_array_index(kept, kept->len - 1))[0] == '\0') {
		g_ptr_array_remove_index(kept, kept->len - 1);
	}
	if (cut_r != NULL) {
		*cut_r = is_cut;
	}
	g_strfreev(reader.keys);
	g_free(reader.own);
	lines_free(apart);
	return kept;
}
