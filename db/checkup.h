/* What `ludopost doctor` asks the database. */
#ifndef DB_CHECKUP_H
#define DB_CHECKUP_H

#include "db.h"

typedef struct CheckupServer {
	int64_t now_us;       /* clock_now(), microseconds since 1970 */
	bool read_only;       /* a standby, or set so */
	int migration;        /* the newest that was applied */
	char *version;        /* of PostgreSQL, "15.6" */
	int64_t mails_late;   /* notifications due for ten minutes or more */
	int64_t inbox_late;   /* mails that came in ten minutes ago or more, not decided */
	int64_t inbox_failed; /* mails that could not be decided */
} CheckupServer;
bool checkup_server(Db *db, CheckupServer *server_r, GError **error);
void checkup_server_clear(CheckupServer *server);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CheckupServer, checkup_server_clear)

/* How many seconds a zone of the server's data is ahead of UTC at a time (seconds since 1970).
 * *known_r: whether it has the zone. */
bool checkup_zone(Db *db, const char *zone, int64_t at, bool *known_r, int *offset_s_r,
		  GError **error);

/* A mail that came in within the last hour. */
typedef struct CheckupArrival {
	bool found;
	bool decided;
	char *via;       /* `deliver`, `rest`; NULL: not found */
	char *recipient; /* of the envelope; NULL: unknown */
	char *header;    /* its header block, at most; NULL: not found */
	bool dated;      /* our own mail server's time of receiving it is known */
} CheckupArrival;
/* Looks for a mail whose raw text has these words. */
bool checkup_arrival(Db *db, const char *words, CheckupArrival *arrival_r, GError **error);
void checkup_arrival_clear(CheckupArrival *arrival);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CheckupArrival, checkup_arrival_clear)

#endif
