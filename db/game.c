#include "game.h"

#include <string.h>

enum {
	GAME_FIND,
	GAME_LOCK,
	GAME_EXPIRED,
	GAME_LIST,
	GAME_LIST_RULES,
	GAME_LIST_PHASE,
	GAME_LIST_PLAYER,
	GAME_CREATE,
	GAME_ARRANGE,
	GAME_END,
};

#define GAME_COLUMNS                                                                             \
	"SELECT game.id, game.version, game.rules, game.options, game.phase, game.visibility,"   \
	" game.start_board, game.board, game.ply, game.awaiting, game.clock, game.winner,"       \
	" game.reason, game.deadline, game.created_at, game.changed_at, game.ended_at,"          \
	" first.player_id, first_player.name, second.player_id, second_player.name,"             \
	" turn.seat, turn.player_id, turn_player.name, turn.text, turn.channel, turn.played_at," \
	" first_dead.id IS NULL, second_dead.id IS NULL"
/* Whoever's primary address is dead is not reached. */
#define GAME_DEAD(seat)                                                                       \
	" LEFT JOIN address AS " seat "_dead ON " seat "_dead.player_id = " seat ".player_id" \
	" AND " seat "_dead.is_primary AND " seat "_dead.state = 'dead'"
#define GAME_JOINS                                                                                \
	" JOIN seat AS first ON first.game_id = game.id AND first.seat = 1"                       \
	" AND first.left_ply IS NULL"                                                             \
	" JOIN player AS first_player ON first_player.id = first.player_id"                       \
	" JOIN seat AS second ON second.game_id = game.id AND second.seat = 2"                    \
	" AND second.left_ply IS NULL"                                                            \
	" JOIN player AS second_player ON second_player.id = second.player_id" GAME_DEAD("first") \
		GAME_DEAD("second") " LEFT JOIN turn ON turn.game_id = game.id AND turn.ply = "   \
				    "game.ply"                                                    \
				    " LEFT JOIN player AS turn_player ON turn_player.id = "       \
				    "turn.player_id"

/* GAME_LIST_MAX as text. A number that the planner sees keeps it from reading whole tables. */
#define GAME_LIST_ROWS "101"

/* Newest public games; the condition decides which index is walked. $1 before, $2 limit, $3 rules,
 * $4 phase. */
#define GAME_LIST_PUBLIC(condition)                                                      \
	GAME_COLUMNS                                                                     \
	" FROM ("                                                                        \
	" SELECT *"                                                                      \
	" FROM game"                                                                     \
	" WHERE visibility = 'public' AND id < $1::bigint" condition " ORDER BY id DESC" \
	" LIMIT " GAME_LIST_ROWS ") AS game" GAME_JOINS " ORDER BY game.id DESC"         \
	" LIMIT $2::integer"

static const DbQuery queries[] = {
	[GAME_FIND] = {"game_find",
		       GAME_COLUMNS " FROM game" GAME_JOINS " WHERE game.id = $1::bigint"},
	[GAME_LOCK] = {"game_lock", "SELECT"
				    " FROM game"
				    " WHERE id = $1::bigint"
				    " FOR NO KEY UPDATE"},
	[GAME_EXPIRED] = {"game_expired",
			  "SELECT"
			  " FROM game"
			  " WHERE id = $1::bigint"
			  " AND ended_at < clock_now() - $2::integer * INTERVAL '1 day'"},
	[GAME_LIST] = {"game_list", GAME_LIST_PUBLIC("")},
	[GAME_LIST_RULES] = {"game_list_rules",
			     GAME_LIST_PUBLIC(" AND rules = $3::text"
					      " AND ($4::text IS NULL OR phase = $4::text)")},
	[GAME_LIST_PHASE] = {"game_list_phase", GAME_LIST_PUBLIC(" AND phase = $3::text")},
	[GAME_LIST_PLAYER] = {"game_list_player", GAME_COLUMNS
			      " FROM ("
			      " SELECT game.*"
			      " FROM seat"
			      " JOIN game ON game.id = seat.game_id"
			      " WHERE seat.player_id = $5::bigint AND seat.left_ply IS NULL"
			      " AND seat.game_id < $1::bigint"
			      " AND ($3::text IS NULL OR rules = $3::text)"
			      " AND ($4::text IS NULL OR phase = $4::text)"
			      " AND (NOT $7::boolean OR awaiting & (1 << (seat.seat - 1)) <> 0)"
			      " AND (visibility = 'public' OR $5::bigint = $6::bigint OR EXISTS ("
			      " SELECT"
			      " FROM seat AS viewer"
			      " WHERE viewer.game_id = game.id AND viewer.player_id = $6::bigint"
			      " AND viewer.left_ply IS NULL))"
			      " ORDER BY seat.game_id DESC"
			      " LIMIT " GAME_LIST_ROWS ") AS game" GAME_JOINS
			      " ORDER BY game.id DESC"
			      " LIMIT $2::integer"},
	[GAME_CREATE] = {"game_create",
			 "WITH made AS ("
			 " INSERT INTO game (rules, options, phase, visibility, start_board,"
			 " start_key, board, awaiting, clock)"
			 " VALUES ($1::text, $2::text, $10::text, $3::text, $4::text, $5::bigint,"
			 " $4::text, $6::smallint, $7::jsonb)"
			 " RETURNING id"
			 "), seats AS ("
			 " INSERT INTO seat (game_id, seat, player_id)"
			 " SELECT id, seat, player_id"
			 " FROM made, (VALUES (1, $8::bigint), (2, $9::bigint))"
			 " AS chosen (seat, player_id)"
			 ")"
			 " SELECT id"
			 " FROM made"},
	[GAME_ARRANGE] = {"game_arrange",
			  "UPDATE game"
			  " SET version = version + 1, phase = $3::text, start_board = $4::text,"
			  " start_key = $5::bigint, board = $4::text, awaiting = $6::smallint,"
			  " changed_at = clock_now()"
			  " WHERE id = $1::bigint AND version = $2::integer AND phase = 'setup'"},
	[GAME_END] = {"game_end", "UPDATE game"
				  " SET version = version + 1, phase = 'over', awaiting = 0,"
				  " winner = $3::smallint, reason = $4::text, deadline = NULL,"
				  " changed_at = clock_now(), ended_at = clock_now()"
				  " WHERE id = $1::bigint AND phase <> 'over'"
				  " AND $2::integer IN (0, version)"},
};
const DbQueryTable game_queries = {queries, G_N_ELEMENTS(queries)};

