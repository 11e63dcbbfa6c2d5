#include "db/turn.h"
#include "service/mail_answer_kinds.h"
#include "service/mail_help.h"
#include "service/mail_legal.h"
#include "service/record.h"
#include "service/text.h"
#include "service/turn_words.h"

#include <string.h>

/* What the turn did, if the letter still knows the board before it. */
static char *turn_told(const MailAnswer *answer)
{
	const LetterGame *game = &answer->letter->game;
	const char *turn = mail_answer_data(answer, "turn");
	Position before, next;
	Refusal refusal;
	char canonical[RULES_TURN_MAX];
	if (answer->rules == NULL || turn == NULL || g_strcmp0(game->turn, turn) != 0 ||
	    game->board_before == NULL ||
	    !answer->rules->parse(game->board_before, &before, &refusal) ||
	    !answer->rules->play(&before, turn, &next, canonical, &refusal))
		return NULL;
	g_autofree char *words = turn_words_explain(answer->rules, &before, turn, answer->language);
	return text_format(answer->language, "answer.turn_words", "words", words, NULL);
}

char *mail_answer_turn_played(const MailAnswer *answer)
{
	static const char *const played[] = {"turn-played", NULL};
	static const char *const remark[] = {"remark", NULL};
	g_autofree char *words = turn_told(answer);
	GString *text = g_string_new(NULL);
	g_autofree char *first = mail_answer_say(answer, played);
	g_string_append(text, first);
	if (words != NULL)
		g_string_append_printf(text, " %s", words);
	if (mail_answer_is(answer, "remark")) {
		g_autofree char *passed = mail_answer_say(answer, remark);
		g_string_append_printf(text, "\n\n%s", passed);
	}
	return g_string_free(text, FALSE);
}

char *mail_answer_words_passed(const MailAnswer *answer)
{
	static const char *const said[] = {"said", NULL};
	static const char *const passed[] = {"remark", "remark_no_turn", NULL};
	static const char *const off[] = {"remark_off", "remark_no_turn", NULL};
	if (!mail_answer_is(answer, "passed"))
		return mail_answer_say(answer, off);
	const bool say = g_strcmp0(answer->letter->inbox.command, "say") == 0;
	return mail_answer_say(answer, say ? said : passed);
}

/* ---- legal turns ---- */

/* "These are the legal turns with c2:", of whoever has the turn. */
static char *legal_heading(const MailAnswer *answer, const char *start)
{
	const Seats seats = answer->rules->to_move(answer->position);
	const LetterGame *game = &answer->letter->game;
	const bool yours = (seats & SEATS_OF(game->seat)) != 0;
	const char *keys[2][2] = {{"answer.legal_of", "answer.legal"},
				  {"answer.legal_from_of", "answer.legal_from"}};
	return text_format(answer->language, keys[*start != '\0'][yours], "player",
			   game->names[(seats & SEATS_OF(1)) != 0 ? 0 : 1], "start", start, NULL);
}

/* How to see the rest of turns that go on. */
static char *legal_more(const MailAnswer *answer, const MailLegal *legal)
{
	const char *word = mail_help_word(MAIL_LEGAL, answer->language);
	g_autofree char *example = g_strdup_printf("%s\u00a0%s", word, legal->example);
	return text_format(answer->language,
			   legal->open && !legal->unfinished ? "answer.legal_steps"
							     : "answer.legal_more",
			   "word", word, "example", example, NULL);
}

static char *legal_none(const MailAnswer *answer, const char *start, const MailLegal *legal)
{
	g_autofree char *none =
		text_format(answer->language, "answer.legal_none", "start", start, NULL);
	if (legal->refusal.code == REFUSAL_NONE)
		return g_steal_pointer(&none);
	g_autofree char *why = turn_words_refusal(answer->rules, &legal->refusal, answer->language);
	return g_strconcat(none, " ", why, NULL);
}

static char *legal_list(const MailAnswer *answer, const char *start, const MailLegal *legal)
{
	if (legal->count == 0)
		return legal_none(answer, start, legal);
	g_autofree char *heading = legal_heading(answer, legal->start);
	if (legal->example == NULL)
		return g_strdup_printf("%s\n%s", heading, legal->lines);
	g_autofree char *more = legal_more(answer, legal);
	return g_strdup_printf("%s\n%s\n\n%s", heading, legal->lines, more);
}

