/*
 * Whether words give a part of a layout away. What is written on purpose to say it in secret cannot
 * be found; what is found is a layout that was meant as one and not read as one: misspelt, in
 * columns, with numbers of ranks, between commas, square by square, drawn. Signs are counted where
 * they stand together, for in no language do several of them follow each other as words.
 */
#include "service/mail_layout.h"
#include "service/notation.h"

#include <string.h>

enum {
	ASCII_COUNT = 128,
	RUN_LEAST = 5,       /* pieces that follow each other */
	RUN_APART_LEAST = 4, /* the same, if they are so many words at least: */
	RUN_APART_WORDS = 3,
	RUN_NUMBERED_LEAST = 7, /* the same with numbers between, as in "50 Hz, 5 GHz" */
	RUN_NUMBERED_KINDS = 3,
	WHOLE_LEAST = 3,  /* pieces in a line with nothing else */
	TEXT_LEAST = 8,   /* in a whole text, in groups */
	TEXT_KINDS = 3,   /* and of how many kinds */
	LOOSE_LEAST = 12, /* the same, wherever they stand */
	LOOSE_KINDS = 4,
	PAIRS_LEAST = 3, /* squares with what stands on them */
	DRAWN_KINDS = 3, /* of drawn signs, which also stand in other texts */
	DRAWN_TEXT_KINDS = 4,
	SHORT_LENGTH = 2, /* of signs that stand apart, and what parts them */
};

/* Pieces that were met. */
typedef struct {
	int pieces, words, kinds;
	bool number;   /* a number stands after the last one */
	bool numbered; /* numbers stand between them */
	bool seen[ASCII_COUNT];
} Tally;

/* One text as it is looked through. */
typedef struct {
	Tally grouped, loose, pairs, drawn; /* of the whole text */
	Tally run;                          /* of the line: pieces without other words between */
	bool others;                        /* the line has other words */
	bool square;                        /* the last word of the line was a square */
	char alone[3];                      /* or a piece alone; "" else */
	bool folds;                         /* signs that look alike count */
	GString *apart;                     /* short words that follow each other, as one */
	bool shown;
} Look;

static void kind_add(Tally *tally, unsigned char sign)
{
	if (sign >= ASCII_COUNT || tally->seen[sign])
		return;
	tally->seen[sign] = true;
	tally->kinds++;
}

static void tally_add(Tally *tally, const char *word, int pieces)
{
	tally->pieces += pieces;
	tally->words++;
	for (; *word != '\0'; word++)
		if (g_ascii_isalpha(*word))
			kind_add(tally, (unsigned char)*word);
}

static void tally_join(Tally *tally, const Tally *more)
{
	tally->pieces += more->pieces;
	tally->words += more->words;
	for (int sign = 0; sign < ASCII_COUNT; sign++)
		if (more->seen[sign])
			kind_add(tally, (unsigned char)sign);
}

static bool tally_has(const Tally *tally, int pieces, int kinds)
{
	return tally->pieces >= pieces && tally->kinds >= kinds;
}

/* ---- letters ---- */

static bool run_shows(const Tally *run)
{
	if (run->numbered)
		return tally_has(run, RUN_NUMBERED_LEAST, RUN_NUMBERED_KINDS);
	if (run->kinds < 2)
		return run->pieces >= RUN_LEAST && run->words > 1;
	return run->pieces >= RUN_LEAST ||
	       (run->pieces >= RUN_APART_LEAST && run->words >= RUN_APART_WORDS);
}

static void run_end(Look *look)
{
	Tally *run = &look->run;
	look->shown = look->shown || run_shows(run);
	if (run->words > 1)
		tally_join(&look->grouped, run);
	*run = (Tally){0};
	look->square = false;
	look->alone[0] = '\0';
}

static bool varies(const char *word)
{
	Tally tally = {0};
	tally_add(&tally, word, 0);
	return tally.kinds > 1;
}

