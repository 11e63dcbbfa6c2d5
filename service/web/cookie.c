#include "service/web/cookie.h"

#include "db/session.h"

#include <string.h>

static bool is_https(const Config *config)
{
	return g_str_has_prefix(config->public_url, "https://");
}

/* Whether browsers trust plain http to this host. */
static bool is_this_host(const Config *config)
{
	static const char *const hosts[] = {"http://localhost", "http://127.0.0.1", "http://[::1]"};
	for (size_t i = 0; i < G_N_ELEMENTS(hosts); i++) {
		size_t size = strlen(hosts[i]);
		if (strncmp(config->public_url, hosts[i], size) == 0 &&
		    strchr(":/", config->public_url[size]) != NULL)
			return true;
	}
	return false;
}

static void cookie_write(Response *response, const char *name, const char *value, int seconds,
			 bool secure)
{
	g_autofree char *text = g_strdup_printf("%s=%s; Path=/; Max-Age=%d; %sHttpOnly; "
						"SameSite=Lax",
						name, value, seconds, secure ? "Secure; " : "");
	response_header(response, "Set-Cookie", text);
}

void cookie_session_set(Response *response, const Config *config, const char *value)
{
	cookie_write(response, REQUEST_SESSION_COOKIE, value, SESSION_SECONDS,
		     is_https(config) || is_this_host(config));
}

void cookie_session_clear(Response *response, const Config *config)
{
	cookie_write(response, REQUEST_SESSION_COOKIE, "", 0,
		     is_https(config) || is_this_host(config));
}

void cookie_set(Response *response, const Config *config, const char *name, const char *value,
		int seconds)
{
	cookie_write(response, name, value, seconds, is_https(config));
}
