/*
 * The set-up with which a game may begin: the only writer of layouts and of what stands on a board
 * before play. REST, the pages and mail all come through here.
 *
 * A sealed layout stands in setup_step and nowhere else: while phase is "setup", game.board and
 * game.start_board are the board as a stranger sees it. The position itself is what the steps lead
 * to when they are replayed, and whoever shows it to somebody takes it from setup_view.
 */
#ifndef SERVICE_SETUP_H
#define SERVICE_SETUP_H

#include "db/game.h"
#include "rules/rules.h"
#include "service/play.h"

/* ---- looking ---- */

/* A set-up as one viewer may see it: what is sealed from him is not in it. */
typedef struct {
	const GameRules *rules;
	SetupState state;  /* of the last pair, when it is over */
	bool over;         /* both have accepted the same pair */
	Seat viewer;       /* whose eyes these are; 0: a stranger's */
	Seats awaited;     /* SEATS_NONE when it, or the game, is over */
	Position position; /* when it is over, the board after set-up */
	char board[RULES_BOARD_MAX];
	/* Canonical, of seat 1 and seat 2, and their fair copies for the other side; "" where there
	 * is none, or it is sealed from the viewer. */
	char layout[GAME_SEATS][RULES_LAYOUT_MAX];
	char copy[GAME_SEATS][RULES_LAYOUT_MAX];
} SetupView;

/* The set-up of a game as a player (0: a stranger) may see it, during it and afterwards. NO_SETUP:
 * the game has none. Whether he may see the game at all is the caller's to know. */
bool setup_view(Db *db, const Game *game, int64_t player_id, SetupView *view_r, GError **error);

/* One layout as good as any on the board of these options, of a game with a set-up; text_r has
 * RULES_LAYOUT_MAX characters. */
void setup_layout_usual(const GameRules *rules, const char *options, Seat seat, char *text_r);

/* ---- acting ---- */

/* Somebody's wish to lay out an army, or to accept. All is borrowed. */
typedef struct {
	int64_t player_id;
	int64_t round; /* the pair it speaks of, from 1 */
	/* As it was typed: lines, or ranks parted by "/"; "random"; "like 41", the player's own
	 * last layout of game 41; NULL: he accepts. */
	const char *layout;
	const char *channel;  /* "rest", "web", "mail" */
	PlayExpectFn *expect; /* NULL: no condition */
	void *expect_data;
} SetupOrder;

/* What came of it. Clear it whatever setup_send returned. */
typedef struct {
	bool repeated; /* the same had been sent: nothing changed */
	bool accepted; /* it is, or was, an acceptance; an equal layout is one, too */
	bool began;    /* play has begun by it */
	Layout layout; /* of LAYOUT_FAULTY: as it was understood, with all faults */
	/* The game as it was last looked at, also after a refusal; NULL when it does not exist or
	 * is not for the player's eyes. */
	Game *game;
	SetupView view; /* as it is now, for this player; only when it was not refused */
} SetupAnswer;

void setup_answer_clear(SetupAnswer *answer);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SetupAnswer, setup_answer_clear)

/*
 * Carries an order out, in one transaction (joins another). What is looked at, in this order:
 *  1. NOT_FOUND: no such game, or a private one of others; NOT_ALLOWED: not a player of it;
 *     NO_SETUP: a game without.
 *  2. The same order is the last thing that was heard from this seat, or accepts what it has
 *     accepted: repeated, also when the game is over. (But with the pair open a layout equal to
 *     the one that lies there accepts it, if this seat is to speak.)
 *  3. GAME_OVER. 4. The condition (expect).
 *  5. SETUP_OVER; SETUP_OTHER_ROUND, with the present "round"; SETUP_NOT_AWAITED;
 *     SETUP_NOTHING_TO_ACCEPT.
 *  6. LAYOUT_LIKE_UNKNOWN, with "game" and why as "reason"; LAYOUT_FAULTY.
 *  7. SETUP_NO_CHANGES_LEFT.
 * Each refusal is decided before the first write. Wakes the workers.
 */
bool setup_send(Db *db, int64_t game_id, const SetupOrder *order, SetupAnswer *answer_r,
		GError **error);

#endif
