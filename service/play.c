#include "service/play.h"

#include "db/event.h"
#include "db/idempotency.h"
#include "service/notation.h"
#include "service/problem.h"
#include "service/workers.h"

#include <string.h>

/* Each round means that somebody else changed the game in between. */
enum { PLAY_ROUNDS = 20 };

typedef struct {
	Db *db;
	const TurnOrder *order;
	PlayAnswer *answer;
	int seat;
	bool key_known;                   /* the write found the order's key used */
	char bare_board[RULES_BOARD_MAX]; /* of the position reached */
} Play;

void play_answer_clear(PlayAnswer *answer)
{
	game_free(answer->game);
	turn_free(answer->stored);
	turn_played_clear(&answer->played);
	*answer = (PlayAnswer){0};
}

/* The referee and the position of a board that the database gave us. */
static const GameRules *position_read(const Game *game, const char *board, Position *position_r)
{
	const GameRules *rules = rules_find(game->rules);
	Refusal refusal;
	g_assert(rules != NULL);
	const bool read = rules->parse(board, position_r, &refusal);
	g_assert(read);
	return rules;
}

/* ---- what stands there already ---- */

/* The state of the game right after a stored turn. A referee's result belongs to the last turn; all
 * others came later and by themselves. */
static void answer_stored(Play *play)
{
	PlayAnswer *answer = play->answer;
	const Game *game = answer->game;
	answer->turn = *answer->stored;
	answer->turn.result = NULL;
	answer->phase = "play";
	answer->winner = -1;
	answer->version = game->version;
	Position position;
	const GameRules *rules = position_read(game, answer->turn.board, &position);
	answer->awaiting = rules->to_move(&position);
	Reason reason = REASON_NONE;
	if (game->ply != answer->turn.ply || game->reason == NULL ||
	    !rules_reason_parse(game->reason, &reason) || reason >= REASON_RESIGN)
		return;
	answer->phase = "over";
	answer->awaiting = SEATS_NONE;
	answer->winner = game->winner;
	answer->reason = game->reason;
}

static bool stored_load(Play *play, int ply, GError **error)
{
	turn_free(g_steal_pointer(&play->answer->stored));
	return turn_find(play->db, play->answer->game->id, ply, &play->answer->stored, error);
}

/* The turn with the order's number, if it is this player's and the same. *found_r false: it is
 * not. */
static bool turn_repeat(Play *play, bool *found_r, GError **error)
{
	const TurnOrder *order = play->order;
	const Game *game = play->answer->game;
	*found_r = false;
	if (!stored_load(play, (int)order->ply, error))
		return false;
	const Turn *stored = play->answer->stored;
	if (stored == NULL || stored->player_id != order->player_id)
		return true;
	Position position, next;
	Refusal refusal;
	char canonical[RULES_TURN_MAX];
	const char *before = stored->ply == 1 ? game->start_board : stored->board_before;
	const GameRules *rules = position_read(game, before, &position);
	*found_r = notation_read_turn(rules, &position, order->text, &next, canonical, &refusal) &&
		   strcmp(canonical, stored->text) == 0;
	if (!*found_r)
		return true;
	answer_stored(play);
	play->answer->repeated = true;
	return true;
}

/* The answer kept under the order's key. *found_r false: the key is new. */
static bool key_replay(Play *play, bool *found_r, GError **error)
{
	const TurnOrder *order = play->order;
	*found_r = false;
	if (order->key == NULL)
		return true;
	g_autoptr(IdempotencyAnswer) kept = NULL;
	if (!idempotency_find(play->db, order->player_id, order->key, order->request_hash, &kept,
			      error))
		return false;
	if (kept == NULL)
		return true;
	if (!kept->same_request) {
		problem_set(error, PROBLEM_IDEMPOTENCY_MISMATCH, NULL);
		return false;
	}
	if (!stored_load(play, kept->ply, error))
		return false;
	g_assert(play->answer->stored != NULL);
	answer_stored(play);
	play->answer->repeated = true;
	play->answer->kept_status = kept->status;
	*found_r = true;
	return true;
}

/* A repeated turn uses its key up, too. *again_r: another request with that key was faster. */
static bool key_keep(Play *play, bool *again_r, GError **error)
{
	g_autoptr(GError) failure = NULL;
	const IdempotencyDraft draft = {
		.player_id = play->order->player_id,
		.key = play->order->key,
		.request_hash = play->order->request_hash,
		.status = 200,
		.game_id = play->answer->game->id,
		.ply = play->answer->turn.ply,
	};
	if (draft.key == NULL || idempotency_keep(play->db, &draft, &failure))
		return true;
	*again_r = play->key_known = db_error_is_constraint(failure, IDEMPOTENCY_ONCE);
	if (!*again_r)
		g_propagate_error(error, g_steal_pointer(&failure));
	return *again_r;
}

/* ---- a new turn ---- */

