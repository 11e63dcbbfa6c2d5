/* Texts of mails: the first byte says whether plain, flowed or HTML, and whether layouts are kept
 * whole. What is kept of them stands in them, is not quoted, and holds no address with a secret. */
#include "mail/hypertext.h"
#include "mail/strip.h"
#include "service/mail_layout.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static MailLines *lines_read(uint8_t kind, const char *text)
{
	const LinesFlow flow = {.flowed = kind % 4 == 1 || kind % 4 == 2,
				.delete_space = kind % 4 == 2};

	return kind % 4 == 3 ? hypertext_lines(text) : lines_of_plain(text, flow);
}

static bool is_unquoted_line(const MailLines *lines, const char *kept)
{
	for (unsigned i = 0; i < lines->len; i++) {
		const MailLine *line = lines_at(lines, i);

		if (line->depth > 0 && !line->barred)
			continue;
		if (strstr(line->text, kept) != NULL ||
		    (line->parts != NULL && strstr(line->parts, kept) != NULL))
			return true;
	}
	return false;
}

static void kept_check(const MailLines *lines, const char *kept, bool may_be_block)
{
	g_auto(GStrv) each = g_strsplit(kept, "\n", -1);

	g_assert_true(g_utf8_validate(kept, -1, NULL));
	g_assert_true(may_be_block || strchr(kept, '\n') == NULL);
	g_assert_null(strstr(kept, "move+g7.t1.s@play.example.org"));
	for (int i = 0; each[i] != NULL; i++)
		g_assert_true(each[i][0] == '\0' || is_unquoted_line(lines, each[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	g_autofree char *raw = g_strndup((const char *)data + 1, size - 1);
	g_autofree char *text = g_utf8_make_valid(raw, -1);
	MailLines *lines = lines_read(data[0], text);
	const StripBlocks *blocks = data[0] % 8 >= 4 ? mail_layout_blocks() : NULL;
	GPtrArray *kept = strip_lines(lines, "play.example.org", blocks, NULL);

	g_assert_cmpuint(kept->len, <=, STRIP_LINES_MAX);
	for (unsigned i = 0; i < kept->len; i++)
		kept_check(lines, g_ptr_array_index(kept, i), blocks != NULL);
	g_ptr_array_unref(kept);
	lines_free(lines);
	return 0;
}
