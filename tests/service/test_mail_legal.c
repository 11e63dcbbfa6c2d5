/* The command "legal": what is read as it, and what it answers. */
#include "service/mail_command.h"
#include "service/mail_guard.h"
#include "service/mail_legal.h"
#include "service/text.h"

#include <string.h>

/* ---- what is the command ---- */

/* text: the command's one form; NULL: a remark, which goes to the opponent. */
static void assert_read(unsigned where, const char *line, const char *text)
{
	const MailPlace place = {where, rules_find("xo"), false};
	g_auto(MailCommand) command = {.id = MAIL_COMMAND_NONE};
	g_test_message("%s", line);
	const MailReading reading = mail_command_read(line, &place, &command);
	g_assert_cmpint(reading, ==, text == NULL ? MAIL_READING_REMARK : MAIL_READING_COMMAND);
	if (text == NULL)
		return;
	g_assert_cmpint(command.id, ==, MAIL_LEGAL);
	g_assert_cmpstr(command.text, ==, text);
}

typedef struct {
	const char *line, *text;
} Row;

static const Row starts[] = {
	{"legal", "legal"},
	{"Legal?", "legal"},
	{"legal:", "legal"},
	{"légal :", "legal"},
	{"legal ?", "legal"},
	{"legal c10xa10,pass", "legal c10xa10,pass"},
	{"legal a3xa10,pass", "legal a3xa10,pass"},
	{"legal pass", "legal pass"},
	{"legal Pass?", "legal pass"},
	{"legal --", "legal --"},
	{"legal —", "legal -"},
	{"legal c10xa10,--", "legal c10xa10,--"},
	{"legal --,c3-c4", "legal --,c3-c4"},
	{"legal c10xa10?", "legal c10xa10"},
	{"legal c10xa10 ?", "legal c10xa10"},
	{"legal c10xa10 ?!", "legal c10xa10"},
	{"legal c10xa10…", "legal c10xa10"},
	{"legal: c10xa10", "legal c10xa10"},
	{"legal : c10xa10", "legal c10xa10"},
	{"legal:c10xa10", "legal c10xa10"},
	{"legal, c10xa10?", "legal c10xa10"},
	{"legal. c10xa10", "legal c10xa10"},
	{"legal - c10xa10", "legal c10xa10"},
	{"legal-c10xa10", "legal c10xa10"},
	{"legal -> c10xa10", "legal c10xa10"},
	{"legal \"c10xa10\"", "legal c10xa10"},
	{"legal „C10xA10“?", "legal c10xa10"},
	{"legal (c10xa10)", "legal c10xa10"},
	{"legal [c10xa10,pass]", "legal c10xa10,pass"},
	{"legal c10 - b10", "legal c10 - b10"},
	{"legal c10xa1O", "legal c10xa1o"},
	{"legal cl0xa10", "legal cl0xa10"},
	{"legal с10ха10", "legal c10xa10"}, /* Cyrillic */
	{"legal c10xa10=b4", "legal c10xa10=b4"},
	{"legal u99", "legal u99"},
	{"legal moves c10xa10", "legal moves c10xa10"},
	{"legal is c10xa10?", "legal is c10xa10"},
	{"legal moves with c10xa10 please", "legal moves with c10xa10 please"},
	{"legal c10xa10 and b3~", "legal c10xa10 and b3~"},
	{"legal a3~ and c10xa10 and a10~ and b3~ and c3-c4",
	 "legal a3~ and c10xa10 and a10~ and b3~ and c3-c4"},
	{"legal c10xa10/pass", "legal c10xa10/pass"},
	{"legal pass now", "legal pass now"},
};

static const Row sentences[] = {
	{"legal advice is expensive", NULL},
	{"legal oder nicht, ich spiele c3", NULL},
	{"Legal, but I do not like c3", NULL},
	{"Legal, c3 is good", NULL},
	{"legal or not, I took c3", NULL},
	{"legal!", NULL},
	{"legal :-)", NULL},
	{"legal :)", NULL},
	{"legal ;-)", NULL},
	{"légal il y a 3 ans", NULL},
	{"erlaubt ist, was gefällt", NULL},
	{"можно мне сходить завтра?", NULL},
	{"legal passports are rare", NULL},
	{"legal pass is a funny word", NULL},
	{"Legal turns close to it: a3-a4, a3-b4, b3-a4, b3-b4.", NULL},
	{"legally c3", NULL},
	{"illegal c3", NULL},
};

static void whoever_asks_for_a_beginning_does_not_tell_it_to_the_opponent(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(starts); i++)
		assert_read(MAIL_PLACE_GAME, starts[i].line, starts[i].text);
}

