#include "service/board.h"
#include "service/text.h"
#include "service/turn_words.h"

/* The letter of a piece by kind and seat. Where all pieces are stones, a capital has moved in the
 * last turn; else capitals are seat 1's. */
static const char piece_letters[PIECE_KINDS][2] = {
	[PIECE_STONE] = {'o', 'x'},
	[PIECE_HOVE_UPRIGHT] = {'V', 'v'},
	[PIECE_HOVE_LYING] = {'H', 'h'},
	[PIECE_DIAGO_RISING] = {'Z', 'z'},
	[PIECE_DIAGO_FALLING] = {'N', 'n'},
	[PIECE_HOVE_CHIEF_UPRIGHT] = {'V', 'v'},
	[PIECE_HOVE_CHIEF_LYING] = {'H', 'h'},
	[PIECE_DIAGO_CHIEF_RISING] = {'Z', 'z'},
	[PIECE_DIAGO_CHIEF_FALLING] = {'N', 'n'},
	[PIECE_GIRO_CHIEF] = {'G', 'g'},
};
static const char letter_empty = '.';
static const char letter_marked = ':';
static const char letter_chief = '+';
static const char letter_left = '-';
static const char letter_removed = '*';

/* Readers of mail break lines that are longer. */
enum { COLUMNS_MAX = 76 };

/* How a board is spelled: every character as its full-width form, or plain with brackets. */
typedef struct {
	bool wide;
	bool lettered; /* pieces of several kinds: three characters a square, for brackets, a
			* chief's sign and the piece */
	Seat below;
} Spelling;

/* Are there pieces of several kinds, or squares marked for them? */
static bool picture_is_lettered(const Picture *picture)
{
	for (size_t i = 0; i < G_N_ELEMENTS(picture->square); i++) {
		const PictureSquare *square = &picture->square[i];
		if (square->kind > PIECE_STONE || square->territory != 0)
			return true;
	}
	return false;
}

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

static char square_letter(const PictureSquare *square, const Spelling *spelling)
{
	if (square->seat == 0) {
		if (square->captured)
			return letter_removed;
		if (square->moved_from)
			return letter_left;
		return square->territory != 0 ? letter_marked : letter_empty;
	}
	char letter = piece_letters[square->kind][square->seat - 1];
	return spelling->wide && !spelling->lettered && square->moved_to ? g_ascii_toupper(letter)
									 : letter;
}

static char chief_letter(const PictureSquare *square)
{
	bool chief = square->seat != 0 && square->kind >= PIECE_HOVE_CHIEF_UPRIGHT &&
		     square->kind <= PIECE_DIAGO_CHIEF_FALLING;
	return chief ? letter_chief : ' ';
}

/* Is this piece where or as it is by the last turn? */
static bool square_changed(const PictureSquare *square)
{
	return square->seat != 0 && (square->moved_to || square->rotated);
}

/* Do brackets stand between the squares? Else only blanks, or nothing. */
static bool has_brackets(const Spelling *spelling)
{
	return !spelling->wide || spelling->lettered;
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
	bool closes = left != NULL && square_changed(left);
	bool opens = right != NULL && square_changed(right);
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
		if (has_brackets(spelling))
			letter_append(out, spelling, separator(before, square));
		if (spelling->lettered)
			letter_append(out, spelling, chief_letter(square));
		letter_append(out, spelling, square_letter(square, spelling));
		before = square;
	}
	if (has_brackets(spelling))
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
		for (int i = has_brackets(spelling) + spelling->lettered; i > 0; i--)
			letter_append(out, spelling, ' ');
		letter_append(out, spelling, (char)('a' + file));
	}
	g_string_append_c(out, '\n');
}

