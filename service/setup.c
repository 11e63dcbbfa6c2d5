#include "db/event.h"
#include "service/problem.h"
#include "service/setup_private.h"
#include "service/workers.h"

#include <string.h>

typedef struct {
	int64_t game_id;
	const SetupOrder *order;
	SetupAnswer *answer;
	Seat seat;
	SetupReplay replay; /* as it stands before the order */
	/* The layout as it was read; "" where there is none: accepted, random, or not readable. */
	char layout[RULES_LAYOUT_MAX];
	bool random;    /* it is to be drawn */
	GError *unread; /* why it cannot be read; NULL: it can */
	Position next;  /* as it stands after the order */
} Sending;

void setup_answer_clear(SetupAnswer *answer)
{
	game_free(answer->game);
	*answer = (SetupAnswer){0};
}

static bool refuse(GError **error, ProblemCode code)
{
	problem_set(error, code, NULL);
	return false;
}

/* ---- judging ---- */

/* Reads the layout; what is wrong with it is told only if nothing else hinders. False: the database
 * failed. */
static bool layout_read(Db *db, Sending *sending, GError **error)
{
	SetupAnswer *answer = sending->answer;
	const char *text = sending->order->layout;
	sending->layout[0] = '\0';
	sending->random = text != NULL && setup_layout_random(text);
	if (text == NULL || sending->random)
		return true;
	if (setup_layout_read(db, answer->game, sending->seat, sending->order, &answer->layout,
			      &sending->unread)) {
		g_strlcpy(sending->layout, answer->layout.text, sizeof(sending->layout));
		return true;
	}
	if (sending->unread->domain == PROBLEM_ERROR)
		return true;
	g_propagate_error(error, g_steal_pointer(&sending->unread));
	return false;
}

/* Whether this seat is to speak about this very pair. */
static bool is_awaited(const Sending *sending)
{
	const SetupReplay *replay = &sending->replay;
	const Seats awaited = replay->over ? SEATS_NONE : replay->rules->to_move(&replay->position);
	return sending->order->round == replay->state.round && (awaited & SEATS_OF(sending->seat));
}

/* Whether the order is the last one of this seat again, or accepts what it has accepted. */
static bool is_repeat(const Sending *sending)
{
	const SetupReplay *replay = &sending->replay;
	const SetupOrder *order = sending->order;
	const SetupStep *last = replay->last[sending->seat - 1];
	const char *own = replay->layout[sending->seat - 1];
	if (last == NULL || is_awaited(sending) || sending->unread != NULL || sending->random)
		return false;
	const bool equal = order->layout != NULL && strcmp(sending->layout, own) == 0;
	if (last->layout != NULL && order->round == last->round && equal)
		return true;
	if (last->layout == NULL && order->round == last->round)
		return order->layout == NULL || equal;
	return order->round == replay->state.round && (equal || order->layout == NULL) &&
	       (replay->state.accepted & SEATS_OF(sending->seat));
}

/* Steps 3 to 5 of setup.h. */
static bool order_check(const Sending *sending, GError **error)
{
	const SetupOrder *order = sending->order;
	const SetupReplay *replay = &sending->replay;
	const Game *game = sending->answer->game;
	char round[12];
	if (game->reason != NULL)
		return refuse(error, PROBLEM_GAME_OVER);
	if (order->expect != NULL && !order->expect(game, order->expect_data, error))
		return false;
	if (replay->over)
		return refuse(error, PROBLEM_SETUP_OVER);
	if (order->round != replay->state.round) {
		g_snprintf(round, sizeof(round), "%d", replay->state.round);
		problem_set(error, PROBLEM_SETUP_OTHER_ROUND, "round", round, NULL);
		return false;
	}
	if (!is_awaited(sending))
		return refuse(error, PROBLEM_SETUP_NOT_AWAITED);
	if (order->layout == NULL && replay->state.sealed)
		return refuse(error, PROBLEM_SETUP_NOTHING_TO_ACCEPT);
	return true;
}

/* Steps 6 and 7. */
static bool layout_apply(Sending *sending, GError **error)
{
	const SetupReplay *replay = &sending->replay;
	const bool sent = sending->order->layout != NULL;
	Refusal refusal;
	if (sending->unread != NULL) {
		g_propagate_error(error, g_steal_pointer(&sending->unread));
		return false;
	}
	if (sending->random)
		setup_layout_shuffle(replay, sending->seat, sending->layout);
	if (replay->rules->setup->apply(&replay->position, sending->seat, replay->state.round,
					sent ? sending->layout : NULL, &sending->next, &refusal))
		return true;
	g_assert(refusal.code == REFUSAL_SETUP_NO_CHANGES_LEFT);
	return refuse(error, PROBLEM_SETUP_NO_CHANGES_LEFT);
}

/* ---- writing ---- */

static bool step_write(Db *db, const Sending *sending, int number, GError **error)
{
	const SetupStepDraft draft = {
		.game_id = sending->game_id,
		.step = number,
		.seat = sending->seat,
		.round = sending->replay.state.round,
		.layout = sending->answer->accepted ? NULL : sending->layout,
		.player_id = sending->order->player_id,
		.channel = sending->order->channel,
	};
	return setup_step_add(db, &draft, error);
}