static void the_one_form_of_the_command_is_read_as_itself(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(starts); i++)
		assert_read(MAIL_PLACE_GAME, starts[i].text, starts[i].text);
}

static void sentences_that_begin_with_the_word_stay_remarks(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(sentences); i++)
		assert_read(MAIL_PLACE_GAME, sentences[i].line, NULL);
}

static void every_word_for_it_takes_a_colon_a_pass_and_a_question_mark(void)
{
	const MailCommandRow *row = mail_command_row(MAIL_LEGAL);
	for (int l = 0; l < LANGUAGE_COUNT; l++) {
		for (int i = 0; i < MAIL_COMMAND_WORDS && row->words[l][i] != NULL; i++) {
			g_autofree char *pass =
				g_strconcat(row->words[l][i], " c10xa10,pass", NULL);
			g_autofree char *asks = g_strconcat(row->words[l][i], ": c10xa10 ?", NULL);
			assert_read(MAIL_PLACE_GAME, pass, "legal c10xa10,pass");
			assert_read(MAIL_PLACE_GAME, asks, "legal c10xa10");
		}
	}
}

static void the_number_of_a_game_stands_before_the_beginning(void)
{
	assert_read(MAIL_PLACE_PLAY, "legal 7", "legal");
	assert_read(MAIL_PLACE_PLAY, "legal 7?", "legal");
	assert_read(MAIL_PLACE_PLAY, "legal: 7 c10xa10,pass?", "legal c10xa10,pass");
	assert_read(MAIL_PLACE_PLAY, "legal c10xa10", NULL);
}

/* ---- what is answered ---- */

/* Blue to move; a3 and a10 confront each other, c3 kills c10 and may go on. */
#define XO "xo:7x12:3 g+h+z4/7/v1z4/7/7/7/7/7/7/V1V4/6N/G+H+Z4 b"

static void legal_find(const char *key, const char *start, MailLegal *legal_r)
{
	const GameRules *rules = rules_find(key);
	Position position;
	Refusal refusal;
	const bool is_xo = strcmp(key, "xo") == 0;
	g_assert_true(is_xo ? rules->parse(XO, &position, &refusal)
			    : rules->start("", &position, &refusal));
	g_test_message("%s: %s", key, start);
	mail_legal_find(rules, &position, start, LANGUAGE_EN, legal_r);
	g_auto(GStrv) lines = g_strsplit(legal_r->lines, "\n", -1);
	for (int i = 0; lines[i] != NULL; i++)
		g_assert_false(mail_guard_is_command(lines[i]));
}

/* some: what stands among the lines. */
static void assert_found(const char *key, const char *start, const char *understood,
			 const char *some)
{
	MailLegal legal;
	legal_find(key, start, &legal);
	g_assert_cmpint(legal.count, >, 0);
	g_assert_cmpstr(legal.start, ==, understood);
	g_test_message("%s", legal.lines);
	g_assert_nonnull(strstr(legal.lines, some));
	mail_legal_clear(&legal);
}

static void a_beginning_is_shown_as_it_is_stored(void)
{
	assert_found("xo", "a3xa10", "a3*a10", "a3*a10");
	assert_found("xo", "a3*a10", "a3*a10", "a3*a10");
	assert_found("xo", "g2~ a3 x a10", "g2~,a3*a10", "g2~,a3*a10");
	assert_found("ordo", "d2:c2-d4", "c2:d2-c4", "c2:d2-c4");
}

static void whatever_the_referee_reads_as_a_turn_begins_one(void)
{
	static const char *const moves[] = {"c3-c6", "c3 c6",   "c3 - c6",
					    "c3c6",  "C3 – C6", "c3→c6"};
	static const char *const kills[] = {"c3xc10", "c3 x c10", "c3:c10", "c3 × c10"};
	for (size_t i = 0; i < G_N_ELEMENTS(moves); i++)
		assert_found("xo", moves[i], "c3-c6", "c3-c6");
	for (size_t i = 0; i < G_N_ELEMENTS(kills); i++)
		assert_found("xo", kills[i], "c3xc10", "c3xc10,c10~");
	assert_found("xo", "c3 x c10 c10 ~ a3 a9", "c3xc10,c10~,a3-a9", "c3xc10,c10~,a3-a9");
	assert_found("xo", "pass", "pass", "pass");
	assert_found("xo", "--", "pass", "pass");
	assert_found("ordo", "c2 d2 c4", "c2:d2-c4", "c2:d2-c4");
	assert_found("ordo", "a3 a4", "a3-a4", "a3-a4");
}

