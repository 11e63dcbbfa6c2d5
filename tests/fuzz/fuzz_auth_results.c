/* Header blocks with Authentication-Results: only ours, and of ours only the topmost, counts. */
#include "mail/auth_results.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char ours[] = "in.play.example.org";

static AuthVerdict verdict_below(const char *top, const uint8_t *data, size_t size)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	size_t body;

	g_byte_array_append(bytes, (const uint8_t *)top, (unsigned)strlen(top));
	g_byte_array_append(bytes, data, (unsigned)size);
	g_autoptr(Fields) fields = fields_read(bytes->data, bytes->len, &body);
	return fields == NULL ? AUTH_UNKNOWN
			      : auth_results_read(fields, ours, "a@mail.example.com");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t body = 0;
	g_autoptr(Fields) fields = fields_read(data, size, &body);

	if (fields == NULL || fields_count(fields, "authentication-results") > FIELDS_COUNT_MAX - 2)
		return 0;
	g_assert_cmpuint(body, <=, size);
	auth_results_read(fields, ours, "a@mail.example.com");
	g_auto(GStrv) ids = fields_ids(fields, "references");
	g_assert_nonnull(ids);
	g_autofree char *subject = fields_text(fields, "subject", NULL);
	g_assert_true(subject == NULL || g_utf8_validate(subject, -1, NULL));
	if (size == 0 || size > FIELDS_SIZE_MAX / 2 || data[0] == ' ' || data[0] == '\t')
		return 0;
	AuthVerdict topmost = verdict_below(
		"Authentication-Results: in.play.example.org; dmarc=pass\r\n", data, size);
	g_assert_true(topmost == AUTH_PASS || topmost == AUTH_UNKNOWN);
	topmost = verdict_below("Authentication-Results: IN.play.example.org 1; spf=pass;\r\n"
				" dmarc = fail (p=none) header.from=x\r\n",
				data, size);
	g_assert_true(topmost == AUTH_FAIL || topmost == AUTH_UNKNOWN);
	return 0;
}