static bool picture_has_marks(const Picture *picture)
{
	for (size_t i = 0; i < G_N_ELEMENTS(picture->square); i++) {
		const PictureSquare *square = &picture->square[i];
		if (square->moved_from || square->moved_to || square->rotated || square->captured)
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

/* The caller frees. */
static char *stones_legend(const Spelling *spelling, const GameRules *rules, Language language)
{
	g_autofree char *first = spelled(spelling, piece_letters[PIECE_STONE][0]);
	g_autofree char *second = spelled(spelling, piece_letters[PIECE_STONE][1]);
	g_autofree char *empty = spelled(spelling, letter_empty);
	return text_format(language, "board.legend", "first", first, "first_side",
			   turn_words_side(rules, 1, language), "second", second, "second_side",
			   turn_words_side(rules, 2, language), "empty", empty, NULL);
}

/* The caller frees. */
static char *letters_legend(const Spelling *spelling, const GameRules *rules, Language language)
{
	g_autofree char *empty = spelled(spelling, letter_empty);
	g_autofree char *marked = spelled(spelling, letter_marked);
	g_autofree char *sides = text_format(language, "board.legend_sides", "first_side",
					     turn_words_side(rules, 1, language), "second_side",
					     turn_words_side(rules, 2, language), NULL);
	g_autofree char *squares = text_format(language, "board.legend_squares", "empty", empty,
					       "marked", marked, NULL);
	return g_strdup_printf("%s\n%s\n%s", sides, text_get(language, "board.legend_kinds"),
			       squares);
}

/* How the last turn is marked. */
static const char *marks_key(const Spelling *spelling)
{
	if (spelling->lettered)
		return "board.legend_turn";
	return spelling->wide ? "board.legend_wide" : "board.legend_ascii";
}

static void legend_append(GString *out, const Spelling *spelling, const GameRules *rules,
			  const Picture *picture, Language language)
{
	g_autofree char *pieces = spelling->lettered ? letters_legend(spelling, rules, language)
						     : stones_legend(spelling, rules, language);
	g_string_append_printf(out, "%s\n", pieces);
	if (!picture_has_marks(picture))
		return;
	g_autofree char *left = spelled(spelling, letter_left);
	g_autofree char *removed = spelled(spelling, letter_removed);
	g_autofree char *marks =
		text_format(language, marks_key(spelling), "left", left, "removed", removed, NULL);
	g_string_append_printf(out, "%s\n", marks);
}

/* Of a line of the board in a terminal. */
static int columns(const Spelling *spelling, const Picture *picture)
{
	int square = 1 + has_brackets(spelling) + spelling->lettered;
	int ranks = 2 * (picture->ranks > 9 ? 2 : 1);
	int letters = ranks + 2 + has_brackets(spelling) + picture->files * square;
	return letters * (spelling->wide ? 2 : 1);
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
	Spelling spelling = {true, picture_is_lettered(picture), below};
	spelling.wide = columns(&spelling, picture) <= COLUMNS_MAX;
	return board_spell(rules, picture, language, &spelling);
}

char *board_text_ascii(const GameRules *rules, const Picture *picture, Language language,
		       Seat below)
{
	Spelling spelling = {false, picture_is_lettered(picture), below};
	return board_spell(rules, picture, language, &spelling);
}

/* "a3", or for a piece of a kind "HoVe chief a1 vertical". The caller frees. */
static char *piece_words(const PictureSquare *square, int file, int rank, Language language)
{
	static const char *const axes[PIECE_KINDS] = {
		[PIECE_HOVE_UPRIGHT] = "axis.upright",
		[PIECE_HOVE_LYING] = "axis.lying",
		[PIECE_DIAGO_RISING] = "axis.rising",
		[PIECE_DIAGO_FALLING] = "axis.falling",
		[PIECE_HOVE_CHIEF_UPRIGHT] = "axis.upright",
		[PIECE_HOVE_CHIEF_LYING] = "axis.lying",
		[PIECE_DIAGO_CHIEF_RISING] = "axis.rising",
		[PIECE_DIAGO_CHIEF_FALLING] = "axis.falling",
		[PIECE_GIRO_CHIEF] = "axis.none",
	};
	char name[4] = "";
	rules_square_name(SQUARE_OF(file, rank), name);
	if (axes[square->kind] == NULL)
		return g_strdup(name);
	g_autofree char *key =
		g_strconcat("piece.", rules_piece_name((PieceKind)square->kind), NULL);
	return text_format(language, axes[square->kind], "piece", text_get(language, key), "square",
			   name, NULL);
}

/* One side's pieces, by file, then rank; NULL-terminated strings. */
static GStrv side_squares(const Picture *picture, Seat seat, Language language)
{
	GPtrArray *names = g_ptr_array_new();
	for (int file = 0; file < picture->files; file++) {
		for (int rank = 0; rank < picture->ranks; rank++) {
			const PictureSquare *square = &picture->square[SQUARE_OF(file, rank)];
			if (square->seat == seat)
				g_ptr_array_add(names, piece_words(square, file, rank, language));
		}
	}
	g_ptr_array_add(names, NULL);
	return (GStrv)g_ptr_array_free(names, FALSE);
}

/* "White, 20 stones", or "Blue, 21 pieces" */
static char *side_count(const GameRules *rules, const Picture *picture, Language language,
			Seat seat, unsigned count)
{
	const char *side = turn_words_side(rules, seat, language);
	bool lettered = picture_is_lettered(picture);
	if (count == 0)
		return text_format(language, lettered ? "board.no_pieces" : "board.no_stones",
				   "side", side, NULL);
	return text_plural(language, lettered ? "board.pieces" : "board.stones", (long)count,
			   "side", side, NULL);
}

char *board_spoken(const GameRules *rules, const Picture *picture, Language language)
{
	GString *out = g_string_new(NULL);
	for (Seat seat = 1; seat <= 2; seat++) {
		g_auto(GStrv) names = side_squares(picture, seat, language);
		g_autofree char *stones =
			side_count(rules, picture, language, seat, g_strv_length(names));
		g_autofree char *squares = g_strjoinv(", ", names);
		g_autofree char *list = text_format(language, "board.list", "stones", stones,
						    "squares", squares, NULL);
		g_string_append_printf(out, "%s\n", names[0] == NULL ? stones : list);
	}
	return g_string_free(out, FALSE);
}

char *board_alt(const GameRules *rules, const Picture *picture, Language language)
{
	g_auto(GStrv) first = side_squares(picture, 1, language);
	g_auto(GStrv) second = side_squares(picture, 2, language);
	g_autofree char *ones = side_count(rules, picture, language, 1, g_strv_length(first));
	g_autofree char *twos = side_count(rules, picture, language, 2, g_strv_length(second));
	return text_format(language, "board.alt", "game", rules->name, "first", ones, "second",
			   twos, NULL);
}