char *mail_answer_legal(const MailAnswer *answer)
{
	const char *start = mail_answer_data(answer, "start");
	if (answer->rules == NULL)
		return NULL;
	if (answer->letter->game.reason != NULL)
		return g_strdup(text_get(answer->language, "answer.legal_over"));
	if (mail_answer_in_setup(answer))
		return g_strdup(text_get(answer->language, "answer.legal_setup"));
	MailLegal legal;
	mail_legal_find(answer->rules, answer->position, start == NULL ? "" : start,
			answer->language, &legal);
	char *text = legal_list(answer, start == NULL ? "" : start, &legal);
	mail_legal_clear(&legal);
	return text;
}

/* ---- turns that were played ---- */

/* [[seat, "c2-c4"], …] as turns. The caller frees. */
static Turn *turns_read(const MailAnswer *answer, int *count_r)
{
	const json_t *turns = json_object_get(answer->data, "turns");
	Turn *read = g_new0(Turn, json_array_size(turns) + 1);
	*count_r = (int)json_array_size(turns);
	for (int i = 0; i < *count_r; i++) {
		const json_t *turn = json_array_get(turns, (size_t)i);
		read[i].seat = (int)json_integer_value(json_array_get(turn, 0));
		read[i].text = json_string_value(json_array_get(turn, 1));
	}
	return read;
}

char *mail_answer_history(const MailAnswer *answer)
{
	int count = 0;
	g_autofree Turn *read = turns_read(answer, &count);
	const TurnList list = {.count = count, .turns = read};
	if (list.count == 0)
		return g_strdup(text_get(answer->language, "answer.history_none"));
	g_autofree char *heading =
		text_plural(answer->language, "answer.history", list.count, NULL);
	g_autoptr(GString) turns = g_string_new(NULL);
	record_turns(turns, &list);
	return g_strdup_printf("%s\n%s", heading, turns->str);
}

char *mail_answer_record(const MailAnswer *answer)
{
	const LetterGame *from = &answer->letter->game;
	int count = 0;
	g_autofree Turn *read = turns_read(answer, &count);
	const TurnList list = {.count = count, .turns = read};
	const Game game = {
		.id = answer->letter->game_id,
		.rules = from->rules,
		.options = from->options,
		.start_board = mail_answer_data(answer, "start_board"),
		.ply = list.count,
		.winner = (int)mail_answer_number(answer, "winner"),
		.reason = mail_answer_data(answer, "reason"),
		.created_at = mail_answer_data(answer, "created_at"),
		.ended_at = mail_answer_data(answer, "ended_at"),
		.seat = {{from->player_ids[0], from->names[0], from->reachable[0]},
			 {from->player_ids[1], from->names[1], from->reachable[1]}},
	};
	if (game.start_board == NULL || game.created_at == NULL)
		return NULL;
	g_autoptr(GString) record = record_text(answer->config, &game, &list);
	return g_strdup_printf("%s\n\n%s", text_get(answer->language, "answer.record"),
			       record->str);
}

/* ---- the clock ---- */

/* Whose turn it is, and since when. */
static char *clock_waiting(const MailAnswer *answer)
{
	const LetterGame *game = &answer->letter->game;
	const char *since = mail_answer_data(answer, "since");
	const Seats seats = answer->rules->to_move(answer->position);
	g_autofree char *when = text_time(answer->language, since == NULL ? "" : since,
					  answer->letter->reader_time_zone);
	const bool yours = (seats & SEATS_OF(game->seat)) != 0;
	if (mail_answer_in_setup(answer))
		return text_format(answer->language, "answer.clock_setup", "since",
				   when == NULL ? "" : when, NULL);
	return text_format(answer->language,
			   yours ? "answer.clock_waiting_you" : "answer.clock_waiting", "since",
			   when == NULL ? "" : when, "player",
			   game->names[(seats & SEATS_OF(1)) != 0 ? 0 : 1], NULL);
}

char *mail_answer_clock(const MailAnswer *answer)
{
	const LetterGame *game = &answer->letter->game;
	if (answer->rules == NULL)
		return NULL;
	if (game->reason != NULL)
		return g_strdup(text_get(answer->language, "answer.clock_over"));
	g_autofree char *waiting = clock_waiting(answer);
	if (game->deadline == NULL)
		return g_strdup_printf("%s\n\n%s", text_get(answer->language, "answer.clock_none"),
				       waiting);
	return g_steal_pointer(&waiting);
}

/* ---- several challenges ---- */

char *mail_answer_choose(const MailAnswer *answer)
{
	static const char *const keys[] = {"choose", NULL};
	GString *text = g_string_new(NULL);
	g_autofree char *heading = mail_answer_say(answer, keys);
	g_autofree char *list = mail_answer_challenges(answer);
	g_string_append_printf(text, "%s\n%s", heading, list);
	return g_string_free(text, FALSE);
}
