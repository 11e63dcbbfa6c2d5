/* The catalogue: complete in every language, plural forms, placeholders, languages, instants. */
#include "service/embedded.h"
#include "service/text.h"

#include <string.h>

static const char *const all_forms[] = {"zero", "one", "two", "few", "many", "other", NULL};

/* "a.b.few" → "a.b" if the last part is a plural form, else NULL. */
static char *plural_stem(const char *key)
{
	const char *dot = strrchr(key, '.');
	if (dot == NULL || !g_strv_contains(all_forms, dot + 1))
		return NULL;
	return g_strndup(key, (size_t)(dot - key));
}

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The names in {{…}}, sorted, joined by blanks; the same name twice counts once. */
static char *placeholders(const char *text)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	for (const char *open = text; (open = strstr(open, "{{")) != NULL; open += 2) {
		const char *close = strstr(open, "}}");
		g_assert_nonnull(close);
		char *name = g_strndup(open + 2, (size_t)(close - open - 2));
		if (g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
			g_free(name);
		else
			g_ptr_array_add(names, name);
	}
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	return g_strjoinv(" ", (char **)names->pdata);
}

typedef void EntryFn(Language language, const char *key, const char *text);

/* Calls each for every key of every text file. */
static void entries_each(EntryFn *each)
{
	int files = 0;
	for (const EmbeddedFile *file = service_files; file->path != NULL; file++) {
		if (!g_str_has_prefix(file->path, "service/text/"))
			continue;
		files++;
		g_autofree char *code = g_path_get_basename(file->path);
		*strchr(code, '.') = '\0';
		Language language = LANGUAGE_EN;
		g_assert_true(language_parse(code, &language));
		g_autoptr(GKeyFile) keys = g_key_file_new();
		g_assert_true(g_key_file_load_from_data(keys, (const char *)file->bytes, file->size,
							G_KEY_FILE_NONE, NULL));
		g_auto(GStrv) sections = g_key_file_get_groups(keys, NULL);
		for (int i = 0; sections[i] != NULL; i++) {
			g_auto(GStrv) names = g_key_file_get_keys(keys, sections[i], NULL, NULL);
			for (int k = 0; names[k] != NULL; k++) {
				g_autofree char *text =
					g_key_file_get_string(keys, sections[i], names[k], NULL);
				g_autofree char *key =
					g_strdup_printf("%s.%s", sections[i], names[k]);
				each(language, key, text);
			}
		}
	}
	g_assert_cmpint(files, >=, LANGUAGE_COUNT);
}

static void fail_at(Language language, const char *key, const char *what)
{
	g_test_message("%s: %s: %s", language_code(language), key, what);
	g_test_fail();
}

static void check_plain_key_elsewhere(Language language, const char *key, const char *text)
{
	g_autofree char *stem = plural_stem(key);
	if (stem != NULL)
		return;
	g_autofree char *wanted = placeholders(text);
	for (int i = 0; i < LANGUAGE_COUNT; i++) {
		const char *other = text_find((Language)i, key);
		if (other == NULL) {
			fail_at((Language)i, key, "missing");
			continue;
		}
		g_autofree char *names = placeholders(other);
		if (strcmp(names, wanted) != 0)
			fail_at(language, key, "placeholders differ between languages");
	}
}

static void every_text_exists_in_every_language_with_the_same_placeholders(void)
{
	entries_each(check_plain_key_elsewhere);
}

static void check_forms(Language language, const char *stem, const char *wanted)
{
	g_auto(GStrv) forms = text_plural_forms(language);
	for (int f = 0; all_forms[f] != NULL; f++) {
		g_autofree char *key = g_strdup_printf("%s.%s", stem, all_forms[f]);
		const char *text = text_find(language, key);
		bool needed = g_strv_contains((const char *const *)forms, all_forms[f]);
		if ((text != NULL) != needed)
			fail_at(language, key, needed ? "missing" : "never used");
		if (text == NULL)
			continue;
		g_autofree char *names = placeholders(text);
		if (strcmp(names, wanted) != 0)
			fail_at(language, key, "placeholders differ");
	}
}

/* Every plural form of every language has the placeholders of "other", but "one" may leave out
 * the count where only 1 is meant by it; ours keep it, so that no rule is needed. */
static void check_plural_key(Language language, const char *key, const char *text)
{
	(void)language;
	g_autofree char *stem = plural_stem(key);
	if (stem == NULL)
		return;
	g_autofree char *wanted = placeholders(text);
	for (int i = 0; i < LANGUAGE_COUNT; i++)
		check_forms((Language)i, stem, wanted);
}

static void every_counted_text_has_exactly_the_plural_forms_of_its_language(void)
{
	entries_each(check_plural_key);
}

