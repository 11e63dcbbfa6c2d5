/*
 * What people type and paste: RULES.md section 4.
 */
#include "service/nearest.h"
#include "service/notation.h"

#include <glib.h>
#include <string.h>

#define CONFRONTATION_FAR "xo:7x12:3 g+h+z4/7/7/7/3v3/7/7/7/3V3/7/7/G+H+Z4 b"
#define CONFRONTATION_NEAR "xo:7x12:3 7/6h/7/7/7/7/7/7/2n4/3N3/7/H6 b"
#define START "2bb2bb2/bbbbbbbbbb/bb2bb2bb/10/10/ww2ww2ww/wwwwwwwwww/2ww2ww2 w"
#define SPLIT_IN_TWO "10/10/3bbb4/10/10/4w5/10/10 w"

typedef struct {
	const char *rules, *board, *text;
	const char *read; /* the canonical turn, or "refused CODE", with both readings */
} Row;

static char *turn_read(const Row *row)
{
	const GameRules *rules = rules_find(row->rules);
	Position position, next;
	Refusal refusal;
	char canonical[RULES_TURN_MAX];

	g_assert_true(rules->parse(row->board, &position, &refusal));
	if (notation_read_turn(rules, &position, row->text, &next, canonical, &refusal))
		return g_strdup(canonical);
	if (refusal.code == REFUSAL_AMBIGUOUS)
		return g_strdup_printf("refused ambiguous %s | %s", refusal.reading[0],
				       refusal.reading[1]);
	return g_strdup_printf("refused %s", rules_refusal_name(refusal.code));
}

static void rows_check(const Row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		g_autofree char *read = turn_read(&rows[i]);

		g_test_message("%s %s", rows[i].rules, rows[i].text);
		g_assert_cmpstr(read, ==, rows[i].read);
	}
}