void game_free(Game *game)
{
	if (!game)
		return;
	PQclear(game->result);
	g_free(game);
}

void game_list_free(GameList *list)
{
	if (!list)
		return;
	PQclear(list->result);
	g_free(list->games);
	g_free(list);
}

static void last_turn_read(const DbResult *result, int row, Game *game)
{
	game->has_turn = !db_null(result, row, 21);
	if (!game->has_turn)
		return;
	game->last_turn = (Turn){
		.game_id = game->id,
		.ply = game->ply,
		.seat = (int)db_int(result, row, 21),
		.player_id = db_int(result, row, 22),
		.player_name = db_text(result, row, 23),
		.text = db_text(result, row, 24),
		.board = game->board,
		.channel = db_text(result, row, 25),
		.played_at = db_text(result, row, 26),
	};
}

static void game_read(const DbResult *result, int row, Game *game_r)
{
	*game_r = (Game){
		.id = db_int(result, row, 0),
		.version = (int)db_int(result, row, 1),
		.rules = db_text(result, row, 2),
		.options = db_text(result, row, 3),
		.phase = db_text(result, row, 4),
		.visibility = db_text(result, row, 5),
		.start_board = db_text(result, row, 6),
		.board = db_text(result, row, 7),
		.ply = (int)db_int(result, row, 8),
		.awaiting = (unsigned)db_int(result, row, 9),
		.clock = db_text(result, row, 10),
		.winner = db_null(result, row, 11) ? -1 : (int)db_int(result, row, 11),
		.reason = db_text(result, row, 12),
		.deadline = db_text(result, row, 13),
		.created_at = db_text(result, row, 14),
		.changed_at = db_text(result, row, 15),
		.ended_at = db_text(result, row, 16),
	};
	for (int i = 0; i < GAME_SEATS; i++) {
		game_r->seat[i].player_id = db_int(result, row, 17 + 2 * i);
		game_r->seat[i].name = db_text(result, row, 18 + 2 * i);
		game_r->seat[i].reachable = db_bool(result, row, 27 + i);
	}
	last_turn_read(result, row, game_r);
}

bool game_find_queue(Db *db, int64_t game_id, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, game_id);
	return db_queue(db, &queries[GAME_FIND], &params, error);
}

bool game_find_next(Db *db, Game **game_r, GError **error)
{
	*game_r = NULL;
	g_autoptr(DbResult) result = db_next(db, error);
	if (!result)
		return false;
	if (db_rows(result) == 0)
		return true;
	Game *game = g_new(Game, 1);
	game_read(result, 0, game);
	game->result = g_steal_pointer(&result);
	*game_r = game;
	return true;
}

bool game_find(Db *db, int64_t game_id, Game **game_r, GError **error)
{
	if (!game_find_queue(db, game_id, error))
		return false;
	const bool done = game_find_next(db, game_r, error);
	if (!done)
		db_drain(db);
	return done;
}

