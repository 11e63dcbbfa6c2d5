#include "service/nearest.h"

#include "service/notation.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* More of a text is not compared. COST_* are in tenths of a mistyped letter. */
enum {
	TEXT_MAX = 32,
	COST_EDIT = 10,
	COST_OTHER_FROM = 12,
	COST_OTHER_TO = 2, /* for each square between the destinations */
	COST_OTHER_TO_MOST = 8,
	COST_MOST = 45, /* what differs more is not like it */
};

typedef struct {
	char text[TEXT_MAX + 1];
	size_t length;
	bool begun; /* what is missing is only the end of the turn */
	int cost[NEAREST_MAX];
	NearestTurns *nearest;
} Search;

/* Levenshtein's distance. */
static int edit_distance(const char *text, size_t length, const char *turn)
{
	int row[TEXT_MAX + 1];

	for (size_t i = 0; i <= length; i++)
		row[i] = (int)i;
	for (int j = 1; *turn != '\0'; turn++, j++) {
		int diagonal = row[0];

		row[0] = j;
		for (size_t i = 1; i <= length; i++) {
			int changed = diagonal + (text[i - 1] != *turn);

			diagonal = row[i];
			row[i] = MIN(changed, MIN(row[i - 1], row[i]) + 1);
		}
	}
	return row[length];
}

/* The last square of a text's first step, SQUARE_NONE if there is none. */
static Square last_square(const char *text)
{
	size_t end = strcspn(text, ",="), start = end;

	while (start > 0 && g_ascii_isdigit(text[start - 1]))
		start--;
	if (start == 0 || start == end)
		return SQUARE_NONE;
	return rules_square_parse(text + start - 1, end - start + 1);
}

/* The farther the first step's destination, the more. */
static int to_cost(const char *text, const char *turn)
{
	Square wanted = last_square(text), to = last_square(turn);
	int files = abs(wanted % 16 - to % 16), ranks = abs(wanted / 16 - to / 16);

	if (wanted == SQUARE_NONE || to == SQUARE_NONE)
		return COST_OTHER_TO_MOST;
	return MIN(COST_OTHER_TO * MAX(files, ranks), COST_OTHER_TO_MOST);
}

static int turn_cost(const Search *search, const char *turn)
{
	int cost;

	if (search->begun && strncmp(search->text, turn, search->length) == 0)
		return 0;
	cost = COST_EDIT * edit_distance(search->text, search->length, turn);
	if (strncmp(search->text, turn, 2) != 0)
		cost += COST_OTHER_FROM;
	return cost + to_cost(search->text, turn);
}

/* Keeps a legal turn in its place if it is near enough; compared = the part of it that the text is
 * compared with. */
static void turn_keep(Search *search, const char *turn, const char *compared)
{
	NearestTurns *nearest = search->nearest;
	int cost = turn_cost(search, compared), place = nearest->count;

	if (cost > COST_MOST)
		return;
	while (place > 0 &&
	       (cost < search->cost[place - 1] ||
		(cost == search->cost[place - 1] && strcmp(turn, nearest->turn[place - 1]) < 0)))
		place--;
	if (place == NEAREST_MAX)
		return;
	if (nearest->count < NEAREST_MAX)
		nearest->count++;
	for (int i = nearest->count - 1; i > place; i--) {
		search->cost[i] = search->cost[i - 1];
		memcpy(nearest->turn[i], nearest->turn[i - 1], RULES_TURN_MAX);
	}
	search->cost[place] = cost;
	g_strlcpy(nearest->turn[place], turn, RULES_TURN_MAX);
}

static bool turn_consider(const char *turn, void *user_data)
{
	turn_keep(user_data, turn, turn);
	return true;
}

static bool is_sign(char c)
{
	return c != '\0' && strchr("-x:=,~*", c) != NULL;
}

/* The text spelt as canonical turns are, as far as that can be told without a board: no blanks
 * beside signs, a sign between any two squares. */
