/* The command "legal": what is read as it, and what it answers. */
#include "service/mail_command.h"

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

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/service/mail_legal/" #name, name)
	TEST(whoever_asks_for_a_beginning_does_not_tell_it_to_the_opponent);
	TEST(the_one_form_of_the_command_is_read_as_itself);
	TEST(sentences_that_begin_with_the_word_stay_remarks);
	TEST(every_word_for_it_takes_a_colon_a_pass_and_a_question_mark);
	TEST(the_number_of_a_game_stands_before_the_beginning);
	return g_test_run();
}