bool game_reload(Db *db, Game **game, GError **error)
{
	const int64_t id = (*game)->id;
	game_free(g_steal_pointer(game));
	return game_find(db, id, game, error);
}

bool game_lock(Db *db, int64_t game_id, Game **game_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, game_id);
	*game_r = NULL;
	g_autoptr(DbResult) locked = db_run(db, &queries[GAME_LOCK], &params, error);
	return locked != NULL && game_find(db, game_id, game_r, error);
}

bool game_expired(Db *db, int64_t game_id, int days, bool *expired_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, game_id);
	db_param_int(&params, days);
	g_autoptr(DbResult) result = db_run(db, &queries[GAME_EXPIRED], &params, error);
	if (!result)
		return false;
	*expired_r = db_rows(result) > 0;
	return true;
}

int game_seat(const Game *game, int64_t player_id)
{
	int found = 0;
	for (int i = 0; i < GAME_SEATS; i++)
		if (player_id != 0 && game->seat[i].player_id == player_id &&
		    (found == 0 || game->awaiting & (1u << i)))
			found = i + 1;
	return found;
}

bool game_visible(const Game *game, int64_t player_id)
{
	return strcmp(game->visibility, "public") == 0 || game_seat(game, player_id) != 0;
}

static const DbQuery *list_query(const GameFilter *filter)
{
	if (filter->player_id)
		return &queries[GAME_LIST_PLAYER];
	if (filter->rules)
		return &queries[GAME_LIST_RULES];
	return &queries[filter->phase ? GAME_LIST_PHASE : GAME_LIST];
}

static void list_params(const DbQuery *query, const GameFilter *filter, DbParams *params)
{
	db_param_int(params, filter->before_id ? filter->before_id : INT64_MAX);
	db_param_int(params, filter->limit);
	if (query == &queries[GAME_LIST])
		return;
	if (query == &queries[GAME_LIST_PHASE]) {
		db_param_text(params, filter->phase);
		return;
	}
	db_param_text(params, filter->rules);
	db_param_text(params, filter->phase);
	if (query == &queries[GAME_LIST_RULES])
		return;
	db_param_int(params, filter->player_id);
	db_param_int(params, filter->viewer_id);
	db_param_bool(params, filter->awaiting);
}

GameList *game_list(Db *db, const GameFilter *filter, GError **error)
{
	g_assert(!filter->awaiting || filter->player_id);
	g_assert(filter->limit <= GAME_LIST_MAX);
	const DbQuery *query = list_query(filter);
	DbParams params = DB_PARAMS_EMPTY;
	list_params(query, filter, &params);
	g_autoptr(DbResult) result = db_run(db, query, &params, error);
	if (!result)
		return NULL;
	GameList *list = g_new0(GameList, 1);
	list->count = db_rows(result);
	list->games = g_new(Game, list->count);
	for (int i = 0; i < list->count; i++)
		game_read(result, i, &list->games[i]);
	list->result = g_steal_pointer(&result);
	return list;
}

bool game_create(Db *db, const GameDraft *draft, int64_t *id_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_text(&params, draft->rules);
	db_param_text(&params, draft->options);
	db_param_text(&params, draft->visibility);
	db_param_text(&params, draft->board);
	db_param_int(&params, draft->board_key);
	db_param_int(&params, draft->awaiting);
	db_param_text(&params, draft->clock);
	for (int i = 0; i < GAME_SEATS; i++)
		db_param_int(&params, draft->player_id[i]);
	db_param_text(&params, draft->phase);
	g_autoptr(DbResult) result = db_run(db, &queries[GAME_CREATE], &params, error);
	if (!result)
		return false;
	*id_r = db_int(result, 0, 0);
	return true;
}

bool game_arrange(Db *db, const GameArrangement *arrangement, bool *arranged_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, arrangement->game_id);
	db_param_int(&params, arrangement->version);
	db_param_text(&params, arrangement->phase);
	db_param_text(&params, arrangement->board);
	db_param_int(&params, arrangement->board_key);
	db_param_int(&params, arrangement->awaiting);
	g_autoptr(DbResult) result = db_run(db, &queries[GAME_ARRANGE], &params, error);
	if (!result)
		return false;
	*arranged_r = db_touched(result) == 1;
	return true;
}

bool game_end(Db *db, const GameEnd *end, bool *ended_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, end->game_id);
	db_param_int(&params, end->version);
	db_param_int(&params, end->winner);
	db_param_text(&params, end->reason);
	g_autoptr(DbResult) result = db_run(db, &queries[GAME_END], &params, error);
	if (!result)
		return false;
	*ended_r = db_touched(result) == 1;
	return true;
}