static void piece_add(Look *look, const char *word, int pieces, bool with_square)
{
	const bool is_pair = pieces == 1 && (with_square || look->square);
	look->run.numbered = look->run.numbered || (look->run.number && look->run.words > 0);
	look->run.number = false;
	look->shown = look->shown || (pieces >= RUN_LEAST && varies(word));
	tally_add(&look->run, word, pieces);
	look->square = false;
	look->alone[0] = '\0';
	/* In Russian they are words. */
	if (look->folds)
		return;
	tally_add(&look->loose, word, pieces);
	if (is_pair)
		tally_add(&look->pairs, word, 1);
	else if (pieces == 1)
		g_strlcpy(look->alone, word, sizeof(look->alone));
}

static void square_add(Look *look)
{
	look->square = look->alone[0] == '\0';
	if (!look->square)
		tally_add(&look->pairs, look->alone, 1);
	look->alone[0] = '\0';
	look->run.number = true;
}

/* The word without the squares that it names: "a3v" → "v". */
static char *squares_drop(const char *word, bool *has_square_r)
{
	GString *rest = g_string_new(NULL);
	*has_square_r = false;
	while (*word != '\0') {
		const bool is_square =
			*word >= 'a' && *word <= 'p' && g_ascii_isdigit(word[1]) && word[1] != '0';
		if (!is_square) {
			g_string_append_c(rest, *word++);
			continue;
		}
		*has_square_r = true;
		word++;
		word += strspn(word, "0123456789");
	}
	return g_string_free(rest, FALSE);
}

static void word_look(Look *look, const char *word)
{
	bool has_square = false;
	g_autofree char *typed = squares_drop(word, &has_square);
	g_autofree char *rest = look->folds ? mail_layout_fold(typed) : g_strdup(typed);
	const LayoutSigns signs = mail_layout_signs(rest);
	if (rest[strspn(rest, "+0123456789")] == '\0') {
		if (has_square)
			square_add(look);
		look->run.number = true;
	} else if (signs.unknown == 0) {
		piece_add(look, rest, signs.pieces, has_square);
	} else {
		look->shown = look->shown || mail_layout_is_slip(typed);
		run_end(look);
		look->others = true;
	}
}

/* Letters, digits and "+"; an apostrophe inside a word is no end of it: "n'est". */
static bool is_of_word(const char *at, bool *dropped_r)
{
	const gunichar c = g_utf8_get_char(at);
	const gunichar next = c == 0 ? 0 : g_utf8_get_char(g_utf8_next_char(at));
	*dropped_r = (c == '\'' || c == 0x2019) && g_unichar_isalpha(next);
	return *dropped_r || c == '+' || g_unichar_isalnum(c);
}

static void letters_look(Look *look, const char *line)
{
	g_autoptr(GString) word = g_string_new(NULL);
	bool dropped = false;
	look->others = false;
	for (const char *at = line; *at != '\0'; at = g_utf8_next_char(at)) {
		const bool is_inside = is_of_word(at, &dropped) && !(dropped && word->len == 0);
		if (is_inside && !dropped)
			g_string_append_unichar(word, g_utf8_get_char(at));
		const char *next = g_utf8_next_char(at);
		if (word->len > 0 && (!is_inside || *next == '\0')) {
			word_look(look, word->str);
			g_string_truncate(word, 0);
		}
	}
	if (!look->others && tally_has(&look->run, WHOLE_LEAST, 2))
		look->shown = true;
	/* One piece in a line of its own stands in a column. */
	if (!look->others && look->run.words == 1)
		tally_join(&look->grouped, &look->run);
	run_end(look);
}

/* ---- drawn signs ---- */

/* How many drawn signs the word is made of; 0 if of anything else. */
static int drawn_count(const char *word, Tally *tally)
{
	const LayoutSigns signs = mail_layout_signs(word);
	int count = 0;
	if (signs.unknown > 0 || signs.empties > 0)
		return 0;
	for (; *word != '\0'; word++) {
		if (!g_ascii_ispunct(*word) || *word == '+')
			continue;
		kind_add(tally, (unsigned char)*word);
		count++;
	}
	tally->pieces += count;
	return count;
}

