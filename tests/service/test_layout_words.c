/* What is wrong with a layout, and what was understood of it, in every language. */
#include "service/layout_words.h"
#include "service/text.h"

#include <string.h>

static Layout layout_read(Seat seat, const char *text)
{
	const GameRules *rules = rules_find("xo");
	Position position;
	Refusal refusal;
	Layout layout;
	g_assert_true(rules->setup->start("", &position, &refusal));
	rules->setup->parse(&position, seat, text, &layout);
	g_assert_false(rules->setup->check(&position, seat, &layout));
	return layout;
}

static void assert_faults(const char *text, Language language, const char *expected)
{
	Layout layout = layout_read(1, text);
	g_autofree char *words = layout_words_faults(rules_find("xo"), &layout, language);
	g_assert_cmpstr(words, ==, expected);
}

static void every_fault_at_once_is_told_a_line_each(void)
{
	const char *text = "vhzvhzvv/n+vzvhnv/vz+zhvh";
	assert_faults(text, LANGUAGE_EN,
		      "Line 1 is too long: it has 8 squares instead of 7.\n"
		      "Line 1: 1 piece stands outside your territory: h3.\n"
		      "Line 3 is too short: it has 6 squares instead of 7.\n"
		      "4 HoVes too many; your army has 9.\n"
		      "Missing: 3 Diagos; your army has 9.\n"
		      "The Giro chief is missing.\n");
	assert_faults(text, LANGUAGE_ES,
		      "La línea 1 es demasiado larga: tiene 8 casillas en vez de 7.\n"
		      "Línea 1: 1 ficha está fuera de tu territorio: h3.\n"
		      "La línea 3 es demasiado corta: tiene 6 casillas en vez de 7.\n"
		      "Sobran 4 HoVes; tu ejército tiene 9.\n"
		      "Faltan 3 Diagos; tu ejército tiene 9.\n"
		      "Falta el jefe Giro.\n");
	assert_faults(text, LANGUAGE_FR,
		      "La ligne 1 est trop longue\u00a0: elle a 8 cases au lieu de 7.\n"
		      "Ligne 1\u00a0: 1 pièce est hors de votre territoire\u00a0: h3.\n"
		      "La ligne 3 est trop courte\u00a0: elle a 6 cases au lieu de 7.\n"
		      "4 HoVes de trop\u00a0; votre armée en a 9.\n"
		      "Il manque 3 Diagos\u00a0; votre armée en a 9.\n"
		      "Il manque le chef Giro.\n");
	assert_faults(text, LANGUAGE_RU,
		      "Строка 1 слишком длинна: в ней 8 полей, а нужно 7.\n"
		      "Строка 1: 1 фигура стоит вне вашей территории: h3.\n"
		      "Строка 3 слишком коротка: в ней 6 полей, а нужно 7.\n"
		      "Лишние фигуры: 4 HoVe; в вашей армии их 9.\n"
		      "Недостаёт фигур: 3 Diago; в вашей армии их 9.\n"
		      "Нет фигуры «вождь Giro».\n");
	assert_faults(text, LANGUAGE_DE,
		      "Zeile 1 ist zu lang: Sie hat 8 Felder statt 7.\n"
		      "Zeile 1: 1 Figur steht außerhalb deines Gebiets: h3.\n"
		      "Zeile 3 ist zu kurz: Sie hat 6 Felder statt 7.\n"
		      "4 HoVes zu viel; deine Armee hat 9.\n"
		      "Es fehlen 3 Diagos; deine Armee hat 9.\n"
		      "Der Giro-Häuptling fehlt.\n");
}

/* One fault of a code, with all that faults of that code have. */
static LayoutFault fault_of(FaultCode code, int count)
{
	LayoutFault fault = {.code = code, .line = 2, .count = count, .wanted = 7};
	if (code == FAULT_MISSING || code == FAULT_SURPLUS)
		fault.piece = PIECE_DIAGO_CHIEF_FALLING;
	if (code == FAULT_UNKNOWN_SIGN || code == FAULT_OUTSIDE)
		g_strlcpy(fault.text, "h2", sizeof fault.text);
	return fault;
}

static void every_fault_is_a_line_of_its_own_in_every_language(void)
{
	static const FaultCode codes[] = {
#define X(code, name) FAULT_##code,
		RULES_FAULTS(X)
#undef X
	};
	static const int counts[] = {0, 1, 2, 5, 21};
	for (size_t i = 0; i < G_N_ELEMENTS(codes) * G_N_ELEMENTS(counts); i++) {
		g_autoptr(GHashTable) different =
			g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		LayoutFault fault =
			fault_of(codes[i / G_N_ELEMENTS(counts)], counts[i % G_N_ELEMENTS(counts)]);
		for (int l = 0; l < LANGUAGE_COUNT; l++) {
			char *words = layout_words_fault(rules_find("xo"), &fault, (Language)l);
			g_assert_null(strchr(words, '\n'));
			g_assert_null(strstr(words, "{{"));
			g_hash_table_add(different, words);
		}
		g_assert_cmpuint(g_hash_table_size(different), ==, LANGUAGE_COUNT);
	}
}

