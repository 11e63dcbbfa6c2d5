/* Between the files of the set-up: setup.c acts, setup_view.c looks, setup_layout.c reads. */
#ifndef SERVICE_SETUP_PRIVATE_H
#define SERVICE_SETUP_PRIVATE_H

#include "db/setup.h"
#include "service/setup.h"

/* A set-up as it is, with what is sealed: for nobody's eyes. */
typedef struct {
	const GameRules *rules;
	Position position;
	SetupState state; /* of the last pair, when it is over */
	bool over;
	/* The newest of each seat; "" and NULL where there is none. */
	char layout[GAME_SEATS][RULES_LAYOUT_MAX];
	const SetupStep *last[GAME_SEATS];
} SetupReplay;

/* The board of a game whose rules have a set-up, before anything is laid out. */
void setup_start(const Game *game, Position *position_r);
/* Replays the steps of a game whose rules have a set-up; keeps pointers to them. */
void setup_replay(const Game *game, const SetupStepList *steps, SetupReplay *replay_r);
/* What of it a seat (0: a stranger) may see. */
void setup_show(const Game *game, const SetupReplay *replay, Seat viewer, SetupView *view_r);
/* Whether the game has a set-up. NO_SETUP. */
bool setup_check(const Game *game, GError **error);

/* Reads what a player typed as a layout of a seat: a layout, or "like 41". layout_r as
 * GameSetup.check leaves it. LAYOUT_FAULTY, LAYOUT_LIKE_UNKNOWN. */
bool setup_layout_read(Db *db, const Game *game, Seat seat, const SetupOrder *order,
		       Layout *layout_r, GError **error);
/* Whether it asks for a random one; and draws one. */
bool setup_layout_random(const char *text);
void setup_layout_shuffle(const SetupReplay *replay, Seat seat, char *text_r);

#endif