static void a_step_that_is_only_begun_is_completed(void)
{
	assert_found("xo", "c3 x", "c3x", "c3xc10");
	assert_found("xo", "a3 x", "a3x", "a3*a10");
	assert_found("xo", "c3xc10, a3", "c3xc10,a3", "c3xc10,a3-a4");
	assert_found("xo", "c3 x c10 a3 -", "c3xc10,a3-", "c3xc10,a3-a4");
	assert_found("xo", "c3 c", "c3c", "c3-c4");
	assert_found("xo", "g2~ c3", "g2~,c3", "g2~,c3xc10");
	assert_found("ordo", "c2 d2 c", "c2d2c", "c2:d2-c4");
}

static void a_beginning_of_no_turn_is_refused_with_the_reason(void)
{
	static const struct {
		const char *key, *start;
		RefusalCode code;
	} refused[] = {
		{"xo", "c3xc10,pass", REFUSAL_PASS_NOT_ALONE},
		{"xo", "c3xc10,--", REFUSAL_PASS_NOT_ALONE},
		{"xo", "pass,c3-c4", REFUSAL_PASS_NOT_ALONE},
		{"xo", "a3xa10,pass", REFUSAL_PASS_NOT_ALONE},
		{"xo", "a3xa10,g2~", REFUSAL_CONFRONTATION_ENDS_TURN},
		{"xo", "c3 b4", REFUSAL_OFF_AXIS},
		{"xo", "a3 a10", REFUSAL_ATTACK_WITHOUT_SIGN},
		{"xo", "c3xc1o", REFUSAL_UNREADABLE},
		{"xo", "moves c3xc10", REFUSAL_UNREADABLE},
		{"xo", "h13-h14", REFUSAL_OFF_BOARD},
		{"ordo", "pass", REFUSAL_UNREADABLE},
		{"ordo", "a3-a2", REFUSAL_BACKWARD},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
		MailLegal legal;
		legal_find(refused[i].key, refused[i].start, &legal);
		g_assert_cmpint(legal.count, ==, 0);
		g_assert_cmpstr(rules_refusal_name(legal.refusal.code), ==,
				rules_refusal_name(refused[i].code));
		mail_legal_clear(&legal);
	}
}

static void what_may_follow_is_told_by_parts_of_the_turn(void)
{
	static const char mark[] = "•\u00a0";
	static const struct {
		const char *start;
		const char *told[5]; /* in this order */
		const char *untold;
	} rows[] = {
		{"c3xc10",
		 {"c3xc10\n\nThe turn may end here.\n\nRotation of the survivor (optional):",
		  "c3xc10,c10~\n\nBonus turn (optional):", "c3xc10,a3~", "c3xc10,a3-a4"},
		 "Move"},
		{"c3xc10,c10~",
		 {"c3xc10,c10~\n\nThe turn may end here.\n\nBonus turn (optional):",
		  "c3xc10,c10~,a3~"},
		 "Rotation"},
		{"g2~",
		 {"g2~\n\nThe turn may end here.\n\nMove (optional):", "g2~,a3-a4"},
		 "Bonus"},
		{"a3xa10", {"a3*a10\n\nThe turn may end here."}, "optional"},
		{"c3xc10,a3", {"Bonus turn (optional):", "c3xc10,a3-a4"}, "may end"},
		{"", {"a3~", "a3-a4", "a3*a10"}, "optional"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		MailLegal legal;
		legal_find("xo", rows[i].start, &legal);
		g_test_message("%s", legal.lines);
		const char *at = legal.lines;
		for (int j = 0; j < 5 && rows[i].told[j] != NULL; j++) {
			at = strstr(at, rows[i].told[j]);
			g_assert_nonnull(at);
		}
		g_assert_null(strstr(legal.lines, rows[i].untold));
		g_assert_nonnull(strstr(legal.lines, mark));
		mail_legal_clear(&legal);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	text_init();
#define TEST(name) g_test_add_func("/service/mail_legal/" #name, name)
	TEST(whoever_asks_for_a_beginning_does_not_tell_it_to_the_opponent);
	TEST(the_one_form_of_the_command_is_read_as_itself);
	TEST(sentences_that_begin_with_the_word_stay_remarks);
	TEST(every_word_for_it_takes_a_colon_a_pass_and_a_question_mark);
	TEST(the_number_of_a_game_stands_before_the_beginning);
	TEST(a_beginning_is_shown_as_it_is_stored);
	TEST(whatever_the_referee_reads_as_a_turn_begins_one);
	TEST(a_step_that_is_only_begun_is_completed);
	TEST(a_beginning_of_no_turn_is_refused_with_the_reason);
	TEST(what_may_follow_is_told_by_parts_of_the_turn);
	return g_test_run();
}
