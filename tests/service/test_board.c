/* One picture as SVG, PNG, text and spoken list. */
#include "service/board.h"
#include "service/text.h"

#include <cairo.h>
#include <string.h>

static Position position_of(const GameRules *rules, const char *board)
{
	Position position;
	Refusal refusal;
	g_assert_true(rules->parse(board, &position, &refusal));
	return position;
}

/* The start of classic Ordo. */
static Picture start_picture(void)
{
	const GameRules *rules = rules_find("ordo");
	Position position;
	Refusal refusal;
	Picture picture;
	g_assert_true(rules->start("", &position, &refusal));
	rules->picture(&position, 0, NULL, NULL, &picture);
	return picture;
}

/* The board after one turn, its squares marked. */
static Picture played_picture(const char *key, const char *board, const char *turn)
{
	const GameRules *rules = rules_find(key);
	Position before = position_of(rules, board);
	Position after;
	Refusal refusal;
	Picture picture;
	char canonical[RULES_TURN_MAX];
	g_assert_true(rules->play(&before, turn, &after, canonical, &refusal));
	rules->picture(&after, 0, &before, canonical, &picture);
	return picture;
}

static int occurrences(const char *text, const char *what)
{
	int count = 0;
	for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what))
		count++;
	return count;
}

static char *svg_of(const Picture *picture, Seat below)
{
	BoardStyle style = {.below = below, .title = "Title"};
	return board_svg(picture, &style);
}

static void an_svg_shows_every_stone_once(void)
{
	Picture picture = start_picture();
	g_autofree char *svg = svg_of(&picture, 1);
	g_assert_cmpint(occurrences(svg, "class=\"stone seat-1\""), ==, 20);
	g_assert_cmpint(occurrences(svg, "class=\"stone seat-2\""), ==, 20);
	g_assert_cmpint(occurrences(svg, "class=\"square\""), ==, 80);
}

static void the_sides_differ_by_an_inner_mark_not_only_by_colour(void)
{
	Picture picture = start_picture();
	g_autofree char *svg = svg_of(&picture, 1);
	g_assert_cmpint(occurrences(svg, "class=\"ring\""), ==, 20);
	g_assert_cmpint(occurrences(svg, "class=\"diamond\""), ==, 20);
}

static void an_svg_names_files_and_ranks_on_both_sides(void)
{
	Picture picture = start_picture();
	g_autofree char *svg = svg_of(&picture, 1);
	g_assert_cmpint(occurrences(svg, "</text>"), ==, 2 * 10 + 2 * 8);
	for (int file = 'a'; file <= 'j'; file++) {
		g_autofree char *name = g_strdup_printf(">%c</text>", file);
		g_assert_cmpint(occurrences(svg, name), ==, 2);
	}
	g_assert_cmpint(occurrences(svg, ">8</text>"), ==, 2);
	g_assert_cmpint(occurrences(svg, ">9</text>"), ==, 0);
}

static void an_svg_hints_at_the_goals_of_both_sides(void)
{
	Picture picture = start_picture();
	g_autofree char *svg = svg_of(&picture, 1);
	/* Four of the ten squares of each goal rank are occupied at the start. */
	g_assert_cmpint(occurrences(svg, "class=\"goal seat-1\""), ==, 6);
	g_assert_cmpint(occurrences(svg, "class=\"goal seat-2\""), ==, 6);
}

static void an_svg_marks_the_last_turn(void)
{
	Picture picture = played_picture("ordo", "10/10/4b5/10/4w5/10/10/10 w", "e4xe6");
	g_autofree char *svg = svg_of(&picture, 1);
	g_assert_cmpint(occurrences(svg, "class=\"moved-from\""), ==, 1);
	g_assert_cmpint(occurrences(svg, "class=\"moved-to\""), ==, 1);
	/* A cross is two strokes. */
	g_assert_cmpint(occurrences(svg, "class=\"captured\""), ==, 2);
	Picture start = start_picture();
	g_autofree char *fresh = svg_of(&start, 1);
	g_assert_cmpint(occurrences(fresh, "class=\"moved-"), ==, 0);
	g_assert_cmpint(occurrences(fresh, "class=\"captured"), ==, 0);
}

