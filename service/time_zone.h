/* Time zones of people: IANA names, as the system's zone files have them, by which mails and pages
 * tell the time (text_time) and PostgreSQL computes. */
#ifndef SERVICE_TIME_ZONE_H
#define SERVICE_TIME_ZONE_H

#include <stdbool.h>

/* Whether this is "UTC" or a zone of the IANA database by region and place ("Europe/Berlin", also
 * "Etc/GMT+3"), written exactly so: no abbreviations ("EST"), no offsets ("GMT+3"). */
bool time_zone_known(const char *name);

#endif
