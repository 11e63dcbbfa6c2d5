#include "service/config.h"

#include "service/setting.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_FILE "/etc/ludopost.conf"
#define ENVIRONMENT_PREFIX "LUDOPOST_"
#define FILE_SUFFIX "_FILE"

enum { SECRET_KEY_BYTES = 32, A_DAY = 86400, SECRET_FILE_MAX = 65536 };

G_DEFINE_QUARK(config_error, config_error)

#define FIELD(field) offsetof(Config, field)
#define SECRET_KEY(number)                                                                       \
	{                                                                                        \
		.name = "secret_key_" #number, .kind = SETTING_SECRET, .low = SECRET_KEY_BYTES,  \
		.offset = FIELD(secret_key[(number)-1]),                                         \
		.what_for = "Key number " #number                                                \
			    " of secrets in mails and links; the highest number makes new ones." \
	}

static const Setting settings[] = {
	{"database", SETTING_CONNINFO, FIELD(database), "dbname=ludopost",
	 "Connection string (libpq) of the service's role.", 0, 0, NULL},
	{"database_owner", SETTING_CONNINFO, FIELD(database_owner), NULL,
	 "Connection string of the role that owns the tables: migrate and admin need it.", 0, 0,
	 NULL},
	{"listen", SETTING_ADDRESS, FIELD(listen), "127.0.0.1",
	 "Address to listen on; 0.0.0.0 or :: for all.", 0, 0, NULL},
	{"port", SETTING_INT, FIELD(port), "8080", "Port to listen on; 0 takes any free one.", 0,
	 65535, NULL},
	{"public_url", SETTING_URL, FIELD(public_url), "http://127.0.0.1:8080",
	 "What links in mails and pages begin with.", 0, 0, "http://|https://"},
	{"workers", SETTING_INT, FIELD(workers), "8",
	 "Threads that answer requests, each with one database connection.", 1, 64, NULL},
	{"trusted_proxies", SETTING_ADDRESSES, FIELD(trusted_proxies), NULL,
	 "Proxies whose X-Forwarded-For tells the client's address.", 0, 0, NULL},
	{"body_limit", SETTING_INT, FIELD(body_limit), "65536",
	 "Bytes of a request's body, at most.", 1024, 1048576, NULL},
	{"header_timeout", SETTING_DURATION, FIELD(header_timeout_s), "10s",
	 "Time for a request's first line and headers, from its first to its last byte.", 1, 600,
	 NULL},
	{"body_timeout", SETTING_DURATION, FIELD(body_timeout_s), "30s",
	 "Time for a request's body, and for taking the answer.", 1, 600, NULL},
	{"idle_timeout", SETTING_DURATION, FIELD(idle_timeout_s), "60s",
	 "Time between two requests of one connection.", 1, 3600, NULL},
	{"stop_delay", SETTING_DURATION, FIELD(stop_delay_s), "0s",
	 "Time for which /readyz says 503 before a stop, so that a load balancer turns away first.",
	 0, 600, NULL},
	{"stop_timeout", SETTING_DURATION, FIELD(stop_timeout_s), "20s",
	 "Time for requests in flight when the service is told to stop.", 1, 600, NULL},
	{"connections", SETTING_INT, FIELD(connections), "4000", "Connections at the same time.",
	 16, 60000, NULL},
	{"connections_per_address", SETTING_INT, FIELD(connections_per_address), "1200",
	 "Connections of one address at the same time; trusted proxies are exempt.", 1, 60000,
	 NULL},
	{"rate_read", SETTING_RATE, FIELD(rate_read), "600/1m",
	 "Reading requests of one token, or of one address without a token.", 0, 0, NULL},
	{"rate_write", SETTING_RATE, FIELD(rate_write), "120/1m", "The same for changing requests.",
	 0, 0, NULL},
	{"rate_login", SETTING_RATE, FIELD(rate_login), "20/1m",
	 "Sign-ups, logins and codes tried by one address.", 0, 0, NULL},
	{"rate_mail_address", SETTING_RATE, FIELD(rate_mail_address), "5/1h",
	 "Codes and invitations mailed to one address.", 0, 0, NULL},
	{"rate_mail_client", SETTING_RATE, FIELD(rate_mail_client), "30/1h",
	 "Codes and invitations caused by one player or client address.", 0, 0, NULL},
	{"rate_invitation", SETTING_RATE, FIELD(rate_invitation), "20/1d",
	 "Invitations to mail addresses by one player.", 0, 0, NULL},
	{"rate_invitation_same", SETTING_RATE, FIELD(rate_invitation_same), "3/1d",
	 "Invitations by one player to the same address.", 0, 0, NULL},
	{"tokens_per_player", SETTING_INT, FIELD(tokens_per_player), "50",
	 "Tokens of one player at the same time; a login is let in even then.", 1, 10000, NULL},
	{"addresses_per_player", SETTING_INT, FIELD(addresses_per_player), "10",
	 "Mail addresses of one player.", 1, 1000, NULL},
	{"run_workers", SETTING_BOOL, FIELD(run_workers), "yes",
	 "Whether serve sends mail too; no where `ludopost work` runs.", 0, 0, NULL},
	{"heartbeat", SETTING_TEXT, FIELD(heartbeat), NULL,
	 "File that `ludopost work` writes every few seconds while all is well, for health checks.",
	 0, 0, NULL},
	{"mail_workers", SETTING_INT, FIELD(mail_workers), "4", "Threads that send mail.", 1, 64,
	 NULL},
	{"smtp_url", SETTING_URL, FIELD(smtp_url), "smtp://127.0.0.1:25",
	 "Mail server that takes the mails.", 0, 0, "smtp://|smtps://"},
	{"smtp_user", SETTING_TEXT, FIELD(smtp_user), NULL, "User name for the mail server.", 0, 0,
	 NULL},
	{"smtp_password", SETTING_SECRET, FIELD(smtp_password), NULL,
	 "Password for the mail server.", 0, 0, NULL},
	{"smtp_tls", SETTING_CHOICE, FIELD(smtp_tls), "auto",
	 "TLS to the mail server; auto: required, except to this host.", 0, 0,
	 "auto|required|none"},
	{"smtp_ca_file", SETTING_FILE, FIELD(smtp_ca_file), NULL,
	 "File with certificates to trust for the mail server instead of the system's.", 0, 0,
	 NULL},
	{"smtp_timeout", SETTING_DURATION, FIELD(smtp_timeout_s), "60s",
	 "Time for each single answer of the mail server.", 1, 120, NULL},
	{"mail_brake", SETTING_INT, FIELD(mail_brake), "600",
	 "Mails about games to one address within an hour; what is more waits.", 1, 1000000, NULL},
	{"mail_from", SETTING_MAILBOX, FIELD(mail_from), "Ludopost <ludopost@localhost>",
	 "Sender of the mails.", 0, 0, NULL},
	{"mail_domain", SETTING_DOMAIN, FIELD(mail_domain), "localhost",
	 "Domain of reply addresses and Message-IDs.", 0, 0, NULL},
	{"inbound", SETTING_BOOL, FIELD(inbound), "no",
	 "Whether replies by mail are read; only then mails invite to reply.", 0, 0, NULL},
	{"mail_authserv_id", SETTING_TEXT, FIELD(mail_authserv_id), NULL,
	 "Name by which your own mail server signs Authentication-Results; no others count.", 0, 0,
	 NULL},
	{"mail_trusted_hosts", SETTING_TEXT, FIELD(mail_trusted_hosts), NULL,
	 "Your own mail servers, separated by blanks: their Received lines tell when a mail came.",
	 0, 0, NULL},
	{"inbox_days", SETTING_INT, FIELD(inbox_days), "30",
	 "Days that mails which came in are kept; what was decided about them stays.", 1, 3650,
	 NULL},
	SECRET_KEY(1),
	SECRET_KEY(2),
	SECRET_KEY(3),
	SECRET_KEY(4),
	SECRET_KEY(5),
	SECRET_KEY(6),
	SECRET_KEY(7),
	SECRET_KEY(8),
	SECRET_KEY(9),
	{"log_level", SETTING_CHOICE, FIELD(log_level), "info",
	 "What is logged; debug writes a line for every request.", 0, 0,
	 "error|warning|info|debug"},
};

