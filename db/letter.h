/*
 * Everything a mail says, as it stands in the database when the mail is made: the delivery, its
 * event and reader, and what the event is about. Mails are rendered late, so that they are true.
 */
#ifndef DB_LETTER_H
#define DB_LETTER_H

#include "db.h"

enum { LETTER_EARLIER_MAX = 10, LETTER_NONCE_SIZE = 16 };

/* Another mail of the same game to the same reader. */
typedef struct {
	int64_t delivery_id;
	int ply;
} LetterEarlier;

typedef struct {
	const char *rules, *options, *phase, *reason, *deadline; /* reason, deadline may be NULL */
	int awaiting, ply, winner;
	const char *board; /* after the event's ply; during set-up as a stranger sees it */
	/* The event's turn and the board before it; NULL at the start. */
	const char *turn, *board_before;
	int turn_seat;
	int64_t player_ids[2];
	const char *names[2];
	bool reachable[2];     /* false: mails to that player come back */
	int seat;              /* the reader's; 0: none any more */
	bool mail_stopped;     /* the reader wants no mails about this game */
	const char *message;   /* of the challenge it came from; may be NULL */
	int64_t challenger_id; /* who wrote it; 0: no challenge */
	const char *remark;    /* what who caused the event said with it to the reader, or NULL */
	bool followed;         /* the reader follows the game */
	const char *turns;     /* of a day, a line each; NULL: the event tells none */
	LetterEarlier earlier[LETTER_EARLIER_MAX]; /* the newest, oldest first */
	int earlier_count;
} LetterGame;

typedef struct {
	const char *kind, *state, *rules, *options, *seat, *clock_kind;
	const char *message, *language; /* may be NULL */
	int64_t challenger_id;
	const char *challenger;
	const char *opponent; /* a name, or the address that was invited; NULL: nobody yet */
} LetterChallenge;

typedef struct {
	const char *kind;
	int key_id;
	uint8_t nonce[LETTER_NONCE_SIZE];
	const char *expires_at;
	bool valid;              /* neither used nor expired */
	const char *name;        /* the wanted name of a sign-up; may be NULL */
	const char *time_zone;   /* of whoever asked for the code */
	const char *from;        /* who wrote a mail that is held; may be NULL */
	const char *game;        /* that it is about, a number; "0": none; may be NULL */
	const char *new_address; /* of the latest change from the letter's address; may be NULL */
} LetterCode;

/* A mail that came in and is answered by the letter. What may be NULL is so where nothing is known.
 */
typedef struct {
	const char *disposition, *reason; /* reason may be NULL */
	const char *command, *written; /* the command's name, and as it was written; may be NULL */
	const char *problem;    /* the type of the problem it was refused with; may be NULL */
	const char *message_id; /* without brackets; may be NULL */
	const char *answer;     /* a JSON object; may be NULL */
	const char *names; /* of the players in its "players": a JSON object, number → name */
} LetterInbox;

/* Instants in texts are seconds since 1970. All texts belong to the letter. */
typedef struct {
	int64_t delivery_id, event_id;
	const char *template, *kind;
	int64_t created; /* seconds since 1970 */
	int ply;         /* the event's */
	int round;       /* the pair of layouts that the event is about; 0: none */
	int64_t game_id, challenge_id, mail_code_id, inbox_id; /* 0: none */
	const char *email, *address_state, *address_language;
	int64_t address_player_id, reader_id;                    /* 0: no account */
	const char *reader, *reader_language, *reader_time_zone; /* NULL: no account */
	bool mail_stopped;
	const char *subject, *body; /* of an announcement; NULL: it is none */
	bool has_game, has_challenge, has_code, has_inbox; /* which of these was found */
	LetterGame game;
	LetterChallenge challenge;
	LetterCode code;
	LetterInbox inbox;
	DbResult *rows[5];
} Letter;

/* Loads the letter of a delivery in two round trips. NULL with DB_ERROR. Free: letter_free. */
Letter *letter_load(Db *db, int64_t delivery_id, GError **error);
void letter_free(Letter *letter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Letter, letter_free)

#endif
