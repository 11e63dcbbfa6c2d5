#include "service/mail_steps.h"

#include "service/notation.h"

#include <string.h>

/* Words in a line so short that a square in it may be meant as a step: "rotate b3". */
enum { WORDS_FEW = 4, NUMBER_DIGITS_MAX = 2 };

static const char separators[] = ",;\u060c\u3001\uff0c\uff1b";
static const char bullets[] = "-*\u2010\u2011\u2012\u2013\u2014\u2212\u00b7\u2022\u2023\u2043\u25aa"
			      "\u25b8\u25cb\u25cf\u25e6";

/* ---- what stands around the steps of a line ---- */

static bool is_among(const char *at, const char *signs)
{
	return *at != '\0' && g_utf8_strchr(signs, -1, g_utf8_get_char(at)) != NULL;
}

static const char *signs_skip(const char *at, const char *signs)
{
	while (is_among(at, signs) || (*at != '\0' && g_unichar_isspace(g_utf8_get_char(at))))
		at = g_utf8_next_char(at);
	return at;
}

/* "1." "1)" "(1)": moves behind it. */
static const char *number_skip(const char *at, int *number_r)
{
	const char *digits = *at == '(' ? at + 1 : at;
	const size_t length = strspn(digits, "0123456789");

	if (length == 0 || length > NUMBER_DIGITS_MAX || digits[length] == '\0' ||
	    strchr(".):", digits[length]) == NULL)
		return at;
	*number_r = (int)g_ascii_strtoll(digits, NULL, 10);
	return digits + length + 1;
}

/* The end of a line without the separators and blanks there. */
static const char *end_find(const char *begin, bool *goes_on_r)
{
	const char *end = begin + strlen(begin);

	while (end > begin) {
		const char *last = g_utf8_prev_char(end);
		const bool parts = is_among(last, separators);

		if (!parts && !g_unichar_isspace(g_utf8_get_char(last)))
			break;
		*goes_on_r = *goes_on_r || parts;
		end = last;
	}
	return end;
}

char *mail_steps_strip(const char *line, MailStepsMarks *marks_r)
{
	*marks_r = (MailStepsMarks){.number = 0};
	const char *item = number_skip(signs_skip(line, bullets), &marks_r->number);
	const char *begin = signs_skip(item, separators);

	marks_r->follows = is_among(signs_skip(item, ""), separators);
	const char *end = end_find(begin, &marks_r->goes_on);
	return g_strndup(begin, (size_t)(end - begin));
}

/* ---- doubtful lines ---- */

#define ALONE_BEFORE "(?<![\\p{L}\\p{N}])"
#define ALONE_AFTER "(?![\\p{L}\\p{N}])"

/* A square and what makes a step of it, be the rest misspelt; or the end of a misspelt step; or a
 * rotation of what is no square. A word after a dash is one, as in "A8-Autobahn". */
static const char step_like[] =
	ALONE_BEFORE "\\p{L}\\d{1,2}(?:\\s*\\*|[-x](?!\\p{L}{4})|\\s+[-x]\\s*\\p{L}\\d"
		     "|\\s*[-x]\\s*$|[:=]\\p{L}\\d|\\s*\\p{L}\\d)"
		     "|[\\p{L}\\p{N}][-x*~:]\\p{L}\\d{1,2}" ALONE_AFTER "|\\p{N}\\p{L}?\\s*~"
		     "|" ALONE_BEFORE "\\p{L}\\s\\d{1,2}\\s*[-x*]\\s*\\p{L}\\s?\\d"
		     "|" ALONE_BEFORE "\\p{L}\\d{1,2}\\s*(?:[-=]?>|to\\b)\\s*\\p{L}\\d";
/* A rotation of what stands in the line above. */
static const char rotation_like[] = "^\\W*[~\u21bb]\\W*$";
static const char square_like[] = ALONE_BEFORE "[a-p]\\d{1,2}" ALONE_AFTER "|^pass\\W*$";
static const char only_steps[] =
	"^(?=.*[a-p]\\d)(?:\\d{1,2}[.):])?(?:[a-p]\\d{1,2}|[-x~*:=,.!?\\s])+$";

static bool has(const char *text, const char *pattern)
{
	return g_regex_match_simple(pattern, text, 0, 0);
}

static bool are_few(const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " ", -1);
	int count = 0;

	for (int i = 0; words[i] != NULL; i++)
		count += words[i][0] != '\0';
	return count <= WORDS_FEW;
}