/* A configuration with where each value came from. */
typedef struct {
	Config config; /* first: a Config pointer is a pointer to this */
	char *origin[G_N_ELEMENTS(settings)];
} LoadedConfig;

static const Setting *setting_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++)
		if (strcmp(settings[i].name, name) == 0)
			return &settings[i];
	return NULL;
}

static size_t setting_place(const Setting *setting)
{
	return (size_t)(setting - settings);
}

void config_free(Config *config)
{
	if (config == NULL)
		return;
	LoadedConfig *loaded = (LoadedConfig *)config;
	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++) {
		setting_clear(&settings[i], config);
		g_free(loaded->origin[i]);
	}
	g_free(loaded);
}

/* Origin is "default", "/etc/ludopost.conf:3", "environment LUDOPOST_PORT" …. */
static bool value_set(LoadedConfig *loaded, const Setting *setting, const char *text,
		      const char *origin, GError **error)
{
	if (!setting_parse(setting, text, &loaded->config)) {
		g_autofree char *allowed = setting_allowed(setting);
		g_autofree char *shown = setting_may_show(setting, text)
						 ? g_strdup_printf(" = \"%s\"", text)
						 : g_strdup("");
		g_set_error(error, CONFIG_ERROR, 0, "%s: setting %s%s: allowed is %s", origin,
			    setting->name, shown, allowed);
		return false;
	}
	char **place = &loaded->origin[setting_place(setting)];
	g_free(*place);
	*place = g_strdup(origin);
	return true;
}