/* The game's row gets the board as a stranger sees it. */
static bool game_write(Db *db, const Sending *sending, GError **error)
{
	const GameRules *rules = sending->replay.rules;
	const SetupAnswer *answer = sending->answer;
	char board[RULES_BOARD_MAX], bare_board[RULES_BOARD_MAX];
	Position shown;
	Refusal refusal;
	rules->format(&sending->next, 0, board);
	const bool read = rules->parse(board, &shown, &refusal);
	g_assert(read);
	rules->format_bare(&shown, bare_board);
	const GameArrangement arrangement = {
		.game_id = sending->game_id,
		.version = answer->game->version,
		.phase = answer->began ? "play" : "setup",
		.board = board,
		.board_key = (int64_t)rules_board_key(bare_board),
		.awaiting = rules->to_move(&sending->next),
	};
	bool arranged = false;
	if (!game_arrange(db, &arrangement, &arranged, error))
		return false;
	g_assert(arranged); /* the row is locked */
	return true;
}

/* The one player who is to act; 0 if both are, or none. */
static int64_t awaited_player(const Sending *sending)
{
	const Seats awaited = sending->replay.rules->to_move(&sending->next);
	for (Seat seat = 1; seat <= GAME_SEATS; seat++)
		if (awaited == SEATS_OF(seat))
			return sending->answer->game->seat[seat - 1].player_id;
	return 0;
}

/* Nobody is told of the first layout: both know since the game started that theirs is awaited. */
static bool step_tell(Db *db, const Sending *sending, int round, bool sealed, GError **error)
{
	const SetupAnswer *answer = sending->answer;
	const bool told = !sealed && !answer->began;
	g_autofree char *data = g_strdup_printf("{\"round\": %d}", round);
	const Event event = {
		.kind = answer->accepted ? "setup.accepted" : "setup.layout",
		.game_id = sending->game_id,
		.player_id = sending->order->player_id,
		.data = data,
		.template = told ? "setup-round" : NULL,
		.players = {told ? awaited_player(sending) : 0},
	};
	return event_append(db, &event, NULL, error);
}

static bool began_tell(Db *db, const Sending *sending, GError **error)
{
	const Event event = {
		.kind = "game.play-began",
		.game_id = sending->game_id,
		.player_id = sending->order->player_id,
		.template = "your-turn",
		.players = {awaited_player(sending)},
	};
	return !sending->answer->began || event_append(db, &event, NULL, error);
}

static bool order_write(Db *db, Sending *sending, int number, GError **error)
{
	SetupAnswer *answer = sending->answer;
	const SetupState *before = &sending->replay.state;
	SetupState after = *before;
	answer->began = !sending->replay.rules->setup->state(&sending->next, &after);
	answer->accepted = !before->sealed && after.round == before->round;
	return step_write(db, sending, number, error) && game_write(db, sending, error) &&
	       step_tell(db, sending, after.round, after.sealed, error) &&
	       began_tell(db, sending, error);
}

/* ---- the order ---- */

/* Loads the game and where its set-up stands, and judges. *repeated in the answer: there is nothing
 * to write. */
static bool order_judge(Db *db, Sending *sending, const SetupStepList *steps, GError **error)
{
	setup_replay(sending->answer->game, steps, &sending->replay);
	if (!layout_read(db, sending, error))
		return false;
	sending->answer->repeated = is_repeat(sending);
	return sending->answer->repeated ||
	       (order_check(sending, error) && layout_apply(sending, error));
}

static bool view_make(Db *db, const Sending *sending, GError **error)
{
	SetupAnswer *answer = sending->answer;
	return setup_view(db, answer->game, sending->order->player_id, &answer->view, error);
}

static bool send_do(Db *db, Sending *sending, GError **error)
{
	SetupAnswer *answer = sending->answer;
	const int64_t player_id = sending->order->player_id;
	if (!game_lock(db, sending->game_id, &answer->game, error) ||
	    !play_seat(answer->game, player_id, &sending->seat, error) ||
	    !setup_check(answer->game, error))
		return false;
	g_autoptr(SetupStepList) steps = setup_step_list(db, sending->game_id, error);
	if (steps == NULL || !order_judge(db, sending, steps, error))
		return false;
	if (answer->repeated) {
		answer->accepted = sending->replay.last[sending->seat - 1]->layout == NULL;
		return view_make(db, sending, error);
	}
	return order_write(db, sending, steps->count + 1, error) &&
	       game_reload(db, &answer->game, error) && view_make(db, sending, error);
}

static bool send_work(Db *db, void *user_data, GError **error)
{
	Sending *sending = user_data;
	setup_answer_clear(sending->answer);
	const bool done = send_do(db, sending, error);
	g_clear_error(&sending->unread);
	play_hide(&sending->answer->game, sending->order->player_id);
	return done;
}

bool setup_send(Db *db, int64_t game_id, const SetupOrder *order, SetupAnswer *answer_r,
		GError **error)
{
	Sending sending = {.game_id = game_id, .order = order, .answer = answer_r};
	*answer_r = (SetupAnswer){0};
	if (!db_transact(db, send_work, &sending, error))
		return false;
	if (answer_r->repeated)
		return true;
	workers_wake();
	g_info("event=%s game=%" G_GINT64_FORMAT " round=%d player=%" G_GINT64_FORMAT
	       " channel=%s phase=%s",
	       answer_r->accepted ? "setup_accepted" : "setup_layout", game_id,
	       answer_r->view.state.round, order->player_id, order->channel, answer_r->game->phase);
	return true;
}
