/*
 * The outbox: one row for each event, recipient and channel.
 *
 *   pending ──claim, start──▶ sending ──▶ sent
 *      ▲                        │  ├────▶ retry (later, on the schedule) ──▶ …
 *      │                        │  ├────▶ dead (refused for good, or 72 hours of retries are over)
 *      │                        │  └────▶ unknown (may have been accepted: tried once more after
 *   lease ran out               │              15 minutes, then left so)
 *   before start                └────────▶ dropped (no longer true, or the address is dead)
 *
 * A claim leases rows for a minute without changing their state. "sending" is committed before the
 * first byte goes to the mail server, so that after a crash exactly the mails that may have been
 * accepted are unknown.
 */
#ifndef DB_DELIVERY_H
#define DB_DELIVERY_H

#include "db.h"

enum { DELIVERY_CLAIM_MAX = 20 };

/* A row leased to this worker. */
typedef struct {
	int64_t id;
	int attempts;   /* before this one */
	char lease[48]; /* which lease it is: ours as long as the row has this one */
} DeliveryClaim;

/* Leases up to limit rows that are due, oldest first; also calls rows unknown whose sender died.
 * The number of rows, -1 with DB_ERROR. */
int delivery_claim(Db *db, int limit, DeliveryClaim *claims_r, GError **error);
/* Gives back the leases of rows of one claim that were not started. */
bool delivery_release(Db *db, const DeliveryClaim *claims, int count, GError **error);

/* What came of asking to start. */
typedef enum {
	DELIVERY_STARTED, /* it is "sending": send it and call delivery_finish */
	DELIVERY_CLOSED,  /* its domain puts mails off: comes again when that is tried again */
	DELIVERY_BRAKED,  /* its address got too many mails within the hour: comes again later */
	DELIVERY_LOST,    /* the lease is another's by now: leave it alone */
} DeliveryStart;
/* Commits that the mail is being sent (attempts + 1), unless its address got brake mails within the
 * last hour (0: no brake; codes a person asked for are never braked), or its domain put off several
 * mails in a row: then one mail at a time is tried, after pauses that grow to an hour. False with
 * DB_ERROR. */
bool delivery_start(Db *db, const DeliveryClaim *claim, int brake, DeliveryStart *start_r,
		    GError **error);

typedef enum {
	DELIVERY_SENT,
	DELIVERY_RETRY,
	DELIVERY_DEAD,
	DELIVERY_UNKNOWN,
	DELIVERY_DROPPED,
} DeliveryOutcome;

/* What became of a mail that was started, or of one that need not be (dropped, dead). */
typedef struct {
	DeliveryOutcome outcome;
	int code;          /* of the mail server's last reply; 0: none */
	const char *reply; /* its text, or why the mail was dropped; may be NULL */
	const char *cause; /* SmtpCause by name; NULL: none */
	bool put_off;      /* the recipient's side refused for now, whatever address it is */
	bool hard;         /* a refusal that counts against the address */
	bool address_dead; /* one such refusal is enough: write there no more */
} DeliveryResult;
/* Writes it down, in one transaction with what follows for the address (dead after a refusal that
 * suppresses or hard ones on three days; its other deliveries are dropped). */
bool delivery_finish(Db *db, const DeliveryClaim *claim, const DeliveryResult *result,
		     GError **error);

/* A report that a mail which was taken came back after all. */
typedef struct {
	const char *reply; /* what the report says, fit to be shown */
	const char *cause; /* SmtpCause by name; NULL: none */
	bool hard;         /* as in DeliveryResult, likewise the next */
	bool address_dead;
} DeliveryReturn;
/* Writes it down with what follows for the address, as delivery_finish does. Joins a transaction.
 * *found_r: whether there is such a delivery that may have been sent. */
bool delivery_returned(Db *db, int64_t id, const DeliveryReturn *returned, bool *found_r,
		       GError **error);
/* The newest delivery about a game that was made when a turn was the last one and that went to
 * whoever has, or had, a seat. *id_r is 0 (and the call true) when there is none. */
bool delivery_find_game(Db *db, int64_t game_id, int seat, int ply, int64_t *id_r, GError **error);
/* Whom a delivery went to: address, and the player it belongs to now (0: none). Zeros (and true)
 * when there is none. */
bool delivery_addressee(Db *db, int64_t id, int64_t *address_id_r, int64_t *player_id_r,
			GError **error);

/* Columns of delivery_list; DUE is null unless it will be tried again. */
enum {
	DELIVERY_ID,
	DELIVERY_EVENT, /* the event's kind */
	DELIVERY_TEMPLATE,
	DELIVERY_PLY, /* the event's */
	DELIVERY_STATE,
	DELIVERY_CREATED,
	DELIVERY_CHANGED,
	DELIVERY_SENT_AT,
	DELIVERY_DUE,
	DELIVERY_ATTEMPTS,
	DELIVERY_REPLY_CODE,
	DELIVERY_REPLY,
	DELIVERY_EMAIL,
};
/* What was sent to a player about a game, oldest first, after the delivery after_id. NULL with
 * DB_ERROR. */
DbResult *delivery_list(Db *db, int64_t game_id, int64_t player_id, int64_t after_id, int limit,
			GError **error);

/* For people who run the service: the newest rows in some states ("dead,unknown"): id, template,
 * game_id, player_id, state, attempts, created_at, changed_at, due_at, reply_code, reply. */
DbResult *delivery_letters(Db *db, const char *states, int limit, GError **error);
/* Makes a row that is dead, unknown or waiting due at once; *found_r: whether there is one. */
bool delivery_again(Db *db, int64_t id, bool *found_r, GError **error);

/* Rows for /metrics: states of deliveries that are not done and dead ones, how many, seconds since
 * the oldest was due. */
DbResult *delivery_counts(Db *db, GError **error);

#endif
