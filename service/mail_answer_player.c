#include "service/game_option.h"
#include "service/link.h"
#include "service/mail_answer_kinds.h"
#include "service/mail_challenge.h"
#include "service/mail_help.h"
#include "service/mail_words.h"
#include "service/rule_book.h"
#include "service/text.h"

#include <string.h>

static const char *rules_name(const json_t *key)
{
	const GameRules *rules = rules_find(json_string_value(key));
	return rules == NULL ? "" : rules->name;
}

static char *number_text(const json_t *number)
{
	return g_strdup_printf("%" JSON_INTEGER_FORMAT, json_integer_value(number));
}

static void line_append(GString *text, char *line)
{
	g_string_append_printf(text, "%s%s", text->len > 0 ? "\n" : "", line);
	g_free(line);
}

/* ---- games and challenges ---- */

/* [number, rules, opponent, whether it is the reader's turn] */
static char *game_line(const MailAnswer *answer, const json_t *row)
{
	g_autofree char *game = number_text(json_array_get(row, 0));
	const bool yours = json_is_true(json_array_get(row, 3));
	g_autofree char *line = text_format(
		answer->language, yours ? "answer.game_item_yours" : "answer.game_item_theirs",
		"game", game, "rules", rules_name(json_array_get(row, 1)), "opponent",
		mail_answer_player(answer, json_integer_value(json_array_get(row, 2))), NULL);
	return mail_answer_item(answer, line);
}

/* [number, rules, who made it] */
static char *challenge_line(const MailAnswer *answer, const json_t *row)
{
	g_autofree char *challenge = number_text(json_array_get(row, 0));
	g_autofree char *line = text_format(
		answer->language, "answer.challenge_item", "challenge", challenge, "rules",
		rules_name(json_array_get(row, 1)), "player",
		mail_answer_player(answer, json_integer_value(json_array_get(row, 2))), NULL);
	return mail_answer_item(answer, line);
}

char *mail_answer_challenges(const MailAnswer *answer)
{
	const json_t *challenges = json_object_get(answer->data, "challenges");
	GString *text = g_string_new(NULL);
	size_t i;
	json_t *row;
	json_array_foreach(challenges, i, row)
	{
		line_append(text, challenge_line(answer, row));
	}
	return g_string_free(text, FALSE);
}

static void games_append(GString *text, const MailAnswer *answer)
{
	const json_t *games = json_object_get(answer->data, "games");
	const size_t count = json_array_size(games);
	size_t i;
	json_t *row;
	if (count == 0) {
		g_string_append(text, text_get(answer->language, "answer.games_none"));
		return;
	}
	line_append(text, text_plural(answer->language, "answer.games", (long)count, NULL));
	json_array_foreach(games, i, row)
	{
		line_append(text, game_line(answer, row));
	}
}

/* "accept" and "decline", for a list of challenges. */
static char *challenges_how(const MailAnswer *answer)
{
	g_autofree char *address = mail_help_address(answer->config);
	return text_format(answer->language, "answer.challenges_how", "address", address, "accept",
			   mail_help_word(MAIL_ACCEPT, answer->language), "decline",
			   mail_help_word(MAIL_DECLINE, answer->language), NULL);
}

char *mail_answer_games(const MailAnswer *answer)
{
	GString *text = g_string_new(NULL);
	games_append(text, answer);
	if (json_array_size(json_object_get(answer->data, "challenges")) == 0)
		return g_string_free(text, FALSE);
	g_autofree char *challenges = mail_answer_challenges(answer);
	g_autofree char *how = challenges_how(answer);
	g_string_append_printf(text, "\n\n%s\n%s\n\n%s",
			       text_get(answer->language, "answer.challenges"), challenges, how);
	return g_string_free(text, FALSE);
}

/* ---- a challenge ---- */

/* The side that whoever made the challenge takes. */
static char *seat_words(const MailAnswer *answer, const GameRules *rules)
{
	const char *seat = answer->letter->challenge.seat;
	const char *other = strcmp(seat, "first") == 0    ? "second"
			    : strcmp(seat, "second") == 0 ? "first"
							  : seat;
	return mail_words_seat(rules, other, answer->language);
}