/* Steps 4 to 6 of play.h. */
static bool order_check(const Play *play, GError **error)
{
	const TurnOrder *order = play->order;
	const Game *game = play->answer->game;
	if (order->expect != NULL && !order->expect(game, order->expect_data, error))
		return false;
	if (order->ply <= game->ply)
		problem_set(error, PROBLEM_PLY_PLAYED, NULL);
	else if (strcmp(game->phase, "over") == 0)
		problem_set(error, PROBLEM_GAME_OVER, NULL);
	else if (strcmp(game->phase, "setup") == 0)
		problem_set(error, PROBLEM_SETUP_NOT_OVER, NULL);
	else if (order->ply > (int64_t)game->ply + 1)
		problem_set(error, PROBLEM_PLY_AHEAD, NULL);
	else if (!(game->awaiting & SEATS_OF(play->seat)))
		problem_set(error, PROBLEM_NOT_YOUR_TURN, NULL);
	else
		return true;
	return false;
}

static void outcomes_fill(const GameRules *rules, const Position *position, TurnDraft *draft)
{
	G_STATIC_ASSERT((int)TURN_SEEN_MAX == (int)RULES_SEEN_MAX);
	for (int seen = 1; seen <= RULES_SEEN_MAX; seen++) {
		const Outcome outcome = rules->outcome(position, seen);
		if (!outcome.over)
			continue;
		draft->outcome[seen - 1].winner = outcome.winner;
		draft->outcome[seen - 1].reason = rules_reason_name(outcome.reason);
	}
}

/* Lets the referee judge the order's text on the game's board. */
static bool turn_judge(Play *play, TurnDraft *draft_r, GError **error)
{
	const TurnOrder *order = play->order;
	PlayAnswer *answer = play->answer;
	Position position, next;
	const GameRules *rules = position_read(answer->game, answer->game->board, &position);
	answer->refusal.code = REFUSAL_NONE;
	if (!notation_read_turn(rules, &position, order->text, &next, answer->canonical,
				&answer->refusal)) {
		nearest_find(rules, &position, order->text, &answer->refusal, &answer->nearest);
		problem_set(error,
			    rules_refusal_unreadable(answer->refusal.code) ? PROBLEM_TURN_UNREADABLE
									   : PROBLEM_TURN_ILLEGAL,
			    NULL);
		return false;
	}
	rules->format(&next, VIEWER_REFEREE, answer->board);
	rules->format_bare(&next, play->bare_board);
	*draft_r = (TurnDraft){
		.game_id = answer->game->id,
		.version = answer->game->version,
		.seat = play->seat,
		.player_id = order->player_id,
		.channel = order->channel,
		.received_at = order->received_at,
		.text = answer->canonical,
		.board = answer->board,
		.bare_board = play->bare_board,
		.board_key = (int64_t)rules_board_key(play->bare_board),
		.awaiting = rules->to_move(&next),
		.key = order->key,
		.request_hash = order->request_hash,
	};
	outcomes_fill(rules, &next, draft_r);
	return true;
}

static void answer_played(Play *play)
{
	PlayAnswer *answer = play->answer;
	const TurnPlayed *played = &answer->played;
	answer->turn = (Turn){
		.game_id = answer->game->id,
		.ply = played->ply,
		.seat = play->seat,
		.player_id = play->order->player_id,
		.player_name = answer->game->seat[play->seat - 1].name,
		.text = answer->canonical,
		.board = answer->board,
		.channel = play->order->channel,
		.played_at = played->played_at,
	};
	answer->phase = played->phase;
	answer->awaiting = played->awaiting;
	answer->winner = played->winner;
	answer->reason = played->reason;
	answer->version = played->version;
}

/* Writes the turn. *again_r: somebody was faster. */
static bool turn_write(Play *play, const TurnDraft *draft, bool *again_r, GError **error)
{
	g_autoptr(GError) failure = NULL;
	if (!turn_play(play->db, draft, &play->answer->played, &failure)) {
		play->key_known = db_error_is_constraint(failure, IDEMPOTENCY_ONCE);
		*again_r = play->key_known || g_error_matches(failure, DB_ERROR, DB_ERROR_CONFLICT);
		if (!*again_r)
			g_propagate_error(error, g_steal_pointer(&failure));
		return *again_r;
	}
	*again_r = !play->answer->played.done;
	if (*again_r) {
		turn_played_clear(&play->answer->played);
		return true;
	}
	answer_played(play);
	workers_wake();
	g_info("event=turn_played game=%" G_GINT64_FORMAT " ply=%d player=%" G_GINT64_FORMAT
	       " channel=%s phase=%s",
	       draft->game_id, play->answer->turn.ply, draft->player_id, draft->channel,
	       play->answer->phase);
	return true;
}

/* What cannot be played may have been, by this key or without one. */
static bool earlier_find(Play *play, bool *found_r, bool *again_r, GError **error)
{
	const TurnOrder *order = play->order;
	if (!key_replay(play, found_r, error))
		return false;
	if (*found_r)
		return true;
	*again_r = play->key_known; /* and gone since */
	play->key_known = false;
	if (*again_r || order->ply < 1 || order->ply > play->answer->game->ply)
		return true;
	return turn_repeat(play, found_r, error) && (!*found_r || key_keep(play, again_r, error));
}