static char *names_join(void)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++)
		g_ptr_array_add(names, (void *)(uintptr_t)settings[i].name);
	g_ptr_array_add(names, NULL);
	return g_strjoinv(", ", (char **)names->pdata);
}

static bool name_unknown(const char *name, const char *origin, GError **error)
{
	g_autofree char *names = names_join();
	g_set_error(error, CONFIG_ERROR, 0, "%s: unknown setting \"%s\"; the settings are %s",
		    origin, name, names);
	return false;
}

static bool line_read(LoadedConfig *loaded, char *line, const char *origin, GError **error)
{
	g_strstrip(line);
	if (*line == '\0' || *line == '#')
		return true;
	char *equals = strchr(line, '=');
	if (equals == NULL) {
		g_set_error(error, CONFIG_ERROR, 0, "%s: a line must be \"name = value\"", origin);
		return false;
	}
	*equals = '\0';
	const char *name = g_strchomp(line);
	const char *value = g_strchug(equals + 1);
	const Setting *setting = setting_find(name);
	if (setting == NULL)
		return name_unknown(name, origin, error);
	const char *earlier = loaded->origin[setting_place(setting)];
	if (strcmp(earlier, "default") != 0) {
		g_set_error(error, CONFIG_ERROR, 0, "%s: setting %s was already set in %s", origin,
			    name, earlier);
		return false;
	}
	return value_set(loaded, setting, value, origin, error);
}

/* path NULL: the default file, which need not exist. */
static bool file_read(LoadedConfig *loaded, const char *path, GError **error)
{
	if (path == NULL && !g_file_test(DEFAULT_FILE, G_FILE_TEST_EXISTS))
		return true;
	const char *file = path == NULL ? DEFAULT_FILE : path;
	g_autofree char *text = NULL;
	size_t size = 0;
	if (!g_file_get_contents(file, &text, &size, error))
		return false;
	if (strlen(text) != size) {
		g_set_error(error, CONFIG_ERROR, 0, "%s: holds a NUL byte", file);
		return false;
	}
	/* Some editors begin a file with a byte order mark, which nobody sees. */
	const bool marked = g_str_has_prefix(text, "\xef\xbb\xbf");
	g_auto(GStrv) lines = g_strsplit(marked ? text + 3 : text, "\n", -1);
	for (int i = 0; lines[i] != NULL; i++) {
		g_autofree char *origin = g_strdup_printf("%s:%d", file, i + 1);
		if (!line_read(loaded, lines[i], origin, error))
			return false;
	}
	return true;
}

/* LUDOPOST_NAME_FILE: the value is the file's content without the line end. */
static bool secret_file_read(LoadedConfig *loaded, const Setting *setting, const char *variable,
			     const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) cause = NULL;
	size_t size = 0;
	if (!g_file_get_contents(path, &text, &size, &cause) || strlen(text) != size ||
	    size > SECRET_FILE_MAX) {
		g_set_error(error, CONFIG_ERROR, 0, "environment %s: %s", variable,
			    cause != NULL ? cause->message : "not a text file");
		return false;
	}
	g_strchomp(text);
	g_autofree char *origin = g_strdup_printf("file %s (%s)", path, variable);
	return value_set(loaded, setting, text, origin, error);
}