static void an_svg_has_no_script_and_escapes_its_title(void)
{
	Picture picture = start_picture();
	BoardStyle style = {.title = "<script>\"&", .detail = "<b>"};
	g_autofree char *svg = board_svg(&picture, &style);
	g_assert_null(strstr(svg, "<script"));
	g_assert_nonnull(strstr(svg, "aria-label=\"&lt;script&gt;&quot;&amp;\""));
	g_assert_nonnull(strstr(svg, "<title>&lt;script&gt;&quot;&amp;</title>"));
	g_assert_nonnull(strstr(svg, "<desc>&lt;b&gt;</desc>"));
	g_assert_nonnull(strstr(svg, "role=\"img\""));
	g_assert_nonnull(strstr(svg, "viewBox=\"0 0 448 368\""));
}

static void an_svg_is_well_formed(void)
{
	Picture picture = played_picture("ordo", "10/10/4b5/10/4w5/10/10/10 w", "e4xe6");
	g_autofree char *svg = svg_of(&picture, 2);
	GMarkupParser nothing = {NULL, NULL, NULL, NULL, NULL};
	g_autoptr(GMarkupParseContext) context =
		g_markup_parse_context_new(&nothing, 0, NULL, NULL);
	g_assert_true(g_markup_parse_context_parse(context, svg, -1, NULL));
	g_assert_true(g_markup_parse_context_end_parse(context, NULL));
}

/* The only stone of seat 1 on a1: where is it drawn? */
static void the_second_seat_sees_the_board_turned(void)
{
	Picture picture = played_picture("ordo", "10/10/10/9b/10/10/10/w9 w", "a1-a2");
	g_autofree char *first = svg_of(&picture, 1);
	g_autofree char *second = svg_of(&picture, 2);
	g_assert_nonnull(
		strstr(first, "<circle cx=\"44\" cy=\"284\" r=\"14.5\" class=\"stone seat-1\""));
	g_assert_nonnull(
		strstr(second, "<circle cx=\"404\" cy=\"84\" r=\"14.5\" class=\"stone seat-1\""));
}

typedef struct {
	const unsigned char *bytes;
	size_t left;
} Reader;

static cairo_status_t reader_read(void *closure, unsigned char *data, unsigned int length)
{
	Reader *reader = closure;
	if (length > reader->left)
		return CAIRO_STATUS_READ_ERROR;
	memcpy(data, reader->bytes, length);
	reader->bytes += length;
	reader->left -= length;
	return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *png_decode(GBytes *png)
{
	Reader reader;
	reader.bytes = g_bytes_get_data(png, &reader.left);
	cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(reader_read, &reader);
	g_assert_cmpint(cairo_surface_status(surface), ==, CAIRO_STATUS_SUCCESS);
	return surface;
}

static void assert_png_size(const Picture *picture, int square, int width, int height)
{
	BoardStyle style = {.square_size = square};
	g_autoptr(GBytes) png = board_png(picture, &style);
	cairo_surface_t *surface = png_decode(png);
	g_assert_cmpint(cairo_image_surface_get_width(surface), ==, width);
	g_assert_cmpint(cairo_image_surface_get_height(surface), ==, height);
	cairo_surface_destroy(surface);
}

static void a_png_has_the_size_asked_for(void)
{
	Picture picture = start_picture();
	assert_png_size(&picture, 0, 448, 368);
	assert_png_size(&picture, 40, 448, 368);
	assert_png_size(&picture, 80, 896, 736);
	assert_png_size(&picture, 16, 180, 148);
	assert_png_size(&picture, 1, 180, 148);
	assert_png_size(&picture, 5000, 1076, 884);
}

static void a_png_in_a_mail_is_small(void)
{
	Picture picture = start_picture();
	BoardStyle style = {0};
	g_autoptr(GBytes) png = board_png(&picture, &style);
	g_assert_cmpuint(g_bytes_get_size(png), <, 15000);
}

static void the_same_picture_gives_the_same_bytes(void)
{
	Picture picture = start_picture();
	BoardStyle style = {0};
	g_autoptr(GBytes) once = board_png(&picture, &style);
	g_autoptr(GBytes) again = board_png(&picture, &style);
	g_assert_true(g_bytes_equal(once, again));
}

static void *png_draw(void *user_data)
{
	BoardStyle style = {0};
	GBytes *png = NULL;
	for (int i = 0; i < 10; i++) {
		g_clear_pointer(&png, g_bytes_unref);
		png = board_png(user_data, &style);
	}
	return png;
}

static void workers_draw_at_the_same_time(void)
{
	Picture picture = start_picture();
	BoardStyle style = {0};
	GThread *threads[4];
	g_autoptr(GBytes) alone = board_png(&picture, &style);
	for (size_t i = 0; i < G_N_ELEMENTS(threads); i++)
		threads[i] = g_thread_new("draw", png_draw, &picture);
	for (size_t i = 0; i < G_N_ELEMENTS(threads); i++) {
		g_autoptr(GBytes) png = g_thread_join(threads[i]);
		g_assert_true(g_bytes_equal(png, alone));
	}
}

/* Lightness 0..255 of a pixel. */
static int lightness(cairo_surface_t *surface, int x, int y)
{
	const unsigned char *row =
		cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface);
	uint32_t pixel = 0;
	memcpy(&pixel, row + x * 4, sizeof(pixel));
	return (int)(((pixel >> 16 & 0xff) * 30 + (pixel >> 8 & 0xff) * 59 + (pixel & 0xff) * 11) /
		     100);
}

