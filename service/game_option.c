#include "service/game_option.h"

#include "service/field.h"
#include "service/json_text.h"
#include "service/notation.h"
#include "service/text.h"

#include <string.h>

enum { VALUE_MAX = 16 };

int game_option_count(const GameRules *rules)
{
	int count = 0;
	while (rules->options != NULL && rules->options[count].name != NULL)
		count++;
	g_assert(count <= GAME_OPTIONS_MAX);
	return count;
}

/* The value without blanks, small, "×" as "x"; NULL for the usual one. The caller frees. */
static char *value_plain(const GameOption *option, const char *value)
{
	g_autofree char *plain = notation_plain(value == NULL ? "" : value);
	return *plain == '\0' || strcmp(plain, option->usual) == 0 ? NULL : g_steal_pointer(&plain);
}

/* The values up to the last that is not the usual one. The caller frees. */
static char *values_join(const GameRules *rules, char *const *values, int count)
{
	while (count > 0 && values[count - 1] == NULL)
		count--;
	GString *text = g_string_new(NULL);
	for (int i = 0; i < count; i++)
		g_string_append_printf(text, "%s%s", i > 0 ? ":" : "",
				       values[i] == NULL ? rules->options[i].usual : values[i]);
	return g_string_free(text, FALSE);
}

/* No value holds what parts them. */
static bool values_fit(const GameRules *rules, char *const *values, int count, const char *text)
{
	Position position;
	Refusal refusal;
	for (int i = 0; i < count; i++)
		if (values[i] != NULL && strchr(values[i], ':') != NULL)
			return false;
	return strlen(text) < RULES_OPTIONS_MAX && rules->start(text, &position, &refusal);
}

char *game_option_join(const GameRules *rules, const char *const values[GAME_OPTIONS_MAX],
		       GError **error)
{
	const int count = game_option_count(rules);
	char *plain[GAME_OPTIONS_MAX] = {NULL};
	for (int i = 0; i < count; i++)
		plain[i] = value_plain(&rules->options[i], values[i]);
	g_autofree char *text = values_join(rules, plain, count);
	const bool fit = values_fit(rules, plain, count, text);
	for (int i = 0; i < count; i++)
		g_free(plain[i]);
	if (fit)
		return g_steal_pointer(&text);
	problem_set_field(error, "options", FIELD_BAD_OPTIONS, "rules", rules->key, NULL);
	return NULL;
}

/* Refuses members that are no options: a game that has some names them. */
static bool members_check(const GameRules *rules, const json_t *object, GError **error)
{
	const int count = game_option_count(rules);
	const char *names[GAME_OPTIONS_MAX + 1] = {NULL};
	const char *name = NULL;
	json_t *value = NULL;
	bool good = true;
	if (count == 0)
		return field_none(object, "options", error);
	for (int i = 0; i < count; i++)
		names[i] = rules->options[i].name;
	g_autofree char *choices = g_strjoinv(", ", (char **)(uintptr_t)names);
	json_object_foreach((json_t *)(uintptr_t)object, name, value)
	{
		if (g_strv_contains(names, name))
			continue;
		g_autofree char *path = g_strconcat("options.", name, NULL);
		problem_set_field(error, path, FIELD_NOT_A_CHOICE, "choices", choices, NULL);
		good = false;
	}
	return good;
}

/* The member of an option as text; NULL if it is not there. The caller frees. */
static bool member_read(const GameOption *option, const json_t *object, char **value_r,
			GError **error)
{
	g_autofree char *path = g_strconcat("options.", option->name, NULL);
	int64_t number = 0;
	*value_r = NULL;
	if (!option->number)
		return field_text_optional(object, path, 1, VALUE_MAX, value_r, error);
	if (!field_given(object, path))
		return true;
	if (!field_int(object, path, INT64_MIN, INT64_MAX, &number, error))
		return false;
	*value_r = g_strdup_printf("%" G_GINT64_FORMAT, number);
	return true;
}

char *game_option_read(const GameRules *rules, const json_t *object, GError **error)
{
	const int count = game_option_count(rules);
	char *values[GAME_OPTIONS_MAX] = {NULL};
	bool good = object == NULL || members_check(rules, object, error);
	for (int i = 0; i < count && object != NULL; i++)
		good = member_read(&rules->options[i], object, &values[i], error) && good;
	char *text = good ? game_option_join(rules, (const char *const *)values, error) : NULL;
	for (int i = 0; i < count; i++)
		g_free(values[i]);
	return text;
}

char *game_option_value(const GameRules *rules, const char *text, int number)
{
	g_auto(GStrv) values = g_strsplit(text, ":", GAME_OPTIONS_MAX);
	const bool said = number < (int)g_strv_length(values);
	return g_strdup(said ? values[number] : rules->options[number].usual);
}

void game_option_append(GString *out, const GameRules *rules, const char *text)
{
	const int count = game_option_count(rules);
	g_string_append_c(out, '{');
	for (int i = 0; i < count; i++) {
		g_autofree char *value = game_option_value(rules, text, i);
		g_string_append_printf(out, "%s\"%s\":", i > 0 ? "," : "", rules->options[i].name);
		if (rules->options[i].number)
			g_string_append(out, value);
		else
			json_text_string(out, value);
	}
	g_string_append_c(out, '}');
}

static const char *option_text(const GameRules *rules, int number, const char *suffix,
			       Language language)
{
	g_autofree char *key =
		g_strdup_printf("option.%s.%s%s", rules->key, rules->options[number].name, suffix);
	return text_get(language, key);
}

const char *game_option_label(const GameRules *rules, int number, Language language)
{
	return option_text(rules, number, "", language);
}

const char *game_option_word(const GameRules *rules, int number, Language language)
{
	return option_text(rules, number, ".word", language);
}

char *game_option_words(const GameRules *rules, const char *text, Language language)
{
	const int count = game_option_count(rules);
	GString *words = g_string_new(NULL);
	for (int i = 0; i < count; i++) {
		g_autofree char *value = game_option_value(rules, text, i);
		g_autofree char *told =
			text_format(language, "option.told", "option",
				    game_option_label(rules, i, language), "value", value, NULL);
		g_string_append_printf(words, "%s%s", i > 0 ? " " : "", told);
	}
	return g_string_free(words, count == 0);
}

const char *game_option_allowed(const GameRules *rules, Language language)
{
	g_autofree char *key = g_strconcat("field.bad-options.", rules->key, NULL);
	return text_get(language, key);
}
