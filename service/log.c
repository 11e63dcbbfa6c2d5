#include "service/log.h"

#include <stdio.h>

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

/* One line stays one line, whatever a library put into its message. */
static char *line_clean(const char *message)
{
	char *clean = g_strdup(message);
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
