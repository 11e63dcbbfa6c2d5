/* What every long-running subcommand needs: signals that are waited for, a database that fits. */
#ifndef SERVICE_PROCESS_H
#define SERVICE_PROCESS_H

#include "service/config.h"

#include <signal.h>

/* Blocks SIGTERM and SIGINT, so that only process_signal_await takes them, and ignores SIGPIPE.
 * Threads inherit this: call it before the first one. */
sigset_t process_signals_block(void);
/* Waits so long for one of them; false when none came. */
bool process_signal_within(const sigset_t *signals, int milliseconds);
/* Waits for one of them and says so in the log; a second one then ends the process at once. */
void process_signal_await(const sigset_t *signals);
/* False with DB_ERROR when the database's schema does not fit this program. One that is away may
 * come: that is only logged. */
bool process_schema_check(const Config *config, GError **error);

#endif
