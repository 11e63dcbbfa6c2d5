/*
 * A mail of ours comes back quoted in a reply, now and then without any mark of that: no line of it
 * may be a whole command of any language, wherever its sentences were broken into lines.
 */
#ifndef SERVICE_MAIL_GUARD_H
#define SERVICE_MAIL_GUARD_H

#include <stdbool.h>

/* Whether a line would be a command or a turn in a reply, in any place and game. */
bool mail_guard_is_command(const char *line);

/* The text of a mail with its lines broken elsewhere where one would be a command: the last word of
 * the line before goes down to it. The caller frees. */
char *mail_guard_lines(const char *text);

#endif
