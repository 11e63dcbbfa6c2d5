#include "service/layout_form.h"
#include "service/notation.h"
#include "service/problem.h"
#include "service/secret.h"
#include "service/setup_private.h"

#include <string.h>

/* The signs of layouts, small letters; what else a game writes is read all the same, but look-alike
 * letters of other scripts become Latin only in a line of these. */
static bool line_is_layout(const char *line, void *user_data)
{
	(void)user_data;
	return strspn(line, "abcdefghijklmnopqrstuvwxyz+|-/\\0123456789 ") == strlen(line);
}

static char *text_normalise(const char *raw)
{
	return notation_normalise(raw, line_is_layout, NULL);
}

void setup_layout_usual(const GameRules *rules, const char *options, Seat seat, char *text_r)
{
	Position usual;
	Refusal refusal;
	const bool started = rules->start(options, &usual, &refusal);
	g_assert(started);
	const bool laid = rules->setup->layout(&usual, seat, text_r);
	g_assert(laid);
}

bool setup_layout_random(const char *text)
{
	g_autofree char *plain = text_normalise(text);
	return strcmp(plain, "random") == 0;
}

/* Below `below`, each number as likely as any other: what would favour the low ones is drawn
 * again. */
static uint32_t number_draw(uint32_t below, void *user_data)
{
	(void)user_data;
	const uint32_t fair = UINT32_MAX - UINT32_MAX % below;
	uint32_t number = UINT32_MAX;
	while (number >= fair)
		secret_random((uint8_t *)&number, sizeof(number));
	return number % below;
}

void setup_layout_shuffle(const SetupReplay *replay, Seat seat, char *text_r)
{
	replay->rules->setup->shuffle(&replay->position, seat, number_draw, NULL, text_r);
}

/* ---- like a former game ---- */

/* "like 41" → "41"; "like" → ""; NULL for anything else. */
static const char *like_find(const char *text)
{
	static const char word[] = "like";
	if (strncmp(text, word, sizeof(word) - 1) != 0)
		return NULL;
	const char *rest = text + sizeof(word) - 1;
	if (*rest != '\0' && *rest != ' ')
		return NULL;
	rest += strspn(rest, " ");
	return *rest == '#' ? rest + 1 : rest;
}

static bool like_refuse(GError **error, const char *reason, const char *number)
{
	problem_set(error, PROBLEM_LAYOUT_LIKE_UNKNOWN, "reason", reason, "game", number, NULL);
	return false;
}

/* Whether two games lay out on the same board. */
static bool board_is_same(const Game *one, const Game *other)
{
	if (strcmp(one->rules, other->rules) != 0)
		return false;
	const GameRules *rules = rules_find(one->rules);
	Position first, second;
	char first_board[RULES_BOARD_MAX], second_board[RULES_BOARD_MAX];
	setup_start(one, &first);
	setup_start(other, &second);
	rules->format(&first, 0, first_board);
	rules->format(&second, 0, second_board);
	return strcmp(first_board, second_board) == 0;
}

/* The last layout this player sent; NULL if there is none. */
static const SetupStep *own_last(const SetupStepList *steps, int64_t player_id)
{
	for (int i = steps->count; i > 0; i--)
		if (steps->steps[i - 1].player_id == player_id &&
		    steps->steps[i - 1].layout != NULL)
			return &steps->steps[i - 1];
	return NULL;
}

typedef struct {
	const Game *game;
	Seat seat;
	const SetupOrder *order;
	const char *number; /* of the former game, as it was typed */
} Likeness;

/* Writes the layout as it is for the seat of this game. */
static void like_write(const Likeness *likeness, const SetupStep *step, char *text_r)
{
	const GameSetup *setup = rules_find(likeness->game->rules)->setup;
	Position position;
	setup_start(likeness->game, &position);
	if (step->seat == likeness->seat)
		g_strlcpy(text_r, step->layout, RULES_LAYOUT_MAX);
	else
		setup->copy(&position, step->layout, text_r);
}

static bool like_load(Db *db, const Likeness *likeness, char *text_r, GError **error)
{
	g_autoptr(Game) former = NULL;
	int64_t id = 0;
	const int64_t player_id = likeness->order->player_id;
	if (!g_ascii_string_to_signed(likeness->number, 10, 1, INT64_MAX, &id, NULL)) {
		problem_set(error, PROBLEM_LAYOUT_LIKE_UNKNOWN, "reason", "number", NULL);
		return false;
	}
	if (!game_find(db, id, &former, error))
		return false;
	g_autoptr(SetupStepList) steps = setup_step_list(db, id, error);
	if (steps == NULL)
		return false;
	const SetupStep *step = own_last(steps, player_id);
	if (former == NULL || (step == NULL && game_seat(former, player_id) == 0))
		return like_refuse(error, "game", likeness->number);
	if (!board_is_same(likeness->game, former))
		return like_refuse(error, "board", likeness->number);
	if (step == NULL)
		return like_refuse(error, "layout", likeness->number);
	like_write(likeness, step, text_r);
	return true;
}

bool setup_layout_read(Db *db, const Game *game, Seat seat, const SetupOrder *order,
		       Layout *layout_r, GError **error)
{
	const GameSetup *setup = rules_find(game->rules)->setup;
	g_autofree char *text = text_normalise(order->layout);
	char former[RULES_LAYOUT_MAX];
	const Likeness likeness = {game, seat, order, like_find(text)};
	if (likeness.number != NULL && !like_load(db, &likeness, former, error))
		return false;
	Position position;
	setup_start(game, &position);
	g_autofree char *spelt = layout_form_spell(likeness.number != NULL ? former : text);
	setup->parse(&position, seat, spelt, layout_r);
	if (setup->check(&position, seat, layout_r))
		return true;
	problem_set(error, PROBLEM_LAYOUT_FAULTY, NULL);
	return false;
}
