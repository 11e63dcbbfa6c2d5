#include "service/request_private.h"

#include <string.h>

Request *request_new(const Config *config, const char *method, const char *target)
{
	Request *request = g_new0(Request, 1);
	request->config = config;
	request->method = g_strdup(method);
	request->target = g_strdup(target);
	return request;
}

void request_free(Request *request)
{
	if (request == NULL)
		return;
	parameters_clear(&request->query);
	parameters_clear(&request->form);
	g_clear_pointer(&request->body, g_byte_array_unref);
	g_clear_pointer(&request->joined, g_ptr_array_unref);
	g_clear_pointer(&request->json, json_decref);
	g_clear_pointer(&request->members, json_decref);
	g_clear_pointer(&request->headers_of_problem, g_ptr_array_unref);
	actor_free(request->actor);
	g_free(request->method);
	g_free(request->target);
	g_free(request);
}

const char *request_method(const Request *request)
{
	return strcmp(request->method, "HEAD") == 0 ? "GET" : request->method;
}

const char *request_target(const Request *request)
{
	return request->target;
}

const char *request_name(const Request *request)
{
	return request->name;
}

static int part_place(const Request *request, const char *name)
{
	int place = route_part(request->match.route, name);
	g_assert(place >= 0);
	return place;
}

int64_t request_path_id(const Request *request, const char *name)
{
	int64_t id = request->match.id[part_place(request, name)];
	g_assert(id > 0);
	return id;
}

const char *request_path_text(const Request *request, const char *name)
{
	return request->match.part[part_place(request, name)];
}

Language request_language(const Request *request)
{
	Language language = LANGUAGE_EN;
	const char *wanted = request_header(request, "Accept-Language");
	if (!language_wanted(wanted, &language) && request->actor != NULL)
		language_parse(request->actor->language, &language);
	return language;
}

const Actor *request_actor(const Request *request)
{
	return request->actor;
}

int64_t request_player(const Request *request)
{
	return request->actor == NULL ? 0 : request->actor->player_id;
}

Db *request_db(const Request *request)
{
	g_assert(request->db != NULL);
	return request->db;
}

const Config *request_config(const Request *request)
{
	return request->config;
}

const char *request_address(const Request *request)
{
	return request->address;
}

const char *request_body(const Request *request, size_t *size_r)
{
	*size_r = request->body == NULL ? 0 : request->body->len;
	return request->body == NULL ? "" : (const char *)request->body->data;
}

void request_problem_member(Request *request, const char *name, json_t *value)
{
	if (request->members == NULL)
		request->members = json_object();
	int failed = json_object_set_new(request->members, name, value);
	g_assert(failed == 0);
}

void request_problem_header(Request *request, const char *name, const char *value)
{
	if (request->headers_of_problem == NULL)
		request->headers_of_problem = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(request->headers_of_problem, g_strdup(name));
	g_ptr_array_add(request->headers_of_problem, g_strdup(value));
}
