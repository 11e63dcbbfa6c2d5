/* Headers of a request: values, cookies, preconditions, Accept. */
#include "service/request_private.h"

#include <stdlib.h>
#include <string.h>

/* Keeps a value that had to be made as long as the request lives. */
static const char *value_keep(const Request *request, char *value)
{
	Request *owner = (Request *)(uintptr_t)request;
	if (owner->joined == NULL)
		owner->joined = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(owner->joined, value);
	return value;
}

/* Header lines have no blanks in front; those behind are cut off in a copy. */
static const char *value_trim(const Request *request, const char *value)
{
	size_t length = strlen(value);
	if (length == 0 || !g_ascii_isspace(value[length - 1]))
		return value;
	return value_keep(request, g_strchomp(g_strdup(value)));
}

const char *request_header(const Request *request, const char *name)
{
	const char *first = NULL;
	GString *joined = NULL;
	for (int i = 0; i < request->header_count; i++) {
		if (g_ascii_strcasecmp(request->headers[i].name, name) != 0)
			continue;
		const char *value = request->headers[i].value;
		if (first == NULL) {
			first = value;
			continue;
		}
		if (joined == NULL)
			joined = g_string_new(first);
		g_string_append_printf(joined, ", %s", value);
	}
	if (joined != NULL)
		return value_keep(request, g_strchomp(g_string_free(joined, FALSE)));
	return first == NULL ? NULL : value_trim(request, first);
}

const char *request_cookie(const Request *request, const char *name)
{
	size_t name_size = strlen(name);
	for (int i = 0; i < request->header_count; i++) {
		if (g_ascii_strcasecmp(request->headers[i].name, "Cookie") != 0)
			continue;
		const char *text = request->headers[i].value;
		while (*text != '\0') {
			text += strspn(text, " ;");
			size_t size = strcspn(text, ";");
			if (size > name_size && strncmp(text, name, name_size) == 0 &&
			    text[name_size] == '=') {
				char *value = g_strndup(text + name_size + 1, size - name_size - 1);
				return value_keep(request, g_strstrip(value));
			}
			text += size;
		}
	}
	return NULL;
}

/* ---- entity tags ------------------------------------------------------------------------- */

/* Takes the next entity tag off a list: *weak_r, *tag_r with its quotation marks, *size_r. False at
 * the end or when the list is malformed, which *text then still points at. */
static bool etag_next(const char **text, bool *weak_r, const char **tag_r, size_t *size_r)
{
	const char *at = *text + strspn(*text, " \t,");
	*text = at;
	*weak_r = strncmp(at, "W/", 2) == 0;
	if (*weak_r)
		at += 2;
	if (*at != '"')
		return false;
	const char *end = at + 1;
	while ((unsigned char)*end > 0x20 && *end != 0x7f && *end != '"')
		end++;
	if (*end != '"')
		return false;
	*tag_r = at;
	*size_r = (size_t)(end - at) + 1;
	end += 1 + strspn(end + 1, " \t");
	if (*end != '\0' && *end != ',')
		return false;
	*text = end;
	return true;
}

/* Looks for a tag in a list; *malformed_r when the list is none. */
static bool etag_listed(const char *list, const char *quoted_etag, bool weak_counts,
			bool *malformed_r)
{
	bool found = false, weak = false;
	const char *tag = NULL;
	size_t size = 0;
	const char *text = list;
	while (etag_next(&text, &weak, &tag, &size))
		if ((weak_counts || !weak) && size == strlen(quoted_etag) &&
		    memcmp(tag, quoted_etag, size) == 0)
			found = true;
	*malformed_r = *text != '\0' || text == list;
	return found;
}

/* Nothing in a list is like the tag that is not there. */
static char *etag_quote(const char *etag)
{
	return etag == NULL ? g_strdup("") : g_strdup_printf("\"%s\"", etag);
}

bool request_is_conditional(const Request *request)
{
	return request_header(request, "If-Match") != NULL ||
	       request_header(request, "If-None-Match") != NULL;
}