static void a_png_tells_everything_in_grey_too(void)
{
	Picture picture = played_picture("ordo", "10/4b5/10/10/4w5/4w5/10/10 w", "e4-f4");
	BoardStyle style = {0};
	g_autoptr(GBytes) png = board_png(&picture, &style);
	cairo_surface_t *surface = png_decode(png);
	/* Beside the middle of a stone (e3, e7), of an empty square (b5), on the frame of f4. */
	int white = lightness(surface, 24 + 4 * 40 + 20 + 12, 24 + 5 * 40 + 20);
	int black = lightness(surface, 24 + 4 * 40 + 20 + 10, 24 + 1 * 40 + 20);
	int empty = lightness(surface, 24 + 1 * 40 + 20, 24 + 3 * 40 + 20);
	int frame = lightness(surface, 24 + 5 * 40 + 20, 24 + 4 * 40 + 1);
	g_assert_cmpint(white, >, 245);
	g_assert_cmpint(black, <, 60);
	g_assert_cmpint(empty, >, 150);
	g_assert_cmpint(empty, <, 235);
	g_assert_cmpint(frame, <, 90);
	/* The middle of a black stone is light. */
	g_assert_cmpint(lightness(surface, 24 + 4 * 40 + 20, 24 + 1 * 40 + 20), >, 245);
	cairo_surface_destroy(surface);
}

static void a_text_board_shows_the_start(void)
{
	Picture picture = start_picture();
	g_autofree char *text = board_text(rules_find("ordo"), &picture, LANGUAGE_EN, 1);
	g_assert_cmpstr(text, ==,
			"　　ａｂｃｄｅｆｇｈｉｊ\n"
			"８　．．ｘｘ．．ｘｘ．．　８\n"
			"７　ｘｘｘｘｘｘｘｘｘｘ　７\n"
			"６　ｘｘ．．ｘｘ．．ｘｘ　６\n"
			"５　．．．．．．．．．．　５\n"
			"４　．．．．．．．．．．　４\n"
			"３　ｏｏ．．ｏｏ．．ｏｏ　３\n"
			"２　ｏｏｏｏｏｏｏｏｏｏ　２\n"
			"１　．．ｏｏ．．ｏｏ．．　１\n"
			"　　ａｂｃｄｅｆｇｈｉｊ\n"
			"\n"
			"ｏ White, ｘ Black, ． empty square\n");
}