/* files: read the variables that name files (they win, so they come second), or the others. */
static bool variable_read(LoadedConfig *loaded, const char *variable, bool files, GError **error)
{
	g_autofree char *name = g_ascii_strdown(variable + strlen(ENVIRONMENT_PREFIX), -1);
	g_autofree char *origin = g_strdup_printf("environment %s", variable);
	const char *value = g_getenv(variable);
	/* LUDOPOST_SMTP_CA_FILE is a setting's own name. */
	bool names_file = setting_find(name) == NULL && g_str_has_suffix(variable, FILE_SUFFIX);
	if (names_file)
		name[strlen(name) - strlen(FILE_SUFFIX)] = '\0';
	const Setting *setting = setting_find(name);
	if (setting == NULL)
		return name_unknown(variable, "environment", error);
	if (names_file != files)
		return true;
	if (files)
		return secret_file_read(loaded, setting, variable, value, error);
	return value_set(loaded, setting, value, origin, error);
}

static bool environment_read(LoadedConfig *loaded, bool files, GError **error)
{
	g_auto(GStrv) variables = g_listenv();
	for (int i = 0; variables[i] != NULL; i++)
		if (g_str_has_prefix(variables[i], ENVIRONMENT_PREFIX) &&
		    !variable_read(loaded, variables[i], files, error))
			return false;
	return true;
}

Config *config_load(const char *path, GError **error)
{
	LoadedConfig *loaded = g_new0(LoadedConfig, 1);
	g_autoptr(Config) config = &loaded->config;
	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++) {
		const char *initial = settings[i].initial == NULL ? "" : settings[i].initial;
		if (!value_set(loaded, &settings[i], initial, "default", error))
			return NULL;
	}
	if (!file_read(loaded, path, error) || !environment_read(loaded, false, error) ||
	    !environment_read(loaded, true, error))
		return NULL;
	return g_steal_pointer(&config);
}

bool config_need(const Config *config, GError **error, ...)
{
	bool complete = true;
	va_list names;
	va_start(names, error);
	for (const char *name = va_arg(names, const char *); name != NULL && complete;
	     name = va_arg(names, const char *)) {
		const Setting *setting = setting_find(name);
		g_assert(setting != NULL);
		complete = setting_given(setting, config);
		if (complete)
			continue;
		g_autofree char *allowed = setting_allowed(setting);
		g_autofree char *variable = g_ascii_strup(name, -1);
		g_set_error(
			error, CONFIG_ERROR, 0,
			"setting %s is not set: put \"%s = …\" into %s or set " ENVIRONMENT_PREFIX
			"%s; allowed is %s",
			name, name, DEFAULT_FILE, variable, allowed);
	}
	va_end(names);
	return complete;
}

bool config_need_key(const Config *config, GError **error)
{
	return config_newest_key(config) > 0 || config_need(config, error, "secret_key_1", NULL);
}

int config_newest_key(const Config *config)
{
	for (int number = CONFIG_SECRET_KEYS; number > 0; number--)
		if (config->secret_key[number - 1] != NULL)
			return number;
	return 0;
}

const char *config_key(const Config *config, int number)
{
	return number < 1 || number > CONFIG_SECRET_KEYS ? NULL : config->secret_key[number - 1];
}

void config_print(const Config *config)
{
	const LoadedConfig *loaded = (const LoadedConfig *)config;
	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++) {
		g_autofree char *value = setting_format(&settings[i], config);
		g_autofree char *line = g_strdup_printf("%s = %s", settings[i].name, value);
		printf("%-48s # %s\n", line, loaded->origin[i]);
	}
}

void config_print_table(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++) {
		g_autofree char *allowed = setting_allowed(&settings[i]);
		const char *initial = settings[i].initial == NULL ? "" : settings[i].initial;
		printf("%s\t%s\t%s\t%s\n", settings[i].name, initial, allowed,
		       settings[i].what_for);
	}
}