bool request_if_match(const Request *request, const char *etag, GError **error)
{
	const char *list = request_header(request, "If-Match");
	if (list == NULL || strcmp(list, "*") == 0)
		return true;
	bool malformed = false;
	g_autofree char *quoted = etag_quote(etag);
	bool found = etag_listed(list, quoted, false, &malformed);
	if (malformed)
		problem_set(error, PROBLEM_PRECONDITION_MALFORMED, NULL);
	else if (!found)
		problem_set(error, PROBLEM_PRECONDITION_FAILED, NULL);
	return found && !malformed;
}

bool request_if_none_match(const Request *request, const char *etag, GError **error)
{
	const char *list = request_header(request, "If-None-Match");
	if (list == NULL)
		return true;
	bool malformed = false;
	g_autofree char *quoted = etag_quote(etag);
	const bool any = strcmp(list, "*") == 0;
	const bool found = any || etag_listed(list, quoted, true, &malformed);
	if (malformed)
		problem_set(error, PROBLEM_PRECONDITION_MALFORMED, NULL);
	else if (found)
		problem_set(error, PROBLEM_PRECONDITION_FAILED, NULL);
	return !found && !malformed;
}

bool request_none_match(const Request *request, const char *quoted_etag)
{
	const char *list = request_header(request, "If-None-Match");
	if (list == NULL)
		return false;
	if (strcmp(list, "*") == 0)
		return true;
	bool malformed = false;
	return etag_listed(list, quoted_etag, true, &malformed) && !malformed;
}

/* ---- media types ------------------------------------------------------------------------- */

/* The weight of one range of Accept ("text/html;q=0.5"): in thousandths. */
static int range_weight(const char *range)
{
	const char *q = strchr(range, ';');
	while (q != NULL) {
		q += 1 + strspn(q + 1, " \t");
		if ((*q == 'q' || *q == 'Q') && q[1] == '=')
			return (int)(g_ascii_strtod(q + 2, NULL) * 1000);
		q = strchr(q, ';');
	}
	return 1000;
}

/* How exactly a range names the type: 0 not at all, 1 all types, 2 its kind, 3 itself. */
static int range_fits(const char *range, const char *media_type)
{
	size_t size = strcspn(range, "; \t");
	size_t whole = strcspn(media_type, ";");
	size_t kind = strcspn(media_type, "/") + 1;
	if (size == 3 && strncmp(range, "*/*", 3) == 0)
		return 1;
	if (size == kind + 1 && range[kind] == '*' &&
	    g_ascii_strncasecmp(range, media_type, kind) == 0)
		return 2;
	return size == whole && g_ascii_strncasecmp(range, media_type, whole) == 0 ? 3 : 0;
}

bool request_accepts(const Request *request, const char *media_type)
{
	const char *accept = request_header(request, "Accept");
	if (accept == NULL || *accept == '\0' || strcmp(accept, "*/*") == 0)
		return true;
	g_auto(GStrv) ranges = g_strsplit(accept, ",", -1);
	int best = 0, weight = 0;
	for (int i = 0; ranges[i] != NULL; i++) {
		const char *range = g_strstrip(ranges[i]);
		int fit = range_fits(range, media_type);
		if (fit <= best)
			continue;
		best = fit;
		weight = range_weight(range);
	}
	return best > 0 && weight > 0;
}

bool request_body_is(const Request *request, const char *media_type)
{
	const char *type = request_header(request, "Content-Type");
	if (type == NULL)
		return false;
	size_t size = strcspn(type, "; \t");
	if (size != strlen(media_type) || g_ascii_strncasecmp(type, media_type, size) != 0)
		return false;
	const char *charset = strstr(type, "charset=");
	return charset == NULL || g_ascii_strncasecmp(charset + 8, "utf-8", 5) == 0 ||
	       g_ascii_strncasecmp(charset + 8, "\"utf-8\"", 7) == 0;
}

bool request_wants_page(const Request *request)
{
	const char *accept = request_header(request, "Accept");
	return accept != NULL && strstr(accept, "text/html") != NULL;
}
