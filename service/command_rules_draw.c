#include "service/board.h"
#include "service/command_rules_private.h"

#include <string.h>

static void png_answer(const RulesCall *call, const Picture *picture, GString *answer)
{
	BoardStyle style = {.title = call->rules->name};
	g_autoptr(GBytes) png = board_png(picture, &style);
	size_t size;
	const unsigned char *bytes = g_bytes_get_data(png, &size);

	if (call->many) {
		g_autofree char *text = g_base64_encode(bytes, size);

		g_string_append(answer, text);
	} else {
		g_string_append_len(answer, (const char *)bytes, (ssize_t)size);
	}
}

/* A picture in one line: SVG without line breaks, PNG in base64, text with "\\n". */
bool rules_draw_answer(const RulesCall *call, const Position *position, GString *answer,
		       GString *reason)
{
	const char *form = call->arguments[0];
	Picture picture;

	(void)reason;
	/* Whoever writes a board may see all of it, a sealed layout too. */
	call->rules->picture(position, VIEWER_REFEREE, NULL, NULL, &picture);
	if (strcmp(form, "--png") == 0) {
		png_answer(call, &picture, answer);
	} else if (strcmp(form, "--svg") == 0) {
		g_autofree char *title = board_alt(call->rules, &picture, LANGUAGE_EN);
		BoardStyle style = {.title = title};
		g_autofree char *svg = board_svg(&picture, &style);

		g_string_append(answer, svg);
		if (call->many)
			g_string_replace(answer, "\n", " ", 0);
	} else {
		g_autofree char *text = board_text_ascii(call->rules, &picture, LANGUAGE_EN, 0);

		g_string_append(answer, text);
		if (call->many)
			g_string_replace(answer, "\n", "\\n", 0);
	}
	return true;
}

bool rules_draw_check(RulesCall *call)
{
	static const char *const forms[] = {"--text", "--svg", "--png", NULL};

	return call->argument_count == 1 && g_strv_contains(forms, call->arguments[0]);
}
