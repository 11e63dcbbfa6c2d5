/* Turns of games: append only. Texts of a Turn or TurnList belong to the result inside it. */
#ifndef DB_TURN_H
#define DB_TURN_H

#include "db.h"

typedef struct Turn {
	int64_t game_id;
	int ply;
	int seat;
	int64_t player_id; /* who played it, whoever sits there now */
	const char *player_name;
	const char *text;      /* canonical */
	const char *board;     /* after it */
	const char *channel;   /* "rest", "web", "mail" */
	const char *played_at; /* as PostgreSQL writes it, in UTC */
	const char *board_before;
	DbResult *result; /* owns the texts; NULL inside a TurnList */
} Turn;

/* Frees the turn; NULL does nothing. */
void turn_free(Turn *turn);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Turn, turn_free)

typedef struct TurnList {
	int count;
	Turn *turns;
	DbResult *result;
} TurnList;

void turn_list_free(TurnList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TurnList, turn_list_free)

/* The turn with a number. *turn_r is NULL (and the call true) when there is none. */
bool turn_find(Db *db, int64_t game_id, int ply, Turn **turn_r, GError **error);
/* Turns after a ply, in order, at most limit. NULL with DB_ERROR. */
TurnList *turn_list(Db *db, int64_t game_id, int after_ply, int limit, GError **error);

/* How many outcomes a new turn brings: for a board seen once, twice, three times or more. */
enum { TURN_SEEN_MAX = 3 };

/* What the database needs to play a turn that the referee allowed. All is borrowed. */
typedef struct {
	int64_t game_id;
	int version; /* of the game the referee looked at */
	int seat;
	int64_t player_id;
	const char *channel;
	const char *received_at; /* when it counts as played, within reason; NULL: now */
	const char *text;
	const char *board;
	const char *bare_board; /* the beginning of board that is equal when it repeats */
	int64_t board_key;      /* of bare_board */
	unsigned awaiting;      /* seats, bit 0 for seat 1, if the game goes on */
	/* How the game ends if the board with this side to move has now stood 1, 2, 3 times or
	 * more; reason NULL: it goes on. */
	struct {
		int winner;
		const char *reason;
	} outcome[TURN_SEEN_MAX];
	const char *key;          /* Idempotency-Key; NULL: none */
	const char *request_hash; /* of it, as db_hex() writes it */
} TurnDraft;

/* The game after a turn. */
typedef struct {
	bool done; /* false: the game changed meanwhile (or is over); nothing was written */
	int ply, version;
	const char *phase;
	unsigned awaiting;
	int winner;         /* -1 while there is no result */
	const char *reason; /* NULL while there is no result */
	const char *played_at;
	DbResult *result; /* owns the texts */
} TurnPlayed;

void turn_played_clear(TurnPlayed *played);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TurnPlayed, turn_played_clear)

/* Plays a turn by one statement: compare-and-set of the game's row, turn, events, feed, deliveries
 * and the idempotency row, all or nothing. False with DB_ERROR; the constraint idempotency_once:
 * the key was used before. */
bool turn_play(Db *db, const TurnDraft *draft, TurnPlayed *played_r, GError **error);

#endif
