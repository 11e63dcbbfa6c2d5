/*
 * Turns as they are typed: a game (first byte), a board line, then the text. Whatever it is, it is
 * refused and changes nothing, or its canonical form plays the same again.
 */
#include "material.h"
#include "service/nearest.h"
#include "service/notation.h"

#include <glib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const GameRules *game_find(uint8_t number)
{
	size_t count = 0;

	while (rules_at(count) != NULL)
		count++;
	g_assert(count > 0);
	return rules_at(number % count);
}

static void position_choose(const GameRules *rules, const char *board, Position *position_r)
{
	Refusal refusal;

	if (!rules->parse(board, position_r, &refusal))
		g_assert_true(rules->start("", position_r, &refusal));
}

static bool step_ignore(const char *step, bool may_end, void *user_data)
{
	(void)may_end;
	(void)user_data;
	return step[0] != '\0';
}

static void refusal_check(const GameRules *rules, const Position *position, const char *text,
			  const Refusal *refusal)
{
	NearestTurns nearest;

	g_assert_true(refusal->code != REFUSAL_NONE);
	g_assert_true(refusal->square_count <= RULES_SQUARES_MAX);
	/* It lists all turns, which is slow: only for some texts. */
	if (strlen(text) % 16 != 0)
		return;
	nearest_find(rules, position, text, refusal, &nearest);
	g_assert_true(nearest.count <= NEAREST_MAX);
}

typedef struct {
	const char *wanted;
	int found;
	bool may_end;
} Search;

static bool step_search(const char *step, bool may_end, void *user_data)
{
	Search *search = user_data;

	if (strcmp(step, search->wanted) == 0) {
		search->found++;
		search->may_end = may_end;
	}
	return true;
}

/* Each step of a canonical turn is listed once where it is played, so that no other text is the
 * same steps; and the notation alone says the same. */
static void canonical_check(const GameRules *rules, const Position *position, const char *canonical)
{
	g_auto(GStrv) steps = g_strsplit(canonical, ",", -1);
	g_autoptr(GString) prefix = g_string_new(NULL);
	char written[RULES_TURN_MAX];
	Refusal refusal;
	Search search = {NULL, 0, false};

	for (int i = 0; steps[i] != NULL; i++) {
		bool may_end;

		search = (Search){steps[i], 0, false};
		g_assert_true(rules->steps(position, prefix->str, &may_end, step_search, &search,
					   &refusal));
		g_assert_cmpint(search.found, ==, 1);
		g_string_append_printf(prefix, "%s%s", i > 0 ? "," : "", steps[i]);
	}
	g_assert_true(search.may_end);
	g_assert_true(rules->read(canonical, written, &refusal));
	g_assert_cmpstr(written, ==, canonical);
}

static void text_check(const GameRules *rules, const Position *position, const char *text)
{
	Position before = *position, next, again;
	Refusal refusal;
	char canonical[RULES_TURN_MAX], twice[RULES_TURN_MAX];
	TurnFact facts[RULES_FACTS_MAX];
	Picture picture;
	Material standing = material_of(rules, position), left;

	memset(&next, 0x5a, sizeof next);
	again = next;
	if (!notation_read_turn(rules, position, text, &next, canonical, &refusal)) {
		g_assert_true(memcmp(&next, &again, sizeof next) == 0);
		refusal_check(rules, position, text, &refusal);
	} else {
		g_assert_true(rules->play(position, canonical, &again, twice, &refusal));
		g_assert_cmpstr(twice, ==, canonical);
		g_assert_true(memcmp(&next, &again, sizeof next) == 0);
		g_assert_true(rules->explain(position, canonical, facts) <= RULES_FACTS_MAX);
		rules->picture(&next, 0, position, canonical, &picture);
		canonical_check(rules, position, canonical);
		left = material_of(rules, &next);
		material_check(&standing, &left);
	}
	g_assert_true(memcmp(&before, position, sizeof before) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const GameRules *rules;
	g_autofree char *text = NULL;
	g_auto(GStrv) parts = NULL;
	Position position;
	bool may_end;
	Refusal refusal;

	if (size < 2)
		return 0;
	rules = game_find(data[0]);
	text = g_strndup((const char *)data + 1, size - 1);
	parts = g_strsplit(text, "\n", 2);
	if (parts[0] == NULL || parts[1] == NULL)
		return 0;
	position_choose(rules, parts[0], &position);
	text_check(rules, &position, parts[1]);
	rules->steps(&position, parts[1], &may_end, step_ignore, NULL, &refusal);
	return 0;
}
