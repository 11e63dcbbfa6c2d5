#include "service/web/style.h"

#include "service/embedded.h"

#include <string.h>

enum { VERSION_SIZE = 12 };

static const EmbeddedFile *file_find(const char *path)
{
	for (const EmbeddedFile *file = service_files; file->path != NULL; file++)
		if (strcmp(file->path, path) == 0)
			return file;
	g_error("event=file_missing path=%s", path);
}

/* The beginning of its SHA-256. */
static char *file_version(const EmbeddedFile *file)
{
	g_autofree char *sum =
		g_compute_checksum_for_data(G_CHECKSUM_SHA256, file->bytes, file->size);
	return g_strndup(sum, VERSION_SIZE);
}

static const EmbeddedFile *sheet(void)
{
	return file_find("service/web/style.css");
}

const char *style_url(void)
{
	static char *url;
	if (g_once_init_enter(&url)) {
		g_autofree char *version = file_version(sheet());
		g_once_init_leave(&url, g_strdup_printf("/style.css?v=%s", version));
	}
	return url;
}

static Response *file_answer(const EmbeddedFile *file, const char *type)
{
	g_autoptr(GBytes) bytes = g_bytes_new_static(file->bytes, file->size);
	g_autofree char *version = file_version(file);
	Response *response = response_bytes(200, type, bytes);
	response_etag(response, version);
	response_cache(response, "public, max-age=86400");
	return response;
}

Response *style_sheet(Request *request, GError **error)
{
	(void)error;
	Response *response = file_answer(sheet(), "text/css; charset=utf-8");
	if (strcmp(request_target(request), style_url()) == 0)
		response_cache(response, "public, max-age=31536000, immutable");
	return response;
}

Response *style_icon(Request *request, GError **error)
{
	(void)request;
	(void)error;
	return file_answer(file_find("service/web/icon.svg"), "image/svg+xml");
}