/* In a proportional font only characters of one width stay under each other: full-width forms. */
static void a_text_board_holds_full_width_characters_only(void)
{
	Picture picture = played_picture("ordo", "10/4b5/10/10/4w5/4w5/10/10 w", "e4-f4");
	g_autofree char *text = board_text(rules_find("ordo"), &picture, LANGUAGE_RU, 2);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (int i = 0; i < 10; i++) {
		for (const char *at = lines[i]; *at != '\0'; at = g_utf8_next_char(at))
			g_assert_true(g_unichar_iswide(g_utf8_get_char(at)));
	}
	for (int i = 1; i < 9; i++)
		g_assert_cmpint(g_utf8_strlen(lines[i], -1), ==, 14);
}

static void a_text_board_marks_the_last_turn(void)
{
	Picture picture = played_picture("ordo", "10/4b5/10/10/4w5/4w5/10/10 w", "e4-f4");
	g_autofree char *text = board_text(rules_find("ordo"), &picture, LANGUAGE_DE, 1);
	g_assert_nonnull(strstr(text, "４　．．．．－Ｏ．．．．　４\n"));
	g_assert_nonnull(strstr(text, "３　．．．．ｏ．．．．．　３\n"));
	g_assert_nonnull(strstr(text, "Letzter Zug: Großbuchstabe = gezogen"));
}

static void a_text_board_is_turned_for_the_second_seat(void)
{
	Picture picture = played_picture("ordo", "10/4b5/10/10/4w5/4w5/10/10 w", "e4-f4");
	g_autofree char *text = board_text(rules_find("ordo"), &picture, LANGUAGE_DE, 2);
	g_assert_true(g_str_has_prefix(text, "　　ｊｉｈｇｆｅｄｃｂａ\n１　"));
	g_assert_nonnull(strstr(text, "７　．．．．．ｘ．．．．　７\n"));
}

static void an_ascii_board_puts_the_last_turn_in_brackets(void)
{
	Picture picture = played_picture("ordo", "10/9b/10/10/10/2w1w5/2ww6/10 w", "c3-b3");
	const GameRules *rules = rules_find("ordo");
	g_autofree char *single = board_text_ascii(rules, &picture, LANGUAGE_EN, 1);
	g_assert_true(
		g_str_has_prefix(single, "   a b c d e f g h i j\n8  . . . . . . . . . .  8\n"));
	g_assert_nonnull(strstr(single, "\n3  .[o]- . o . . . . .  3\n"));
	picture = played_picture("ordo", "10/9b/10/10/10/4ww4/2ww6/10 w", "c2:d2-c3");
	g_autofree char *line = board_text_ascii(rules, &picture, LANGUAGE_EN, 1);
	g_assert_nonnull(strstr(line, "\n3  . .[o|o]o o . . . .  3\n"));
	g_assert_nonnull(strstr(line, "\n2  . . - - . . . . . .  2\n"));
	g_assert_nonnull(
		strstr(line, "\no White, x Black, . empty square\nLast turn: [ ] = moved"));
}

static void a_spoken_list_names_every_stone(void)
{
	Picture picture = start_picture();
	g_autofree char *list = board_spoken(rules_find("ordo"), &picture, LANGUAGE_EN);
	g_assert_cmpstr(
		list, ==,
		"White, 20 stones: a2, a3, b2, b3, c1, c2, d1, d2, e2, e3, f2, f3, g1, g2, h1, "
		"h2, i2, i3, j2, j3\n"
		"Black, 20 stones: a6, a7, b6, b7, c7, c8, d7, d8, e6, e7, f6, f7, g7, g8, h7, "
		"h8, i6, i7, j6, j7\n");
}

