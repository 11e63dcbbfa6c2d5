#include "service/setting.h"

#include "mail/address.h"
#include "service/config.h"

#include <arpa/inet.h>
#include <libpq-fe.h>
#include <string.h>
#include <unistd.h>

enum { MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400, RATE_QUOTA_MAX = 100000000 };

static bool kind_is_text(SettingKind kind)
{
	return kind != SETTING_INT && kind != SETTING_BOOL && kind != SETTING_CHOICE &&
	       kind != SETTING_DURATION && kind != SETTING_RATE;
}

static void *field_of(const Setting *setting, void *config)
{
	return (char *)config + setting->offset;
}

static const void *const_field_of(const Setting *setting, const void *config)
{
	return (const char *)config + setting->offset;
}

static bool int_parse(const char *text, int low, int high, int *number_r)
{
	guint64 number = 0;
	if (!g_ascii_string_to_unsigned(text, 10, (guint64)low, (guint64)high, &number, NULL))
		return false;
	*number_r = (int)number;
	return true;
}

static bool bool_parse(const char *text, bool *value_r)
{
	static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		if (g_ascii_strcasecmp(text, words[i]) != 0)
			continue;
		*value_r = i % 2 == 1;
		return true;
	}
	return false;
}

static bool choice_parse(const char *choices, const char *text, int *index_r)
{
	g_auto(GStrv) words = g_strsplit(choices, "|", -1);
	for (int i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], text) != 0)
			continue;
		*index_r = i;
		return true;
	}
	return false;
}

static bool duration_parse(const char *text, int low, int high, int *seconds_r)
{
	static const struct {
		char letter;
		int seconds;
	} units[] = {{'s', 1}, {'m', MINUTE_S}, {'h', HOUR_S}, {'d', DAY_S}};
	g_autofree char *number = g_strdup(text);
	size_t length = strlen(number);
	int unit = 1;
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		if (length < 2 || number[length - 1] != units[i].letter)
			continue;
		unit = units[i].seconds;
		number[length - 1] = '\0';
		break;
	}
	int count = 0;
	if (!int_parse(number, 0, high / unit, &count) || count * unit < low)
		return false;
	*seconds_r = count * unit;
	return true;
}

static bool rate_parse(const char *text, ConfigRate *rate_r)
{
	g_auto(GStrv) parts = g_strsplit(text, "/", 2);
	ConfigRate rate = {0};
	if (g_strv_length(parts) != 2 || !int_parse(parts[0], 1, RATE_QUOTA_MAX, &rate.quota) ||
	    !duration_parse(parts[1], 1, DAY_S * 31, &rate.window_s))
		return false;
	*rate_r = rate;
	return true;
}

static bool address_is_numeric(const char *text)
{
	unsigned char bytes[sizeof(struct in6_addr)];
	return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

static bool addresses_are_numeric(const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " ,", -1);
	for (int i = 0; words[i] != NULL; i++)
		if (*words[i] != '\0' && !address_is_numeric(words[i]))
			return false;
	return true;
}

static bool scheme_fits(const Setting *setting, const char *text)
{
	g_auto(GStrv) schemes = g_strsplit(setting->choices, "|", -1);
	for (int i = 0; schemes[i] != NULL; i++)
		if (g_str_has_prefix(text, schemes[i]))
			return true;
	return false;
}

static bool url_fits(const Setting *setting, const char *text)
{
	g_autofree char *host = NULL;
	return scheme_fits(setting, text) && strpbrk(text, " \"<>@\\^`{|}?#") == NULL &&
	       g_uri_split_network(text, G_URI_FLAGS_NONE, NULL, &host, NULL, NULL) &&
	       host != NULL && *host != '\0';
}

static bool mailbox_fits(const char *text)
{
	g_autofree char *name = NULL, *address = NULL;
	return mail_address_split(text, &name, &address, NULL);
}

static bool file_fits(const char *text)
{
	return g_file_test(text, G_FILE_TEST_IS_REGULAR) && access(text, R_OK) == 0;
}

static bool conninfo_fits(const char *text)
{
	PQconninfoOption *options = PQconninfoParse(text, NULL);
	PQconninfoFree(options);
	return options != NULL;
}

static char *conninfo_format(const char *text)
{
	PQconninfoOption *options = PQconninfoParse(text, NULL);
	GString *out = g_string_new(NULL);
	for (PQconninfoOption *option = options; option != NULL && option->keyword != NULL;
	     option++) {
		if (option->val == NULL)
			continue;
		bool secret = *option->dispchar == '*';
		g_string_append_printf(out, "%s%s=%s", out->len == 0 ? "" : " ", option->keyword,
				       secret ? "(hidden)" : option->val);
	}
	PQconninfoFree(options);
	return g_string_free(out, FALSE);
}

static bool text_fits(const Setting *setting, const char *text)
{
	for (const char *byte = text; *byte != '\0'; byte++)
		if ((unsigned char)*byte < 0x20 || *byte == 0x7f)
			return false;
	if (!g_utf8_validate(text, -1, NULL))
		return false;
	switch (setting->kind) {
	case SETTING_SECRET:
		return strlen(text) >= (size_t)setting->low;
	case SETTING_CONNINFO:
		return conninfo_fits(text);
	case SETTING_URL:
		return url_fits(setting, text);
	case SETTING_ADDRESS:
		return address_is_numeric(text);
	case SETTING_ADDRESSES:
		return addresses_are_numeric(text);
	case SETTING_MAILBOX:
		return mailbox_fits(text);
	case SETTING_DOMAIN:
		return mail_domain_valid(text);
	case SETTING_FILE:
		return file_fits(text);
	default:
		return true;
	}
}

