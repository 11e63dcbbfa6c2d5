#include "strip_comb.h"

#include <string.h>

enum {
	WRAPPED_LEAST = 60, /* no program wraps at fewer characters */
	WORD_MOST = 30,     /* characters of a word in letters with marks, or of another script */
	TURN_MOST = 40,     /* bytes of a turn without blanks */
};

typedef enum Remainder {
	REMAINDER_NONE,
	REMAINDER_LIKELY, /* one if the mail has sure ones */
	REMAINDER_SURE,
} Remainder;

/* Lines without marks below a line with one. */
typedef struct Run {
	size_t at;
	size_t length;   /* the lines that go on as wrapped ones do */
	bool is_whole;   /* no other line follows them but an empty or a quoted one */
	bool is_between; /* a line with a mark follows at once */
} Run;

typedef struct Comb {
	MailLines *lines;
	bool *marked;   /* for each line: quoted by marks of its own */
	size_t *widths; /* for each line */
	size_t widest;  /* a line of more characters than this was wrapped */
} Comb;

static size_t width(const char *text)
{
	g_autofree char *end = g_strchomp(g_strdup(text));
	return (size_t)g_utf8_strlen(end, -1);
}

/* How much of a line has to stay together: a long word without blanks, unless it is an address or
 * the like, may be a sentence of a language that needs none. */
static size_t first_word_width(const char *text)
{
	text += strspn(text, " \t");
	g_autofree char *word = g_strndup(text, strcspn(text, " \t"));
	const size_t length = (size_t)g_utf8_strlen(word, -1);
	return length > WORD_MOST && !g_str_is_ascii(word) ? 1 : length;
}

static const char *text_at(const Comb *comb, size_t at)
{
	return lines_at(comb->lines, at)->text;
}

static bool is_marked(const Comb *comb, size_t at)
{
	return at < comb->lines->len && comb->marked[at];
}

/* A line that the sender may have written: no empty one. */
static bool is_bare(const Comb *comb, size_t at)
{
	return at < comb->lines->len && lines_at(comb->lines, at)->depth == 0 &&
	       !lines_at(comb->lines, at)->cut && comb->widths[at] > 0;
}

/* Whether a line has a place to be wrapped at. */
static bool can_wrap(const char *text)
{
	g_autofree char *content = g_strchomp(g_strdup(line_content(text)));
	return strpbrk(content, " \t") != NULL;
}

/* Whether a line is what was left of the one before it: its first word found no room there. */
static bool is_left(const Comb *comb, size_t at)
{
	return comb->widths[at - 1] + 1 + first_word_width(text_at(comb, at)) > comb->widest;
}

static Run run_find(const Comb *comb, size_t at)
{
	Run run = {.at = at};
	/* A long word alone, an address above all, seldom has others behind it. */
	if (at == 0 || !is_marked(comb, at - 1) ||
	    (comb->widths[at - 1] > WRAPPED_LEAST && !can_wrap(text_at(comb, at - 1)))) {
		return run;
	}
	while (is_bare(comb, at + run.length) && is_left(comb, at + run.length)) {
		run.length++;
	}
	run.is_whole = !is_bare(comb, at + run.length);
	run.is_between = run.is_whole && is_marked(comb, at + run.length);
	return run;
}

static bool ends_sentence(const char *text)
{
	g_autofree char *trimmed = g_strchomp(g_strdup(text));
	const char *last = g_utf8_find_prev_char(trimmed, trimmed + strlen(trimmed));
	static const char *const ends[] = {".", "!", "?", "…", "。", "！", "？", NULL};
	return last != NULL && g_strv_contains(ends, last);
}

static bool starts_small(const char *text)
{
	return g_unichar_islower(g_utf8_get_char(text + strspn(text, " \t")));
}

static bool may_be_turn(const char *text)
{
	text += strspn(text, " \t");
	const size_t length = strcspn(text, " \t");
	return length <= TURN_MOST && strcspn(text, "0123456789") < length;
}

static Remainder run_judge(const Comb *comb, const Run *run)
{
	if (run->length == 0) {
		return REMAINDER_NONE;
	}
	const bool is_broken = !ends_sentence(text_at(comb, run->at - 1));
	const size_t after = run->at + run->length;
	if (run->is_between) {
		const bool goes_on = starts_small(line_content(text_at(comb, after)));
		return is_broken || goes_on ? REMAINDER_SURE : REMAINDER_LIKELY;
	}
	/* Directly below a quotation may be an answer, a turn above all. */
	return is_broken && !may_be_turn(text_at(comb, run->at)) ? REMAINDER_LIKELY
								 : REMAINDER_NONE;
}

/* Marks the remainders that are at least so sure; whether there are any. */
static bool remainders_mark(Comb *comb, Remainder least)
{
	bool any = false;
	for (size_t at = 1; at < comb->lines->len; at++) {
		const Run run = run_find(comb, at);
		const bool is_one = run.length > 0 && run_judge(comb, &run) >= least;
		for (size_t i = at; is_one && i < at + run.length; i++) {
			MailLine *line = &g_array_index(comb->lines, MailLine, i);
			line->depth = lines_at(comb->lines, at - 1)->depth;
			line->barred = false;
		}
		any = any || is_one;
		at += run.length > 0 ? run.length - 1 : 0;
	}
	return any;
}

void strip_comb_mark(MailLines *lines)
{
	Comb comb = {.lines = lines, .widest = WRAPPED_LEAST};
	comb.marked = g_new0(bool, lines->len + 1);
	comb.widths = g_new0(size_t, lines->len + 1);
	for (size_t i = 0; i < lines->len; i++) {
		const MailLine *line = lines_at(lines, i);
		comb.widths[i] = width(line->text);
		comb.marked[i] = line->depth > 0 && !line->cut && line_depth(line->text) > 0;
		if (comb.marked[i] && can_wrap(line->text)) {
			comb.widest = MAX(comb.widest, comb.widths[i]);
		}
	}
	if (remainders_mark(&comb, REMAINDER_SURE)) {
		remainders_mark(&comb, REMAINDER_LIKELY);
	}
	g_free(comb.marked);
	g_free(comb.widths);
}