static void check_tidy(Language language, const char *key, const char *text)
{
	if (*text == '\0' || !g_utf8_validate(text, -1, NULL))
		fail_at(language, key, "empty or not UTF-8");
	if (strchr(text, '\t') != NULL || strstr(text, "  ") != NULL || g_str_has_suffix(text, " "))
		fail_at(language, key, "blanks");
}

static void no_text_is_empty_or_badly_spaced(void)
{
	entries_each(check_tidy);
}

static void a_text_is_found_by_section_and_key(void)
{
	g_assert_cmpstr(text_get(LANGUAGE_RU, "side.black"), ==, "Чёрные");
	g_assert_null(text_find(LANGUAGE_RU, "side.purple"));
	const char *const *keys = text_section("ground");
	g_assert_cmpstr(keys[0], ==, "T");
	g_assert_cmpstr(keys[1], ==, "R");
	g_assert_cmpstr(keys[2], ==, "F");
	g_assert_null(keys[3]);
	g_assert_null(text_section("nowhere"));
}

static void a_missing_key_ends_the_program(void)
{
	if (g_test_subprocess()) {
		(void)text_get(LANGUAGE_EN, "side.purple");
		return;
	}
	g_test_trap_subprocess(NULL, 0, 0);
	g_test_trap_assert_failed();
	g_test_trap_assert_stderr("*text_missing*side.purple*");
}

static void a_placeholder_without_a_value_ends_the_program(void)
{
	if (g_test_subprocess()) {
		g_free(text_format(LANGUAGE_EN, "turn.move", "from", "a1", NULL));
		return;
	}
	g_test_trap_subprocess(NULL, 0, 0);
	g_test_trap_assert_failed();
	g_test_trap_assert_stderr("*text_placeholder_without_value*");
}

static void a_value_with_braces_is_not_filled_again(void)
{
	g_autofree char *text =
		text_format(LANGUAGE_EN, "turn.move", "to", "x", "from", "{{to}}", NULL);
	g_assert_nonnull(strstr(text, "{{to}}"));
}

static void russian_counts_with_four_forms(void)
{
	static const struct {
		long count;
		const char *words;
	} rows[] = {{1, "снята 1 отрезанная фишка"},     {2, "сняты 2 отрезанные фишки"},
		    {5, "снято 5 отрезанных фишек"},     {11, "снято 11 отрезанных фишек"},
		    {21, "снята 21 отрезанная фишка"},   {22, "сняты 22 отрезанные фишки"},
		    {112, "снято 112 отрезанных фишек"}, {0, "снято 0 отрезанных фишек"}};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = text_plural(LANGUAGE_RU, "turn.removed", rows[i].count,
						    "square", "f7", NULL);
		g_test_message("%s", text);
		g_assert_nonnull(strstr(text, rows[i].words));
		g_assert_nonnull(strstr(text, "f7"));
	}
}

static void one_stone_is_singular_in_every_language(void)
{
	for (int i = 0; i < LANGUAGE_COUNT; i++) {
		g_autofree char *one =
			text_plural((Language)i, "turn.removed", 1, "square", "f7", NULL);
		g_autofree char *two =
			text_plural((Language)i, "turn.removed", 2, "square", "f7", NULL);
		g_autoptr(GString) changed = g_string_new(one);
		g_string_replace(changed, "1", "2", 1);
		g_assert_cmpstr(changed->str, !=, two);
	}
}