char *mail_answer_challenged(const MailAnswer *answer)
{
	static const char *const keys[] = {"challenged", NULL};
	const LetterChallenge *challenge = &answer->letter->challenge;
	const GameRules *rules =
		answer->letter->has_challenge ? rules_find(challenge->rules) : NULL;
	if (rules == NULL)
		return NULL;
	g_autofree char *seat = seat_words(answer, rules);
	g_autofree char *seat_line =
		text_format(answer->language, "answer.challenged_seat", "seat", seat, NULL);
	g_autofree char *options = game_option_words(rules, challenge->options, answer->language);
	GString *text = g_string_new(NULL);
	line_append(text, mail_answer_say(answer, keys));
	g_string_append_printf(text, "\n\n%s", seat_line);
	if (options != NULL)
		g_string_append_printf(text, "\n%s", options);
	if (mail_answer_is(answer, "private"))
		g_string_append_printf(text, "\n%s",
				       text_get(answer->language, "answer.challenged_private"));
	if (challenge->message != NULL)
		g_string_append_printf(text, "\n%s",
				       text_get(answer->language, "answer.challenged_message"));
	return g_string_free(text, FALSE);
}

/* Reads again what was written, as it is not stored but there. False if it is none. */
static bool written_read(const MailAnswer *answer, MailChallenge *challenge_r)
{
	const char *written = answer->letter->inbox.written;
	const MailPlace place = {MAIL_PLACE_PLAY, NULL, false};
	g_auto(MailCommand) command = {.id = MAIL_COMMAND_NONE};
	if (written == NULL ||
	    mail_command_read(written, &place, &command) != MAIL_READING_COMMAND ||
	    command.id != MAIL_CHALLENGE)
		return false;
	mail_challenge_read(command.arguments, challenge_r);
	return true;
}

char *mail_answer_challenge_fault(const MailAnswer *answer)
{
	MailChallenge challenge;
	if (!written_read(answer, &challenge))
		return NULL;
	g_autofree char *options = mail_challenge_options(answer->language);
	const bool twice = challenge.fault == MAIL_CHALLENGE_TWICE;
	char *text = NULL;
	if (challenge.fault == MAIL_CHALLENGE_VALUES)
		text = text_format(answer->language, "answer.challenge_values", "rules",
				   challenge.rules->name, "allowed",
				   game_option_allowed(challenge.rules, answer->language), NULL);
	else
		text = text_format(answer->language,
				   twice ? "answer.challenge_twice" : "answer.challenge_option",
				   "option",
				   challenge.fault_word == NULL ? "" : challenge.fault_word,
				   "options", options, NULL);
	mail_challenge_clear(&challenge);
	return text;
}

char *mail_answer_player_unknown(const MailAnswer *answer)
{
	MailChallenge challenge;
	if (!written_read(answer, &challenge))
		return NULL;
	g_autofree char *name =
		mail_challenge_name(answer->letter->inbox.written, challenge.opponent);
	char *text = text_format(answer->language, "answer.player-unknown", "player", name, NULL);
	mail_challenge_clear(&challenge);
	return text;
}

/* ---- days, rules, example, help ---- */

static char *day_words(const MailAnswer *answer, const char *name)
{
	const char *day = mail_answer_data(answer, name);
	g_autofree char *noon = g_strdup_printf("%sT12:00:00Z", day == NULL ? "" : day);
	char *words = text_date(answer->language, noon, "UTC");
	return words == NULL ? g_strdup("") : words;
}

char *mail_answer_away(const MailAnswer *answer)
{
	g_autofree char *from = day_words(answer, "first_day");
	g_autofree char *to = day_words(answer, "last_day");
	const bool again = mail_answer_is(answer, "repeated");
	g_autofree char *away =
		text_format(answer->language, again ? "answer.away_repeated" : "answer.away",
			    "from", from, "to", to, NULL);
	return g_strdup_printf("%s\n\n%s", away, text_get(answer->language, "answer.away_honest"));
}

