#include "xo_turns.h"

#include "xo_end.h"
#include "xo_refusals.h"
#include "xo_setup.h"

#include <string.h>

static void walk_apply(XoWalk *walk, const XoStep *step)
{
	char *end = walk->text + strlen(walk->text);

	if (walk->count > 0)
		*end++ = ',';
	xo_written_append(end, &walk->turn.now, step);
	walk->step[walk->count++] = *step;
	xo_turn_apply(&walk->turn, step);
}

/* The legal text that a refusal names begins with the steps before. */
static void reading_complete(const XoWalk *walk, Refusal *refusal)
{
	char *reading = refusal->reading[0];
	size_t before = strlen(walk->text), length = strlen(reading);

	if (length == 0 || before == 0)
		return;
	memmove(reading + before + 1, reading, length + 1);
	memcpy(reading, walk->text, before);
	reading[before] = ',';
}

static bool squares_check(const XoBoard *board, const XoWritten *written, Refusal *refusal)
{
	for (int i = 0; i < written->count; i++) {
		const Square squares[] = {written->step[i].from, written->step[i].to};

		for (int j = 0; j < 2 && written->step[i].sign != 'p'; j++) {
			if (xo_cell_of(board, squares[j]) != XO_CELL_NONE)
				continue;
			refusal_set(refusal, REFUSAL_OFF_BOARD, i);
			refusal_add(refusal, squares[j]);
			return false;
		}
	}
	return true;
}

/* A board on which no turn can be played. */
static bool is_closed(const XoBoard *board)
{
	return board->setup || xo_end_of_turn(board, 1).over;
}

static bool text_read(const XoBoard *board, const char *text, XoWritten *written_r,
		      Refusal *refusal)
{
	if (!xo_written_read(text, written_r, refusal) || !squares_check(board, written_r, refusal))
		return false;
	if (!is_closed(board))
		return true;
	refusal_set(refusal, board->setup ? REFUSAL_SETUP_NOT_OVER : REFUSAL_GAME_OVER, 0);
	return false;
}

bool xo_turns_walk(const XoBoard *board, const char *text, XoWalk *walk_r, Refusal *refusal_r)
{
	XoWritten written;

	xo_turn_begin(&walk_r->turn, board);
	walk_r->count = 0;
	walk_r->text[0] = '\0';
	if (!text_read(board, text, &written, refusal_r))
		return false;
	for (int i = 0; i < written.count; i++) {
		XoStep step;

		refusal_r->step = i;
		if (!xo_step_find(&walk_r->turn, &written.step[i], &step, refusal_r)) {
			reading_complete(walk_r, refusal_r);
			return false;
		}
		walk_apply(walk_r, &step);
	}
	return true;
}

Outcome xo_turns_outcome(const Position *position, int seen)
{
	XoBoard board = xo_board_load(position);

	if (board.setup)
		return (Outcome){false, 0, REASON_NONE};
	return xo_end_of_turn(&board, seen);
}

Seats xo_turns_to_move(const Position *position)
{
	XoBoard board = xo_board_load(position);

	if (board.setup)
		return xo_setup_to_move(&board);
	return xo_end_of_turn(&board, 1).over ? SEATS_NONE : SEATS_OF(board.mover + 1);
}

bool xo_turns_play(const Position *position, const char *turn, Position *next_r, char *canonical_r,
		   Refusal *refusal_r)
{
	XoBoard board = xo_board_load(position);
	Refusal refusal;
	XoWalk walk;

	if (!xo_turns_walk(&board, turn, &walk, &refusal)) {
		*refusal_r = refusal;
		return false;
	}
	board = xo_turn_end(&walk.turn);
	xo_board_store(&board, next_r);
	memcpy(canonical_r, walk.text, strlen(walk.text) + 1);
	return true;
}

typedef struct {
	const XoBoard *board;
	StepFn *each;
	void *user_data;
} Continuation;

/* Wherever a step of XO ends, the turn may end. */
static bool continuation_each(const XoStep *step, void *user_data)
{
	const Continuation *continuation = user_data;
	char text[RULES_TURN_MAX];

	xo_written_append(text, continuation->board, step);
	return continuation->each(text, true, continuation->user_data);
}

bool xo_turns_steps(const Position *position, const char *prefix, bool *may_end_r, StepFn *each,
		    void *user_data, Refusal *refusal_r)
{
	XoBoard board = xo_board_load(position);
	Continuation continuation = {&board, each, user_data};
	XoWalk walk;

	*may_end_r = false;
	xo_turn_begin(&walk.turn, &board);
	if (prefix[0] != '\0') {
		Refusal refusal;

		if (!xo_turns_walk(&board, prefix, &walk, &refusal)) {
			*refusal_r = refusal;
			return false;
		}
		*may_end_r = true;
	} else if (is_closed(&board)) {
		return true;
	}
	xo_steps_each(&walk.turn, continuation_each, &continuation);
	return true;
}

typedef struct {
	const XoTurn *turn;
	int depth;
	uint64_t count;
} Perft;

static uint64_t board_perft(const XoBoard *board, int depth);

/* All ways to end this turn and play on. */
static uint64_t turn_perft(const XoTurn *turn, int depth);

static bool step_perft(const XoStep *step, void *user_data)
{
	Perft *perft = user_data;
	XoTurn next;

	/* The last step of the last turn need not be played. */
	if (perft->depth == 1 && (step->kind == XO_MOVE || step->kind == XO_PASS)) {
		perft->count++;
		return true;
	}
	next = *perft->turn;
	xo_turn_apply(&next, step);
	perft->count += turn_perft(&next, perft->depth);
	return true;
}

static uint64_t turn_perft(const XoTurn *turn, int depth)
{
	Perft perft = {turn, depth, 0};

	if (xo_turn_may_end(turn)) {
		XoBoard after = xo_turn_end(turn);

		perft.count = depth == 1 ? 1 : board_perft(&after, depth - 1);
	}
	xo_steps_each(turn, step_perft, &perft);
	return perft.count;
}

static uint64_t board_perft(const XoBoard *board, int depth)
{
	XoTurn turn;

	if (is_closed(board))
		return 0;
	xo_turn_begin(&turn, board);
	return turn_perft(&turn, depth);
}

uint64_t xo_turns_perft(const Position *position, int depth)
{
	XoBoard board = xo_board_load(position);

	return depth <= 0 ? 1 : board_perft(&board, depth);
}
