/* Boards with pieces of several kinds: what stands where can be told apart in every drawing. */
#include "service/board.h"
#include "service/text.h"

#include <png.h>
#include <string.h>

enum { SIDE = 40, DIFFERENT_PIXELS = 20, DIFFERENT_LIGHTNESS = 80, NARROW = 78 };

/* One square of 40 by 40 pixels, in grey. */
typedef struct {
	png_byte pixel[SIDE][SIDE];
} GreySquare;

static GreySquare square_draw(const PictureSquare *square)
{
	static Picture picture = {.files = 2, .ranks = 2};
	const BoardStyle style = {.below = 1, .square_size = SIDE};
	picture.square[SQUARE_OF(0, 0)] = *square;
	g_autoptr(GBytes) png = board_png(&picture, &style);
	size_t size = 0;
	const void *bytes = g_bytes_get_data(png, &size);
	png_image image = {.version = PNG_IMAGE_VERSION};
	g_assert_true(png_image_begin_read_from_memory(&image, bytes, size) != 0);
	image.format = PNG_FORMAT_GRAY;
	g_autofree png_byte *grey = g_malloc(PNG_IMAGE_SIZE(image));
	g_assert_true(png_image_finish_read(&image, NULL, grey, 0, NULL) != 0);
	GreySquare drawn = {0};
	const size_t left = 24, top = 24 + SIDE;
	for (size_t y = 0; y < SIDE; y++)
		memcpy(drawn.pixel[y], grey + (top + y) * image.width + left, SIDE);
	return drawn;
}

/* How many pixels are clearly darker in one than in the other. */
static int difference(const GreySquare *one, const GreySquare *other)
{
	int count = 0;
	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++)
			count += ABS(one->pixel[y][x] - other->pixel[y][x]) > DIFFERENT_LIGHTNESS;
	return count;
}

static void assert_all_differ(const PictureSquare *squares, size_t count)
{
	g_autofree GreySquare *drawn = g_new(GreySquare, count);
	for (size_t i = 0; i < count; i++)
		drawn[i] = square_draw(&squares[i]);
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < i; k++) {
			g_test_message("%zu and %zu: %d", k, i, difference(&drawn[k], &drawn[i]));
			g_assert_cmpint(difference(&drawn[k], &drawn[i]), >=, DIFFERENT_PIXELS);
		}
	}
}

static void sides_kinds_grades_and_axes_differ_in_grey(void)
{
	PictureSquare squares[2 * (PIECE_KINDS - PIECE_HOVE_UPRIGHT)];
	size_t count = 0;
	for (int kind = PIECE_HOVE_UPRIGHT; kind < PIECE_KINDS; kind++)
		for (int seat = 1; seat <= 2; seat++)
			squares[count++] =
				(PictureSquare){.seat = (uint8_t)seat, .kind = (uint8_t)kind};
	assert_all_differ(squares, count);
}

static void territories_differ_in_grey_with_or_without_a_piece(void)
{
	static const PieceKind kinds[] = {PIECE_NONE, PIECE_HOVE_UPRIGHT};
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		const PictureSquare seen = {.seat = kinds[i] == PIECE_NONE ? 0 : 2,
					    .kind = (uint8_t)kinds[i]};
		PictureSquare squares[3] = {seen, seen, seen};
		squares[1].territory = 1;
		squares[2].territory = 2;
		assert_all_differ(squares, G_N_ELEMENTS(squares));
	}
}

static void what_the_last_turn_did_to_a_piece_differs_in_grey(void)
{
	const PictureSquare piece = {.seat = 1, .kind = PIECE_DIAGO_RISING};
	PictureSquare squares[4] = {piece, piece, piece, piece};
	squares[1].moved_to = true;
	squares[2].rotated = true;
	squares[3].moved_to = squares[3].captured = true;
	assert_all_differ(squares, G_N_ELEMENTS(squares));
}

/* The board of XO after a turn (NULL: before any). */
static Picture picture_of(const char *options, const char *turn)
{
	const GameRules *rules = rules_find("xo");
	Position before, after;
	Refusal refusal;
	Picture picture;
	char canonical[RULES_TURN_MAX];
	g_assert_true(rules->start(options, &before, &refusal));
	if (turn == NULL) {
		rules->picture(&before, 0, NULL, NULL, &picture);
		return picture;
	}
	g_assert_true(rules->play(&before, turn, &after, canonical, &refusal));
	rules->picture(&after, 0, &before, canonical, &picture);
	return picture;
}

