#include "games.h"

#include <string.h>

static const GameRules *const games[] = {
#define X(key) &rules_##key,
	GAMES(X)
#undef X
};
enum { GAME_COUNT = sizeof games / sizeof games[0] };

const GameRules *rules_at(size_t index)
{
	return index < GAME_COUNT ? games[index] : NULL;
}

const GameRules *rules_find(const char *key)
{
	for (size_t i = 0; i < GAME_COUNT; i++) {
		if (strcmp(games[i]->key, key) == 0)
			return games[i];
	}
	return NULL;
}

/* A turn being put together of its steps. */
typedef struct {
	const GameRules *rules;
	const Position *position;
	char text[RULES_TURN_MAX];
	size_t length;
	TurnFn *each;
	void *user_data;
	bool stopped;
	int depth; /* steps still to count */
	uint64_t count;
} TurnBuilder;

/* Appends a step; returns the length before, to which step_remove goes back. */
static size_t step_append(TurnBuilder *builder, const char *step)
{
	size_t before = builder->length, length = strlen(step);

	if (before > 0)
		builder->text[builder->length++] = ',';
	memcpy(builder->text + builder->length, step, length + 1);
	builder->length += length;
	return before;
}

static void step_remove(TurnBuilder *builder, size_t before)
{
	builder->length = before;
	builder->text[before] = '\0';
}

static bool turn_extend(const char *step, bool may_end, void *user_data)
{
	TurnBuilder *builder = user_data;
	size_t before = step_append(builder, step);
	bool may_end_here;
	Refusal refusal;

	if (may_end)
		builder->stopped = !builder->each(builder->text, builder->user_data);
	if (!builder->stopped && (!may_end || builder->rules->whole_turn_goes_on))
		builder->rules->steps(builder->position, builder->text, &may_end_here, turn_extend,
				      builder, &refusal);
	step_remove(builder, before);
	return !builder->stopped;
}

void rules_turns(const GameRules *rules, const Position *position, TurnFn *each, void *user_data)
{
	TurnBuilder builder = {
		.rules = rules, .position = position, .each = each, .user_data = user_data};
	bool may_end;
	Refusal refusal;

	rules->steps(position, "", &may_end, turn_extend, &builder, &refusal);
}

static bool step_count(const char *step, bool may_end, void *user_data)
{
	TurnBuilder *builder = user_data;
	size_t before;
	bool may_end_here;
	Refusal refusal;

	(void)may_end;
	if (builder->depth == 1) {
		builder->count++;
		return true;
	}
	before = step_append(builder, step);
	builder->depth--;
	builder->rules->steps(builder->position, builder->text, &may_end_here, step_count, builder,
			      &refusal);
	builder->depth++;
	step_remove(builder, before);
	return true;
}

uint64_t rules_steps_count(const GameRules *rules, const Position *position, int depth)
{
	TurnBuilder builder = {.rules = rules, .position = position, .depth = depth};
	bool may_end;
	Refusal refusal;

	if (depth <= 0)
		return 1;
	rules->steps(position, "", &may_end, step_count, &builder, &refusal);
	return builder.count;
}

uint64_t rules_board_key(const char *board)
{
	uint64_t key = 0xcbf29ce484222325u;

	for (; *board != '\0'; board++)
		key = (key ^ (unsigned char)*board) * 0x100000001b3u;
	return key;
}

void rules_square_name(Square square, char *name_r)
{
	int rank = square / 16 + 1;

	*name_r++ = (char)('a' + square % 16);
	if (rank >= 10)
		*name_r++ = '1';
	*name_r++ = (char)('0' + rank % 10);
	*name_r = '\0';
}

Square rules_square_parse(const char *name, size_t length)
{
	int rank;

	if (length < 2 || length > 3 || name[0] < 'a' || name[0] > 'p')
		return SQUARE_NONE;
	if (name[1] < '1' || name[1] > '9')
		return SQUARE_NONE;
	rank = name[1] - '0';
	if (length == 3) {
		if (rank != 1 || name[2] < '0' || name[2] > '6')
			return SQUARE_NONE;
		rank = 10 + name[2] - '0';
	}
	return SQUARE_OF(name[0] - 'a', rank - 1);
}

static const char *const reason_names[] = {
#define X(code, text) text,
	RULES_REASONS(X)
#undef X
};
enum { REASON_COUNT = sizeof reason_names / sizeof reason_names[0] };

const char *rules_reason_name(Reason reason)
{
	return reason_names[reason];
}

bool rules_reason_parse(const char *name, Reason *reason_r)
{
	for (int i = 0; i < REASON_COUNT; i++) {
		if (strcmp(reason_names[i], name) == 0) {
			*reason_r = (Reason)i;
			return true;
		}
	}
	return false;
}

const char *rules_refusal_name(RefusalCode code)
{
	static const char *const names[] = {
#define X(code, text) text,
		RULES_REFUSALS(X)
#undef X
	};

	return names[code];
}

const char *rules_piece_name(PieceKind piece)
{
	static const char *const names[] = {
#define X(code, text) text,
		RULES_PIECES(X)
#undef X
	};

	return names[piece];
}

const char *rules_fault_name(FaultCode code)
{
	static const char *const names[] = {
#define X(code, text) text,
		RULES_FAULTS(X)
#undef X
	};

	return names[code];
}

bool rules_refusal_unreadable(RefusalCode code)
{
	return code == REFUSAL_UNREADABLE || code == REFUSAL_TOO_LONG ||
	       code == REFUSAL_OFF_BOARD || code == REFUSAL_DESTINATION_MISSING;
}
