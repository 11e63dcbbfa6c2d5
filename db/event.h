/*
 * What happened, and whom it is told: an event, its row for the feed and its deliveries are written
 * by one statement, in the transaction of what happened. Kinds that begin with "mail." cause a mail
 * and nothing else; no feed shows them. After the COMMIT call workers_wake (service/workers.h).
 */
#ifndef DB_EVENT_H
#define DB_EVENT_H

#include "db.h"

enum { EVENT_RECIPIENTS_MAX = 4 };

/* One event. Numbers that are 0 become NULL, except ply of an event with a game. All is borrowed.
 */
typedef struct {
	const char *kind; /* "turn.played" */
	int64_t game_id;
	int ply; /* of the turn played; the last one when a game starts (0) or is over */
	int64_t challenge_id;
	int64_t mail_code_id;
	int64_t inbox_id;     /* the mail it answers */
	int64_t player_id;    /* who did it; 0: the service itself */
	const char *data;     /* a JSON object of ids, numbers and notation; NULL: {} */
	const char *template; /* of mail/templates; NULL: nobody is told */
	/* Who is told: the primary addresses of these players, and these addresses. Ends with 0. */
	int64_t players[EVENT_RECIPIENTS_MAX + 1];
	int64_t addresses[EVENT_RECIPIENTS_MAX + 1];
} Event;

/* Queues the one statement; no round trip. Nothing of the event is needed after the call. */
bool event_append_queue(Db *db, const Event *event, GError **error);
/* Reads its answer. *event_id_r (may be NULL) is the event's number. A recipient who cannot be
 * written to (dead address, mails stopped, "never write to me") gets a delivery in state dropped
 * that says so; a dead address is still tried when a person asks for a mail ("mail." kinds). */
bool event_append_next(Db *db, int64_t *event_id_r, GError **error);
/* Both in one call. */
bool event_append(Db *db, const Event *event, int64_t *event_id_r, GError **error);

/* Kinds that begin with "mail.news." are mails that no game event causes and that nobody asked for:
 * whoever stopped the mails about games does not get them. */

/* Moves what is committed from feed_pending to feed, in an order in which nothing appears behind a
 * reader's cursor, and makes the mails of those who follow the games; one process at a time does
 * it. *moved_r: how many rows (at most 1000 a call); 0 also when another process is at it. */
bool feed_fill(Db *db, int *moved_r, GError **error);

#endif