static void a_text_board_has_a_letter_for_each_kind_and_marks_the_territories(void)
{
	Picture picture = picture_of("", "a1~,c3-e5");
	g_autofree char *text = board_text_ascii(rules_find("xo"), &picture, LANGUAGE_EN, 1);
	g_assert_cmpstr(text, ==,
			"     a  b  c  d  e  f  g\n"
			"12   z  h  n  h +z  z  v  12\n"
			"11   g  n  h  n  z +v  n  11\n"
			"10   v  z  h  v  z  h  v  10\n"
			" 9   .  .  .  .  .  .  .   9\n"
			" 8   .  .  .  .  .  .  .   8\n"
			" 7   .  .  .  .  .  .  .   7\n"
			" 6   .  .  .  .  .  .  .   6\n"
			" 5   .  .  .  .[ Z] .  .   5\n"
			" 4   .  .  .  .  .  .  .   4\n"
			" 3   V  H  -  V  H  Z  V   3\n"
			" 2   N +V  Z  N  H  N  G   2\n"
			" 1 [ H] Z +Z  H  N  H  Z   1\n"
			"     a  b  c  d  e  f  g\n"
			"\n"
			"Capital letters: Blue; small letters: Red; + before a letter: chief\n"
			"V HoVe |, H HoVe -, Z Diago /, N Diago \\, G Giro chief\n"
			". empty square, : empty square of a territory\n"
			"Last turn: [ ] = moved or turned, - = left, * = piece removed\n");
}

/* In a terminal, where a full-width form takes two columns. */
static int columns_of(const char *line)
{
	int columns = 0;
	for (; line != NULL && *line != '\0'; line = g_utf8_next_char(line))
		columns += g_unichar_iswide(g_utf8_get_char(line)) ? 2 : 1;
	return columns;
}

static void a_text_board_of_any_size_fits_into_a_mail(void)
{
	static const char *const options[] = {"", "7x12:4", "10x12:3", "11x11:2", "16x8:2"};
	for (size_t i = 0; i < G_N_ELEMENTS(options) * LANGUAGE_COUNT; i++) {
		Picture picture = picture_of(options[i / LANGUAGE_COUNT], "pass");
		g_autofree char *text =
			board_text(rules_find("xo"), &picture, (Language)(i % LANGUAGE_COUNT), 2);
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
		const int broad = columns_of(lines[1]);
		for (int k = 0; lines[k] != NULL; k++) {
			g_assert_cmpint(columns_of(lines[k]), <=, NARROW);
			if (k >= 1 && k <= picture.ranks)
				g_assert_cmpint(columns_of(lines[k]), ==, broad);
		}
	}
}

static void a_spoken_list_tells_kind_grade_and_axis(void)
{
	static const char *const words[LANGUAGE_COUNT][2] = {
		{"Blue, 21 pieces: HoVe a1 vertical, Diago a2 falling to the right,",
		 "HoVe chief b2 vertical, HoVe b3 horizontal, Diago chief c1 rising to the right,"},
		{"Azul, 21 fichas: HoVe a1 vertical,",
		 "jefe HoVe b2 vertical, HoVe b3 horizontal,"},
		{"Bleu, 21 pièces", "chef HoVe b2 en vertical, HoVe b3 en horizontal,"},
		{"Синие, 21 фигура: HoVe a1 вертикально,",
		 "вождь HoVe b2 вертикально, HoVe b3 горизонтально,"},
		{"Blau, 21 Figuren: HoVe a1 senkrecht,",
		 "HoVe-Häuptling b2 senkrecht, HoVe b3 waagerecht,"},
	};
	Picture picture = picture_of("", NULL);
	for (int l = 0; l < LANGUAGE_COUNT; l++) {
		g_autofree char *spoken = board_spoken(rules_find("xo"), &picture, (Language)l);
		g_test_message("%s", spoken);
		g_assert_true(g_str_has_prefix(spoken, words[l][0]));
		g_assert_nonnull(strstr(spoken, words[l][1]));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	text_init();
#define TEST(name) g_test_add_func("/board_pieces/" #name, name)
	TEST(sides_kinds_grades_and_axes_differ_in_grey);
	TEST(territories_differ_in_grey_with_or_without_a_piece);
	TEST(what_the_last_turn_did_to_a_piece_differs_in_grey);
	TEST(a_text_board_has_a_letter_for_each_kind_and_marks_the_territories);
	TEST(a_text_board_of_any_size_fits_into_a_mail);
	TEST(a_spoken_list_tells_kind_grade_and_axis);
	return g_test_run();
}
