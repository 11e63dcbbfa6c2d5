#include "service/cursor.h"

#include "service/json_text.h"

#include <string.h>

enum { BASE = 36, CURSOR_DIGITS = 14 };

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

/* One more digit, so that a number made up by hand is noticed. */
static unsigned check_digit(uint64_t value)
{
	return (unsigned)((value % BASE * 7 + value / BASE % BASE * 3 + 5) % BASE);
}

static void cursor_write(GString *out, int64_t last)
{
	char text[CURSOR_DIGITS + 1];
	size_t at = sizeof(text);
	for (uint64_t rest = (uint64_t)last; rest > 0; rest /= BASE)
		text[--at] = digits[rest % BASE];
	g_string_append_len(out, text + at, (ssize_t)(sizeof(text) - at));
	g_string_append_c(out, digits[check_digit((uint64_t)last)]);
}

static bool cursor_parse(const char *text, int64_t *after_r)
{
	const size_t length = strlen(text);
	uint64_t value = 0;
	if (length < 2 || length > CURSOR_DIGITS || text[0] == '0')
		return false;
	for (size_t i = 0; i < length; i++) {
		const char *digit = strchr(digits, text[i]);
		if (digit == NULL)
			return false;
		const unsigned number = (unsigned)(digit - digits);
		if (i + 1 == length) {
			*after_r = (int64_t)value;
			return number == check_digit(value) && value <= INT64_MAX;
		}
		if (value > (UINT64_MAX - number) / BASE)
			return false;
		value = value * BASE + number;
	}
	return false;
}

bool cursor_read(const Request *request, int max, int64_t *after_r, int *limit_r, GError **error)
{
	int64_t limit = *limit_r;
	*after_r = 0;
	if (!request_query_int(request, "limit", 1, max, &limit, error))
		return false;
	*limit_r = (int)limit;
	const char *cursor = request_query(request, "cursor");
	if (cursor == NULL || cursor_parse(cursor, after_r))
		return true;
	problem_set(error, PROBLEM_CURSOR_INVALID, NULL);
	return false;
}

/* The target of the next page: this one's path and parameters, with another cursor. */
static char *next_target(const Request *request, int64_t last)
{
	g_autoptr(GString) cursor = g_string_new(NULL);
	cursor_write(cursor, last);
	return request_target_with(request, "cursor", cursor->str);
}

Response *cursor_answer(const Request *request, GString *body, int64_t last)
{
	g_autofree char *next = last > 0 ? next_target(request, last) : NULL;
	json_text_member(body, "next", next);
	g_string_append_c(body, '}');
	Response *response = response_json_text(200, body);
	if (next != NULL) {
		g_autofree char *link = g_strdup_printf("<%s>; rel=\"next\"", next);
		response_header(response, "Link", link);
	}
	return response;
}
