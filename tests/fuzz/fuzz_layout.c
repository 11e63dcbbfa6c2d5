/*
 * Layouts as they are typed: a game with a set-up (first byte), a seat (second byte), the option
 * text in a line, then the layout. Whatever it is, it has faults, or its canonical text is the
 * only one: read again it is the same, on the board it is the same, and so is its fair copy's copy.
 */
#include "material.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const GameRules *game_find(uint8_t number)
{
	const GameRules *found[8];
	size_t count = 0;

	for (size_t i = 0; rules_at(i) != NULL; i++)
		if (rules_at(i)->setup != NULL && count < G_N_ELEMENTS(found))
			found[count++] = rules_at(i);
	g_assert(count > 0);
	return found[number % count];
}

static void faults_check(const Layout *layout)
{
	g_assert_cmpint(layout->fault_count, >, 0);
	g_assert_cmpint(layout->fault_count, <=, RULES_FAULTS_MAX);
	for (int i = 0; i < layout->fault_count; i++) {
		const LayoutFault *fault = &layout->fault[i];

		g_assert_cmpint(fault->count, >=, 0);
		g_assert_true(memchr(fault->text, '\0', sizeof fault->text) != NULL);
		g_assert_cmpstr(rules_fault_name(fault->code), !=, "");
	}
}

/* A whole army, as many pieces of each kind as any other layout has. */
static void army_check(const GameRules *rules, const Position *position, Seat seat)
{
	Material material = material_of(rules, position), usual;
	Position start;
	Refusal refusal;

	g_assert_true(rules->start("", &start, &refusal));
	usual = material_of(rules, &start);
	g_assert_true(memcmp(material.count[seat - 1], usual.count[seat - 1],
			     sizeof usual.count[0]) == 0);
}

static void canonical_check(const GameRules *rules, const Position *position, Seat seat,
			    const char *text)
{
	char copy[RULES_LAYOUT_MAX], again[RULES_LAYOUT_MAX];
	Layout layout;
	Position next;
	Refusal refusal;

	rules->setup->parse(position, seat, text, &layout);
	g_assert_true(rules->setup->check(position, seat, &layout));
	g_assert_cmpstr(layout.text, ==, text);
	g_assert_true(rules->setup->apply(position, seat, 1, text, &next, &refusal));
	g_assert_true(rules->setup->layout(&next, seat, again));
	g_assert_cmpstr(again, ==, text);
	army_check(rules, &next, seat);
	rules->setup->copy(position, text, copy);
	rules->setup->copy(position, copy, again);
	g_assert_cmpstr(again, ==, text);
}

static void layout_check(const GameRules *rules, const Position *position, Seat seat,
			 const char *text)
{
	Position before = *position, next = before, untouched = before;
	Layout layout;
	Refusal refusal;

	rules->setup->parse(position, seat, text, &layout);
	if (rules->setup->check(position, seat, &layout)) {
		canonical_check(rules, position, seat, layout.text);
	} else {
		faults_check(&layout);
		g_assert_false(rules->setup->apply(position, seat, 1, text, &next, &refusal));
		g_assert_true(refusal.code == REFUSAL_LAYOUT_FAULTY);
		g_assert_true(memcmp(&next, &untouched, sizeof next) == 0);
	}
	g_assert_true(memcmp(&before, position, sizeof before) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const GameRules *rules;
	g_autofree char *text = NULL;
	g_auto(GStrv) parts = NULL;
	Position position;
	Refusal refusal;

	if (size < 3)
		return 0;
	rules = game_find(data[0]);
	text = g_strndup((const char *)data + 2, size - 2);
	parts = g_strsplit(text, "\n", 2);
	if (parts[0] == NULL || parts[1] == NULL)
		return 0;
	if (!rules->setup->start(parts[0], &position, &refusal))
		g_assert_true(rules->setup->start("", &position, &refusal));
	layout_check(rules, &position, data[1] % 2 + 1, parts[1]);
	return 0;
}
