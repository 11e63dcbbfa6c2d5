#include "service/log.h"

#include <stdio.h>
#include <string.h>

static ConfigLog wanted = CONFIG_LOG_INFO;

/* How grave a message of GLib is, and the word for it. */
static ConfigLog gravity(GLogLevelFlags flags, const char **word_r)
{
	if ((flags & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL)) != 0) {
		*word_r = "error";
		return CONFIG_LOG_ERROR;
	}
	if ((flags & G_LOG_LEVEL_WARNING) != 0) {
		*word_r = "warning";
		return CONFIG_LOG_WARNING;
	}
	if ((flags & (G_LOG_LEVEL_MESSAGE | G_LOG_LEVEL_INFO)) != 0) {
		*word_r = "info";
		return CONFIG_LOG_INFO;
	}
	*word_r = "debug";
	return CONFIG_LOG_DEBUG;
}

/* Mail addresses (ours carry secrets, too), tokens, and what stands behind a link that acts. */
char *log_mask(const char *text)
{
	static const struct {
		const char *pattern, *instead;
	} masks[] = {
		{"[^\\s\"'<>()=,;:]+@[^\\s\"'<>()=,;]+", "***@***"},
		{"\\blp_[0-9A-Za-z]+", "lp_***"},
		{"/(confirm|invitations/[0-9]+|unsubscribe/[0-9]+)/[^\\s\"'<>{]+", "/\\1/***"},
	};
	char *masked = g_strdup(text);
	for (size_t i = 0; i < G_N_ELEMENTS(masks); i++) {
		g_autoptr(GRegex) regex = g_regex_new(masks[i].pattern, G_REGEX_RAW, 0, NULL);
		char *next = g_regex_replace(regex, masked, -1, 0, masks[i].instead, 0, NULL);
		if (next == NULL)
			continue;
		g_free(masked);
		masked = next;
	}
	return masked;
}

/* Most lines need no second look. */
static bool may_hold_secrets(const char *message)
{
	static const char *const signs[] = {"@", "lp_", "/confirm/", "/invitations/",
					    "/unsubscribe/"};
	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++)
		if (strstr(message, signs[i]) != NULL)
			return true;
	return false;
}

/* One line stays one line, whatever a library put into its message; nobody's secrets stand in it.
 */
static char *line_clean(const char *message)
{
	char *clean = may_hold_secrets(message) ? log_mask(message) : g_strdup(message);
	for (char *byte = clean; *byte != '\0'; byte++)
		if ((unsigned char)*byte < 0x20 || *byte == 0x7f)
			*byte = ' ';
	return clean;
}

static GLogWriterOutput line_write(GLogLevelFlags flags, const GLogField *fields, size_t count,
				   void *user_data)
{
	(void)user_data;
	const char *word = NULL;
	if (gravity(flags, &word) > wanted)
		return G_LOG_WRITER_HANDLED;
	for (size_t i = 0; i < count; i++) {
		if (g_strcmp0(fields[i].key, "MESSAGE") != 0)
			continue;
		g_autofree char *line = line_clean(fields[i].value);
		fprintf(stderr, "level=%s %s\n", word, line);
	}
	return G_LOG_WRITER_HANDLED;
}

void log_start(ConfigLog level)
{
	static bool started = false;
	wanted = level;
	if (!started)
		g_log_set_writer_func(line_write, NULL, NULL);
	started = true;
}

bool log_wants(ConfigLog level)
{
	return level <= wanted;
}
