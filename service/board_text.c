#include "service/board.h"
#include "service/text.h"
#include "service/turn_words.h"

/* The letter of a piece by kind and seat; its capital has moved in the last turn. */
static const char piece_letters[][2] = {
	[PIECE_STONE] = {'o', 'x'},
};
static const char letter_empty = '.';
static const char letter_left = '-';
static const char letter_removed = '*';

/* How a board is spelled: every character as its full-width form, or plain with brackets. */
typedef struct {
	bool wide;
	Seat below;
} Spelling;

/* Appends an ASCII character; wide: U+FF01..U+FF5E and the ideographic space, which all have the
 * width of one em in any font that has them, and two columns in a terminal. */
static void letter_append(GString *out, const Spelling *spelling, char letter)
{
	if (!spelling->wide)
		g_string_append_c(out, letter);
	else if (letter == ' ')
		g_string_append_unichar(out, 0x3000);
	else
		g_string_append_unichar(out, 0xff01u + (gunichar)(letter - '!'));
}

static char square_letter(const PictureSquare *square, bool wide)
{
	if (square->seat == 0) {
		if (square->captured)
			return letter_removed;
		return square->moved_from ? letter_left : letter_empty;
	}
	char letter = piece_letters[square->kind][square->seat - 1];
	return wide && square->moved_to ? g_ascii_toupper(letter) : letter;
}

static const PictureSquare *square_at(const Picture *picture, Seat below, int row, int column)
{
	int rank = below == 2 ? row : picture->ranks - 1 - row;
	int file = below == 2 ? picture->files - 1 - column : column;
	return &picture->square[SQUARE_OF(file, rank)];
}

/* What stands between two squares of an ASCII line: brackets around what moved. */
static char separator(const PictureSquare *left, const PictureSquare *right)
{
	bool closes = left != NULL && left->seat != 0 && left->moved_to;
	bool opens = right != NULL && right->seat != 0 && right->moved_to;
	if (closes && opens)
		return '|';
	if (opens)
		return '[';
	return closes ? ']' : ' ';
}

static void rank_name_append(GString *out, const Spelling *spelling, const Picture *picture,
			     int row)
{
	int rank = spelling->below == 2 ? row + 1 : picture->ranks - row;
	g_autofree char *name = g_strdup_printf(picture->ranks > 9 ? "%2d" : "%d", rank);
	for (const char *letter = name; *letter != '\0'; letter++)
		letter_append(out, spelling, *letter);
}

static void row_append(GString *out, const Spelling *spelling, const Picture *picture, int row)
{
	const PictureSquare *before = NULL;
	rank_name_append(out, spelling, picture, row);
	letter_append(out, spelling, ' ');
	for (int column = 0; column < picture->files; column++) {
		const PictureSquare *square = square_at(picture, spelling->below, row, column);
		if (!spelling->wide)
			letter_append(out, spelling, separator(before, square));
		letter_append(out, spelling, square_letter(square, spelling->wide));
		before = square;
	}
	if (!spelling->wide)
		letter_append(out, spelling, separator(before, NULL));
	letter_append(out, spelling, ' ');
	rank_name_append(out, spelling, picture, row);
	g_string_append_c(out, '\n');
}

static void file_names_append(GString *out, const Spelling *spelling, const Picture *picture)
{
	int indent = (picture->ranks > 9 ? 2 : 1) + 1;
	for (int i = 0; i < indent; i++)
		letter_append(out, spelling, ' ');
	for (int column = 0; column < picture->files; column++) {
		int file = spelling->below == 2 ? picture->files - 1 - column : column;
		if (!spelling->wide)
			letter_append(out, spelling, ' ');
		letter_append(out, spelling, (char)('a' + file));
	}
	g_string_append_c(out, '\n');
}

static bool picture_has_marks(const Picture *picture)
{
	for (size_t i = 0; i < G_N_ELEMENTS(picture->square); i++) {
		const PictureSquare *square = &picture->square[i];
		if (square->moved_from || square->moved_to || square->captured)
			return true;
	}
	return false;
}

