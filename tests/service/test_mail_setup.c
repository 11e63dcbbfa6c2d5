/* Mails about XO, while the armies are laid out and when turns are played, in every language. */
#include "mail/template.h"
#include "service/mail_command.h"
#include "service/mail_game.h"
#include "service/mail_guard.h"
#include "service/mail_out.h"
#include "service/mail_setup.h"
#include "service/mail_true.h"
#include "service/text.h"

#include <string.h>

#define BLUE "vhzvhzv/n+vznhng/vz+zhnhz"
#define RED "zhnh+zzv/gnhnz+vn/vzhvzhv"
#define BLUE_2 "hhzvhzv/n+vznhng/vz+zhnhz"
#define BEGIN "xo:7x12:3 7/7/7/7/7/7/7/7/7/7/7/7 s 1 1 0 0 0"
#define OPEN                                                       \
	"xo:7x12:3 zhnh+zzv/gnhnz+vn/vzhvzhv/7/7/7/7/7/7/VHZVHZV/" \
	"N+VZNHNG/VZ+ZHNHZ s "
#define PLAY "xo:7x12:3 zhnh+zzv/gnhnz+vn/vzhvzhv/7/7/7/7/7/7/VHZVHZV/N+VZNHNG/VZ+ZHNHZ b"
#define TURN "a1~,c3-e5"
#define PLAYED "xo:7x12:3 zhnh+zzv/gnhnz+vn/vzhvzhv/7/7/7/7/4Z2/7/VH1VHZV/N+VZNHNG/HZ+ZHNHZ r 1 0"

static Config config_of(bool inbound)
{
	return (Config){.public_url = (char *)(uintptr_t) "https://play.example.org",
			.mail_from = (char *)(uintptr_t) "Ludopost <turns@play.example.org>",
			.mail_domain = (char *)(uintptr_t) "play.example.org",
			.secret_key = {(char *)(uintptr_t) "a key of the tests, long enough"},
			.inbound = inbound};
}

/* What a mail is about: a moment of a game, and whose eyes it is for. */
typedef struct {
	const char *template, *kind, *phase, *board;
	int round, awaiting, seat;
	const char *turn, *board_before, *reason;
	int ply, winner;
} Moment;

/* Every mail that a game of XO causes. */
static const Moment moments[] = {
	{"game-started", "game.started", "setup", BEGIN, 0, 3, 1, NULL, NULL, NULL, 0, 0},
	{"game-started", "game.started", "setup", BEGIN, 0, 3, 2, NULL, NULL, NULL, 0, 0},
	{"game-started", "game.started", "setup", BEGIN, 0, 1, 2, NULL, NULL, NULL, 0, 0},
	{"game-started", "game.started", "play", PLAY, 0, 1, 2, NULL, NULL, NULL, 0, 0},
	{"setup-round", "setup.layout", "setup", OPEN "1 0 0 0 0", 1, 1, 1, NULL, NULL, NULL, 0, 0},
	{"setup-round", "setup.accepted", "setup", OPEN "1 0 1 0 0", 1, 2, 2, NULL, NULL, NULL, 0,
	 0},
	{"setup-round", "setup.layout", "setup", OPEN "3 0 1 1 1", 3, 2, 2, NULL, NULL, NULL, 0, 0},
	{"setup-round", "setup.layout", "setup", OPEN "11 0 2 5 5", 11, 1, 1, NULL, NULL, NULL, 0,
	 0},
	{"remark", "game.remark", "setup", BEGIN, 0, 1, 2, NULL, NULL, NULL, 0, 0},
	{"remark", "game.remark", "setup", OPEN "3 0 1 1 1", 0, 2, 1, NULL, NULL, NULL, 0, 0},
	{"game-over", "game.over", "over", BEGIN, 0, 0, 1, NULL, NULL, "resign", 0, 2},
	{"your-turn", "game.play-began", "play", PLAY, 1, 1, 1, NULL, NULL, NULL, 0, 0},
	{"your-turn", "turn.played", "play", PLAYED, 0, 2, 2, TURN, PLAY, NULL, 1, 0},
	{"remark", "game.remark", "play", PLAYED, 0, 2, 1, NULL, NULL, NULL, 1, 0},
	{"game-over", "game.over", "over", PLAYED, 0, 0, 2, TURN, PLAY, "resign", 1, 1},
	{"watch", "turn.played", "play", PLAYED, 0, 2, 0, TURN, PLAY, NULL, 1, 0},
	{"watch-day", "watch.day", "play", PLAYED, 0, 2, 0, TURN, PLAY, NULL, 1, 0},
};

