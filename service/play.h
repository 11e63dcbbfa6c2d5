/*
 * Playing: the only writer of turns and of the ends of games. REST, the pages and (later) mail all
 * come through here, so that an order given twice, on whatever channel, counts once.
 */
#ifndef SERVICE_PLAY_H
#define SERVICE_PLAY_H

#include "db/game.h"
#include "rules/rules.h"
#include "service/nearest.h"

/* Whether the order still stands, looking at the game just before it is carried out; refuses with
 * an error of its own (REST: If-Match, PRECONDITION_FAILED). */
typedef bool PlayExpectFn(const Game *game, void *user_data, GError **error);

/* The player's seat in a game that is for his eyes (NULL: there is none). NOT_FOUND, NOT_ALLOWED.
 */
bool play_seat(const Game *game, int64_t player_id, int *seat_r, GError **error);
/* Forgets a game that is not for the player's eyes: it becomes NULL. */
void play_hide(Game **game, int64_t player_id);

/* Somebody's wish to play a turn. All is borrowed. */
typedef struct {
	int64_t player_id;
	int64_t ply;         /* the number the turn will have */
	const char *text;    /* as it was typed */
	const char *channel; /* "rest", "web", "mail" */
	/* When it counts as played, an instant as PostgreSQL writes it (not before the turn before
	 * it, not in the future); NULL: now. */
	const char *received_at;
	PlayExpectFn *expect; /* NULL: no condition */
	void *expect_data;
	const char *key;          /* Idempotency-Key; NULL: none */
	const char *request_hash; /* of its request, as db_hex() writes it */
} TurnOrder;

/* What came of it. Everything belongs to it; clear it whatever play_turn returned. */
typedef struct {
	/* Played, or found to be played already. */
	bool repeated;     /* the turn stood there before: nothing was changed */
	int kept_status;   /* of the answer kept under its Idempotency-Key: this one; 0: none */
	Turn turn;         /* board_before is not set */
	const char *phase; /* the game right after this turn, whatever came later: */
	unsigned awaiting;
	int winner;         /* -1: no result yet */
	const char *reason; /* NULL: no result yet */
	int version;        /* of the game now */
	/* Refused: why, beside the error. */
	Refusal refusal;      /* of TURN_UNREADABLE and TURN_ILLEGAL, else code NONE */
	NearestTurns nearest; /* the same */
	/* The game as it was last looked at; NULL when it does not exist or is not for the player's
	 * eyes. */
	Game *game;
	/* The texts' owners. */
	Turn *stored;
	TurnPlayed played;
	char canonical[RULES_TURN_MAX];
	char board[RULES_BOARD_MAX];
} PlayAnswer;

void play_answer_clear(PlayAnswer *answer);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PlayAnswer, play_answer_clear)

/*
 * Plays a turn by one round trip. game: as loaded by the caller, taken over; NULL when there is
 * none. What is looked at, in this order:
 *  1. NOT_FOUND: no such game, or a private one of others; NOT_ALLOWED: not a player of it.
 *  2. The key came before: the first answer again, or IDEMPOTENCY_MISMATCH for another request.
 *  3. The ply is played: this player's same turn (the text is read on the board of that ply, so
 *     that other spellings count) is answered with what is stored, however late, also when the game
 *     is over, and also when the condition does not hold any more: a retry sends the old one.
 *  4. The condition (expect).
 *  5. PLY_PLAYED: another turn has this number. GAME_OVER. SETUP_NOT_OVER. PLY_AHEAD: a number
 *     too far.
 *  6. NOT_YOUR_TURN. 7. TURN_UNREADABLE, TURN_ILLEGAL.
 *  8. Somebody changed the game meanwhile: everything again with the game as it is now.
 */
bool play_turn(Db *db, Game *game, const TurnOrder *order, PlayAnswer *answer_r, GError **error);

/* Resigns for a player, awaited or not. game is replaced by the game as it is then, also after a
 * refusal. *repeated_r: the player had resigned before, nothing was changed. NOT_FOUND,
 * NOT_ALLOWED, GAME_OVER, and what expect raises. Joins a transaction. */
typedef struct {
	int64_t player_id;
	PlayExpectFn *expect; /* NULL: no condition */
	void *expect_data;
} ResignOrder;
bool play_resign(Db *db, Game **game, const ResignOrder *order, bool *repeated_r, GError **error);

#endif