static void signs_of_all_kinds_are_read(void)
{
	static const Row rows[] = {
		{"ordo", START, "A3-A4", "a3-a4"},
		{"ordo", START, "A3 – A4", "a3-a4"},
		{"ordo", START, "a3—a4", "a3-a4"},
		{"ordo", START, "a3‐a4", "a3-a4"},
		{"ordo", START, "a3‑a4", "a3-a4"},
		{"ordo", START, "a3−a4", "a3-a4"},
		{"ordo", START, "a3→a4", "a3-a4"},
		{"ordo", START, "a3﹣a4", "a3-a4"},
		{"ordo", START, "a３－a４", "a3-a4"},
		{"ordo", START,
		 "\xef\xbb\xbf"
		 "a3\xe2\x80\x8b-\xe2\x80\x8e"
		 "a4",
		 "a3-a4"},
		{"ordo", START,
		 "a3\xc2\xa0-\xe2\x80\xaf"
		 "a4",
		 "a3-a4"},
		{"ordo", START, "\ta3\ta4\r\n\r\n", "a3-a4"},
		{"ordo", START, "c2：d2-c4", "c2:d2-c4"},
		{"ordo", SPLIT_IN_TWO, "e3×e6", "e3xe6"},
		{"ordo", SPLIT_IN_TWO, "E3XE6", "e3xe6"},
		{"ordox", SPLIT_IN_TWO, "e3×e6＝f6", "e3xe6=f6"},
		{"ordox", START, "b3-c3；e3-d4", "b3-c3,e3-d4"},
		{"ordo", START, "a3-a4 \xf0\x9f\x98\x80", "refused unreadable"},
		{"ordo", START,
		 "a3\xff"
		 "a4",
		 "refused unreadable"},
		{"ordo", START, "", "refused unreadable"},
		{"ordo", START, " \n ", "refused unreadable"},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void look_alike_letters_are_read_only_in_whole_commands(void)
{
	static const Row rows[] = {
		{"ordo", START, "а3-а4", "a3-a4"},
		{"ordo", START, "А3-А4", "a3-a4"},
		{"ordo", START, "с2:d2-с4", "c2:d2-c4"},
		{"ordo", START, "В3-В4", "b3-b4"},
		{"ordo", START, "Β3-Β4", "b3-b4"},
		{"ordo", START, "Η2-Η3", "h2-h3"},
		{"ordo", SPLIT_IN_TWO, "е3хе6", "e3xe6"},
		{"ordo", SPLIT_IN_TWO, "Ε3Χе6", "e3xe6"},
		{"ordox", START, "b3-с3,е3-d4", "b3-c3,e3-d4"},
		/* A small Cyrillic в looks like no Latin letter. */
		{"ordo", START, "в3-в4", "refused unreadable"},
		{"ordo", START, "сдаюсь", "refused unreadable"},
	};
	g_autofree char *word = notation_normalise("СДАЮСЬ", NULL, NULL);

	g_assert_cmpstr(word, ==, "сдаюсь");
	rows_check(rows, G_N_ELEMENTS(rows));
}

static void lines_are_one_turn_only_if_none_alone_is(void)
{
	static const char lone[] = "10/10/10/6b3/8w1/10/10/10 w";
	const Row rows[] = {
		/* h4-h5 is no turn before i4-h4 was played. */
		{"ordox", lone, "i4-h4\nh4-h5", "i4-h4,h4-h5"},
		{"ordox", lone, "i4-h4\r\n\r\n  h4-h5\r\n", "i4-h4,h4-h5"},
		{"ordox", lone, "i4-h4,\nh4-h5", "i4-h4,h4-h5"},
		{"ordox", lone, "і4-h4\nh4-h5", "i4-h4,h4-h5"},
		{"ordox", START, "b3-c3\ne3-d4", "b3-c3,e3-d4"},
		{"ordox", START, "b3-d3\nc2-c4", "refused ambiguous b3-d3,c2-c4 | c2-c4"},
		{"ordox", START, "a3-a4\nb3-b4", "refused ambiguous a3-a4 | b3-b4"},
		{"ordox", START, "a3-a4\na3-a4", "refused turn-already-ended"},
		{"ordox", START, "a3-a4\nthanks", "refused unreadable"},
		{"ordox", lone, "i4-h4\nh4-g4", "refused second-half-sideways"},
		{"ordo", START, "a3-a4\nb3-b4", "refused ambiguous a3-a4 | b3-b4"},
		{"ordo", START, "a3-a4\nb3-b9", "refused off-board"},
		{"ordo", START, "a3-a9\nb3-b4", "refused off-board"},
		{"ordo", lone, "i4-h4\nh4-h5", "refused empty-square"},
	};

	rows_check(rows, G_N_ELEMENTS(rows));
}

static void long_texts_are_refused_unread(void)
{
	g_autofree char *text = g_strnfill(100000, 'a');
	const Row row = {"ordo", START, text, "refused too-long"};

	rows_check(&row, 1);
}

static void tildes_and_lines_are_plain(void)
{
	g_autofree char *tildes = notation_normalise("B3∼,B3˜,B3⁓,B3~", NULL, NULL);
	g_autofree char *lines = notation_normalise("  A \r\n\n\t B\xe2\x80\xa8"
						    "C ",
						    NULL, NULL);

	g_assert_cmpstr(tildes, ==, "b3~,b3~,b3~,b3~");
	g_assert_cmpstr(lines, ==, "a\nb\nc");
}

static void a_prefix_is_normalised_like_a_turn(void)
{
	const GameRules *rules = rules_find("ordox");
	Position position;
	Refusal refusal;
	g_autofree char *prefix = NULL;

	g_assert_true(rules->start("", &position, &refusal));
	prefix = notation_prefix(rules, &position, "В3 – С3");
	g_assert_cmpstr(prefix, ==, "b3 - c3");
}

static char *nearest_text(const char *key, const char *board, const char *text)
{
	const GameRules *rules = rules_find(key);
	Position position, next;
	Refusal refusal;
	NearestTurns nearest;
	char canonical[RULES_TURN_MAX];
	GString *turns = g_string_new(NULL);

	g_assert_true(rules->parse(board, &position, &refusal));
	g_assert_false(notation_read_turn(rules, &position, text, &next, canonical, &refusal));
	nearest_find(rules, &position, text, &refusal, &nearest);
	g_assert_cmpint(nearest.count, <=, NEAREST_MAX);
	for (int i = 0; i < nearest.count; i++) {
		g_assert_true(rules->play(&position, nearest.turn[i], &next, canonical, &refusal));
		g_string_append_printf(turns, "%s%s", i > 0 ? " " : "", nearest.turn[i]);
	}
	return g_string_free(turns, FALSE);
}

static void the_nearest_legal_turns_come_with_a_refusal(void)
{
	static const Row rows[] = {
		{"ordo", START, "a3-a5", "a3-a4 a3-b4 b3-a4 b3-b4"},
		{"ordo", START, "c2:d2-c5", "c2:d2-c4 c2:d2-c3 c2-c4 c2-c3"},
		{"ordo", START, "C2–D2–C5", "c2:d2-c4 c2:d2-c3 c2-c4 c2-c3 c2-d3"},
		{"ordo", START, "a3", "a3-a4 a3-b4"},
		{"ordo", START, "a3-a4 b3-b4", "a3-a4 b3-b4"},
		{"ordo", START, "what a nice game", ""},
		{"ordo", START, "", ""},
		{"ordox", SPLIT_IN_TWO, "e3xe6", "e3xe6=d6 e3xe6=f6"},
		{"xo", CONFRONTATION_FAR, "d4xd8,b1~", "d4*d8"},
		{"xo", CONFRONTATION_NEAR, "d3xc4,a1-a2", "d3*c4"},
		{"ordox", START, "b3-d3",
		 "b3-d3,a2-b3 b3-d3,a2-c4 b3-d3,a2:a3-a3 b3-d3,a2:a3-b3 b3-d3,a2:a3-c4"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *turns = nearest_text(rows[i].rules, rows[i].board, rows[i].text);

		g_assert_cmpstr(turns, ==, rows[i].read);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define ADD(test) g_test_add_func("/service/notation/" #test, test)
	ADD(signs_of_all_kinds_are_read);
	ADD(look_alike_letters_are_read_only_in_whole_commands);
	ADD(lines_are_one_turn_only_if_none_alone_is);
	ADD(long_texts_are_refused_unread);
	ADD(tildes_and_lines_are_plain);
	ADD(a_prefix_is_normalised_like_a_turn);
	ADD(the_nearest_legal_turns_come_with_a_refusal);
	return g_test_run();
}
