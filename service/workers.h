/*
 * What goes on behind the requests: threads that send mails, one that fills the feed, one that
 * takes up mails which came in and were left, and one that hears other processes, each with a
 * database connection of its own. Part of `ludopost serve` (unless run_workers is off) and the
 * whole of `ludopost work`; any number of processes may run, on any number of hosts.
 */
#ifndef SERVICE_WORKERS_H
#define SERVICE_WORKERS_H

#include "service/config.h"

typedef struct Workers Workers;

/* Starts the threads: those that work if work says so, and in any case the one that tells other
 * processes of workers_wake. The configuration must outlive them. Call text_init, smtp_prepare and
 * block the signals you wait for before. NULL with an error when the settings for sending mail
 * contradict each other or no secret key is set. */
Workers *workers_start(const Config *config, bool work, GError **error);
/* Whether they get on: the database answered within the last minute, and no thread is stuck. */
bool workers_are_well(const Workers *workers);
/* Lets each thread finish what it is doing (a mail that is being sent is given stop_timeout) and
 * ends them all. NULL does nothing. */
void workers_stop(Workers *workers);

/* To be called after the COMMIT of anything that made deliveries or events: wakes the threads of
 * this process at once, those of others within 100 ms or so. Cheap; from any thread; does nothing
 * where no workers were started (they also look by themselves every few seconds). */
void workers_wake(void);

/* `ludopost work`: runs the workers until SIGTERM or SIGINT. */
int command_work(int argc, char **argv);

#endif
