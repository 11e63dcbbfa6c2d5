#include "service/mail_guard.h"

#include "service/mail_command.h"

#include <string.h>

static bool is_command_of(const char *line, unsigned where, const GameRules *rules)
{
	const MailPlace place = {where, rules, false};
	g_auto(MailCommand) command = {.id = MAIL_COMMAND_NONE};
	return mail_command_read(line, &place, &command) != MAIL_READING_REMARK;
}

bool mail_guard_is_command(const char *line)
{
	const GameRules *rules;
	if (is_command_of(line, MAIL_PLACE_PLAY, NULL) ||
	    is_command_of(line, MAIL_PLACE_INVITE, NULL))
		return true;
	for (size_t i = 0; (rules = rules_at(i)) != NULL; i++)
		if (is_command_of(line, MAIL_PLACE_GAME, rules))
			return true;
	return false;
}

static void lines_replace(GPtrArray *lines, unsigned i, char *line)
{
	g_free(lines->pdata[i]);
	lines->pdata[i] = line;
}

/* The last word of a line goes down to the next one; a line without any left goes away. */
static void word_lower(GPtrArray *lines, unsigned i)
{
	const char *line = lines->pdata[i];
	const char *blank = strrchr(line, ' ');
	const char *word = blank == NULL ? line : blank + 1;
	lines_replace(lines, i + 1, g_strdup_printf("%s %s", word, (char *)lines->pdata[i + 1]));
	if (blank == NULL)
		g_ptr_array_remove_index(lines, i);
	else
		lines_replace(lines, i, g_strndup(line, (size_t)(blank - line)));
}

/* Mends the last line, if it goes on from the one before. */
static void line_mend(GPtrArray *lines)
{
	unsigned last = lines->len - 1;
	while (last > 0 && *(const char *)lines->pdata[last] != '\0' &&
	       *(const char *)lines->pdata[last - 1] != '\0' &&
	       (mail_guard_is_command(lines->pdata[last]) ||
		mail_guard_is_command(lines->pdata[last - 1]))) {
		word_lower(lines, last - 1);
		last = lines->len - 1;
	}
}

char *mail_guard_lines(const char *text)
{
	g_auto(GStrv) given = g_strsplit(text, "\n", -1);
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	for (int i = 0; given[i] != NULL; i++) {
		g_ptr_array_add(lines, g_strdup(given[i]));
		line_mend(lines);
	}
	g_ptr_array_add(lines, NULL);
	return g_strjoinv("\n", (char **)lines->pdata);
}
