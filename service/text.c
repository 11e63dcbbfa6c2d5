#include "service/text.h"

#include "service/embedded.h"

#include <stdarg.h>
#include <string.h>
#include <unicode/upluralrules.h>
#include <unicode/ustring.h>

enum {
	PLURAL_FORM_SIZE = 16, /* "other" is the longest of the six CLDR forms */
};

/* Written once by text_init, only read afterwards: no lock needed. */
static GHashTable *texts[LANGUAGE_COUNT];     /* "section.key" → text */
static UPluralRules *plurals[LANGUAGE_COUNT]; /* uplrules_select takes them const */
static GHashTable *sections;                  /* "section" → GPtrArray of keys, English order */

/* Which language a file is in: the first part of its name ("service/text/de.rules.ini" → de).
 * False for files that are no texts. */
static bool file_language(const char *path, Language *language_r)
{
	if (!g_str_has_prefix(path, "service/text/"))
		return false;
	g_autofree char *name = g_path_get_basename(path);
	g_auto(GStrv) parts = g_strsplit(name, ".", 2);
	if (!language_parse(parts[0], language_r))
		g_error("event=text_file_without_language path=%s", path);
	return true;
}

static void section_remember(const char *section, const char *key)
{
	GPtrArray *keys = g_hash_table_lookup(sections, section);
	if (keys == NULL) {
		keys = g_ptr_array_new();
		g_hash_table_insert(sections, g_strdup(section), keys);
	} else {
		g_ptr_array_remove_index(keys, keys->len - 1);
	}
	g_ptr_array_add(keys, g_strdup(key));
	g_ptr_array_add(keys, NULL);
}

static void section_load(GKeyFile *file, const char *path, const char *section, Language language)
{
	g_auto(GStrv) keys = g_key_file_get_keys(file, section, NULL, NULL);
	for (int i = 0; keys[i] != NULL; i++) {
		g_autoptr(GError) error = NULL;
		char *text = g_key_file_get_string(file, section, keys[i], &error);
		if (text == NULL)
			g_error("event=text_unreadable path=%s: %s", path, error->message);
		char *name = g_strdup_printf("%s.%s", section, keys[i]);
		if (language == LANGUAGE_EN)
			section_remember(section, keys[i]);
		if (!g_hash_table_insert(texts[language], name, text))
			g_error("event=text_key_twice path=%s key=%s", path, name);
	}
}

static void file_load(const EmbeddedFile *embedded, Language language)
{
	g_autoptr(GKeyFile) file = g_key_file_new();
	g_autoptr(GError) error = NULL;
	if (!g_key_file_load_from_data(file, (const char *)embedded->bytes, embedded->size,
				       G_KEY_FILE_NONE, &error))
		g_error("event=text_file_unreadable path=%s: %s", embedded->path, error->message);
	g_auto(GStrv) names = g_key_file_get_groups(file, NULL);
	for (int i = 0; names[i] != NULL; i++)
		section_load(file, embedded->path, names[i], language);
}

void text_init(void)
{
	if (sections != NULL)
		return;
	sections = g_hash_table_new(g_str_hash, g_str_equal);
	for (int i = 0; i < LANGUAGE_COUNT; i++) {
		UErrorCode status = U_ZERO_ERROR;
		texts[i] = g_hash_table_new(g_str_hash, g_str_equal);
		plurals[i] = uplrules_open(language_locale((Language)i), &status);
		if (U_FAILURE(status))
			g_error("event=plural_rules_missing language=%s: %s",
				language_code((Language)i), u_errorName(status));
	}
	for (const EmbeddedFile *file = service_files; file->path != NULL; file++) {
		Language language = LANGUAGE_EN;
		if (file_language(file->path, &language))
			file_load(file, language);
	}
}

const char *text_find(Language language, const char *key)
{
	g_assert(sections != NULL && (int)language >= 0 && language < LANGUAGE_COUNT);
	return g_hash_table_lookup(texts[language], key);
}

const char *text_get(Language language, const char *key)
{
	const char *text = text_find(language, key);
	if (text == NULL)
		g_error("event=text_missing language=%s key=%s", language_code(language), key);
	return text;
}