char *mail_answer_rules_which(const MailAnswer *answer)
{
	g_autofree char *keys = rule_book_keys();
	return text_format(answer->language, "answer.rules_which", "word",
			   mail_help_word(MAIL_RULES, answer->language), "keys", keys, NULL);
}

static bool turn_keep(const char *turn, void *user_data)
{
	g_strlcpy(user_data, turn, RULES_TURN_MAX);
	return false;
}

/* The game at hand, or the first one there is. */
static const GameRules *rules_shown(const MailAnswer *answer)
{
	return answer->rules != NULL ? answer->rules : rules_at(0);
}

/* A first turn and a reply to it. */
static void example_turns(const MailAnswer *answer, char first_r[], char reply_r[])
{
	const GameRules *rules = rules_shown(answer);
	Position start, next;
	Refusal refusal;
	char canonical[RULES_TURN_MAX];
	const bool started = rules->start("", &start, &refusal);
	g_assert(started);
	rules_turns(rules, &start, turn_keep, first_r);
	const bool played = rules->play(&start, first_r, &next, canonical, &refusal);
	g_assert(played);
	rules_turns(rules, &next, turn_keep, reply_r);
}

static char *example_commands(const MailAnswer *answer)
{
	static const MailCommandId shown[] = {MAIL_BOARD,     MAIL_LEGAL,  MAIL_HISTORY, MAIL_GAMES,
					      MAIL_CHALLENGE, MAIL_RESIGN, MAIL_HELP};
	GString *text = g_string_new(NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(shown); i++)
		line_append(text, mail_help_row(shown[i], answer->language));
	return g_string_free(text, FALSE);
}

/* How a game begins whose players lay out their pieces. */
static void setup_append(GString *text, const MailAnswer *answer)
{
	const GameRules *rules = rules_shown(answer);
	if (rules->setup == NULL)
		return;
	g_autofree char *how = mail_answer_how_to_lay_out(answer, rules);
	g_string_append_printf(text, "%s\n\n%s\n\n",
			       text_get(answer->language, "answer.example_setup"), how);
}

char *mail_answer_example(const MailAnswer *answer)
{
	static const char *const keys[] = {"example",      "example_said",  "example_reply",
					   "example_turn", "example_words", "example_remark",
					   "example_wrong"};
	const Language language = answer->language;
	const char *opponent = text_get(language, "answer.example_name");
	const char *turn_how = mail_help_turn(rules_shown(answer), language);
	char first[RULES_TURN_MAX] = "", reply[RULES_TURN_MAX] = "";
	example_turns(answer, first, reply);
	GString *text = g_string_new(NULL);
	setup_append(text, answer);
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		g_autofree char *key = g_strconcat("answer.", keys[i], NULL);
		g_autofree char *one = text_format(language, key, "opponent", opponent, "turn",
						   i < 2 ? first : reply, NULL);
		g_string_append_printf(text, "%s\n\n", one);
	}
	if (turn_how != NULL)
		g_string_append_printf(text, "%s\n\n", turn_how);
	g_string_append(text, text_get(language, "answer.example_commands"));
	line_append(text, example_commands(answer));
	return g_string_free(text, FALSE);
}

char *mail_answer_help(const MailAnswer *answer)
{
	const unsigned place = (unsigned)mail_answer_number(answer, "place");
	return mail_help_text(answer->config, answer->language, place);
}

char *mail_answer_stopped_game(const MailAnswer *answer)
{
	static const char *const keys[] = {"stopped_game", NULL};
	const Language language = answer->language;
	g_autofree char *stopped = mail_answer_say(answer, keys);
	g_autofree char *word = g_strdup_printf("%s %s", mail_help_word(MAIL_STOP, language),
						text_get(language, "words.all"));
	g_autofree char *all = text_format(language, "answer.stopped_game_all", "word", word, NULL);
	return g_strdup_printf("%s\n\n%s", stopped, all);
}
