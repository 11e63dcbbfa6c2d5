/* Takes away what nobody needs any more. Only the owner's role may: the service's cannot delete
 * events. Events of games and challenges stay as long as these do. */
#ifndef DB_PRUNE_H
#define DB_PRUNE_H

#include "db.h"

/* One kind of thing that is pruned. */
typedef struct {
	const char *name; /* "codes" */
	int64_t count;    /* rows taken away */
} PruneCount;
enum { PRUNE_KINDS = 7 };

/* Prunes everything that is older than it has to be kept: mails that no game caused with their
 * events (30 days, settled ones only), codes (7 days after they expired), kept answers (7 days),
 * sessions (when they expired), tokens (30 days after their end), addresses that nobody confirmed
 * (30 days), counts of mails (a day after their window began). */
bool prune_all(Db *db, PruneCount counts_r[PRUNE_KINDS], GError **error);

#endif