static void accept_language_picks_by_weight(void)
{
	static const struct {
		const char *header;
		const char *code;
	} rows[] = {
		{NULL, "en"},
		{"", "en"},
		{"de", "de"},
		{"de-CH", "de"},
		{"DE-ch, fr;q=0.9", "de"},
		{"fr;q=0.5, ru;q=0.8", "ru"},
		{"fr ; q=0.8 ,ru ; q=0.8", "fr"},
		{"ru;q=0.8,fr;q=0.8", "ru"},
		{"it, pt;q=0.9", "en"},
		{"it, pt;q=0.9, es;q=0.1", "es"},
		{"*", "en"},
		{"*;q=0.1, ru;q=0.05", "en"},
		{"en;q=0, *", "es"},
		{"en;q=0", "en"},
		{"de;q=0, fr;q=0.001", "fr"},
		{"de;q=1.000, fr", "de"},
		{"de;q=1.001, fr;q=0.2", "fr"},
		{"de;q=0.1234, fr;q=0.01", "fr"},
		{"de;q=x, fr;q=0.2", "fr"},
		{"german, es", "es"},
		{"*, fr", "fr"},
		{"fr;q=0.2, *;q=0.9", "en"},
		{";;;,,,q=1,=", "en"},
		{"zh-Hant-TW, en-US;q=0.8, ru-RU;q=0.9", "ru"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_test_message("%s", rows[i].header == NULL ? "(none)" : rows[i].header);
		g_assert_cmpstr(language_code(language_negotiate(rows[i].header)), ==,
				rows[i].code);
	}
}

static void a_language_is_its_exact_code(void)
{
	Language language = LANGUAGE_FR;
	g_assert_true(language_parse("ru", &language));
	g_assert_cmpint(language, ==, LANGUAGE_RU);
	g_assert_false(language_parse("RU", &language));
	g_assert_false(language_parse("ru-RU", &language));
	g_assert_false(language_parse("", &language));
	g_assert_false(language_parse(NULL, &language));
	g_assert_cmpint(language, ==, LANGUAGE_RU);
}

static void assert_time(Language language, const char *instant, const char *zone,
			const char *expected)
{
	g_autofree char *text = text_time(language, instant, zone);
	/* Libraries differ in which kind of space stands before a time or "г.". */
	g_autoptr(GString) plain = g_string_new(text);
	g_string_replace(plain, "\u202f", " ", 0);
	g_string_replace(plain, "\u00a0", " ", 0);
	g_assert_cmpstr(plain->str, ==, expected);
}

static void an_instant_is_told_in_the_readers_zone_and_in_utc(void)
{
	const char *instant = "2024-07-03T10:05:00Z";
	assert_time(LANGUAGE_EN, instant, "Europe/Madrid",
		    "Wednesday, 3 July 2024 at 12:05, Central European Summer Time (10:05 UTC)");
	assert_time(LANGUAGE_ES, instant, "Europe/Madrid",
		    "miércoles, 3 de julio de 2024, 12:05, hora de verano de Europa central (10:05 "
		    "UTC)");
	assert_time(LANGUAGE_FR, instant, "Europe/Madrid",
		    "mercredi 3 juillet 2024 à 12:05, heure d’été d’Europe centrale (10:05 UTC)");
	assert_time(LANGUAGE_RU, instant, "Europe/Moscow",
		    "среда, 3 июля 2024 г. в 13:05, Москва, стандартное время (10:05 UTC)");
	assert_time(LANGUAGE_DE, instant, "Europe/Berlin",
		    "Mittwoch, 3. Juli 2024 um 12:05, Mitteleuropäische Sommerzeit (10:05 UTC)");
	assert_time(LANGUAGE_EN, "1709507100", "Europe/Madrid",
		    "Monday, 4 March 2024 at 00:05, Central European Standard Time "
		    "(3 Mar, 23:05 UTC)");
	assert_time(LANGUAGE_EN, instant, "UTC", "Wednesday, 3 July 2024 at 10:05 UTC");
	assert_time(LANGUAGE_EN, instant, "Nowhere/Here", "Wednesday, 3 July 2024 at 10:05 UTC");
}

static void a_zone_follows_the_systems_files_not_the_librarys(void)
{
	/* Kazakhstan went to UTC+5 in March 2024; older copies of the rules say UTC+6. */
	g_autofree char *text = text_time(LANGUAGE_EN, "2024-07-03T10:05:00Z", "Asia/Almaty");
	g_assert_nonnull(strstr(text, "15:05"));
}

static void what_is_no_instant_is_refused(void)
{
	g_assert_null(text_time(LANGUAGE_EN, "yesterday", "UTC"));
	g_assert_null(text_time(LANGUAGE_EN, "", "UTC"));
	g_assert_null(text_date(LANGUAGE_EN, "12:00", "UTC"));
}

static void a_date_is_the_readers_day(void)
{
	g_autofree char *madrid = text_date(LANGUAGE_DE, "2024-03-03T23:05:00Z", "Europe/Madrid");
	g_assert_cmpstr(madrid, ==, "4. März 2024");
	g_autofree char *utc = text_date(LANGUAGE_DE, "2024-03-03T23:05:00Z", "UTC");
	g_assert_cmpstr(utc, ==, "3. März 2024");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	text_init();
#define TEST(name) g_test_add_func("/text/" #name, name)
	TEST(every_text_exists_in_every_language_with_the_same_placeholders);
	TEST(every_counted_text_has_exactly_the_plural_forms_of_its_language);
	TEST(no_text_is_empty_or_badly_spaced);
	TEST(a_text_is_found_by_section_and_key);
	TEST(a_missing_key_ends_the_program);
	TEST(a_placeholder_without_a_value_ends_the_program);
	TEST(a_value_with_braces_is_not_filled_again);
	TEST(russian_counts_with_four_forms);
	TEST(one_stone_is_singular_in_every_language);
	TEST(accept_language_picks_by_weight);
	TEST(a_language_is_its_exact_code);
	TEST(an_instant_is_told_in_the_readers_zone_and_in_utc);
	TEST(a_zone_follows_the_systems_files_not_the_librarys);
	TEST(what_is_no_instant_is_refused);
	TEST(a_date_is_the_readers_day);
	return g_test_run();
}
