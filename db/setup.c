#include "setup.h"

enum { SETUP_STEP_LIST, SETUP_STEP_ADD, SETUP_SEALED };

static const DbQuery queries[] = {
	[SETUP_STEP_LIST] = {"setup_step_list",
			     "SELECT step, seat, round, layout, player_id, channel, at"
			     " FROM setup_step"
			     " WHERE game_id = $1::bigint"
			     " ORDER BY step"},
	[SETUP_STEP_ADD] = {"setup_step_add",
			    "INSERT INTO setup_step (game_id, step, seat, round, kind, layout,"
			    " player_id, channel)"
			    " VALUES ($1::bigint, $2::integer, $3::smallint, $4::integer,"
			    " CASE WHEN $5::text IS NULL THEN 'accept' ELSE 'layout' END, $5::text,"
			    " $6::bigint, $7::text)"},
	[SETUP_SEALED] = {"setup_sealed",
			  "SELECT"
			  " FROM seat"
			  " JOIN game ON game.id = seat.game_id"
			  " WHERE seat.player_id = $1::bigint AND seat.left_ply IS NULL"
			  " AND game.phase = 'setup'"
			  " AND (SELECT count(DISTINCT setup_step.seat)"
			  " FROM setup_step"
			  " WHERE setup_step.game_id = game.id) < 2"
			  " LIMIT 1"},
};
const DbQueryTable setup_queries = {queries, G_N_ELEMENTS(queries)};

void setup_step_list_free(SetupStepList *list)
{
	if (!list)
		return;
	PQclear(list->result);
	g_free(list->steps);
	g_free(list);
}

SetupStepList *setup_step_list(Db *db, int64_t game_id, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, game_id);
	g_autoptr(DbResult) result = db_run(db, &queries[SETUP_STEP_LIST], &params, error);
	if (!result)
		return NULL;
	SetupStepList *list = g_new0(SetupStepList, 1);
	list->count = db_rows(result);
	list->steps = g_new(SetupStep, list->count);
	for (int i = 0; i < list->count; i++)
		list->steps[i] = (SetupStep){
			.step = (int)db_int(result, i, 0),
			.seat = (int)db_int(result, i, 1),
			.round = (int)db_int(result, i, 2),
			.layout = db_text(result, i, 3),
			.player_id = db_int(result, i, 4),
			.channel = db_text(result, i, 5),
			.at = db_text(result, i, 6),
		};
	list->result = g_steal_pointer(&result);
	return list;
}

bool setup_step_add(Db *db, const SetupStepDraft *draft, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, draft->game_id);
	db_param_int(&params, draft->step);
	db_param_int(&params, draft->seat);
	db_param_int(&params, draft->round);
	db_param_text(&params, draft->layout);
	db_param_int(&params, draft->player_id);
	db_param_text(&params, draft->channel);
	g_autoptr(DbResult) result = db_run(db, &queries[SETUP_STEP_ADD], &params, error);
	return result != NULL;
}

bool setup_sealed(Db *db, int64_t player_id, bool *sealed_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, player_id);
	g_autoptr(DbResult) result = db_run(db, &queries[SETUP_SEALED], &params, error);
	if (!result)
		return false;
	*sealed_r = db_rows(result) > 0;
	return true;
}
