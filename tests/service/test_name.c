/* Names: what is allowed, what is refused and why, and which names count as the same. */
#include "service/name.h"
#include "service/problem.h"
#include "service/text.h"
#include "service/time_zone.h"

#include <string.h>

static const char *const good[] = {
	"Anna",       "Al",
	"Jean-Luc",   "anna_b",
	"Anna B",     "Müller",
	"Żółć",       "Анна",
	"Ёлка 7",     "Ольга-Мария",
	"Γιάννης",    "李小龍",
	"ひらカナ漢", "김철수",
	"שרה",        "محمد",
	"हिन्दी",      "Nguyễn Văn A",
	"x1",         "007 James",
	"ﬁne",        "abcdefghijabcdefghijabcdefghij",
};

static void a_name_of_one_script_is_allowed(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(Name) name = name_new(good[i], &error);
		g_assert_no_error(error);
		g_assert_nonnull(name);
	}
}

static const struct {
	const char *text, *fault;
} bad[] = {
	{NULL, "missing"},
	{"", "too-short"},
	{"A", "too-short"},
	{"abcdefghijabcdefghijabcdefghijk", "too-long"},
	{"ааааааааааааааааааааааааааааааа", "too-long"},
	{"anna@example.org", "character-not-allowed"},
	{"Anna.B", "character-not-allowed"},
	{"O'Neill", "character-not-allowed"},
	{"Anna\tB", "character-not-allowed"},
	{"Anna\nB", "character-not-allowed"},
	{"An\u200Dna", "character-not-allowed"},  /* zero width joiner */
	{"An\u00ADna", "character-not-allowed"},  /* soft hyphen */
	{"An\u202Ena", "character-not-allowed"},  /* right to left override */
	{"An\u3164na", "character-not-allowed"},  /* Hangul filler, a letter that is not seen */
	{"Anna\u2013B", "character-not-allowed"}, /* dash */
	{"<b>Anna</b>", "character-not-allowed"},
	{"Anna 😀", "character-not-allowed"},
	{"\u0301Anna", "character-not-allowed"},
	{"A\u0316\u0317\u0318\u0319nna", "character-not-allowed"}, /* four marks on a letter */
	{" Anna", "separator-misplaced"},
	{"Anna ", "separator-misplaced"},
	{"Anna  B", "separator-misplaced"},
	{"Anna\u00A0 B", "separator-misplaced"},
	{"-Anna", "separator-misplaced"},
	{"Anna_", "separator-misplaced"},
	{"a__b", "separator-misplaced"},
	{"--", "separator-misplaced"},
	{"42", "no-letter"},
	{"4 2", "no-letter"},
	{"\u0410nna", "mixed-scripts"}, /* a Cyrillic A before Latin letters */
	{"\u0391nna", "mixed-scripts"}, /* a Greek one */
	{"Anna Анна", "mixed-scripts"},
	{"Anna\u0661"
	 "1",
	 "mixed-scripts"}, /* Arabic and European digits */
	{"ludopost", "reserved"},
	{"Admin", "reserved"},
	{"SYSTEM", "reserved"},
	{"b0ard", "reserved"},
	{"P1ay", "reserved"},
	{"PIay", "reserved"}, /* a capital i */
	{"mailer-daemon", "reserved"},
};

static void any_other_name_is_refused_with_its_reason(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(Name) name = name_new(bad[i].text, &error);
		g_assert_null(name);
		g_assert_error(error, PROBLEM_ERROR, PROBLEM_FIELD_INVALID);
		g_assert_cmpstr(problem_argument(error, "field"), ==, "name");
		g_assert_cmpstr(problem_argument(error, "problem"), ==, bad[i].fault);
	}
}

static void a_refusal_is_told_in_every_language(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		for (int language = 0; language < LANGUAGE_COUNT; language++) {
			g_autoptr(GError) error = NULL;
			g_autoptr(Name) name = name_new(bad[i].text, &error);
			g_assert_null(name);
			g_autofree char *detail = problem_detail(error, (Language)language);
			g_assert_null(strstr(detail, "{{"));
		}
}

static void bytes_that_are_no_text_are_refused(void)
{
	g_autoptr(GError) error = NULL;
	g_assert_null(name_new("Ann\xff", &error));
	g_assert_error(error, PROBLEM_ERROR, PROBLEM_FIELD_INVALID);
	g_autofree char *key = name_key("Ann\xff");
	g_assert_nonnull(key);
}

