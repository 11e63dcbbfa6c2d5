/* Something the service needs is away: how long to wait before the next try, and a log that says
 * when it began, once a minute that it goes on, and when it ended. */
#ifndef SERVICE_OUTAGE_H
#define SERVICE_OUTAGE_H

#include <stdint.h>

/* All zero: nothing is away. */
typedef struct {
	const char *name; /* "database", in the log */
	int failures;
	int64_t began, logged; /* monotonic microseconds */
} Outage;

/* name must live for ever. */
void outage_name(Outage *outage, const char *name);
/* Counts a failed try. Returns the milliseconds to wait: half a second at first, doubled up to 30
 * s, a little more or less so that not all come at once. */
int64_t outage_begin(Outage *outage, const char *why);
/* A try that succeeded. */
void outage_end(Outage *outage);

#endif
