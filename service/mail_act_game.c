#include "db/challenge.h"
#include "db/seat.h"
#include "service/lobby.h"
#include "service/mail_act.h"
#include "service/mail_act_challenge.h"
#include "service/problem.h"
#include "service/record.h"

#include <string.h>

bool mail_act_draw(MailAct *act, GError **error)
{
	(void)error;
	act->answer_kind = "draw";
	return true;
}

bool mail_act_board(MailAct *act, GError **error)
{
	(void)error;
	act->answer_kind = "board";
	return true;
}

bool mail_act_legal(MailAct *act, GError **error)
{
	const char *start = act->decision->command.arguments;
	(void)error;
	act->answer_kind = "legal";
	if (start != NULL)
		mail_act_tell(act, "start", json_string(start));
	return true;
}

bool mail_act_pause(MailAct *act, GError **error)
{
	act->answer_kind = "paused";
	return seat_mail_stop(act->db, act->game->id, act->player_id, true, error);
}

/* ---- what was played ---- */

/* Tells all turns, each with its seat. */
static bool turns_tell(MailAct *act, GError **error)
{
	g_autoptr(TurnList) list = turn_list(act->db, act->game->id, 0, INT32_MAX, error);
	if (list == NULL)
		return false;
	json_t *turns = json_array();
	for (int i = 0; i < list->count; i++)
		json_array_append_new(
			turns, json_pack("[i, s]", list->turns[i].seat, list->turns[i].text));
	mail_act_tell(act, "turns", turns);
	return true;
}

bool mail_act_history(MailAct *act, GError **error)
{
	act->answer_kind = "history";
	return turns_tell(act, error);
}

static void text_tell(MailAct *act, const char *name, const char *text)
{
	if (text != NULL)
		mail_act_tell(act, name, json_string(text));
}

bool mail_act_record(MailAct *act, GError **error)
{
	const Game *game = act->game;
	act->answer_kind = "record";
	text_tell(act, "start_board", game->start_board);
	text_tell(act, "created_at", game->created_at);
	text_tell(act, "ended_at", game->ended_at);
	text_tell(act, "reason", game->reason);
	mail_act_tell(act, "winner", json_integer(game->winner));
	return turns_tell(act, error);
}

bool mail_act_clock(MailAct *act, GError **error)
{
	const Game *game = act->game;
	g_autofree char *since =
		record_instant(game->has_turn ? game->last_turn.played_at : game->created_at);
	(void)error;
	act->answer_kind = "clock";
	mail_act_tell(act, "since", json_string(since));
	return true;
}

/* ---- another game ---- */

static int64_t opponent_of(const MailAct *act)
{
	return act->game->seat[act->seat == 1 ? 1 : 0].player_id;
}

/* The seats that the two would have next time, as a challenge says them for its maker. */
static const char *next_seat(const MailAct *act, bool mine)
{
	const bool first = (act->seat == 1) != mine;
	return first ? "first" : "second";
}

/* Whether a challenge is what "rematch" would make: by the writer, or by the opponent. */
static bool is_rematch(const MailAct *act, const Challenge *challenge, bool mine)
{
	return strcmp(challenge->rules, act->game->rules) == 0 &&
	       strcmp(challenge->options, act->game->options) == 0 &&
	       strcmp(challenge->visibility, act->game->visibility) == 0 &&
	       strcmp(challenge->seat, next_seat(act, mine)) == 0;
}

/* The open rematch between the two, 0 if there is none. */
static bool rematch_find(MailAct *act, bool mine, int64_t *id_r, GError **error)
{
	const MailChallengesWish wish = {
		.outgoing = mine,
		.other_id = opponent_of(act),
	};
	g_autoptr(ChallengeList) list = mail_act_challenges(act, &wish, error);
	*id_r = 0;
	if (list == NULL)
		return false;
	for (int i = 0; i < list->count && *id_r == 0; i++)
		if (mail_act_challenge_fits(&list->challenges[i], &wish) &&
		    is_rematch(act, &list->challenges[i], mine))
			*id_r = list->challenges[i].id;
	return true;
}

static bool rematch_make(MailAct *act, GError **error)
{
	g_autofree char *clock = lobby_clock(NULL, error);
	g_autofree char *message = mail_act_message(act);
	const ChallengeOrder order = {
		.challenger_id = act->player_id,
		.opponent_id = opponent_of(act),
		.language = act->language,
		.rules = act->game->rules,
		.options = act->game->options,
		.seat = next_seat(act, true),
		.visibility = act->game->visibility,
		.clock = clock,
		.message = message,
	};
	act->answer_kind = "rematch";
	return clock != NULL &&
	       lobby_challenge(act->db, act->config, &order, &act->challenge_id, error);
}

bool mail_act_rematch(MailAct *act, GError **error)
{
	int64_t theirs = 0;
	if (strcmp(act->game->phase, "over") != 0) {
		act->answer_kind = "rematch-not-over";
		return true;
	}
	if (!rematch_find(act, true, &act->challenge_id, error) ||
	    !rematch_find(act, false, &theirs, error))
		return false;
	if (theirs != 0)
		return mail_act_challenge_accept(act, theirs, "rematch-accepted", error);
	if (act->challenge_id == 0)
		return rematch_make(act, error);
	act->answer_kind = "rematch-repeated";
	return true;
}
