#include "turn.h"

#include <string.h>

enum { TURN_FIND, TURN_LIST, TURN_PLAY };

#define TURN_COLUMNS                                                                      \
	"SELECT turn.ply, turn.seat, turn.player_id, player.name, turn.text, turn.board," \
	" turn.channel, turn.played_at, before.board"                                     \
	" FROM turn"                                                                      \
	" JOIN player ON player.id = turn.player_id"                                      \
	" LEFT JOIN turn AS before ON before.game_id = turn.game_id AND before.ply = turn.ply - 1"

/* The start board counts as the first time it stood. A turn that was taken back never stood: its
 * ply lies behind the ply some later take-back went back to. */
#define TURN_SEEN                                                     \
	"SELECT LEAST(3, 1 + ("                                       \
	" SELECT count(*)"                                            \
	" FROM turn"                                                  \
	" WHERE game_id = $1::bigint AND board_key = $4::bigint"      \
	" AND starts_with(board, $15::text)"                          \
	" AND kind = 'turn' AND NOT EXISTS ("                         \
	" SELECT"                                                     \
	" FROM turn AS back"                                          \
	" WHERE back.game_id = $1::bigint AND back.kind = 'takeback'" \
	" AND back.ply > turn.ply AND back.back_to_ply < turn.ply)"   \
	") + ("                                                       \
	" SELECT count(*)"                                            \
	" FROM game"                                                  \
	" WHERE id = $1::bigint AND start_key = $4::bigint"           \
	" AND starts_with(start_board, $15::text)"                    \
	"))::integer AS seen"

/* When the turn before the game's new one was played, or the game was made: a mail that was long on
 * its way must not turn time back. */
#define TURN_BEFORE                                             \
	"SELECT COALESCE(max(turn.played_at), game.created_at)" \
	" FROM turn"                                            \
	" WHERE turn.game_id = $1::bigint AND turn.ply = game.ply - 1"

/* $1 game, $2 version, $3 board, $4 key of its bare board, $5 seats awaited if it goes on, $6
 * winners and $7 reasons for a board seen once, twice, three times, $8 seat, $9 player, $10 text,
 * $11 channel, $12 idempotency key, $13 hash of its request, $14 when it was received, $15 bare
 * board. */
static const DbQuery queries[] = {
	[TURN_FIND] = {"turn_find",
		       TURN_COLUMNS " WHERE turn.game_id = $1::bigint AND turn.ply = $2::integer"},
	[TURN_LIST] = {"turn_list",
		       TURN_COLUMNS " WHERE turn.game_id = $1::bigint AND turn.ply > $2::integer"
				    " ORDER BY turn.ply"
				    " LIMIT $3::integer"},
	[TURN_PLAY] = {"turn_play",
		       "WITH stood AS MATERIALIZED (" TURN_SEEN "), result AS ("
		       " SELECT ($6::smallint[])[seen] AS winner, ($7::text[])[seen] AS reason"
		       " FROM stood"
		       "), moved AS ("
		       " UPDATE game"
		       " SET version = version + 1, ply = ply + 1, board = $3::text,"
		       " awaiting = CASE WHEN result.reason IS NULL THEN $5::smallint ELSE 0 END,"
		       " phase = CASE WHEN result.reason IS NULL THEN 'play' ELSE 'over' END,"
		       " winner = result.winner, reason = result.reason, changed_at = clock_now(),"
		       " ended_at = CASE WHEN result.reason IS NOT NULL THEN clock_now() END"
		       " FROM result"
		       " WHERE id = $1::bigint AND version = $2::integer AND phase = 'play'"
		       " RETURNING ply, version, phase, awaiting, game.winner, game.reason,"
		       " GREATEST((" TURN_BEFORE "), LEAST($14::timestamptz, clock_now()))"
		       " AS played_at"
		       "), played AS ("
		       " INSERT INTO turn (game_id, ply, seat, player_id, text, board, board_key,"
		       " channel, played_at)"
		       " SELECT $1::bigint, ply, $8::smallint, $9::bigint, $10::text, $3::text,"
		       " $4::bigint, $11::text, played_at"
		       " FROM moved"
		       "), happened AS ("
		       " INSERT INTO event (kind, game_id, ply, player_id, data)"
		       " SELECT 'turn.played', $1::bigint, ply, $9::bigint,"
		       " jsonb_build_object('seat', $8::smallint, 'turn', $10::text)"
		       " FROM moved"
		       " UNION ALL"
		       " SELECT 'game.over', $1::bigint, ply, $9::bigint,"
		       " jsonb_build_object('winner', winner, 'reason', reason)"
		       " FROM moved"
		       " WHERE phase = 'over'"
		       " RETURNING id, kind"
		       "), pending AS ("
		       " INSERT INTO feed_pending (event_id)"
		       " SELECT id"
		       " FROM happened"
		       "), told AS ("
		       " INSERT INTO delivery (event_id, address_id, template, player_id, game_id,"
		       " state, reply)"
		       " SELECT happened.id, recipient.address_id,"
		       " CASE phase WHEN 'over' THEN 'game-over' ELSE 'your-turn' END,"
		       " recipient.player_id, $1::bigint,"
		       " CASE WHEN hindrance IS NULL THEN 'pending' ELSE 'dropped' END, hindrance"
		       " FROM moved"
		       " JOIN happened ON (kind = 'game.over') = (phase = 'over')"
		       " JOIN seat ON seat.game_id = $1::bigint AND left_ply IS NULL"
		       " AND (phase = 'over' OR awaiting & (1 << (seat.seat - 1)) <> 0)"
		       " JOIN recipient ON recipient.player_id = seat.player_id"
		       " AND recipient.is_primary"
		       "), kept AS ("
		       " INSERT INTO idempotency (player_id, key, request_hash, status, game_id,"
		       " ply)"
		       " SELECT $9::bigint, $12::text, $13::bytea, 201, $1::bigint, ply"
		       " FROM moved"
		       " WHERE $12::text IS NOT NULL"
		       ")"
		       " SELECT ply, version, phase, awaiting, winner, reason, played_at"
		       " FROM moved"},
};
const DbQueryTable turn_queries = {queries, G_N_ELEMENTS(queries)};

