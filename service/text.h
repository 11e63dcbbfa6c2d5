/*
 * The translation catalogue: every sentence the service says, in each of its languages.
 *
 * To add a key, put "key=Text with {{name}}" under the same [section] of every language's file
 * and read it as text_get(language, "section.key") or text_format(..., "name", value, NULL).
 * A text that counts has one key per plural form of its language (key.one, key.few, key.many,
 * key.other), read by text_plural; tests/service/test_text.c names what is missing or differs.
 *
 * To add a language, add a row to LANGUAGES(X) in language.h, with its code and ICU locale, and
 * translate each service/text/en.ini and service/text/en.TOPIC.ini to the same name with the new
 * code, and all of mail/templates/en; add the code to the CHECK constraints of the columns
 * "language" in db/migrations. The tests name whatever is still missing.
 *
 * One word for one thing, and readers are addressed alike everywhere:
 *          en     es        fr      ru      de
 *   stone  stone  piedra    pion    фишка   Stein      ordo stays ordo (ru ордо)
 *   turn   turn   jugada    coup    ход     Zug
 *   game   game   partida   partie  партия  Partie     the game itself: juego, jeu, игра, Spiel
 *   you    you    tú        vous    вы      du
 *
 * Texts are plain UTF-8: whoever puts one into HTML escapes the finished text.
 */
#ifndef SERVICE_TEXT_H
#define SERVICE_TEXT_H

#include "service/language.h"

#include <glib.h>

/* Loads the catalogue and the plural rules. Call once, before any thread starts; later calls do
 * nothing. A catalogue that cannot be read is a programmer's error. All other functions may then
 * be called from any thread. */
void text_init(void);

/* The text as it stands. A missing key is a programmer's error. Belongs to the catalogue. */
const char *text_get(Language language, const char *key);
/* As text_get, but NULL for a missing key. */
const char *text_find(Language language, const char *key);
/* The keys of one [section] without the section's name, in the order of the English file,
 * NULL-terminated; NULL if there is no such section. Belongs to the catalogue. */
const char *const *text_section(const char *section);
/* The text with each {{name}} replaced: pairs of name and value (const char *), then NULL.
 * A placeholder without a value is a programmer's error. The caller frees. */
char *text_format(Language language, const char *key, ...) G_GNUC_NULL_TERMINATED;
/* As text_format with the names and values in an array, each const char *. */
char *text_format_pairs(Language language, const char *key, GPtrArray *pairs);
/* As text_format with the plural form of key ("key.few") that fits count; {{count}} is replaced by
 * the count itself. */
char *text_plural(Language language, const char *key, long count, ...) G_GNUC_NULL_TERMINATED;
/* The plural categories of a language ("one", "few", …), NULL-terminated. The caller frees with
 * g_strfreev. For tests. */
char **text_plural_forms(Language language);

/* An instant in words: date, time and zone as the reader knows them, then UTC: "Sunday 3 March 2024
 * at 14:05 Central European Standard Time (13:05 UTC)". instant is ISO 8601 with an offset ("…Z")
 * or seconds since 1970; zone is an IANA name (UTC if unknown). NULL if instant is neither. The
 * caller frees. */
char *text_time(Language language, const char *instant, const char *zone);
/* As text_time, without the time of day: "3 March 2024" in the reader's zone. */
char *text_date(Language language, const char *instant, const char *zone);

#endif
