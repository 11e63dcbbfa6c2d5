#include "remark.h"

enum { REMARK_ADD };

static const DbQuery queries[] = {
	[REMARK_ADD] = {"remark_add",
			"INSERT INTO remark (game_id, ply, player_id, text, with_turn)"
			" SELECT $1::bigint, $2::integer, id, $4::text, $5::boolean"
			" FROM player"
			" WHERE id = $3::bigint AND remarks"
			" RETURNING id"},
};
const DbQueryTable remark_queries = {queries, G_N_ELEMENTS(queries)};

bool remark_add(Db *db, const RemarkDraft *draft, int64_t *id_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, draft->game_id);
	db_param_int(&params, draft->ply);
	db_param_int(&params, draft->player_id);
	db_param_text(&params, draft->text);
	db_param_bool(&params, draft->with_turn);
	g_autoptr(DbResult) result = db_run(db, &queries[REMARK_ADD], &params, error);
	if (!result)
		return false;
	*id_r = db_rows(result) ? db_int(result, 0, 0) : 0;
	return true;
}
