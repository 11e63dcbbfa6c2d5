#include "service/mail_start.h"

#include <glib.h>
#include <string.h>

/* Whoever writes more words than these, or than steps, or more before the first step, writes a
 * sentence. Beside "pass", which is a word like others, one is enough. */
enum { WORDS_FEW = 3, WORDS_WITH_PASS = 1 };

static const char signs_before[] = "\"'([{<>=:;,.\u00ab\u00bb\u201e\u201c\u201d";
static const char signs_after[] = "\"')]}>;,.?!\u00ab\u00bb\u201e\u201c\u201d";

#define ALONE_BEFORE "(?<![\\p{L}\\p{N}])"
#define ALONE_AFTER "(?![\\p{L}\\p{N}])"

/* A square, or the end of a step whose beginning is misspelt, or a rotation of what is no square.
 */
static const char step_like[] = ALONE_BEFORE "[a-z]\\d|[-x*:=>]\\s*[a-z]\\d|\\d[a-z]?\\s*~"
					     "|" ALONE_BEFORE "[a-z]\\s\\d{1,2}\\s*[-x*~]";
static const char pass_like[] = ALONE_BEFORE "pass" ALONE_AFTER;
/* Squares, and signs or letters that stand between them; "I" is a word. */
static const char no_word[] = "^(?:\\P{L}*|[a-hj-px]|\\W*pass\\W*|.*\\d.*)$";

static bool has(const char *text, const char *pattern)
{
	return g_regex_match_simple(pattern, text, 0, 0);
}

static bool is_among(const char *at, const char *signs)
{
	return *at != '\0' && g_utf8_strchr(signs, -1, g_utf8_get_char(at)) != NULL;
}

/* A dash before the text, or an arrow; not the first half of "--", which is a pass. */
static bool is_dash(const char *at)
{
	return at[0] == '-' && at[1] != '-' && at[1] != '\0';
}

/* The text without the signs around it. The caller frees. */
static char *signs_strip(const char *text)
{
	/* Signs alone may be a pass, or a smiley. */
	const bool bare = !has(text, "[\\p{L}\\p{N}~]");
	const char *before = bare ? ":" : signs_before, *after = bare ? "?." : signs_after;
	const char *end = text + strlen(text);

	while (*text == ' ' || is_among(text, before) || (!bare && is_dash(text)))
		text = g_utf8_next_char(text);
	while (end > text) {
		const char *last = g_utf8_prev_char(end);

		if (*last != ' ' && !is_among(last, after))
			break;
		end = last;
	}
	return g_strndup(text, (size_t)(end - text));
}

typedef struct {
	int words, steps;
	int before; /* words before the first step */
} Count;

static Count words_count(const char *text)
{
	g_auto(GStrv) each = g_strsplit_set(text, " ,;+/", -1);
	Count count = {.words = 0};

	for (int i = 0; each[i] != NULL; i++) {
		count.words += !has(each[i], no_word);
		count.steps += has(each[i], "\\d");
		count.before = count.steps > 0 ? count.before : count.words;
	}
	return count;
}

char *mail_start_read(const char *line, const char *word)
{
	const size_t length = strlen(word);
	if (strncmp(line, word, length) != 0)
		return NULL;
	const char *rest = line + length;
	g_autofree char *start = signs_strip(rest);
	if (*rest == '\0' || *rest == ' ' || *rest == ':')
		return g_steal_pointer(&start);
	if (*rest == '?' && start[0] == '\0')
		return g_steal_pointer(&start);
	/* "Legal, but strange: c3" is a sentence. */
	const Count count = words_count(start);
	return g_ascii_ispunct(*rest) && count.words == 0 && count.steps > 0
		       ? g_steal_pointer(&start)
		       : NULL;
}

bool mail_start_is(const char *text)
{
	/* A pass; a single dash may have been two before some program made it one. */
	if (text[0] == '-' && text[strspn(text, "- ")] == '\0')
		return true;
	const Count count = words_count(text);
	if (has(text, step_like))
		return count.before <= WORDS_FEW && count.words <= MAX(WORDS_FEW, count.steps);
	return has(text, pass_like) && count.words <= WORDS_WITH_PASS;
}