void turn_free(Turn *turn)
{
	if (!turn)
		return;
	PQclear(turn->result);
	g_free(turn);
}

void turn_list_free(TurnList *list)
{
	if (!list)
		return;
	PQclear(list->result);
	g_free(list->turns);
	g_free(list);
}

void turn_played_clear(TurnPlayed *played)
{
	PQclear(played->result);
	*played = (TurnPlayed){0};
}

static Turn turn_read(const DbResult *result, int row, int64_t game_id)
{
	return (Turn){
		.game_id = game_id,
		.ply = (int)db_int(result, row, 0),
		.seat = (int)db_int(result, row, 1),
		.player_id = db_int(result, row, 2),
		.player_name = db_text(result, row, 3),
		.text = db_text(result, row, 4),
		.board = db_text(result, row, 5),
		.channel = db_text(result, row, 6),
		.played_at = db_text(result, row, 7),
		.board_before = db_text(result, row, 8),
	};
}

bool turn_find(Db *db, int64_t game_id, int ply, Turn **turn_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, game_id);
	db_param_int(&params, ply);
	*turn_r = NULL;
	g_autoptr(DbResult) result = db_run(db, &queries[TURN_FIND], &params, error);
	if (!result)
		return false;
	if (db_rows(result) == 0)
		return true;
	Turn *turn = g_new(Turn, 1);
	*turn = turn_read(result, 0, game_id);
	turn->result = g_steal_pointer(&result);
	*turn_r = turn;
	return true;
}

TurnList *turn_list(Db *db, int64_t game_id, int after_ply, int limit, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, game_id);
	db_param_int(&params, after_ply);
	db_param_int(&params, limit);
	g_autoptr(DbResult) result = db_run(db, &queries[TURN_LIST], &params, error);
	if (!result)
		return NULL;
	TurnList *list = g_new0(TurnList, 1);
	list->count = db_rows(result);
	list->turns = g_new(Turn, list->count);
	for (int i = 0; i < list->count; i++)
		list->turns[i] = turn_read(result, i, game_id);
	list->result = g_steal_pointer(&result);
	return list;
}

/* The outcomes as two SQL arrays. Reasons are words of the referee, which need no quoting. */
static void outcomes_text(const TurnDraft *draft, GString *winners, GString *reasons)
{
	for (int i = 0; i < TURN_SEEN_MAX; i++) {
		const char *reason = draft->outcome[i].reason;
		g_string_append_c(winners, i ? ',' : '{');
		g_string_append_c(reasons, i ? ',' : '{');
		if (reason)
			g_string_append_printf(winners, "%d", draft->outcome[i].winner);
		else
			g_string_append(winners, "NULL");
		g_string_append(reasons, reason ? reason : "NULL");
	}
	g_string_append_c(winners, '}');
	g_string_append_c(reasons, '}');
}

static void played_read(DbResult *result, TurnPlayed *played_r)
{
	*played_r = (TurnPlayed){.done = db_rows(result) == 1, .winner = -1, .result = result};
	if (!played_r->done)
		return;
	played_r->ply = (int)db_int(result, 0, 0);
	played_r->version = (int)db_int(result, 0, 1);
	played_r->phase = db_text(result, 0, 2);
	played_r->awaiting = (unsigned)db_int(result, 0, 3);
	if (!db_null(result, 0, 4))
		played_r->winner = (int)db_int(result, 0, 4);
	played_r->reason = db_text(result, 0, 5);
	played_r->played_at = db_text(result, 0, 6);
}

bool turn_play(Db *db, const TurnDraft *draft, TurnPlayed *played_r, GError **error)
{
	g_autoptr(GString) winners = g_string_sized_new(24);
	g_autoptr(GString) reasons = g_string_sized_new(48);
	outcomes_text(draft, winners, reasons);
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, draft->game_id);
	db_param_int(&params, draft->version);
	db_param_text(&params, draft->board);
	db_param_int(&params, draft->board_key);
	db_param_int(&params, draft->awaiting);
	db_param_text(&params, winners->str);
	db_param_text(&params, reasons->str);
	db_param_int(&params, draft->seat);
	db_param_int(&params, draft->player_id);
	db_param_text(&params, draft->text);
	db_param_text(&params, draft->channel);
	db_param_text(&params, draft->key);
	db_param_text(&params, draft->request_hash);
	db_param_text(&params, draft->received_at);
	db_param_text(&params, draft->bare_board);
	DbResult *result = db_run(db, &queries[TURN_PLAY], &params, error);
	if (!result)
		return false;
	played_read(result, played_r);
	return true;
}
