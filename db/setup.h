/* Steps of set-ups: append only. Layouts may be sealed: whoever shows any takes them from
 * service/setup.h. Texts of a SetupStepList belong to the result inside it. */
#ifndef DB_SETUP_H
#define DB_SETUP_H

#include "db.h"

typedef struct {
	int step; /* from 1 */
	int seat;
	int round;          /* the pair of layouts it speaks of */
	const char *layout; /* canonical; NULL: the pair is accepted */
	int64_t player_id;  /* who sent it, whoever sits there now */
	const char *channel;
	const char *at; /* as PostgreSQL writes it, in UTC */
} SetupStep;

typedef struct SetupStepList {
	int count;
	SetupStep *steps;
	DbResult *result;
} SetupStepList;

void setup_step_list_free(SetupStepList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SetupStepList, setup_step_list_free)

/* All steps of a game, in order. NULL with DB_ERROR. */
SetupStepList *setup_step_list(Db *db, int64_t game_id, GError **error);

/* A step to be kept; all is borrowed. */
typedef struct {
	int64_t game_id;
	int step;
	int seat;
	int round;
	const char *layout; /* NULL: the pair is accepted */
	int64_t player_id;
	const char *channel; /* "rest", "web", "mail" */
} SetupStepDraft;
/* Keeps it, in the transaction that locked the game and changes it (game_arrange). */
bool setup_step_add(Db *db, const SetupStepDraft *draft, GError **error);

/* *sealed_r: whether the player has a game that waits for a first layout: one of his may be sealed
 * in it, or he is about to send it. */
bool setup_sealed(Db *db, int64_t player_id, bool *sealed_r, GError **error);

#endif
