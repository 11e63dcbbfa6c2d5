/*
 * The log: one line an event on stderr, "level=info event=turn_played game=7 ply=13". No line holds
 * an address, a secret or a token. Write with g_debug, g_info, g_message (started, stopped),
 * g_warning and g_critical, never to stderr itself.
 */
#ifndef SERVICE_LOG_H
#define SERVICE_LOG_H

#include "service/config.h"

/* From now on writes what is at least as grave as level. */
void log_start(ConfigLog level);
/* Whether a line of this gravity would be written: to spare the work of making it. */
bool log_wants(ConfigLog level);

/* A text without mail addresses, tokens and the secrets of links: what every line of the log passes
 * through. The caller frees. */
char *log_mask(const char *text);

#endif