/* ":-/" */
static bool is_smiley(const char *word)
{
	return (word[0] == ':' || word[0] == ';') && word[1] == '-';
}

static void drawn_end(Look *look, Tally *run)
{
	look->shown = look->shown || tally_has(run, RUN_LEAST, DRAWN_KINDS);
	tally_join(&look->drawn, run);
	*run = (Tally){0};
}

/* Signs that stand apart show the same as in one word. */
static void apart_end(Look *look)
{
	look->shown = look->shown || mail_layout_is_drawn_slip(look->apart->str, true);
	g_string_truncate(look->apart, 0);
}

static void apart_add(Look *look, const char *word)
{
	const long length = g_utf8_strlen(word, -1) - (strchr(word, '+') != NULL);
	if (length > SHORT_LENGTH)
		apart_end(look);
	else
		g_string_append(look->apart, word);
}

/* The word without what stands around it, in place. */
static char *word_trim(char *word, const char *around)
{
	word += strspn(word, around);
	size_t length = strlen(word);
	while (length > 0 && strchr(around, word[length - 1]) != NULL)
		length--;
	word[length] = '\0';
	return word;
}

/* Behind the number of a rank: "3:". */
static char *number_skip(char *word)
{
	const size_t length = strspn(word, "0123456789");
	return length > 0 && word[length] != '\0' && strchr(".:)", word[length]) != NULL
		       ? word + length
		       : word;
}

/* A word of drawn signs, or nothing but a number or marks. */
static bool drawn_word(Look *look, char *word, Tally *run)
{
	apart_add(look, word);
	if (is_smiley(word))
		return false;
	word = word_trim(number_skip(word), MAIL_LAYOUT_MARKS);
	look->shown = look->shown || mail_layout_is_drawn_slip(word, false);
	word = word_trim(word, MAIL_LAYOUT_MARKS "0123456789");
	return word[0] == '\0' || drawn_count(word, run) > 0;
}

static void drawn_look(Look *look, const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	Tally run = {0};
	bool others = false;
	for (int i = 0; words[i] != NULL; i++) {
		if (drawn_word(look, words[i], &run))
			continue;
		others = true;
		drawn_end(look, &run);
	}
	if (!others && tally_has(&run, WHOLE_LEAST, 2))
		look->shown = true;
	drawn_end(look, &run);
	/* A sign in a line of its own stands in a column. */
	if (words[0] == NULL || words[1] != NULL)
		apart_end(look);
}

/* ---- a text ---- */

/* A letter that looks like one of a layout shows the same. */
static bool is_whole(const char *line, void *user_data)
{
	(void)line;
	(void)user_data;
	return true;
}

static bool lines_show(char **lines, bool folds)
{
	g_autoptr(GString) apart = g_string_new(NULL);
	Look look = {.folds = folds, .apart = apart};
	for (int i = 0; lines[i] != NULL && !look.shown; i++) {
		g_autofree char *line = notation_normalise(lines[i], folds ? NULL : is_whole, NULL);
		letters_look(&look, line);
		if (!folds)
			continue;
		g_autofree char *folded = mail_layout_fold(line);
		drawn_look(&look, folded);
	}
	apart_end(&look);
	return look.shown || tally_has(&look.grouped, TEXT_LEAST, TEXT_KINDS) ||
	       tally_has(&look.loose, LOOSE_LEAST, LOOSE_KINDS) ||
	       tally_has(&look.pairs, PAIRS_LEAST, 2) ||
	       tally_has(&look.drawn, TEXT_LEAST, DRAWN_TEXT_KINDS);
}

bool mail_layout_shows(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	return lines_show(lines, false) || lines_show(lines, true);
}
