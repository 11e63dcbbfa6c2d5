#include "service/language.h"

#include <glib.h>
#include <string.h>

typedef struct {
	const char *code;
	const char *locale;
} LanguageRow;

static const LanguageRow languages[LANGUAGE_COUNT] = {
#define X(name, code, locale) [LANGUAGE_##name] = {code, locale},
	LANGUAGES(X)
#undef X
};

const char *language_code(Language language)
{
	g_assert((int)language >= 0 && language < LANGUAGE_COUNT);
	return languages[language].code;
}

const char *language_locale(Language language)
{
	g_assert((int)language >= 0 && language < LANGUAGE_COUNT);
	return languages[language].locale;
}

bool language_parse(const char *code, Language *language_r)
{
	for (int i = 0; i < LANGUAGE_COUNT; i++) {
		if (g_strcmp0(code, languages[i].code) == 0) {
			*language_r = (Language)i;
			return true;
		}
	}
	return false;
}

/* One weighted range of the header: the index of our language, LANGUAGE_COUNT for "*", -1 for a
 * language we do not have. */
static int range_language(const char *range)
{
	if (strcmp(range, "*") == 0)
		return LANGUAGE_COUNT;
	size_t length = strcspn(range, "-");
	for (int i = 0; i < LANGUAGE_COUNT; i++) {
		const char *code = languages[i].code;
		if (strlen(code) == length && g_ascii_strncasecmp(range, code, length) == 0)
			return i;
	}
	return -1;
}

/* "q=0.7" in thousandths, -1 if it is no weight. RFC 9110: at most three decimals, at most 1. */
static int weight_parse(const char *text)
{
	if (g_ascii_strncasecmp(text, "q=", 2) != 0)
		return -1;
	const char *digits = text + 2;
	if ((digits[0] != '0' && digits[0] != '1') || (digits[1] != '\0' && digits[1] != '.'))
		return -1;
	int weight = (digits[0] - '0') * 1000;
	if (digits[1] == '\0')
		return weight;
	int unit = 100;
	for (const char *digit = digits + 2; *digit != '\0'; digit++) {
		if (!g_ascii_isdigit(*digit) || unit == 0)
			return -1;
		weight += (*digit - '0') * unit;
		unit /= 10;
	}
	return weight <= 1000 ? weight : -1;
}

/* Splits "de-CH;q=0.7" into language and weight; an unreadable range counts as absent. */
static void range_parse(const char *text, int *language_r, int *weight_r)
{
	g_auto(GStrv) parts = g_strsplit(text, ";", 3);
	*language_r = -1;
	*weight_r = 1000;
	if (parts[0] == NULL)
		return;
	*language_r = range_language(g_strstrip(parts[0]));
	if (parts[1] != NULL)
		*weight_r = weight_parse(g_strstrip(parts[1]));
	if (*weight_r < 0)
		*language_r = -1;
}

bool language_wanted(const char *accept_language, Language *language_r)
{
	/* Weight of each language, -1 = not named; the last is "*". */
	int weights[LANGUAGE_COUNT + 1];
	int first[LANGUAGE_COUNT + 1] = {0};
	for (int i = 0; i <= LANGUAGE_COUNT; i++)
		weights[i] = -1;
	g_auto(GStrv) ranges = g_strsplit(accept_language == NULL ? "" : accept_language, ",", 64);
	for (int i = 0; ranges[i] != NULL; i++) {
		int language = -1;
		int weight = 0;
		range_parse(ranges[i], &language, &weight);
		if (language < 0 || weight <= weights[language])
			continue;
		weights[language] = weight;
		first[language] = i;
	}
	Language best = LANGUAGE_EN;
	int best_weight = 0;
	int best_first = 0;
	for (int i = 0; i < LANGUAGE_COUNT; i++) {
		bool named = weights[i] >= 0;
		int weight = named ? weights[i] : weights[LANGUAGE_COUNT];
		/* Equal weights: the header's order; what only "*" names comes after the named. */
		int position = named ? first[i] : 64 + i;
		if (weight > best_weight ||
		    (weight == best_weight && weight > 0 && position < best_first)) {
			best = (Language)i;
			best_weight = weight;
			best_first = position;
		}
	}
	if (best_weight > 0)
		*language_r = best;
	return best_weight > 0;
}

Language language_negotiate(const char *accept_language)
{
	Language language = LANGUAGE_EN;
	language_wanted(accept_language, &language);
	return language;
}
