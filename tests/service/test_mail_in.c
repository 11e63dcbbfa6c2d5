/*
 * What the collections of mails cannot say: other addresses, positions, who may be answered.
 */
#include "service/mail_in.h"
#include "service/notation.h"

#include <glib.h>
#include <string.h>

#define SECRET "k7q2m9x4w8ztb3n5"

typedef struct {
	const char *rules;        /* NULL: ordo */
	const Position *position; /* NULL: none */
	bool past;
	bool trusted;
	const char *recipient; /* NULL: of game 7, turn 13 */
	const char *top;       /* header lines before the others; NULL: none */
} World;

static bool secret_fits(const MailAddressee *addressee, void *user_data)
{
	(void)user_data;
	return strcmp(addressee->secret, SECRET) == 0;
}

static bool locate(const char *message_id, MailAddressee *addressee_r, void *user_data)
{
	(void)message_id;
	(void)addressee_r;
	(void)user_data;
	return false;
}

static void look_up(const MailAddressee *addressee, MailSituation *situation_r, void *user_data)
{
	const World *world = user_data;

	(void)addressee;
	*situation_r = (MailSituation){
		.rules = rules_find(world->rules == NULL ? "ordo" : world->rules),
		.position = world->position,
		.past = world->past,
		.played = world->past ? "c2-c4" : NULL,
	};
}

static bool sender_fits(const MailAddressee *addressee, const char *address, void *user_data)
{
	(void)addressee;
	(void)user_data;
	return strcmp(address, "anna@example.com") == 0;
}

static bool sender_trusted(const char *address, void *user_data)
{
	const World *world = user_data;

	(void)address;
	return world->trusted;
}

static MailMemory remember(const MailAddressee *addressee, const char *message_id,
			   const char *command, void *user_data)
{
	(void)addressee;
	(void)message_id;
	(void)command;
	(void)user_data;
	return MAIL_MEMORY_NEW;
}

static MailDecision *decide(const World *world, const char *from, const char *text)
{
	static const MailInSource source = {secret_fits, locate,         look_up,
					    sender_fits, sender_trusted, remember};
	World copy = *world;
	const MailInContext context = {
		.domain = "play.example.org",
		.authserv_id = "in.play.example.org",
		.recipient = world->recipient == NULL ? "move+g7.t13." SECRET "@play.example.org"
						      : world->recipient,
		.source = &source,
		.user_data = &copy,
	};
	g_autofree char *mail = g_strdup_printf("%sFrom: %s\nMessage-ID: <1@example.com>\n\n%s\n",
						world->top == NULL ? "" : world->top, from, text);
	return mail_in_decide(&context, (const uint8_t *)mail, strlen(mail));
}

/* "accept resign", "hold no-secret c2-c4", "reject bad-secret". The caller frees. */
static char *told(const World *world, const char *from, const char *text)
{
	g_autoptr(MailDecision) decision = decide(world, from, text);
	GString *words = g_string_new(mail_disposition_name(decision->disposition));

	if (decision->reason != MAIL_REASON_NONE)
		g_string_append_printf(words, " %s", mail_reason_name(decision->reason));
	if (decision->command.game_id != 0)
		g_string_append_printf(words, " %d", (int)decision->command.game_id);
	if (decision->command.text != NULL)
		g_string_append_printf(words, " %s", decision->command.text);
	if (decision->chat != NULL)
		g_string_append_printf(words, " (%s)", decision->chat);
	return g_string_free(words, FALSE);
}

static void check(const World *world, const char *text, const char *expected)
{
	g_autofree char *words = told(world, "anna@example.com", text);

	g_assert_cmpstr(words, ==, expected);
}

