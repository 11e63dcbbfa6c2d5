/*
 * Mail that came in: each message is committed here as it came before anything else is done with
 * it. A row is new until somebody decided about it; whoever is at it holds a lease, so that a mail
 * whose reader died is taken up by another one (inbox_claim).
 */
#ifndef DB_INBOX_H
#define DB_INBOX_H

#include "db.h"

/* After so many readers died of it nobody tries any more: state failed. */
enum { INBOX_ATTEMPTS_MAX = 3, INBOX_CLAIM_MAX = 20 };

/* A message to be kept. All is borrowed. */
typedef struct {
	const char *via;       /* "deliver", "rest" */
	const char *sender;    /* of the envelope, "" for none; NULL: unknown */
	const char *recipient; /* of the envelope; NULL: unknown */
	const uint8_t *raw;
	size_t raw_size;
} InboxDraft;

/* A message as it was kept. */
typedef struct InboxMail {
	int64_t id;
	char *sender, *recipient; /* of the envelope; NULL: unknown */
	uint8_t *raw;             /* NULL: no longer kept */
	size_t raw_size;
	char *received_at; /* as PostgreSQL writes it: when our mail server had it, else when it
			      arrived here */
} InboxMail;

void inbox_mail_free(InboxMail *mail);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(InboxMail, inbox_mail_free)

/* Keeps messages (one row each) by one statement, each leased to the caller for a minute; ids_r
 * gets their numbers in order. */
bool inbox_add(Db *db, const InboxDraft *drafts, int count, int64_t *ids_r, GError **error);

/* Locks a row that nobody decided about until the end of the transaction. *mail_r is NULL (and the
 * call true) when there is none any more. */
bool inbox_lock(Db *db, int64_t id, InboxMail **mail_r, GError **error);
/* The same for a row that was decided to be held. */
bool inbox_lock_held(Db *db, int64_t id, InboxMail **mail_r, GError **error);

/* Writes down when our own mail server received it, as seconds since 1970, and brings mail's
 * received_at up to date. */
bool inbox_received(Db *db, InboxMail *mail, int64_t seconds, GError **error);

/* What was decided about a message; NULL and 0: nothing. All is borrowed. */
typedef struct {
	const char *disposition; /* never NULL */
	const char *reason;
	const char *command, *written; /* the command's name, and as it was written */
	const char *problem;           /* it was refused with */
	const char *message_id;
	int64_t game_id;
	int ply; /* with a game: of the address */
	int64_t challenge_id;
	int64_t player_id, address_id; /* whose it is, and who is answered */
	const char *answer;            /* a JSON object */
} InboxDecision;

/* Writes it down: the row is done. */
bool inbox_decided(Db *db, int64_t id, const InboxDecision *decision, GError **error);

/* The command of a mail as it was written; *written_r is NULL (and the call true) when there is no
 * such mail or none was found in it. The caller frees it. */
bool inbox_written(Db *db, int64_t id, char **written_r, GError **error);

/* Leases up to limit rows whose lease is over, the oldest first, and counts the attempt; rows that
 * had too many attempts become failed. *count_r: how many ids there are, *failed_r: how many
 * failed. */
bool inbox_claim(Db *db, int limit, int64_t *ids_r, int *count_r, int *failed_r, GError **error);
/* Gives a lease back after a fault that passes: the attempt does not count, the row comes again
 * after pause_s seconds. */
bool inbox_release(Db *db, int64_t id, int pause_s, GError **error);

/* Remembers that a mail was seen in a scope ("g7.t14.p3"), key in hexadecimal text (db_hex). Waits
 * for a racing one. *first_r: it is new, or was remembered by this very row. */
bool inbox_remember(Db *db, int64_t id, const char *scope, const char *key, bool *first_r,
		    GError **error);

/* One row: state, disposition, reason, command, problem. NULL with DB_ERROR. */
DbResult *inbox_state(Db *db, int64_t id, GError **error);

/* What one of our mails was about, by its delivery. */
typedef struct {
	int64_t player_id, game_id, challenge_id; /* 0: none; player: its reader */
	int ply;                                  /* of its event */
	const char *template;                     /* belongs to result */
	DbResult *result;
} InboxTrace;
void inbox_trace_clear(InboxTrace *trace);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(InboxTrace, inbox_trace_clear)
/* trace_r->template is NULL (and the call true) when there is no such delivery. */
bool inbox_trace(Db *db, int64_t delivery_id, InboxTrace *trace_r, GError **error);

/* Rows for /metrics: state, how many, seconds since the oldest came. NULL with DB_ERROR. */
DbResult *inbox_counts(Db *db, GError **error);

/* Mails about which nothing was decided, newest first: id, state, via, attempts, when it arrived,
 * when it is tried again, bytes. NULL with DB_ERROR. */
DbResult *inbox_letters(Db *db, int limit, GError **error);
/* Lets a failed mail be read again at once. *found_r is false when there is none of this number
 * whose text is still kept. */
bool inbox_again(Db *db, int64_t id, bool *found_r, GError **error);

#endif