static Letter letter_of(const Moment *moment, Language language)
{
	const char *code = language_code(language);
	return (Letter){
		.delivery_id = 4711,
		.event_id = 99,
		.template = moment->template,
		.kind = moment->kind,
		.created = 1700000000,
		.ply = moment->ply,
		.round = moment->round,
		.game_id = 1042,
		.email = "reader@example.org",
		.address_state = "confirmed",
		.address_language = code,
		.address_player_id = 5,
		.reader_id = 5,
		.reader = "Anna",
		.reader_language = code,
		.reader_time_zone = "Europe/Vienna",
		.has_game = true,
		.game = {.rules = "xo",
			 .options = "7x12:3",
			 .phase = moment->phase,
			 .reason = moment->reason,
			 .deadline = "1700600000",
			 .awaiting = moment->awaiting,
			 .ply = moment->ply,
			 .winner = moment->winner,
			 .board = moment->board,
			 .turn = moment->turn,
			 .board_before = moment->board_before,
			 .turn_seat = moment->turn == NULL ? 0 : 1,
			 .player_ids = {5, 6},
			 .names = {"Björn", "Piotr"},
			 .reachable = {true, true},
			 .seat = moment->seat,
			 .remark = strcmp(moment->template, "remark") == 0 ? "Good luck!" : NULL,
			 .followed = moment->seat == 0,
			 .turns = moment->seat == 0 ? "1. Björn: " TURN : NULL},
	};
}

/* The text part of the mail; the caller frees. */
static char *text_of(const Moment *moment, Language language, bool inbound)
{
	const Config config = config_of(inbound);
	const Letter letter = letter_of(moment, language);
	g_autoptr(MailWords) words = mail_words_new();
	g_auto(MailPicture) picture = {.png = NULL};
	g_autoptr(GError) error = NULL;
	mail_words_part(words, "write_above", inbound ? "write-above-line" : NULL);
	mail_words_add(words, "unsubscribe_url", "https://play.example.org/unsubscribe/5/x");
	mail_words_add(words, "site_url", "https://play.example.org");
	g_assert_true(mail_game_words(words, &config, &letter, &picture, &error));
	g_autoptr(MailText) text = mail_template_render(language_code(language), moment->template,
							mail_words_values(words), &picture);
	g_assert_null(strstr(text->html, "{{"));
	return mail_guard_lines(text->body);
}

/* A full-width form or an ideographic space takes two columns. */
static int columns_of(const char *line)
{
	int columns = 0;
	for (; *line != '\0'; line = g_utf8_next_char(line))
		columns += g_unichar_iswide(g_utf8_get_char(line)) ? 2 : 1;
	return columns;
}

static void lines_check(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (int i = 0; lines[i] != NULL; i++) {
		g_test_message("%s", lines[i]);
		g_assert_false(strcmp(lines[i], "-- ") != 0 && mail_guard_is_command(lines[i]));
		g_assert_true(columns_of(lines[i]) <= 78 || strchr(lines[i], ' ') == NULL);
	}
}

static void every_mail_about_xo_is_whole_in_every_language(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(moments) * 2; i++) {
		const Moment *moment = &moments[i / 2];
		g_autoptr(GHashTable) different =
			g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		for (int l = 0; l < LANGUAGE_COUNT; l++) {
			char *text = text_of(moment, (Language)l, i % 2 == 1);
			lines_check(text);
			g_assert_null(strstr(text, "{{"));
			g_hash_table_add(different, text);
		}
		g_assert_cmpuint(g_hash_table_size(different), ==, LANGUAGE_COUNT);
	}
}

static void a_mail_made_again_has_the_same_bytes(void)
{
	const Config config = config_of(true);
	for (size_t i = 0; i < G_N_ELEMENTS(moments); i++) {
		const Letter letter = letter_of(&moments[i], LANGUAGE_DE);
		g_autoptr(GError) error = NULL;
		g_autoptr(MailOut) first = mail_out_make(&config, &letter, &error);
		g_assert_no_error(error);
		g_autoptr(MailOut) again = mail_out_make(&config, &letter, &error);
		g_assert_no_error(error);
		g_assert_null(first->dropped);
		g_assert_true(g_bytes_equal(first->message, again->message));
	}
}

static void the_beginning_tells_what_to_lay_out_and_gives_an_example(void)
{
	g_autofree char *blue = text_of(&moments[0], LANGUAGE_EN, true);
	g_autofree char *red = text_of(&moments[1], LANGUAGE_EN, true);
	g_assert_nonnull(strstr(blue, "(yours is a1–g3)"));
	g_assert_nonnull(strstr(red, "(yours is a10–g12)"));
	g_assert_nonnull(strstr(blue, "\nvhzvhzv\nn+vznhng\nvz+zhnhz\n"));
	g_assert_nonnull(strstr(red, "\nzhnh+zzv\ngnhnz+vn\nvzhvzhv\n"));
	g_assert_nonnull(strstr(blue, "layout\u00a0" BLUE));
	g_assert_nonnull(strstr(red, "layout\u00a0" RED));
	g_autofree char *given = text_of(&moments[2], LANGUAGE_EN, true);
	g_assert_nonnull(strstr(given, "Your layout is in."));
	g_assert_null(strstr(given, "vhzvhzv"));
}