/* One look at the game as it is loaded. *again_r: it must be loaded anew. */
static bool turn_try(Play *play, bool *again_r, GError **error)
{
	g_autoptr(GError) refusal = NULL;
	TurnDraft draft;
	bool found = false;
	*again_r = false;
	if (!play->key_known && order_check(play, &refusal) && turn_judge(play, &draft, &refusal))
		return turn_write(play, &draft, again_r, error);
	if (!earlier_find(play, &found, again_r, error))
		return false;
	if (*again_r)
		return true;
	if (found)
		play->answer->refusal.code = REFUSAL_NONE;
	else
		g_propagate_error(error, g_steal_pointer(&refusal));
	return found;
}

bool play_seat(const Game *game, int64_t player_id, int *seat_r, GError **error)
{
	if (game == NULL || !game_visible(game, player_id)) {
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
		return false;
	}
	*seat_r = game_seat(game, player_id);
	if (*seat_r == 0)
		problem_set(error, PROBLEM_NOT_ALLOWED, NULL);
	return *seat_r != 0;
}

void play_hide(Game **game, int64_t player_id)
{
	if (*game != NULL && !game_visible(*game, player_id))
		game_free(g_steal_pointer(game));
}

bool play_turn(Db *db, Game *game, const TurnOrder *order, PlayAnswer *answer_r, GError **error)
{
	*answer_r = (PlayAnswer){.winner = -1, .game = game};
	Play play = {.db = db, .order = order, .answer = answer_r};
	for (int round = 0; round < PLAY_ROUNDS; round++) {
		play_hide(&answer_r->game, order->player_id);
		if (!play_seat(answer_r->game, order->player_id, &play.seat, error))
			return false;
		bool again = false;
		if (!turn_try(&play, &again, error))
			return false;
		if (!again)
			return true;
		if (!game_reload(db, &answer_r->game, error))
			return false;
	}
	problem_set(error, PROBLEM_UNAVAILABLE, NULL);
	return false;
}

/* ---- resigning ---- */

/* The result as data of an event. */
static char *result_data(int winner, const char *reason)
{
	return g_strdup_printf("{\"winner\": %d, \"reason\": \"%s\"}", winner, reason);
}

/* Tells both players that their game is over. */
static bool over_append(Db *db, const Game *game, int64_t player_id, GError **error)
{
	g_autofree char *data = result_data(game->winner, game->reason);
	const Event event = {
		.kind = "game.over",
		.game_id = game->id,
		.ply = game->ply,
		.player_id = player_id,
		.data = data,
		.template = "game-over",
		.players = {game->seat[0].player_id, game->seat[1].player_id},
	};
	return event_append(db, &event, NULL, error);
}

typedef struct {
	Game **game;
	const ResignOrder *order;
	bool *repeated_r;
	bool run_before; /* and rolled back: what it loaded never was */
} Resignation;

static bool resign_repeat(const Game *game, int seat, GError **error)
{
	if (g_strcmp0(game->reason, "resign") == 0 && game->winner == GAME_SEATS + 1 - seat)
		return true;
	problem_set(error, PROBLEM_GAME_OVER, NULL);
	return false;
}

static bool resign_work(Db *db, void *user_data, GError **error)
{
	Resignation *work = user_data;
	const ResignOrder *order = work->order;
	int seat = 0;
	if (work->run_before && !game_reload(db, work->game, error))
		return false;
	work->run_before = *work->game != NULL;
	for (int round = 0; round < PLAY_ROUNDS; round++) {
		play_hide(work->game, order->player_id);
		if (!play_seat(*work->game, order->player_id, &seat, error))
			return false;
		const Game *game = *work->game;
		*work->repeated_r = strcmp(game->phase, "over") == 0;
		if (*work->repeated_r)
			return resign_repeat(game, seat, error);
		if (order->expect != NULL && !order->expect(game, order->expect_data, error))
			return false;
		bool ended = false;
		const GameEnd end = {
			.game_id = game->id,
			.version = order->expect != NULL ? game->version : 0,
			.winner = GAME_SEATS + 1 - seat,
			.reason = "resign",
		};
		if (!game_end(db, &end, &ended, error) || !game_reload(db, work->game, error))
			return false;
		if (ended)
			return over_append(db, *work->game, order->player_id, error);
	}
	problem_set(error, PROBLEM_UNAVAILABLE, NULL);
	return false;
}

bool play_resign(Db *db, Game **game, const ResignOrder *order, bool *repeated_r, GError **error)
{
	Resignation work = {game, order, repeated_r, false};
	if (!db_transact(db, resign_work, &work, error))
		return false;
	workers_wake();
	if (!*repeated_r)
		g_info("event=game_over game=%" G_GINT64_FORMAT " player=%" G_GINT64_FORMAT
		       " reason=resign",
		       (*game)->id, order->player_id);
	return true;
}
