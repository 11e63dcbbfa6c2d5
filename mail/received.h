#ifndef MAIL_RECEIVED_H
#define MAIL_RECEIVED_H

#include "fields.h"

/* When our own mail servers had a message first: of the topmost Received fields (RFC 5321 section
 * 4.4) those in a row whose "by" is one of `hosts` (names, separated by blanks), each but the
 * lowest brought by one of them, the lowest one's date, as seconds since 1970. False if the topmost
 * is none of theirs or has no date. */
bool received_time(const Fields *fields, const char *hosts, int64_t *seconds_r);

#endif
