/*
 * What was meant for a part of a layout and is none: signs that look like those of layouts, keys of
 * another keyboard, wrong signs among right ones. It is only told that it was meant so; nothing is
 * read as another sign than it is.
 */
#include "service/mail_layout.h"

#include <string.h>

enum {
	ASCII_COUNT = 128,
	PIECES_LEAST = 5, /* of a rank in which several signs are wrong */
	SLIGHT = 5,       /* one wrong sign among so many right ones */
	ODD_LEAST = 4,    /* pieces of a rank in which one wrong sign stands for one of the right */
	ODD_LENGTH = 6,   /* and how long it is; a name like "Zhang" is shorter */
	LETTER_KINDS = 3, /* of pieces, where there are vowels or signs that no layout has */
	STROKES_LEAST = 4,   /* of a drawn part with wrong signs in it */
	STROKE_KINDS = 3,    /* of which several may be wrong */
	ODD_KINDS = 2,       /* or one, wherever it stands */
	ODD_STROKES = 2,     /* times at least */
	UPRIGHTS_LENGTH = 5, /* of a part with letters for upright strokes */
	WORD_LENGTH = 3,     /* letters in a row that are a word of a language */
};

/* Signs that look like one of a layout, letters that sound like one among them. */
static const struct {
	const char *signs;
	char sign;
} alike[] = {
	{"│┃║╎╏┆┇┊┋╵╷╹╻∣∥ǀǁ❘❙❚¦‖⎪⏐▏▎▕丨↕↨⇕⇳⬍↑↓⇑⇓⬆⬇", '|'},
	{"_─━═╌╍┄┅┈┉╴╶╸╺⎯▬一↔⇔⟷⬌←⇐⇒⬅➡", '-'},
	{"╱∕⁄⟋⧸丿⤢↗↙⇗⇙⬈⬋", '/'},
	{"╲∖⧵⧹⟍丶⤡↖↘⇖⇘⬉⬊", '\\'},
	{"вν", 'v'},
	{"хһհ", 'h'},
	{"зζʒ", 'z'},
	{"нпηոռ", 'n'},
	{"гγɡԍ", 'g'},
};

/* What the keys of the letters write where the keyboard is another one: German and French; Russian.
 */
static const struct {
	const char *keys, *letters;
} keyboards[] = {{"yw", "zz"}, {"мрятп", "vhzng"}};

/* ---- look-alikes ---- */

static gunichar sign_fold(gunichar c)
{
	for (size_t i = 0; i < G_N_ELEMENTS(alike); i++)
		if (g_utf8_strchr(alike[i].signs, -1, c) != NULL)
			return (gunichar)alike[i].sign;
	return c;
}

char *mail_layout_fold(const char *line)
{
	GString *folded = g_string_new(NULL);
	for (; *line != '\0'; line = g_utf8_next_char(line))
		g_string_append_unichar(folded, sign_fold(g_utf8_get_char(line)));
	return g_string_free(folded, FALSE);
}

static char *keys_fold(const char *word, const char *keys, const char *letters)
{
	GString *folded = g_string_new(NULL);
	for (; *word != '\0'; word = g_utf8_next_char(word)) {
		const gunichar c = g_utf8_get_char(word);
		const char *key = g_utf8_strchr(keys, -1, c);
		if (key == NULL)
			g_string_append_unichar(folded, c);
		else
			g_string_append_c(folded, letters[g_utf8_pointer_to_offset(keys, key)]);
	}
	return g_string_free(folded, FALSE);
}

/* ---- what a word is made of ---- */

typedef struct {
	bool drawn; /* marks between signs do not count, and numbers are wrong signs */
	int strokes, letters, unknown;
	int stroke_kinds, letter_kinds; /* without "g", of which there is one, and many in words */
	bool plus, upright;
	gunichar odd; /* a sign that no layout has */
	bool odds;    /* and there are others */
	bool seen[ASCII_COUNT];
} Shape;

static void odd_add(Shape *shape, gunichar c)
{
	shape->unknown++;
	shape->odds = shape->odds || (shape->odd != 0 && shape->odd != c);
	shape->odd = c;
}

