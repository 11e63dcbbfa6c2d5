/* JSON bodies and the fields read from them. */
#include "service/field.h"
#include "service/request_private.h"
#include "service/text.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fields_read(const json_t *body)
{
	static const char *const choices[] = {"first", "second", "random", NULL};
	g_autofree char *text = NULL, *lines = NULL;
	int64_t number = 0;
	int choice = 0;
	bool yes = false;
	const json_t *object = NULL;
	if (field_text(body, "turn", 1, 96, &text, NULL))
		g_assert_true(g_utf8_validate(text, -1, NULL) && g_utf8_strlen(text, -1) <= 96);
	field_lines_optional(body, "message", 0, 500, &lines, NULL);
	if (field_int(body, "ply", 1, 1000, &number, NULL))
		g_assert_true(number >= 1 && number <= 1000);
	field_choice_optional(body, "seat", choices, &choice, NULL);
	field_bool_optional(body, "private", &yes, NULL);
	field_object_optional(body, "clock", &object, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	text_init();
	g_autoptr(Request) request = request_new(NULL, "POST", "/");
	request->headers[0] = (RequestHeader){"Content-Type", "application/json"};
	request->header_count = 1;
	request->body = g_byte_array_new();
	g_byte_array_append(request->body, data, (unsigned)size);
	g_autoptr(GError) error = NULL;
	const json_t *body = request_json(request, &error);
	if (body != NULL) {
		fields_read(body);
		return 0;
	}
	json_t *problem = problem_json(error, LANGUAGE_DE);
	json_decref(problem);
	return 0;
}