/* The caller frees. */
static char *step_erase(const char *text, const char *step)
{
	g_autofree char *escaped = g_regex_escape_string(step, -1);
	g_autofree char *pattern = g_strconcat(ALONE_BEFORE, escaped, ALONE_AFTER, NULL);
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);

	return g_regex_replace_literal(regex, text, -1, 0, "", 0, NULL);
}

/* Words with plain signs and without the steps. The caller frees. */
static char *words_rest(const char *words, const char *steps)
{
	g_auto(GStrv) each = g_strsplit(steps, ",", -1);
	char *rest = notation_plain(words);

	for (int i = 0; each[i] != NULL; i++) {
		g_autofree char *before = rest;

		rest = step_erase(before, each[i]);
	}
	return rest;
}

bool mail_steps_doubt(const char *words, const char *steps)
{
	g_autofree char *rest = words_rest(words, steps);

	return has(rest, step_like) || has(rest, rotation_like) ||
	       (are_few(rest) && has(rest, square_like));
}

/* Words that join a step to others, or put it in their place; whoever says more speaks about it. */
static const char *const joining[] = {
	"and",   "or",     "then",    "first",   "next",    "no",    "not",    "rather", "sorry",
	"wait",  "to",     "instead", "better",  "i",       "mean",  "meant",  "also",   "after",
	"with",  "plus",   "und",     "oder",    "dann",    "erst",  "zuerst", "nein",   "nicht",
	"doch",  "lieber", "besser",  "sondern", "meine",   "statt", "danach", "weiter", "nach",
	"mit",   "y",      "o",       "luego",   "primero", "mejor", "perdón", "digo",   "después",
	"con",   "et",     "ou",      "puis",    "d'abord", "non",   "plutôt", "pardon", "ensuite",
	"avec",  "и",      "или",     "потом",   "сначала", "нет",   "не",     "лучше",  "затем",
	"с",     "e",      "poi",     "prima",   "meglio",  "en",    "of",     "nee",    "dan",
	"eerst", "nie",    "lub",     "albo",    "potem",   "och",   "eller",  "og",     "move",
	"my",    "zug",    "mein",    "jugada",  "mi",      "coup",  "mon",    "ход",    "мой",
	NULL,
};

/* A word without the signs around it; "" if it has no letter. The caller frees. */
static char *word_bare(const char *word)
{
	const char *end = word + strlen(word);

	while (*word != '\0' && !g_unichar_isalnum(g_utf8_get_char(word)))
		word = g_utf8_next_char(word);
	while (end > word && !g_unichar_isalnum(g_utf8_get_char(g_utf8_prev_char(end))))
		end = g_utf8_prev_char(end);
	return g_utf8_strdown(word, end - word);
}

static bool is_joining(const char *word)
{
	g_autofree char *bare = word_bare(word);

	return bare[0] == '\0' || g_strv_contains(joining, bare);
}

/* The text without whatever is like a step in it. The caller frees. */
static char *steps_erase(const char *text)
{
	g_autoptr(GRegex) regex = g_regex_new("[\\p{L}]\\d{1,2}", 0, 0, NULL);

	return g_regex_replace_literal(regex, text, -1, 0, " ", 0, NULL);
}

bool mail_steps_doubt_short(const char *words, const char *steps)
{
	g_autofree char *rest = words_rest(words, steps);
	g_autofree char *others = steps_erase(rest);
	g_auto(GStrv) each = g_strsplit_set(others, " ", -1);
	bool joins = has(rest, step_like);

	for (int i = 0; joins && each[i] != NULL; i++)
		joins = is_joining(each[i]);
	return joins;
}

bool mail_steps_doubt_bare(const char *words, const char *steps)
{
	g_autofree char *rest = words_rest(words, steps);

	return has(rest, only_steps);
}

/* ---- lines with steps ---- */

void mail_steps_run_add(MailStepsRun *run, const char *steps, const MailStepsMarks *marks)
{
	run->joined += run->lines > 0 && (run->goes_on || marks->follows);
	run->parted = run->parted || (run->lines > 0 && run->words);
	run->lines++;
	run->numbered += marks->number != 0;
	run->several += strchr(steps, ',') != NULL;
	run->goes_on = marks->goes_on;
	run->words = false;
}

bool mail_steps_run_is_turn(const MailStepsRun *run)
{
	const bool is_list = run->numbered == 0 || run->numbered == run->lines;

	return is_list && !run->parted && (run->several == 0 || run->joined == run->lines - 1);
}
