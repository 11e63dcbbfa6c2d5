#include "service/response_private.h"

#include <stdlib.h>
#include <string.h>

static Response *response_new(int status)
{
	g_assert(status >= 200 && status <= 599);
	Response *response = g_new0(Response, 1);
	response->status = status;
	response->cache = "no-store";
	return response;
}

void response_free(Response *response)
{
	if (response == NULL)
		return;
	for (int i = 0; i < response->header_count; i++) {
		g_free(response->headers[i].name);
		g_free(response->headers[i].value);
	}
	if (response->text != NULL)
		g_string_free(response->text, TRUE);
	g_clear_pointer(&response->bytes, g_bytes_unref);
	free(response->json);
	g_free(response->etag);
	g_free(response);
}

Response *response_json(int status, json_t *body)
{
	g_assert(body != NULL);
	Response *response = response_new(status);
	response->content_type = "application/json";
	response->json = json_dumps(body, JSON_COMPACT);
	g_assert(response->json != NULL);
	response->json_size = strlen(response->json);
	json_decref(body);
	return response;
}

Response *response_text(int status, const char *content_type, GString *body)
{
	g_assert(body != NULL);
	Response *response = response_new(status);
	response->content_type = content_type;
	response->text = body;
	return response;
}

Response *response_json_text(int status, GString *body)
{
	return response_text(status, "application/json", body);
}

Response *response_bytes(int status, const char *content_type, GBytes *body)
{
	Response *response = response_new(status);
	response->content_type = content_type;
	response->bytes = g_bytes_ref(body);
	return response;
}

Response *response_empty(int status)
{
	return response_new(status);
}

Response *response_redirect(const char *location)
{
	g_assert(location[0] == '/' && location[1] != '/');
	Response *response = response_new(303);
	response_header(response, "Location", location);
	return response;
}

static bool value_is_clean(const char *value)
{
	for (const char *byte = value; *byte != '\0'; byte++)
		if ((unsigned char)*byte < 0x20 || *byte == 0x7f)
			return false;
	return true;
}

void response_header(Response *response, const char *name, const char *value)
{
	g_assert(response->header_count < RESPONSE_HEADERS_MAX && value_is_clean(value));
	response->headers[response->header_count++] =
		(ResponseHeader){g_strdup(name), g_strdup(value)};
}

void response_etag(Response *response, const char *etag)
{
	g_assert(value_is_clean(etag) && strchr(etag, '"') == NULL);
	g_free(response->etag);
	response->etag = g_strdup_printf("\"%s\"", etag);
}

void response_cache(Response *response, const char *value)
{
	response->cache = value;
}

int response_status(const Response *response)
{
	return response->status;
}

const char *response_body(const Response *response, size_t *size_r)
{
	*size_r = 0;
	if (response->text != NULL) {
		*size_r = response->text->len;
		return response->text->str;
	}
	if (response->bytes != NULL)
		return g_bytes_get_data(response->bytes, size_r);
	*size_r = response->json_size;
	return response->json;
}

const char *response_find(const Response *response, const char *name)
{
	for (int i = 0; i < response->header_count; i++)
		if (g_ascii_strcasecmp(response->headers[i].name, name) == 0)
			return response->headers[i].value;
	return NULL;
}