static void pieces_are_counted_as_each_language_counts(void)
{
	static const struct {
		Language language;
		int count;
		const char *words;
	} rows[] = {
		{LANGUAGE_EN, 1, "1 Diago chief too"}, {LANGUAGE_EN, 2, "2 Diago chiefs too"},
		{LANGUAGE_ES, 1, "Sobra 1 jefe"},      {LANGUAGE_ES, 2, "Sobran 2 jefes"},
		{LANGUAGE_FR, 1, "1 chef Diago"},      {LANGUAGE_FR, 2, "2 chefs Diago"},
		{LANGUAGE_RU, 1, "1 вождь Diago"},     {LANGUAGE_RU, 2, "2 вождя Diago"},
		{LANGUAGE_RU, 5, "5 вождей Diago"},    {LANGUAGE_RU, 21, "21 вождь Diago"},
		{LANGUAGE_DE, 1, "1 Diago-Häuptling"}, {LANGUAGE_DE, 2, "2 Diago-Häuptlinge"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		LayoutFault fault = fault_of(FAULT_SURPLUS, rows[i].count);
		g_autofree char *words =
			layout_words_fault(rules_find("xo"), &fault, rows[i].language);
		g_test_message("%s", words);
		g_assert_nonnull(strstr(words, rows[i].words));
	}
}

static void an_unknown_sign_is_shown_and_the_known_ones_are_told(void)
{
	assert_faults(
		"vhzvhzq/n+vznhng/vz+zhnhz", LANGUAGE_EN,
		"Line 1: 1 sign means nothing in a layout: q\n"
		"Missing: 1 HoVe; your army has 9.\n"
		"In a layout v is a HoVe | and h a HoVe -, z a Diago / and n a Diago \\; a + "
		"before the letter makes it a chief; g is the Giro chief; a number stands for "
		"so many empty squares.\n");
}

static void what_was_typed_cannot_spoil_the_sentence_it_stands_in(void)
{
	LayoutFault fault = {.code = FAULT_UNKNOWN_SIGN, .line = 1, .count = 3};
	g_strlcpy(fault.text, "\x1b, \xe2\x80\xae, \xff", sizeof fault.text);
	g_autofree char *words = layout_words_fault(rules_find("xo"), &fault, LANGUAGE_EN);
	g_assert_cmpstr(words, ==,
			"Line 1: 3 signs mean nothing in a layout: \ufffd, \ufffd, \ufffd");
}

static void squares_that_have_no_name_are_not_named(void)
{
	LayoutFault fault = fault_of(FAULT_OUTSIDE, 2);
	fault.text[0] = '\0';
	g_autofree char *words = layout_words_fault(rules_find("xo"), &fault, LANGUAGE_EN);
	g_assert_cmpstr(words, ==, "Line 2: 2 pieces stand outside your territory.");
}

static void the_drawing_shows_what_was_understood_and_lists_what_has_no_square(void)
{
	Layout layout = layout_read(2, "vhzvhzvvh+n/n+vznhng/vz+zhnhz");
	g_autofree char *drawing =
		layout_words_drawing(rules_find("xo"), &layout, 2, LANGUAGE_EN, false);
	g_assert_true(g_str_has_prefix(drawing, "     g  f  e  d  c  b  a\n"));
	g_assert_nonnull(strstr(drawing, "\n12   v  z  h  v  z  h  v  12\n"));
	g_assert_nonnull(strstr(drawing, "\n11   g  n  h  n  z +v  n  11\n"));
	g_assert_true(g_str_has_suffix(
		drawing, "\n\nNot in the drawing, because the board has no square for them: "
			 "2 HoVes, 1 Diago chief.\n"));
	Layout good = layout_read(1, "vhzvhz1/n+vznhng/vz+zhnhz");
	g_autofree char *plain =
		layout_words_drawing(rules_find("xo"), &good, 1, LANGUAGE_EN, true);
	g_assert_null(strstr(plain, "Not in the drawing"));
	g_assert_null(layout_words_beyond(&good, LANGUAGE_EN));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	text_init();
#define TEST(name) g_test_add_func("/layout_words/" #name, name)
	TEST(every_fault_at_once_is_told_a_line_each);
	TEST(every_fault_is_a_line_of_its_own_in_every_language);
	TEST(pieces_are_counted_as_each_language_counts);
	TEST(an_unknown_sign_is_shown_and_the_known_ones_are_told);
	TEST(what_was_typed_cannot_spoil_the_sentence_it_stands_in);
	TEST(squares_that_have_no_name_are_not_named);
	TEST(the_drawing_shows_what_was_understood_and_lists_what_has_no_square);
	return g_test_run();
}
