/*
 * What goes on behind the requests: threads that send mails and one that fills the feed, each with
 * a database connection of its own. Part of `ludopost serve` (unless run_workers is off) and the
 * whole of `ludopost work`; any number of processes may run, on any number of hosts.
 */
#ifndef SERVICE_WORKERS_H
#define SERVICE_WORKERS_H

#include "service/config.h"

typedef struct Workers Workers;

/* Starts the threads: those that work if config->run_workers or always, and in any case the one
 * that rings other processes after workers_wake. The configuration must outlive them. */
Workers *workers_start(const Config *config, bool always);
/* Lets each thread finish what it is doing (a mail that is being sent is given stop_timeout_s) and
 * ends them all. NULL does nothing. */
void workers_stop(Workers *workers);

/* To be called after the COMMIT of anything that made deliveries or events: wakes the threads of
 * this process at once, those of others within 100 ms. Cheap; from any thread; does nothing where
 * no workers were started (they also look by themselves every few seconds). */
void workers_wake(void);

/* `ludopost work`: runs the workers until SIGTERM or SIGINT. The exit code. */
int workers_command(const Config *config);

#endif
