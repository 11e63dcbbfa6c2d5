#include "received.h"

#include <string.h>

#include <gmime/gmime.h>

#include "library.h"

/* The value of "by", without comments before it; NULL if there is none. The caller owns it. */
static char *host_read(const char *value)
{
	g_auto(GStrv) words = g_strsplit_set(value, " \t", -1);
	int depth = 0;
	for (size_t i = 0; words[i] != NULL; i++) {
		const char *word = words[i];
		bool is_by = depth == 0 && g_ascii_strcasecmp(word, "by") == 0;
		if (is_by && words[i + 1] != NULL) {
			return g_strndup(words[i + 1], strcspn(words[i + 1], ";("));
		}
		for (; *word != '\0'; word++) {
			depth += *word == '(' ? 1 : 0;
			depth -= *word == ')' && depth > 0 ? 1 : 0;
		}
	}
	return NULL;
}

static bool is_one_of(const char *host, const char *hosts)
{
	bool is_one = false;
	g_auto(GStrv) names = g_strsplit_set(hosts, " ,", -1);
	for (size_t i = 0; names[i] != NULL; i++) {
		is_one = is_one || (names[i][0] != '\0' && g_ascii_strcasecmp(names[i], host) == 0);
	}
	return is_one;
}

static bool date_read(const char *value, int64_t *seconds_r)
{
	const char *semicolon = strrchr(value, ';');
	if (semicolon == NULL) {
		return false;
	}
	library_prepare();
	GDateTime *date = g_mime_utils_header_decode_date(semicolon + 1);
	if (date == NULL) {
		return false;
	}
	*seconds_r = g_date_time_to_unix(date);
	g_date_time_unref(date);
	return true;
}

/* Whether a name or numeric address of "from" is one of `hosts`, or this very host. */
static bool is_own(const char *name, const char *hosts)
{
	static const char *const local[] = {"localhost", "127.0.0.1", "::1", "IPv6:::1"};
	for (size_t i = 0; i < G_N_ELEMENTS(local); i++) {
		if (g_ascii_strcasecmp(name, local[i]) == 0) {
			return true;
		}
	}
	return is_one_of(name, hosts);
}

/* Whether one of our own servers brought the message to the one that wrote this field. What it said
 * of itself ("from") counts only where the field does not add, in a comment, who it really was:
 * anybody may greet with one of our names. */
static bool is_from_own(const char *value, const char *hosts)
{
	const char *by = strstr(value, " by ");
	const char *open = strchr(value, '(');
	const bool is_checked = open != NULL && (by == NULL || open < by);
	const char *start = is_checked ? open + 1 : value;
	g_autofree char *said = g_strndup(start, strcspn(start, is_checked ? ")" : ";"));
	g_auto(GStrv) words = g_strsplit_set(said, " \t[]", -1);
	bool is_own_word = false;
	/* Without a comment the name stands behind the word "from". */
	for (size_t i = is_checked ? 0 : 1; i < g_strv_length(words) && !is_own_word; i++) {
		is_own_word = is_own(words[i], hosts);
		if (!is_checked) {
			break;
		}
	}
	return is_own_word;
}

bool received_time(const Fields *fields, const char *hosts, int64_t *seconds_r)
{
	bool found = false;
	for (size_t i = 0;; i++) {
		const char *value = fields_nth(fields, "received", i);
		g_autofree char *host = value == NULL ? NULL : host_read(value);
		if (host == NULL || !is_one_of(host, hosts) || !date_read(value, seconds_r)) {
			return found;
		}
		found = true;
		/* Whatever stands below was written by whoever brought the message. */
		if (!is_from_own(value, hosts)) {
			return true;
		}
	}
}
