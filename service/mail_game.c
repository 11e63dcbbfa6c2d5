#include "service/mail_game.h"

#include "rules/rules.h"
#include "service/board.h"
#include "service/link.h"
#include "service/mail_answer.h"
#include "service/mail_command.h"
#include "service/mail_help.h"
#include "service/mail_name.h"
#include "service/mail_setup.h"
#include "service/secret.h"
#include "service/text.h"
#include "service/turn_words.h"

#include <string.h>

/* A letter about a game with its positions read. */
typedef struct {
	const Letter *letter;
	const GameRules *rules;
	Language language;
	Position position, before;
	bool has_turn; /* before and the letter's turn led to position */
} GameMail;

static bool mail_fault(GError **error, const char *what)
{
	g_set_error_literal(error, MAIL_OUT_ERROR, 0, what);
	return false;
}

/* Reads what the database holds, believing none of it: a row that cannot be read must not stop
 * the others. */
static bool game_mail_read(GameMail *mail, const Letter *letter, GError **error)
{
	const LetterGame *game = &letter->game;
	*mail = (GameMail){.letter = letter, .language = mail_words_language(letter)};
	mail->rules = rules_find(game->rules);
	if (mail->rules == NULL)
		return mail_fault(error, "unknown rules");
	Refusal refusal;
	if (!mail->rules->parse(game->board, &mail->position, &refusal))
		return mail_fault(error, "the board cannot be read");
	mail->has_turn = game->turn != NULL && game->board_before != NULL;
	if (!mail->has_turn)
		return true;
	Position next;
	char canonical[RULES_TURN_MAX];
	if (!mail->rules->parse(game->board_before, &mail->before, &refusal))
		return mail_fault(error, "the board before the turn cannot be read");
	if (!mail->rules->play(&mail->before, game->turn, &next, canonical, &refusal))
		return mail_fault(error, "the turn is not legal");
	return true;
}

static Seat other_seat(const GameMail *mail)
{
	return mail->letter->game.seat == 1 ? 2 : 1;
}

static const char *seat_player(const GameMail *mail, Seat seat)
{
	return seat == 1 || seat == 2 ? mail->letter->game.names[seat - 1] : NULL;
}

static bool has_pieces(const Picture *picture)
{
	for (size_t i = 0; i < G_N_ELEMENTS(picture->square); i++)
		if (picture->square[i].seat != 0)
			return true;
	return false;
}

static void board_words(MailWords *words, const GameMail *mail, const Config *config,
			MailPicture *picture_r)
{
	const Seat seat = MAX(mail->letter->game.seat, 1);
	Picture picture;
	mail->rules->picture(&mail->position, seat, mail->has_turn ? &mail->before : NULL,
			     mail->has_turn ? mail->letter->game.turn : NULL, &picture);
	mail_words_take(words, "board", board_text(mail->rules, &picture, mail->language, seat));
	mail_words_take(words, "pieces",
			has_pieces(&picture) ? board_spoken(mail->rules, &picture, mail->language)
					     : NULL);
	const BoardStyle style = {.below = seat};
	picture_r->png = board_png(&picture, &style);
	picture_r->content_id = mail_name_picture(config, mail->letter->delivery_id);
	picture_r->alt = board_alt(mail->rules, &picture, mail->language);
}

void mail_game_picture_clear(MailPicture *picture)
{
	MailPicture *next = (MailPicture *)(uintptr_t)picture->next;
	if (next != NULL)
		mail_game_picture_clear(next);
	g_clear_pointer(&next, g_free);
	picture->next = NULL;
	g_clear_pointer(&picture->png, g_bytes_unref);
	g_free((char *)picture->content_id);
	g_free((char *)picture->alt);
	picture->content_id = picture->alt = NULL;
}

static void turn_words(MailWords *words, const GameMail *mail)
{
	mail_words_add(words, "turn", mail->has_turn ? mail->letter->game.turn : NULL);
	if (!mail->has_turn) {
		mail_words_add(words, "turn_words", NULL);
		return;
	}
	const Seat seat = mail->letter->game.turn_seat;
	g_autofree char *told = turn_words_explain(mail->rules, &mail->before,
						   mail->letter->game.turn, mail->language);
	mail_words_take(words, "turn_words",
			text_format(mail->language, "mail.turn", "player", seat_player(mail, seat),
				    "side", turn_words_side(mail->rules, seat, mail->language),
				    "words", told, NULL));
}

/* Keeps the first turn of a single step, which is easy to read; else the first of all. */
static bool turn_keep(const char *turn, void *user_data)
{
	char *example = user_data;
	const bool simple = strchr(turn, ',') == NULL;
	if (simple || example[0] == '\0')
		g_strlcpy(example, turn, RULES_TURN_MAX);
	return !simple;
}

/* How a turn is written, and what else may be. */
static void how_words(MailWords *words, const GameMail *mail)
{
	const Language language = mail->language;
	mail_words_add(words, "turn_how", mail_help_turn(mail->rules, language));
	mail_words_add(words, "help_word", mail_help_word(MAIL_HELP, language));
	mail_words_add(words, "example_word", mail_help_word(MAIL_EXAMPLE, language));
	mail_words_take(words, "rules_whole",
			g_strdup_printf("%s\u00a0%s", mail_help_word(MAIL_RULES, language),
					mail->rules->key));
}