static char *spelled(const Spelling *spelling, char letter)
{
	GString *out = g_string_new(NULL);
	letter_append(out, spelling, letter);
	return g_string_free(out, FALSE);
}

static void legend_append(GString *out, const Spelling *spelling, const GameRules *rules,
			  const Picture *picture, Language language)
{
	g_autofree char *first = spelled(spelling, piece_letters[PIECE_STONE][0]);
	g_autofree char *second = spelled(spelling, piece_letters[PIECE_STONE][1]);
	g_autofree char *empty = spelled(spelling, letter_empty);
	g_autofree char *pieces =
		text_format(language, "board.legend", "first", first, "first_side",
			    turn_words_side(rules, 1, language), "second", second, "second_side",
			    turn_words_side(rules, 2, language), "empty", empty, NULL);
	g_string_append_printf(out, "%s\n", pieces);
	if (!picture_has_marks(picture))
		return;
	g_autofree char *left = spelled(spelling, letter_left);
	g_autofree char *removed = spelled(spelling, letter_removed);
	g_autofree char *marks =
		text_format(language, spelling->wide ? "board.legend_wide" : "board.legend_ascii",
			    "left", left, "removed", removed, NULL);
	g_string_append_printf(out, "%s\n", marks);
}

static char *board_spell(const GameRules *rules, const Picture *picture, Language language,
			 const Spelling *spelling)
{
	GString *out = g_string_new(NULL);
	file_names_append(out, spelling, picture);
	for (int row = 0; row < picture->ranks; row++)
		row_append(out, spelling, picture, row);
	file_names_append(out, spelling, picture);
	g_string_append_c(out, '\n');
	legend_append(out, spelling, rules, picture, language);
	return g_string_free(out, FALSE);
}

char *board_text(const GameRules *rules, const Picture *picture, Language language, Seat below)
{
	Spelling spelling = {true, below};
	return board_spell(rules, picture, language, &spelling);
}

char *board_text_ascii(const GameRules *rules, const Picture *picture, Language language,
		       Seat below)
{
	Spelling spelling = {false, below};
	return board_spell(rules, picture, language, &spelling);
}

/* The squares of one side's pieces, by file, then rank; NULL-terminated strings. */
static GStrv side_squares(const Picture *picture, Seat seat)
{
	GPtrArray *names = g_ptr_array_new();
	for (int file = 0; file < picture->files; file++) {
		for (int rank = 0; rank < picture->ranks; rank++) {
			if (picture->square[SQUARE_OF(file, rank)].seat == seat)
				g_ptr_array_add(names,
						g_strdup_printf("%c%d", 'a' + file, rank + 1));
		}
	}
	g_ptr_array_add(names, NULL);
	return (GStrv)g_ptr_array_free(names, FALSE);
}

/* "White, 20 stones" */
static char *side_count(const GameRules *rules, Language language, Seat seat, unsigned count)
{
	const char *side = turn_words_side(rules, seat, language);
	if (count == 0)
		return text_format(language, "board.no_stones", "side", side, NULL);
	return text_plural(language, "board.stones", (long)count, "side", side, NULL);
}

char *board_spoken(const GameRules *rules, const Picture *picture, Language language)
{
	GString *out = g_string_new(NULL);
	for (Seat seat = 1; seat <= 2; seat++) {
		g_auto(GStrv) names = side_squares(picture, seat);
		g_autofree char *stones = side_count(rules, language, seat, g_strv_length(names));
		g_autofree char *squares = g_strjoinv(", ", names);
		g_autofree char *list = text_format(language, "board.list", "stones", stones,
						    "squares", squares, NULL);
		g_string_append_printf(out, "%s\n", names[0] == NULL ? stones : list);
	}
	return g_string_free(out, FALSE);
}

char *board_alt(const GameRules *rules, const Picture *picture, Language language)
{
	g_auto(GStrv) first = side_squares(picture, 1);
	g_auto(GStrv) second = side_squares(picture, 2);
	g_autofree char *ones = side_count(rules, language, 1, g_strv_length(first));
	g_autofree char *twos = side_count(rules, language, 2, g_strv_length(second));
	return text_format(language, "board.alt", "game", rules->name, "first", ones, "second",
			   twos, NULL);
}
