#include "auth_results.h"

#include <string.h>

/* The value without comments and with quoted strings emptied, in small letters: what is left can be
 * cut at its semicolons. */
static char *value_plain(const char *value)
{
	GString *plain = g_string_new(NULL);
	unsigned depth = 0;
	bool quoted = false;
	for (const char *at = value; *at != '\0'; at++) {
		if (*at == '\\' && at[1] != '\0' && (quoted || depth > 0)) {
			at++;
		} else if (*at == '"' && depth == 0) {
			quoted = !quoted;
			g_string_append_c(plain, '"');
		} else if (*at == '(' && !quoted) {
			depth++;
			g_string_append_c(plain, ' ');
		} else if (*at == ')' && !quoted && depth > 0) {
			depth--;
		} else if (!quoted && depth == 0) {
			g_string_append_c(plain, g_ascii_tolower(*at));
		}
	}
	return g_string_free(plain, FALSE);
}

/* The authserv-id: the first word, before a version number. */
static bool is_ours(const char *first, const char *authserv_id)
{
	g_autofree char *id = g_strdup(first);
	g_strstrip(id);
	id[strcspn(id, " \t")] = '\0';
	return g_ascii_strcasecmp(id, authserv_id) == 0;
}

/* The result of a method in "dmarc = fail header.from=…"; NULL if it is another method's. The
 * caller owns it. */
static char *result_of(const char *text, const char *method)
{
	const char *at = text + strspn(text, " \t");
	size_t length = strlen(method);
	if (strncmp(at, method, length) != 0) {
		return NULL;
	}
	at += length;
	if (*at == '/') { /* a version of the method */
		at += strcspn(at, " \t=");
	}
	at += strspn(at, " \t");
	if (*at != '=') {
		return NULL;
	}
	at++;
	at += strspn(at, " \t");
	return g_strndup(at, strcspn(at, " \t"));
}

/* Whether "dkim=pass header.d=example.org" vouches for an address's domain: the signer's is the
 * same or stands above it. */
static bool dkim_vouches(const char *text, const char *domain)
{
	static const char property[] = "header.d=";
	g_autofree char *result = result_of(text, "dkim");
	const char *found = strstr(text, property);
	if (domain == NULL || g_strcmp0(result, "pass") != 0 || found == NULL) {
		return false;
	}
	found += sizeof property - 1;
	g_autofree char *signer = g_strndup(found, strcspn(found, " \t\r\n"));
	g_autofree char *below = g_strconcat(".", signer, NULL);
	g_autofree char *wanted = g_ascii_strdown(domain, -1);
	return strchr(signer, '.') != NULL &&
	       (strcmp(wanted, signer) == 0 || g_str_has_suffix(wanted, below));
}

static AuthVerdict verdict_of(char *const *parts, const char *domain)
{
	AuthVerdict verdict = AUTH_UNKNOWN;
	for (size_t i = 1; parts[i] != NULL; i++) {
		g_autofree char *result = result_of(parts[i], "dmarc");
		if (g_strcmp0(result, "fail") == 0) {
			return AUTH_FAIL;
		}
		if (g_strcmp0(result, "pass") == 0 || dkim_vouches(parts[i], domain)) {
			verdict = AUTH_PASS;
		}
	}
	return verdict;
}

AuthVerdict auth_results_read(const Fields *fields, const char *authserv_id, const char *from)
{
	const char *at = from == NULL ? NULL : strrchr(from, '@');
	const char *value;
	for (size_t i = 0; (value = fields_nth(fields, "authentication-results", i)) != NULL; i++) {
		g_autofree char *plain = value_plain(value);
		g_auto(GStrv) parts = g_strsplit(plain, ";", -1);
		if (parts[0] != NULL && is_ours(parts[0], authserv_id)) {
			return verdict_of(parts, at == NULL ? NULL : at + 1);
		}
	}
	return AUTH_UNKNOWN;
}