const char *const *text_section(const char *section)
{
	g_assert(sections != NULL);
	const GPtrArray *keys = g_hash_table_lookup(sections, section);
	return keys == NULL ? NULL : (const char *const *)keys->pdata;
}

/* Appends the value of the placeholder name (length bytes) from name/value pairs. */
static void value_append(GString *out, const char *name, size_t length, GPtrArray *pairs)
{
	for (unsigned i = 0; i + 1 < pairs->len; i += 2) {
		const char *candidate = pairs->pdata[i];
		if (strlen(candidate) == length && strncmp(candidate, name, length) == 0) {
			g_string_append(out, pairs->pdata[i + 1]);
			return;
		}
	}
	g_error("event=text_placeholder_without_value name=%.*s", (int)length, name);
}

/* Values are copied once and never looked at again: a value with braces in it stays as it is. */
static char *text_fill(const char *text, GPtrArray *pairs)
{
	GString *out = g_string_new(NULL);
	const char *open = NULL;
	while ((open = strstr(text, "{{")) != NULL) {
		const char *close = strstr(open, "}}");
		g_assert(close != NULL);
		g_string_append_len(out, text, open - text);
		value_append(out, open + 2, (size_t)(close - open - 2), pairs);
		text = close + 2;
	}
	g_string_append(out, text);
	return g_string_free(out, FALSE);
}

static void pairs_collect(GPtrArray *pairs, va_list arguments)
{
	for (const char *name = va_arg(arguments, const char *); name != NULL;
	     name = va_arg(arguments, const char *)) {
		const char *value = va_arg(arguments, const char *);
		g_assert(value != NULL);
		g_ptr_array_add(pairs, (void *)(uintptr_t)name);
		g_ptr_array_add(pairs, (void *)(uintptr_t)value);
	}
}

char *text_format_pairs(Language language, const char *key, GPtrArray *pairs)
{
	return text_fill(text_get(language, key), pairs);
}

char *text_format(Language language, const char *key, ...)
{
	g_autoptr(GPtrArray) pairs = g_ptr_array_new();
	va_list arguments;
	va_start(arguments, key);
	pairs_collect(pairs, arguments);
	va_end(arguments);
	return text_fill(text_get(language, key), pairs);
}

static void plural_form(Language language, long count, char form_r[PLURAL_FORM_SIZE])
{
	UChar form[PLURAL_FORM_SIZE];
	UErrorCode status = U_ZERO_ERROR;
	uplrules_select(plurals[language], (double)count, form, PLURAL_FORM_SIZE, &status);
	g_assert(U_SUCCESS(status));
	u_austrncpy(form_r, form, PLURAL_FORM_SIZE);
}

char *text_plural(Language language, const char *key, long count, ...)
{
	char form[PLURAL_FORM_SIZE];
	plural_form(language, count, form);
	g_autofree char *number = g_strdup_printf("%ld", count);
	g_autofree char *form_key = g_strdup_printf("%s.%s", key, form);
	g_autoptr(GPtrArray) pairs = g_ptr_array_new();
	g_ptr_array_add(pairs, (void *)(uintptr_t) "count");
	g_ptr_array_add(pairs, number);
	va_list arguments;
	va_start(arguments, count);
	pairs_collect(pairs, arguments);
	va_end(arguments);
	return text_fill(text_get(language, form_key), pairs);
}

char **text_plural_forms(Language language)
{
	g_assert(sections != NULL && (int)language >= 0 && language < LANGUAGE_COUNT);
	UErrorCode status = U_ZERO_ERROR;
	UEnumeration *keywords = uplrules_getKeywords(plurals[language], &status);
	GPtrArray *forms = g_ptr_array_new();
	const char *form = NULL;
	while ((form = uenum_next(keywords, NULL, &status)) != NULL)
		g_ptr_array_add(forms, g_strdup(form));
	uenum_close(keywords);
	g_assert(U_SUCCESS(status));
	g_ptr_array_add(forms, NULL);
	return (char **)g_ptr_array_free(forms, FALSE);
}
