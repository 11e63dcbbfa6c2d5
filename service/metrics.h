/*
 * What the process counts, for /metrics (Prometheus text format 0.0.4). Counters are atomic: any
 * thread may count, none waits.
 */
#ifndef SERVICE_METRICS_H
#define SERVICE_METRICS_H

#include "service/route.h"

/* Numbers that go up and down. */
typedef enum {
	GAUGE_CONNECTIONS,  /* open client connections */
	GAUGE_IN_FLIGHT,    /* requests between their last byte and their answer */
	GAUGE_QUEUED,       /* of those, waiting for a worker */
	GAUGE_DB_CONNECTED, /* workers whose database connection stands */
	GAUGE_COUNT,
} Gauge;

/* Names the rows of a table, once, before any thread counts. */
void metrics_start(const Route *table);
/* A request was answered: route NULL when no row matched; took_us in microseconds. */
void metrics_answer(const Route *route, int status, int64_t took_us);
/* A request was refused by a rate limit. */
void metrics_rate_refused(RateClass class);
/* A connection was closed for breaking the rules of HTTP or for being slow. */
void metrics_connection_refused(bool slow);
void metrics_add(Gauge gauge, int change);
int metrics_gauge(Gauge gauge);
/* Everything counted, in the text format. The caller appends what the database knows. */
void metrics_write(GString *out);

#endif