static void a_spoken_list_counts_in_the_readers_language(void)
{
	Picture picture = played_picture("ordo", "10/4b5/10/10/4w5/4w5/10/10 w", "e4-f4");
	const GameRules *rules = rules_find("ordo");
	g_autofree char *ru = board_spoken(rules, &picture, LANGUAGE_RU);
	g_assert_cmpstr(ru, ==, "Белые, 2 фишки: e3, f4\nЧёрные, 1 фишка: e7\n");
	g_autofree char *de = board_spoken(rules, &picture, LANGUAGE_DE);
	g_assert_cmpstr(de, ==, "Weiß, 2 Steine: e3, f4\nSchwarz, 1 Stein: e7\n");
	g_autofree char *fr = board_spoken(rules, &picture, LANGUAGE_FR);
	g_assert_cmpstr(fr, ==, "Blanc, 2 pions\u00a0: e3, f4\nNoir, 1 pion\u00a0: e7\n");
	g_autofree char *es = board_spoken(rules, &picture, LANGUAGE_ES);
	g_assert_cmpstr(es, ==, "Blancas, 2 piedras: e3, f4\nNegras, 1 piedra: e7\n");
}

static void a_side_without_stones_is_said_to_have_none(void)
{
	Picture picture = played_picture("ordo", "10/10/10/4b5/4w5/10/10/10 w", "e4xe5");
	g_autofree char *list = board_spoken(rules_find("ordo"), &picture, LANGUAGE_EN);
	g_assert_cmpstr(list, ==, "White, 1 stone: e5\nBlack, no stones\n");
}

static void the_alternative_text_is_one_sentence(void)
{
	Picture picture = start_picture();
	const GameRules *rules = rules_find("ordo");
	g_autofree char *en = board_alt(rules, &picture, LANGUAGE_EN);
	g_assert_cmpstr(en, ==, "Ordo board. White, 20 stones; Black, 20 stones.");
	g_autofree char *ru = board_alt(rules, &picture, LANGUAGE_RU);
	g_assert_cmpstr(ru, ==, "Доска Ordo. Белые, 20 фишек; Чёрные, 20 фишек.");
}

/* Nothing is written for boards of ten by eight: other games bring other boards. */
static void a_board_of_another_size_is_drawn_as_well(void)
{
	static Picture picture = {.files = 7, .ranks = 12};
	picture.square[SQUARE_OF(6, 11)] = (PictureSquare){.seat = 2, .kind = PIECE_STONE};
	const GameRules *rules = rules_find("ordo");
	g_autofree char *text = board_text(rules, &picture, LANGUAGE_EN, 1);
	g_assert_true(g_str_has_prefix(text, "　　　ａｂｃｄｅｆｇ\n１２　．．．．．．ｘ　１２\n"));
	g_assert_nonnull(strstr(text, "\n　１　．．．．．．．　　１\n"));
	g_autofree char *svg = svg_of(&picture, 1);
	g_assert_cmpint(occurrences(svg, "class=\"square\""), ==, 84);
	g_assert_nonnull(strstr(svg, ">12</text>"));
	assert_png_size(&picture, 40, 328, 528);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	text_init();
#define TEST(name) g_test_add_func("/board/" #name, name)
	TEST(an_svg_shows_every_stone_once);
	TEST(the_sides_differ_by_an_inner_mark_not_only_by_colour);
	TEST(an_svg_names_files_and_ranks_on_both_sides);
	TEST(an_svg_hints_at_the_goals_of_both_sides);
	TEST(an_svg_marks_the_last_turn);
	TEST(an_svg_has_no_script_and_escapes_its_title);
	TEST(an_svg_is_well_formed);
	TEST(the_second_seat_sees_the_board_turned);
	TEST(a_png_has_the_size_asked_for);
	TEST(a_png_in_a_mail_is_small);
	TEST(the_same_picture_gives_the_same_bytes);
	TEST(workers_draw_at_the_same_time);
	TEST(a_png_tells_everything_in_grey_too);
	TEST(a_text_board_shows_the_start);
	TEST(a_text_board_holds_full_width_characters_only);
	TEST(a_text_board_marks_the_last_turn);
	TEST(a_text_board_is_turned_for_the_second_seat);
	TEST(an_ascii_board_puts_the_last_turn_in_brackets);
	TEST(a_spoken_list_names_every_stone);
	TEST(a_spoken_list_counts_in_the_readers_language);
	TEST(a_side_without_stones_is_said_to_have_none);
	TEST(the_alternative_text_is_one_sentence);
	TEST(a_board_of_another_size_is_drawn_as_well);
	return g_test_run();
}