/* What is to be done while turns are played. */
static void play_words(MailWords *words, const GameMail *mail, const Config *config)
{
	const LetterGame *game = &mail->letter->game;
	const bool awaited = game->reason == NULL &&
			     (mail->rules->to_move(&mail->position) & SEATS_OF(game->seat)) != 0;
	mail_words_part(words, "next", awaited ? "next-yours" : "next-theirs");
	const char *now = awaited ? "now-yours" : "now-theirs";
	mail_words_part(words, "now", game->reason != NULL ? NULL : now);
	char example[RULES_TURN_MAX] = "";
	if (awaited && config->inbound)
		rules_turns(mail->rules, &mail->position, turn_keep, example);
	mail_words_add(words, "example", example);
	how_words(words, mail);
	const char *part = config->inbound ? "how-to-answer-mail" : "how-to-answer-web";
	mail_words_part(words, "how_to_answer", awaited ? part : NULL);
}

static void answer_words(MailWords *words, const GameMail *mail, const Config *config)
{
	const Letter *letter = mail->letter;
	MailSetup setup = {.config = config,
			   .letter = letter,
			   .rules = mail->rules,
			   .position = &mail->position,
			   .language = mail->language};
	if (mail_setup_state(letter, &setup.state))
		mail_setup_words(words, &setup);
	else
		play_words(words, mail, config);
	const bool began = strcmp(letter->kind, "game.play-began") == 0;
	mail_words_add(words, "play_began",
		       began ? text_get(mail->language, "mail.play_began") : NULL);
	mail_words_take(words, "deadline",
			letter->game.deadline == NULL
				? NULL
				: text_time(mail->language, letter->game.deadline,
					    letter->reader_time_zone));
}

static void result_words(MailWords *words, const GameMail *mail)
{
	const LetterGame *game = &mail->letter->game;
	Outcome outcome = {.over = true, .winner = game->winner};
	const bool over = game->reason != NULL && rules_reason_parse(game->reason, &outcome.reason);
	mail_words_take(words, "result",
			!over ? NULL
			      : turn_words_outcome(mail->rules, outcome,
						   seat_player(mail, game->winner),
						   mail->language));
}

/* A game does not go on while the opponent gets no mails: the reader may know another way. */
static void reach_words(MailWords *words, const GameMail *mail)
{
	const Seat other = other_seat(mail);
	const bool reached =
		mail->letter->game.reachable[other - 1] || mail->letter->game.reason != NULL;
	mail_words_take(words, "unreachable",
			reached ? NULL
				: text_format(mail->language, "page.game.unreachable", "player",
					      seat_player(mail, other), NULL));
}

/* What came with the challenge, for whoever did not write it. */
static void message_words(MailWords *words, const GameMail *mail)
{
	const LetterGame *game = &mail->letter->game;
	const Seat other = other_seat(mail);
	const bool theirs =
		game->message != NULL && game->challenger_id == game->player_ids[other - 1];
	mail_words_add(words, "message_author", theirs ? seat_player(mail, other) : NULL);
	mail_words_add(words, "message", theirs ? game->message : NULL);
}

static void name_words(MailWords *words, const GameMail *mail, const Config *config)
{
	const Letter *letter = mail->letter;
	mail_words_add(words, "player", letter->reader);
	mail_words_add(words, "opponent", seat_player(mail, other_seat(mail)));
	mail_words_take(words, "game", g_strdup_printf("%" G_GINT64_FORMAT, letter->game_id));
	mail_words_add(words, "first", letter->game.names[0]);
	mail_words_add(words, "second", letter->game.names[1]);
	mail_words_add(words, "rules", mail->rules->name);
	if (letter->game.seat != 0)
		mail_words_add(words, "seat",
			       turn_words_side(mail->rules, letter->game.seat, mail->language));
	message_words(words, mail);
	const bool has_remark = letter->game.remark != NULL;
	mail_words_add(words, "remark_author",
		       has_remark ? seat_player(mail, other_seat(mail)) : NULL);
	mail_words_add(words, "remark", letter->game.remark);
	mail_words_take(words, "game_url", link_game(config, letter->game_id, -1));
}

/* What stands in the answer to a mail before the board. */
static void mail_words(MailWords *words, const GameMail *mail, const Config *config)
{
	if (mail->letter->has_inbox)
		mail_words_take(
			words, "answer",
			mail_answer_text(config, mail->letter, mail->rules, &mail->position));
}

/* What only those who follow the game read: a day's turns, and how to get no more. */
static void watch_words(MailWords *words, const GameMail *mail, const Config *config)
{
	const Letter *letter = mail->letter;
	const MailCommandRow *row = mail_command_row(MAIL_UNFOLLOW);
	mail_words_add(words, "turns", letter->game.turns);
	mail_words_take(words, "unfollow",
			g_strdup_printf("%s %" G_GINT64_FORMAT, row->words[mail->language][0],
					letter->game_id));
	mail_words_take(words, "play_address", g_strconcat("play@", config->mail_domain, NULL));
}

bool mail_game_words(MailWords *words, const Config *config, const Letter *letter,
		     MailPicture *picture_r, GError **error)
{
	GameMail mail;
	if (!game_mail_read(&mail, letter, error))
		return false;
	name_words(words, &mail, config);
	board_words(words, &mail, config, picture_r);
	turn_words(words, &mail);
	result_words(words, &mail);
	if (letter->game.seat == 0) {
		watch_words(words, &mail, config);
		return true;
	}
	answer_words(words, &mail, config);
	mail_words(words, &mail, config);
	reach_words(words, &mail);
	return true;
}