static bool names_clash(const char *one, const char *other)
{
	g_autoptr(Name) first = name_new(one, NULL);
	g_autoptr(Name) second = name_new(other, NULL);
	g_assert_true(first && second);
	return strcmp(first->key, second->key) == 0 || strcmp(first->look, second->look) == 0;
}

static void names_that_differ_in_case_or_look_alike_clash(void)
{
	static const char *const pairs[][2] = {
		{"Anna", "anna"},     {"Anna", "ANNA"},   {"Straße", "STRASSE"},
		{"Анна", "АННА"},     {"Paul", "PauI"},   {"paypal", "paypa1"},
		{"Bob", "B0b"},       {"Emma", "Ernrna"}, {"Ben 1", "Ben l"},
		{"paypa", "раура"},   {"AHHA", "АННА"},   {"Zoë", "Zoe\u0308"},
		{"full", "ｆｕｌｌ"}, {"HOPE", "НОРЕ"},   {"Anna B", "Anna\u00A0B"},
		{"KaI", "Kai"},       {"KaI", "Kal"},     {"ΑΒΕ", "ABE"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
		g_test_message("%s %s", pairs[i][0], pairs[i][1]);
		g_assert_true(names_clash(pairs[i][0], pairs[i][1]));
	}
}

static void names_that_can_be_told_apart_do_not_clash(void)
{
	static const char *const pairs[][2] = {
		{"Anna", "Anne"}, {"Kai", "Kal"}, {"Zoe", "Zoë"},     {"Anna B", "Anna-B"},
		{"Анна", "Anna"}, {"Ali", "All"}, {"Anna1", "Anna2"}, {"李小龍", "李小竜"},
		{"Иван", "Йван"}, {"Max", "Mac"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
		g_test_message("%s %s", pairs[i][0], pairs[i][1]);
		g_assert_false(names_clash(pairs[i][0], pairs[i][1]));
	}
}

static void a_name_is_shown_as_it_was_written(void)
{
	g_autoptr(Name) name = name_new("Jean-Luc O", NULL);
	g_assert_cmpstr(name->text, ==, "Jean-Luc O");
	g_autoptr(Name) wide = name_new("ｆｕｌｌ", NULL);
	g_assert_cmpstr(wide->text, ==, "full");
}

static void a_name_is_looked_up_by_its_key(void)
{
	g_autoptr(Name) name = name_new("Anna B", NULL);
	g_autofree char *key = name_key("aNNA b");
	g_assert_cmpstr(name->key, ==, key);
}

static void a_time_zone_is_an_iana_name(void)
{
	static const char *const zones[] = {"UTC",
					    "Europe/Berlin",
					    "America/Argentina/Ushuaia",
					    "Pacific/Chatham",
					    "Europe/Kyiv",
					    "Etc/GMT+3",
					    "GMT",
					    "CET",
					    "EST5EDT",
					    "Japan"};
	static const char *const others[] = {
		"",
		"GMT+3",
		"ABC3",
		"Factory",
		"+03:00",
		"Berlin",
		"europe/berlin",
		"Europe/Berlin ",
		"Europe/Atlantis",
		"Europe/",
		"Europe",
		"posix/UTC",
		"America/Argentina",
		"Europe/../UTC",
		"/etc/passwd",
		"Europe/Berl\xc3\xadn",
		"UTC/",
		"EST5EDT,M3.2.0,M11.1.0",
	};
	for (size_t i = 0; i < G_N_ELEMENTS(zones); i++) {
		g_test_message("%s", zones[i]);
		g_assert_true(time_zone_known(zones[i]));
	}
	for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
		g_test_message("%s", others[i]);
		g_assert_false(time_zone_known(others[i]));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	text_init();
#define TEST(name) g_test_add_func("/name/" #name, name)
	TEST(a_name_of_one_script_is_allowed);
	TEST(any_other_name_is_refused_with_its_reason);
	TEST(a_refusal_is_told_in_every_language);
	TEST(bytes_that_are_no_text_are_refused);
	TEST(names_that_differ_in_case_or_look_alike_clash);
	TEST(names_that_can_be_told_apart_do_not_clash);
	TEST(a_name_is_shown_as_it_was_written);
	TEST(a_name_is_looked_up_by_its_key);
	TEST(a_time_zone_is_an_iana_name);
	return g_test_run();
}
