/* The languages of the service; how to add one stands in text.h. */
#ifndef SERVICE_LANGUAGE_H
#define SERVICE_LANGUAGE_H

#include <stdbool.h>

/* Code, and the ICU locale that plurals and dates follow (en_GB: day before month, 24 hours). */
#define LANGUAGES(X)         \
	X(EN, "en", "en_GB") \
	X(ES, "es", "es")    \
	X(FR, "fr", "fr")    \
	X(RU, "ru", "ru")    \
	X(DE, "de", "de")

typedef enum {
#define X(name, code, locale) LANGUAGE_##name,
	LANGUAGES(X)
#undef X
		LANGUAGE_COUNT
} Language;

/* "de"; never NULL. */
const char *language_code(Language language);
/* The ICU locale, "en_GB"; never NULL. */
const char *language_locale(Language language);
/* The language with exactly this code ("de"). False, nothing written, if there is none (or NULL).
 */
bool language_parse(const char *code, Language *language_r);
/* The best language for an Accept-Language header (RFC 9110 section 12.5.4: weights, "*", q=0;
 * "de-CH" is served with de). English when the header is NULL, unreadable or asks for none of
 * ours. */
Language language_negotiate(const char *accept_language);
/* As above; false, nothing written, when it asks for none of ours by name or "*". */
bool language_wanted(const char *accept_language, Language *language_r);

#endif
