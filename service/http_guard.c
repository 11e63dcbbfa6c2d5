#include "service/http_guard.h"

#include <string.h>

enum { METHOD_MAX = 16 };

/* ---- the target -------------------------------------------------------------------------- */

static bool escape_fits(const char *at, bool in_path)
{
	if (!g_ascii_isxdigit(at[1]) || !g_ascii_isxdigit(at[2]))
		return false;
	int byte = g_ascii_xdigit_value(at[1]) * 16 + g_ascii_xdigit_value(at[2]);
	return byte != 0 && !(in_path && (byte == '/' || byte == '\\'));
}

bool guard_target_fits(const char *method, const char *target)
{
	if (strcmp(target, "*") == 0)
		return strcmp(method, "OPTIONS") == 0;
	if (target[0] != '/')
		return false;
	bool in_path = true;
	for (const char *at = target; *at != '\0'; at++) {
		in_path = in_path && *at != '?';
		if (*at < 0x21 || *at > 0x7e || *at == '#')
			return false;
		if (*at == '%' && !escape_fits(at, in_path))
			return false;
		if (in_path && ((at[0] == '/' && at[1] == '/') || (at[0] == '.' && at[1] == '.') ||
				*at == '\\'))
			return false;
	}
	return true;
}

/* ---- the head's bytes -------------------------------------------------------------------- */

/* libmicrohttpd puts a NUL over each CR and LF (and over each colon) and gives us pointers into
 * its buffer. So a head that was written as RFC 9112 wants it leaves no gap between one line and
 * the next; a bare LF, a NUL, a folded line or blanks where none may be do. */
static bool line_ends(const char *end)
{
	return end[0] == '\0' && end[1] == '\0';
}

static bool lines_are_adjacent(const GuardHead *head)
{
	size_t target_size = strlen(head->target);
	if (head->method + strlen(head->method) + 1 != head->target_place ||
	    head->target_place + target_size + 1 != head->version)
		return false;
	const char *next = head->version + strlen(head->version) + 2;
	for (int i = 0; i < head->header_count; i++) {
		const char *name = head->headers[i].name, *value = head->headers[i].value;
		const char *blank = name + strlen(name) + 1;
		if (name != next || value < blank)
			return false;
		for (; blank < value; blank++)
			if (*blank != ' ' && *blank != '\t')
				return false;
		next = value + strlen(value) + 2;
	}
	/* The last line's end and the empty line: at least these bytes were received. */
	return line_ends(next - 2) && line_ends(next);
}

/* ---- the headers ------------------------------------------------------------------------- */

static bool name_fits(const char *name)
{
	for (const char *at = name; *at != '\0'; at++)
		if (!g_ascii_isalnum(*at) && strchr("!#$%&'*+-.^_`|~", *at) == NULL)
			return false;
	return *name != '\0';
}

static bool value_fits(const char *value)
{
	for (const char *at = value; *at != '\0'; at++)
		if (((unsigned char)*at < 0x20 && *at != '\t') || *at == 0x7f)
			return false;
	return true;
}

static int header_count(const GuardHead *head, const char *name, const char **value_r)
{
	int count = 0;
	for (int i = 0; i < head->header_count; i++) {
		if (g_ascii_strcasecmp(head->headers[i].name, name) != 0)
			continue;
		*value_r = head->headers[i].value;
		count++;
	}
	return count;
}

static bool host_fits(const char *host)
{
	for (const char *at = host; *at != '\0'; at++)
		if (!g_ascii_isalnum(*at) && strchr(".-_:[]", *at) == NULL)
			return false;
	return true;
}

/* The name of what is wrong with Host, Content-Length and Transfer-Encoding; NULL: nothing. */
static const char *framing_fault(const GuardHead *head)
{
	const char *host = "", *length = NULL, *encoding = NULL;
	bool version_1_0 = strcmp(head->version, "HTTP/1.0") == 0;
	int hosts = header_count(head, "Host", &host);
	int lengths = header_count(head, "Content-Length", &length);
	int encodings = header_count(head, "Transfer-Encoding", &encoding);
	if (hosts > 1 || (hosts == 0 && !version_1_0) || !host_fits(host))
		return "host";
	if (lengths > 1)
		return "content-length-twice";
	if (encodings > 1)
		return "transfer-encoding-twice";
	if (lengths > 0 && encodings > 0)
		return "content-length-and-transfer-encoding";
	if (encodings > 0 && (version_1_0 || g_ascii_strcasecmp(encoding, "chunked") != 0))
		return "transfer-encoding";
	return NULL;
}

static bool method_fits(const char *method)
{
	size_t size = strlen(method);
	for (size_t i = 0; i < size; i++)
		if (!g_ascii_isupper(method[i]))
			return false;
	return size > 0 && size <= METHOD_MAX;
}

static const char *head_fault(const GuardHead *head)
{
	if (!method_fits(head->method))
		return "method";
	if (!lines_are_adjacent(head))
		return "line-ends";
	for (int i = 0; i < head->header_count; i++) {
		if (!name_fits(head->headers[i].name))
			return "header-name";
		if (!value_fits(head->headers[i].value))
			return "header-value";
	}
	return framing_fault(head);
}

static bool target_length_check(const char *target, GError **error)
{
	if (strlen(target) <= GUARD_TARGET_MAX)
		return true;
	g_autofree char *limit = g_strdup_printf("%d", GUARD_TARGET_MAX);
	problem_set(error, PROBLEM_TARGET_TOO_LONG, "limit", limit, NULL);
	return false;
}

bool guard_check(const GuardHead *head, GError **error)
{
	const char *expect = "100-continue";
	if (!target_length_check(head->target, error))
		return false;
	if (strcmp(head->version, "HTTP/1.1") != 0 && strcmp(head->version, "HTTP/1.0") != 0) {
		problem_set(error, PROBLEM_VERSION_NOT_SUPPORTED, NULL);
		return false;
	}
	if (!guard_target_fits(head->method, head->target) && method_fits(head->method)) {
		problem_set(error, PROBLEM_TARGET_INVALID, NULL);
		return false;
	}
	const char *fault = head_fault(head);
	if (fault != NULL) {
		problem_set(error, PROBLEM_REQUEST_MALFORMED, "fault", fault, NULL);
		return false;
	}
	header_count(head, "Expect", &expect);
	if (g_ascii_strcasecmp(expect, "100-continue") == 0)
		return true;
	problem_set(error, PROBLEM_EXPECTATION_FAILED, NULL);
	return false;
}
