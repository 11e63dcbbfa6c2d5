/* Games and their seats. Texts of a Game or GameList belong to the result inside it. */
#ifndef DB_GAME_H
#define DB_GAME_H

#include "db.h"
#include "turn.h"

enum { GAME_SEATS = 2 };

typedef struct Game {
	int64_t id;
	int version; /* goes up with every change */
	const char *rules, *options;
	const char *phase;      /* "setup", "play", "over" */
	const char *visibility; /* "public", "private" */
	const char *start_board, *board;
	int ply;            /* of the last turn; 0 at the start */
	unsigned awaiting;  /* seats, bit 0 for seat 1 */
	const char *clock;  /* a JSON object */
	int winner;         /* 0 = draw; -1 while there is no result */
	const char *reason; /* NULL while there is no result */
	/* Instants as PostgreSQL writes them, in UTC; NULL where there is none. */
	const char *deadline, *created_at, *changed_at, *ended_at;
	struct {
		int64_t player_id;
		const char *name;
		bool reachable; /* false: mails to the player's address do not arrive */
	} seat[GAME_SEATS];     /* who sits there now */
	bool has_turn;
	Turn last_turn;   /* its board is the game's; board_before is not loaded */
	DbResult *result; /* owns the texts; NULL inside a GameList */
} Game;

/* Frees the game; NULL does nothing. */
void game_free(Game *game);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Game, game_free)

typedef struct GameList {
	int count;
	Game *games;
	DbResult *result;
} GameList;

void game_list_free(GameList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GameList, game_list_free)

/* The game with seats and last turn: queue and read, or both in one call. *game_r is NULL (and the
 * call true) when there is none. */
bool game_find_queue(Db *db, int64_t game_id, GError **error);
bool game_find_next(Db *db, Game **game_r, GError **error);
bool game_find(Db *db, int64_t game_id, Game **game_r, GError **error);
/* Puts the game as it is now in place of one that was loaded; NULL when it is gone. */
bool game_reload(Db *db, Game **game, GError **error);

/* The same, inside a transaction: nobody else changes the game until its end. */
bool game_lock(Db *db, int64_t game_id, Game **game_r, GError **error);

/* *expired_r: whether it ended more than so many days ago. */
bool game_expired(Db *db, int64_t game_id, int days, bool *expired_r, GError **error);

/* The seat a player has now (the awaited one first, if somebody has both); 0 for none. */
int game_seat(const Game *game, int64_t player_id);
/* Whether a player (0: a stranger) may see it. */
bool game_visible(const Game *game, int64_t player_id);

enum { GAME_LIST_MAX = 101 };
/* Which games to list, newest first. Zeros and NULLs do not filter. */
typedef struct {
	int64_t player_id; /* who plays in them */
	int64_t viewer_id; /* who asks: private games of others are left out */
	const char *rules;
	const char *phase;
	bool awaiting;     /* only where player_id is awaited; needs player_id */
	int64_t before_id; /* only games with smaller ids */
	int limit;         /* GAME_LIST_MAX at most */
} GameFilter;
/* Without a player only public games are listed. NULL with DB_ERROR. */
GameList *game_list(Db *db, const GameFilter *filter, GError **error);

/* A new game; all is borrowed. */
typedef struct {
	const char *rules, *options, *visibility, *clock;
	const char *phase; /* "setup", "play" */
	const char *board; /* what is sealed is not on it */
	int64_t board_key; /* of what is equal when the board repeats */
	unsigned awaiting;
	int64_t player_id[GAME_SEATS];
} GameDraft;
/* Makes game and seats. *id_r is its number. */
bool game_create(Db *db, const GameDraft *draft, int64_t *id_r, GError **error);

/* A game in set-up as a step leaves it; all is borrowed. */
typedef struct {
	int64_t game_id;
	int version;       /* which it must have */
	const char *phase; /* "setup", "play" */
	const char *board; /* what is sealed is not on it; the start board as well */
	int64_t board_key; /* of what is equal when the board repeats */
	unsigned awaiting;
} GameArrangement;
/* Changes a game that is in set-up, by one compare-and-set. *arranged_r is false (and the call
 * true) if it has another version, or another phase, by now. */
bool game_arrange(Db *db, const GameArrangement *arrangement, bool *arranged_r, GError **error);

/* The end of a game. */
typedef struct {
	int64_t game_id;
	int version; /* which it must have; 0: whatever it has */
	int winner;
	const char *reason;
} GameEnd;
/* Ends a game that is not over yet, by one compare-and-set. *ended_r is false (and the call true)
 * if it was over, or has another version, by now. */
bool game_end(Db *db, const GameEnd *end, bool *ended_r, GError **error);

#endif