static void text_spell(Search *search, const char *raw)
{
	g_autofree char *plain = notation_plain(raw);
	char blank = strpbrk(plain, "-x:,") == NULL ? '-' : ',';
	size_t length = 0;

	for (const char *at = plain; *at != '\0' && length < TEXT_MAX; at++) {
		char before = length > 0 ? search->text[length - 1] : ',';

		if (*at == ' ') {
			if (!is_sign(before) && !is_sign(at[strspn(at, " ")]))
				search->text[length++] = blank;
			continue;
		}
		if (g_ascii_isdigit(before) && g_ascii_isalpha(*at) && *at != 'x')
			search->text[length++] = '-';
		if (length < TEXT_MAX)
			search->text[length++] = *at;
	}
	search->text[length] = '\0';
	search->length = length;
}

/* Leaves only the first steps. */
static void text_cut(Search *search, int steps)
{
	char *end = search->text;

	for (int i = 0; i < steps && end != NULL; i++)
		end = strchr(i == 0 ? end : end + 1, ',');
	if (steps == 0 || end == NULL)
		return;
	*end = '\0';
	search->length = (size_t)(end - search->text);
}

/* A step that may stand instead of the wrong one, after the legal ones. */
typedef struct {
	Search *search;
	const char *prefix;
} StepSearch;

static bool step_consider(const char *step, bool may_end, void *user_data)
{
	StepSearch *steps = user_data;
	g_autofree char *turn =
		*steps->prefix == '\0' ? g_strdup(step) : g_strjoin(",", steps->prefix, step, NULL);

	if (may_end)
		turn_keep(steps->search, turn, step);
	return true;
}

/* The first steps, joined. */
static char *steps_join(char **each, int count)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < count; i++)
		g_string_append_printf(text, "%s%s", i > 0 ? "," : "", each[i]);
	return g_string_free(text, FALSE);
}

/* Where there are too many whole turns to compare with, only the wrong step is changed; if nothing
 * may follow the legal ones, they are the nearest turn. */
static void steps_find(const GameRules *rules, const Position *position, const char *raw,
		       const Refusal *refusal, Search *search)
{
	g_autofree char *text = notation_normalise(raw, NULL, NULL);
	char written[RULES_TURN_MAX];
	Refusal unused;
	bool may_end;

	if (!rules->read(text, written, &unused))
		return;
	g_auto(GStrv) each = g_strsplit(written, ",", -1);
	if ((unsigned)refusal->step >= g_strv_length(each))
		return;
	g_strlcpy(search->text, each[refusal->step], sizeof search->text);
	search->length = strlen(search->text);
	g_autofree char *before = steps_join(each, refusal->step);
	g_autofree char *prefix = notation_prefix_canonical(rules, position, before);
	StepSearch steps = {search, prefix};
	if (!rules->steps(position, prefix, &may_end, step_consider, &steps, &unused))
		return;
	if (search->nearest->count == 0 && may_end) {
		g_strlcpy(search->nearest->turn[0], prefix, RULES_TURN_MAX);
		search->nearest->count = 1;
	}
}

void nearest_find(const GameRules *rules, const Position *position, const char *raw,
		  const Refusal *refusal, NearestTurns *nearest_r)
{
	Search search = {.nearest = nearest_r};

	nearest_r->count = 0;
	if (refusal->code == REFUSAL_AMBIGUOUS) {
		for (int i = 0; i < 2; i++)
			g_strlcpy(nearest_r->turn[i], refusal->reading[i], RULES_TURN_MAX);
		nearest_r->count = 2;
		return;
	}
	if (refusal->reading[0][0] != '\0') {
		g_strlcpy(nearest_r->turn[0], refusal->reading[0], RULES_TURN_MAX);
		nearest_r->count = 1;
		return;
	}
	if (rules->whole_turn_goes_on) {
		if (refusal->code != REFUSAL_GAME_OVER)
			steps_find(rules, position, raw, refusal, &search);
		return;
	}
	search.begun = refusal->code == REFUSAL_HALF_TURN_MISSING ||
		       refusal->code == REFUSAL_GROUP_CHOICE_MISSING;
	text_spell(&search, raw);
	if (refusal->code == REFUSAL_TURN_ALREADY_ENDED)
		text_cut(&search, refusal->step);
	if (search.length > 0 && refusal->code != REFUSAL_GAME_OVER)
		rules_turns(rules, position, turn_consider, &search);
	/* Beside turns that only complete the text, others would distract. */
	while (nearest_r->count > 0 && search.cost[0] == 0 && search.cost[nearest_r->count - 1] > 0)
		nearest_r->count--;
}