static void known_add(Shape *shape, char sign)
{
	const bool is_letter = g_ascii_isalpha(sign);
	const bool is_new = !shape->seen[(unsigned char)sign];
	shape->seen[(unsigned char)sign] = true;
	shape->letters += is_letter;
	shape->strokes += !is_letter;
	shape->letter_kinds += is_letter && is_new && sign != 'g';
	shape->stroke_kinds += !is_letter && is_new;
	shape->upright = shape->upright || sign == '|';
}

static void sign_add(Shape *shape, gunichar c)
{
	const char sign[] = {c < ASCII_COUNT ? (char)c : '?', '\0'};
	const LayoutSigns signs = mail_layout_signs(sign);
	if (c == ' ' ||
	    (shape->drawn && c < ASCII_COUNT && strchr(MAIL_LAYOUT_MARKS, (char)c) != NULL))
		return;
	if (c == '+')
		shape->plus = true;
	else if (signs.pieces > 0)
		known_add(shape, sign[0]);
	else if (shape->drawn || signs.empties == 0)
		odd_add(shape, c);
}

static Shape shape_of(const char *word, bool drawn)
{
	Shape shape = {.drawn = drawn};
	for (; *word != '\0'; word = g_utf8_next_char(word))
		sign_add(&shape, g_utf8_get_char(word));
	return shape;
}

/* ---- letters and ranks ---- */

static bool is_mistyped(const char *word)
{
	for (size_t i = 0; i < G_N_ELEMENTS(keyboards); i++) {
		g_autofree char *folded = keys_fold(word, keyboards[i].keys, keyboards[i].letters);
		const Shape shape = shape_of(folded, false);
		if (shape.unknown == 0 && shape.letters >= PIECES_LEAST && shape.letter_kinds > 1)
			return true;
	}
	return false;
}

bool mail_layout_is_slip(const char *word)
{
	g_autofree char *folded = mail_layout_fold(word);
	const Shape shape = shape_of(folded, false);
	const int pieces = shape.strokes + shape.letters;
	const int kinds = shape.plus || !mail_layout_has_vowel(folded) ? 2 : LETTER_KINDS;
	const bool varies = shape.letter_kinds > 1 || shape.stroke_kinds > 1;
	const bool is_drawn = shape.strokes >= STROKES_LEAST && shape.stroke_kinds > 1;
	const bool is_rich = is_drawn || shape.letter_kinds >= kinds;
	if (is_mistyped(word))
		return true;
	if (pieces >= PIECES_LEAST && shape.unknown * 2 <= pieces)
		return is_rich || (varies && shape.unknown * SLIGHT <= pieces);
	return is_rich && pieces >= ODD_LEAST && pieces + shape.unknown >= ODD_LENGTH &&
	       !shape.odds && shape.unknown <= pieces;
}

/* ---- drawn signs ---- */

/* Letters in a row that differ. */
static bool has_word(const char *text)
{
	int length = 0;
	gunichar last = 0;
	bool differs = false;
	for (; *text != '\0'; text = g_utf8_next_char(text)) {
		const gunichar c = g_utf8_get_char(text);
		length = g_unichar_isalpha(c) ? length + 1 : 0;
		differs = length > 1 && (differs || c != last);
		last = c;
		if (length >= WORD_LENGTH && differs)
			return true;
	}
	return false;
}

/* "¯\_(ツ)_/¯" */
static bool is_face(const char *text)
{
	const char *open = strchr(text, '(');
	return open != NULL && open == strrchr(text, '(') && strchr(open, ')') != NULL;
}

bool mail_layout_is_drawn_slip(const char *word, bool apart)
{
	const Shape shape = shape_of(word, true);
	const int length = shape.strokes + shape.letters + shape.unknown;
	if (has_word(word) || is_face(word) || shape.stroke_kinds < ODD_KINDS)
		return false;
	if (!shape.odds && (shape.odd == 'l' || shape.odd == 'i') && length >= UPRIGHTS_LENGTH)
		return true;
	if (shape.strokes < STROKES_LEAST)
		return false;
	/* Where signs stand apart, upright strokes may be those of a table. */
	if (shape.strokes > STROKES_LEAST - !apart && shape.stroke_kinds >= STROKE_KINDS &&
	    shape.unknown * 3 <= length)
		return true;
	return !shape.odds && shape.unknown >= ODD_STROKES && shape.unknown <= shape.strokes &&
	       !(apart && shape.upright);
}