static void commands_without_a_game_name_it_and_are_held_until_trusted(void)
{
	const World world = {.recipient = "play@play.example.org"};
	const World trusted = {.recipient = "play@play.example.org",
			       .trusted = true,
			       .top = "Authentication-Results: in.play.example.org; dmarc=pass\n"};
	const World unsigned_one = {.recipient = "play@play.example.org", .trusted = true};

	check(&world, "move 7 c2-c4", "hold no-secret 7 c2-c4");
	check(&world, "resign 7", "hold no-secret 7 resign");
	check(&world, "resign", "hold no-secret (resign)");
	check(&world, "c2-c4", "hold no-secret (c2-c4)");
	check(&world, "games", "hold no-secret games");
	check(&trusted, "Aufgeben 7.", "accept 7 resign");
	check(&trusted, "challenge bob ordox", "accept challenge bob ordox");
	check(&trusted, "вызов bert ordox вторым закрытая",
	      "accept challenge bert ordox вторым закрытая");
	check(&trusted, "follow 7 täglich", "accept follow 7 täglich");
	check(&unsigned_one, "games", "hold no-secret games");
	static const struct {
		const char *result, *expected;
	} signatures[] = {
		{"dkim=pass header.d=example.com header.s=k", "accept games"},
		{"dkim=pass (2048-bit) header.i=@com header.d=com", "hold no-secret games"},
		{"dkim=pass header.d=ple.com", "hold no-secret games"},
		{"dkim=pass header.d=mail.example.com", "hold no-secret games"},
		{"dkim=fail header.d=example.com", "hold no-secret games"},
		{"dkim=pass header.d=example.com; dmarc=fail", "hold no-secret games"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(signatures); i++) {
		g_autofree char *top = g_strdup_printf(
			"Authentication-Results: in.play.example.org; %s\n", signatures[i].result);
		const World signed_one = {
			.recipient = "play@play.example.org", .trusted = true, .top = top};
		check(&signed_one, "games", signatures[i].expected);
	}
	g_autofree char *stranger = told(&trusted, "eve@example.com", "games");
	g_assert_cmpstr(stranger, ==, "reject unknown-sender");
}

static void an_invitation_is_answered_with_one_word(void)
{
	const World world = {.recipient = "invite+c3." SECRET "@play.example.org"};

	check(&world, "Sí", "accept yes");
	check(&world, "да", "accept yes");
	check(&world, "Ja.", "accept yes");
	check(&world, "Nein", "accept no");
	check(&world, "jamais", "accept never");
	check(&world, "yes\nno", "reject ambiguous-command");
	check(&world, "c2-c4", "accept (c2-c4)");
}

static void yes_is_no_command_in_a_game(void)
{
	check(&(World){.rules = NULL}, "yes", "accept (yes)");
	check(&(World){.rules = NULL}, "move c2-c4", "accept (move c2-c4)");
	check(&(World){.rules = NULL}, "say Good luck\nc2-c4", "accept c2-c4 (Good luck)");
}

static void a_sentence_beside_a_turn_keeps_its_first_word(void)
{
	const World world = {.rules = NULL};

	check(&world, "c2-c4\nSage mal, wie geht es dir?",
	      "accept c2-c4 (Sage mal, wie geht es dir?)");
	check(&world, "Digo yo que ganas.\nc2-c4\nsay Bye",
	      "accept c2-c4 (Digo yo que ganas.\nBye)");
	check(&world, "clock\ndire que oui", "accept clock (dire que oui)");
	check(&world, "sagen Hallo", "accept (Hallo)");
	check(&world, "Well\nsagen Hallo", "accept (Well\nHallo)");
	check(&world, "  SAY Hello\nc2-c4", "accept c2-c4 (Hello)");
}

static void lines_are_one_turn_only_where_the_position_says_so(void)
{
	Position position;
	Refusal refusal;

	g_assert_true(rules_find("ordox")->start("", &position, &refusal));
	const World seen = {.rules = "ordox", .position = &position};
	const World unseen = {.rules = "ordox"};
	check(&unseen, "b3-c3\nb2-b4", "reject ambiguous-command");
	check(&seen, "b3-c3\n\nB2–B4\nhello", "accept b3-c3,b2-b4 (hello)");
	check(&seen, "a3-a4\nb3-b4", "reject ambiguous-command");
}

static void lines_of_a_turn_are_steps_only_where_that_is_beyond_doubt(void)
{
	const World xo = {.rules = "xo"};

	check(&xo, "d3xd10,\n,d10~;\n\n, a3~\nhello", "accept d3xd10,d10~,a3~ (hello)");
	check(&xo, "(1) d3xd10\n(2) d10~", "accept d3xd10,d10~");
	check(&xo, "d3xd10,d10~,\na3~", "accept d3xd10,d10~,a3~");
	check(&xo, "d3xd10,d10~\na3~", "reject ambiguous-command");
	check(&xo, "d3xd10\nor\na3~", "reject ambiguous-command");
	check(&xo, "b3~\nd3xd1O,\nc3-c6", "reject ambiguous-command");
	check(&xo, "b 3~\nd3xd10", "reject ambiguous-command");
	check(&xo, "d3xd10\n\nc3 - c6?", "reject ambiguous-command");
	check(&xo, "d3xd10\n\nd3xd10 - what else?", "accept d3xd10 (d3xd10 - what else?)");
	check(&xo, "d3xd10\nMy old A4-paper says 2-1", "accept d3xd10 (My old A4-paper says 2-1)");
	check(&xo, "d3xd1O\na3!", "accept (d3xd1O\na3!)");
}

static void steps_below_a_turn_are_no_remark_at_an_address_without_a_game(void)
{
	const World world = {.recipient = "play@play.example.org"};

	check(&world, "move 41 b3~,\nd3xd10", "reject ambiguous-command");
	check(&world, "move 41 c2-c4\nYour e5-e6 was good",
	      "hold no-secret 41 c2-c4 (Your e5-e6 was good)");
}

static void a_turn_that_is_past_was_played_or_is_stale(void)
{
	const World world = {.past = true};

	check(&world, "c2-c4", "ignore already-played");
	check(&world, "c2-c3", "reject stale-turn");
	check(&world, "board", "accept board");
	check(&world, "thanks", "accept (thanks)");
}

static bool may_answer(const World *world, const char *from, const char *text)
{
	g_autoptr(MailDecision) decision = decide(world, from, text);

	return decision->may_answer;
}

static void only_the_player_himself_is_answered(void)
{
	const World plain = {.rules = NULL};
	const World failed = {.top = "Authentication-Results: in.play.example.org; dmarc=fail\n"};
	const World robot = {.top = "Return-Path: <>\n"};
	const World wrong = {.recipient = "move+g7.t13.aaaaaaaaaaaaaaaa@play.example.org"};

	g_assert_true(may_answer(&plain, "anna@example.com", "c2-c4"));
	g_assert_true(may_answer(&plain, "anna@example.com", "c2-c4\nc2-c3"));
	g_assert_false(may_answer(&plain, "eve@example.com", "c2-c4\nc2-c3"));
	g_assert_false(may_answer(&failed, "anna@example.com", ""));
	g_assert_false(may_answer(&robot, "anna@example.com", "c2-c4"));
	g_assert_false(may_answer(&wrong, "anna@example.com", "c2-c4"));
}

static void a_text_is_read_as_a_turn_whatever_the_position(void)
{
	static const struct {
		const char *rules, *text, *written;
	} rows[] = {
		{"ordo", "c2-c4", "c2-c4"},
		{"ordo", "c2c4", "c2-c4"},
		{"ordo", "e3:e6", "e3xe6"},
		{"ordo", "c2-d2-c4", "c2:d2-c4"},
		{"ordo", "d2:c2-d4", "c2:d2-c4"},
		{"ordo", "c3:c2-c5", "c2:c3-c4"},
		{"ordo", "c2-c4,d2-d4", "no-second-half"},
		{"ordo", "c2", "destination-missing"},
		{"ordo", "c9-c10", "off-board"},
		{"ordo", "hello", "unreadable"},
		{"ordox", "a3-b3;c2-c4", "a3-b3,c2-c4"},
		{"ordox", "e3xe6=f7", "e3xe6=f7"},
		{"ordox", "a1-a2,a2-a3,a3-a4", "turn-already-ended"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char written[RULES_TURN_MAX];
		Refusal refusal;
		bool reads = rules_find(rows[i].rules)->read(rows[i].text, written, &refusal);

		g_test_message("%s", rows[i].text);
		g_assert_cmpstr(reads ? written : rules_refusal_name(refusal.code), ==,
				rows[i].written);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/mail_in/" #name, name)
	TEST(commands_without_a_game_name_it_and_are_held_until_trusted);
	TEST(an_invitation_is_answered_with_one_word);
	TEST(yes_is_no_command_in_a_game);
	TEST(a_sentence_beside_a_turn_keeps_its_first_word);
	TEST(lines_are_one_turn_only_where_the_position_says_so);
	TEST(lines_of_a_turn_are_steps_only_where_that_is_beyond_doubt);
	TEST(steps_below_a_turn_are_no_remark_at_an_address_without_a_game);
	TEST(a_turn_that_is_past_was_played_or_is_stale);
	TEST(only_the_player_himself_is_answered);
	TEST(a_text_is_read_as_a_turn_whatever_the_position);
	return g_test_run();
}
