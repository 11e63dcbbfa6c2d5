/* Days on which players are away, as they announced them. */
#ifndef DB_ABSENCE_H
#define DB_ABSENCE_H

#include "db.h"

typedef enum {
	ABSENCE_ADDED,
	ABSENCE_KNOWN, /* these very days were announced before */
	ABSENCE_PAST,  /* the last day is over everywhere: not stored */
} AbsenceAdded;

/* Announces days, both included, as ISO 8601 writes them ("2026-12-24"), the first not after the
 * last. False with DB_ERROR. */
bool absence_add(Db *db, int64_t player_id, const char *first_day, const char *last_day,
		 AbsenceAdded *added_r, GError **error);

#endif
