#include "service/rule_book.h"

#include "service/text.h"

#include <string.h>

static void section_append(GArray *statements, const char *section, Language language);

/* A key of a section says by its last part what it is: NAME.heading, NAME.include (its text names
 * another section), NAME.GROUND, or a bare NAME. */
static void statement_append(GArray *statements, const char *section, const char *key,
			     Language language)
{
	g_autofree char *full = g_strdup_printf("%s.%s", section, key);
	const char *text = text_get(language, full);
	const char *dot = strchr(key, '.');
	const char *suffix = dot == NULL ? "" : dot + 1;
	if (strcmp(suffix, "include") == 0) {
		section_append(statements, text, language);
		return;
	}
	bool heading = strcmp(suffix, "heading") == 0;
	RuleStatement statement = {.key = g_intern_string(full),
				   .text = text,
				   .ground = heading ? "" : suffix,
				   .heading = heading};
	g_assert(strspn(statement.ground, RULE_GROUNDS) == strlen(statement.ground));
	g_array_append_val(statements, statement);
}

static void section_append(GArray *statements, const char *section, Language language)
{
	const char *const *keys = text_section(section);
	if (keys == NULL)
		g_error("event=text_section_missing section=%s", section);
	for (int i = 0; keys[i] != NULL; i++)
		statement_append(statements, section, keys[i], language);
}

static GArray *statements_of(const char *book, const GameRules *rules, Language language)
{
	g_autofree char *section = g_strdup_printf("%s.%s", book, rules->key);
	GArray *statements = g_array_new(FALSE, TRUE, sizeof(RuleStatement));
	section_append(statements, section, language);
	return statements;
}

GArray *rule_book_rules(const GameRules *rules, Language language)
{
	return statements_of("rules", rules, language);
}

GArray *rule_book_notation(const GameRules *rules, Language language)
{
	return statements_of("notation", rules, language);
}

const char *rule_book_summary(const GameRules *rules, Language language)
{
	g_autofree char *key = g_strdup_printf("game.%s.summary", rules->key);
	return text_get(language, key);
}

const char *rule_book_ground(char letter, Language language)
{
	const char key[] = {'g', 'r', 'o', 'u', 'n', 'd', '.', letter, '\0'};
	return text_get(language, key);
}

char *rule_book_keys(void)
{
	GString *keys = g_string_new(NULL);
	for (size_t i = 0; rules_at(i) != NULL; i++)
		g_string_append_printf(keys, "%s%s", i > 0 ? ", " : "", rules_at(i)->key);
	return g_string_free(keys, FALSE);
}