/* Reads every command that the text puts between quotation marks or after a colon. */
static int commands_count(const char *text)
{
	g_autoptr(GRegex) quoted =
		g_regex_new("[“«„]\\s?([^”»“]+?)\\s?[”»“]|: ?(\\S+\u00a0\\S+/\\S+)", 0, 0, NULL);
	const MailPlace place = {MAIL_PLACE_GAME, rules_find("xo"), false};
	g_autoptr(GMatchInfo) found = NULL;
	int count = 0;
	for (g_regex_match(quoted, text, 0, &found); g_match_info_matches(found);
	     g_match_info_next(found, NULL)) {
		g_autofree char *one = g_match_info_fetch(found, 1);
		g_autofree char *other = g_match_info_fetch(found, 2);
		const char *line = *one != '\0' ? one : other;
		g_auto(MailCommand) command = {.id = MAIL_COMMAND_NONE};
		g_test_message("%s", line);
		g_assert_cmpint(mail_command_read(line, &place, &command), ==,
				MAIL_READING_COMMAND);
		g_assert_cmpint(command.id, ==, MAIL_LAYOUT);
		count++;
	}
	return count;
}

static void the_commands_that_are_told_are_commands(void)
{
	for (int l = 0; l < LANGUAGE_COUNT; l++) {
		g_autofree char *wrapped = text_of(&moments[0], (Language)l, true);
		const char *text = strstr(g_strdelimit(wrapped, "\n", ' '), "a1–g3");
		/* French puts the game's name between quotation marks. */
		g_assert_cmpint(commands_count(text), ==, 4);
	}
}

static void a_round_shows_both_layouts_and_what_can_be_done(void)
{
	static const struct {
		int moment;
		const char *news, *changes, *word;
	} rows[] = {
		{4, "Both layouts are in, and open now (pair 1).", "5 times", "one word: accept."},
		{5, "Björn accepts both layouts as they stand (pair 1).", "5 times",
		 "word “layout”"},
		{6, "Björn has sent another layout and accepts the new pair (pair 3).", "4 times",
		 "one word: accept."},
		{7, "Piotr has sent another layout and accepts the new pair (pair 11).",
		 "you can only accept.", "one word: accept."},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *wrapped = text_of(&moments[rows[i].moment], LANGUAGE_EN, true);
		g_assert_nonnull(strstr(wrapped, "\nvhzvhzv\nn+vznhng\nvz+zhnhz\n"));
		g_assert_nonnull(strstr(wrapped, "\nzhnh+zzv\ngnhnz+vn\nvzhvzhv\n"));
		char *text = g_strdelimit(wrapped, "\n", ' ');
		g_test_message("%s", text);
		g_assert_nonnull(strstr(text, rows[i].news));
		g_assert_nonnull(strstr(text, rows[i].changes));
		g_assert_nonnull(strstr(text, rows[i].word));
	}
}

static void the_armies_stand_as_the_readers_side_sees_them(void)
{
	g_autofree char *blue = text_of(&moments[4], LANGUAGE_EN, true);
	g_autofree char *red = text_of(&moments[5], LANGUAGE_EN, true);
	g_assert_true(strstr(blue, "\n１２　") < strstr(blue, "\n　１　"));
	g_assert_true(strstr(red, "\n１２　") > strstr(red, "\n　１　"));
}

static void an_answer_goes_to_the_stage_of_the_set_up_that_its_mail_was_about(void)
{
	static const struct {
		int moment, ply;
	} rows[] = {{0, 0}, {2, 0}, {4, -1}, {5, -1}, {6, -3}, {7, -11}, {11, 1}, {12, 2}};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const Letter letter = letter_of(&moments[rows[i].moment], LANGUAGE_EN);
		g_assert_cmpint(mail_setup_ply(&letter), ==, rows[i].ply);
	}
}

static void a_pair_that_is_no_longer_for_the_reader_is_not_told(void)
{
	Letter letter = letter_of(&moments[4], LANGUAGE_EN);
	g_assert_null(mail_true_hindrance(&letter));
	letter.round = 2;
	g_assert_nonnull(mail_true_hindrance(&letter));
	letter = letter_of(&moments[4], LANGUAGE_EN);
	letter.game.awaiting = 2;
	g_assert_nonnull(mail_true_hindrance(&letter));
	letter = letter_of(&moments[4], LANGUAGE_EN);
	letter.game.phase = "play";
	letter.game.board = PLAY;
	g_assert_nonnull(mail_true_hindrance(&letter));
	letter.game.phase = "over";
	g_assert_nonnull(mail_true_hindrance(&letter));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	text_init();
#define TEST(name) g_test_add_func("/mail_setup/" #name, name)
	TEST(every_mail_about_xo_is_whole_in_every_language);
	TEST(a_mail_made_again_has_the_same_bytes);
	TEST(the_beginning_tells_what_to_lay_out_and_gives_an_example);
	TEST(the_commands_that_are_told_are_commands);
	TEST(a_round_shows_both_layouts_and_what_can_be_done);
	TEST(the_armies_stand_as_the_readers_side_sees_them);
	TEST(an_answer_goes_to_the_stage_of_the_set_up_that_its_mail_was_about);
	TEST(a_pair_that_is_no_longer_for_the_reader_is_not_told);
	return g_test_run();
}
