/* Takes away what nobody needs any more, as the page about privacy promises. Events of games and
 * challenges stay as long as these do. */
#ifndef DB_PRUNE_H
#define DB_PRUNE_H

#include "db.h"

/* One kind of thing that is pruned. */
typedef struct {
	const char *name; /* "codes" */
	int64_t count;    /* rows taken away */
} PruneCount;
enum { PRUNE_KINDS = 10 };

/* Prunes everything that is older than it has to be kept: mails that no game caused with their
 * events (30 days, settled ones only), codes (7 days after they expired), kept answers and keys of
 * strangers (7 days),
 * sessions (when they expired), tokens (30 days after their end), addresses that nobody confirmed
 * (30 days), counts of mails (a day after their window began), memories of mails seen (90 days);
 * of mails that came in the message itself and its envelope (inbox_days). */
bool prune_all(Db *db, int inbox_days, PruneCount counts_r[PRUNE_KINDS], GError **error);
/* The same, unless another process is at it. */
bool prune_alone(Db *db, int inbox_days, GError **error);

#endif
