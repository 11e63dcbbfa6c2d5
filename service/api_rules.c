#include "service/api_game.h"
#include "service/view.h"

static Response *rules_answer(const Request *request, GString *body)
{
	Response *response = response_json_text(200, body);
	response_header(response, "Content-Language", language_code(request_language(request)));
	response_header(response, "Vary", "Authorization, Accept-Language");
	return response;
}

Response *api_rules_list(Request *request, GError **error)
{
	(void)error;
	GString *body = g_string_new("{\"rules\":[");
	const GameRules *rules;
	for (size_t i = 0; (rules = rules_at(i)) != NULL; i++) {
		if (i > 0)
			g_string_append_c(body, ',');
		view_rules_line(body, request_config(request), rules, request_language(request));
	}
	g_string_append(body, "]}");
	return rules_answer(request, body);
}

Response *api_rules_get(Request *request, GError **error)
{
	const GameRules *rules = rules_find(request_path_text(request, "key"));
	if (rules == NULL) {
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
		return NULL;
	}
	GString *body = g_string_sized_new(8192);
	view_rules(body, request_config(request), rules, request_language(request));
	return rules_answer(request, body);
}