static bool text_parse(const Setting *setting, const char *text, char **field)
{
	if (*text != '\0' && !text_fits(setting, text))
		return false;
	g_free(*field);
	*field = *text == '\0' ? NULL : g_strdup(text);
	if (*field != NULL && setting->kind == SETTING_URL && g_str_has_suffix(*field, "/"))
		(*field)[strlen(*field) - 1] = '\0';
	return true;
}

bool setting_parse(const Setting *setting, const char *text, void *config)
{
	void *field = field_of(setting, config);
	switch (setting->kind) {
	case SETTING_INT:
		return int_parse(text, setting->low, setting->high, field);
	case SETTING_BOOL:
		return bool_parse(text, field);
	case SETTING_CHOICE:
		return choice_parse(setting->choices, text, field);
	case SETTING_DURATION:
		return duration_parse(text, setting->low, setting->high, field);
	case SETTING_RATE:
		return rate_parse(text, field);
	default:
		return text_parse(setting, text, field);
	}
}

static char *duration_format(int seconds)
{
	if (seconds != 0 && seconds % DAY_S == 0)
		return g_strdup_printf("%dd", seconds / DAY_S);
	if (seconds != 0 && seconds % HOUR_S == 0)
		return g_strdup_printf("%dh", seconds / HOUR_S);
	if (seconds != 0 && seconds % MINUTE_S == 0)
		return g_strdup_printf("%dm", seconds / MINUTE_S);
	return g_strdup_printf("%ds", seconds);
}

static char *rate_format(const ConfigRate *rate)
{
	g_autofree char *window = duration_format(rate->window_s);
	return g_strdup_printf("%d/%s", rate->quota, window);
}

static char *choice_format(const Setting *setting, int index)
{
	g_auto(GStrv) words = g_strsplit(setting->choices, "|", -1);
	return g_strdup(words[index]);
}

char *setting_format(const Setting *setting, const void *config)
{
	const void *field = const_field_of(setting, config);
	if (kind_is_text(setting->kind)) {
		const char *text = *(char *const *)field;
		if (text == NULL)
			return g_strdup("");
		if (setting->kind == SETTING_CONNINFO)
			return conninfo_format(text);
		return g_strdup(setting->kind == SETTING_SECRET ? "(hidden)" : text);
	}
	switch (setting->kind) {
	case SETTING_BOOL:
		return g_strdup(*(const bool *)field ? "yes" : "no");
	case SETTING_CHOICE:
		return choice_format(setting, *(const int *)field);
	case SETTING_DURATION:
		return duration_format(*(const int *)field);
	case SETTING_RATE:
		return rate_format(field);
	default:
		return g_strdup_printf("%d", *(const int *)field);
	}
}

bool setting_may_show(const Setting *setting, const char *text)
{
	if (setting->kind == SETTING_SECRET || setting->kind == SETTING_CONNINFO)
		return false;
	return setting->kind != SETTING_URL || strchr(text, '@') == NULL;
}

static char *words_join(const char *choices)
{
	g_auto(GStrv) words = g_strsplit(choices, "|", -1);
	return g_strjoinv(", ", words);
}

char *setting_allowed(const Setting *setting)
{
	g_autofree char *words = setting->choices == NULL ? NULL : words_join(setting->choices);
	g_autofree char *low = duration_format(setting->low);
	g_autofree char *high = duration_format(setting->high);
	switch (setting->kind) {
	case SETTING_INT:
		return g_strdup_printf("a whole number from %d to %d", setting->low, setting->high);
	case SETTING_BOOL:
		return g_strdup("yes or no");
	case SETTING_CHOICE:
		return g_strdup_printf("one of %s", words);
	case SETTING_DURATION:
		return g_strdup_printf("a time from %s to %s such as 30s, 5m, 2h, 3d", low, high);
	case SETTING_CONNINFO:
		return g_strdup(
			"a libpq connection string such as host=/run/postgresql dbname=ludopost");
	case SETTING_RATE:
		return g_strdup("requests/time such as 100/1m");
	case SETTING_URL:
		return g_strdup_printf("a URL that begins with %s, without user, password, ? and #",
				       words);
	case SETTING_ADDRESS:
		return g_strdup("a numeric address such as 127.0.0.1 or ::1");
	case SETTING_ADDRESSES:
		return g_strdup("numeric addresses separated by blanks");
	case SETTING_MAILBOX:
		return g_strdup("a mail address such as Ludopost <turns@example.org>");
	case SETTING_DOMAIN:
		return g_strdup("a domain name such as play.example.org");
	case SETTING_FILE:
		return g_strdup("the path of a file that can be read");
	case SETTING_SECRET:
		return setting->low == 0
			       ? g_strdup("text")
			       : g_strdup_printf("text of at least %d bytes", setting->low);
	default:
		return g_strdup("text");
	}
}

bool setting_given(const Setting *setting, const void *config)
{
	return !kind_is_text(setting->kind) ||
	       *(char *const *)const_field_of(setting, config) != NULL;
}

void setting_clear(const Setting *setting, void *config)
{
	if (kind_is_text(setting->kind))
		g_clear_pointer((char **)field_of(setting, config), g_free);
}
