#include "db/absence.h"
#include "db/seat.h"
#include "service/account.h"
#include "service/mail_act.h"
#include "service/mail_act_challenge.h"
#include "service/mail_command_words.h"
#include "service/problem.h"

#include <string.h>

enum { GAMES_PAGE = 100, AWAY_DAYS_MAX = 366, DATE_LENGTH = 10 };

/* ---- games ---- */

/* Adds the games of one page; the next page begins before the id of its last one. */
static void games_add(const MailAct *act, const GameList *list, json_t *games, json_t *players)
{
	for (int i = 0; i < list->count; i++) {
		const Game *game = &list->games[i];
		const int seat = game_seat(game, act->player_id);
		const int64_t opponent = game->seat[seat == 1 ? 1 : 0].player_id;
		const bool yours = (game->awaiting & SEATS_OF(seat)) != 0;
		json_t *row = json_pack("[I, s, I, b]", (json_int_t)game->id, game->rules,
					(json_int_t)opponent, yours);
		if (yours) /* what is to be done stands first */
			json_array_insert_new(games, 0, row);
		else
			json_array_append_new(games, row);
		json_array_append_new(players, json_integer(opponent));
	}
}

/* All games of the writer in a phase. */
static bool phase_add(const MailAct *act, const char *phase, json_t *games, json_t *players,
		      GError **error)
{
	GameFilter filter = {
		.player_id = act->player_id,
		.viewer_id = act->player_id,
		.phase = phase,
		.limit = GAMES_PAGE,
	};
	int count = GAMES_PAGE;
	while (count == GAMES_PAGE) {
		g_autoptr(GameList) list = game_list(act->db, &filter, error);
		if (list == NULL)
			return false;
		games_add(act, list, games, players);
		count = list->count;
		filter.before_id = count > 0 ? list->games[count - 1].id : 0;
	}
	return true;
}

static bool games_tell(MailAct *act, GError **error)
{
	json_t *games = json_array(), *players = json_array();
	mail_act_tell(act, "games", games);
	mail_act_tell(act, "players", players);
	return phase_add(act, "setup", games, players, error) &&
	       phase_add(act, "play", games, players, error);
}

bool mail_act_games(MailAct *act, GError **error)
{
	const MailChallengesWish incoming = {.outgoing = false};
	g_autoptr(ChallengeList) list = mail_act_challenges(act, &incoming, error);
	act->answer_kind = "games";
	if (list == NULL || !games_tell(act, error))
		return false;
	mail_act_challenges_tell(act, list, &incoming);
	return true;
}

/* ---- the player ---- */

bool mail_act_language(MailAct *act, GError **error)
{
	const AccountChange change = {
		.language = mail_command_words_language(act->decision->command.arguments),
	};
	act->answer_kind = "language";
	return account_update(act->db, act->player_id, &change, error);
}

/* A date that was found to be one. */
static void day_read(const char *text, GDate *date_r)
{
	g_date_clear(date_r, 1);
	g_date_set_dmy(date_r, (GDateDay)g_ascii_strtoll(text + 8, NULL, 10),
		       (GDateMonth)g_ascii_strtoll(text + 5, NULL, 10),
		       (GDateYear)g_ascii_strtoll(text, NULL, 10));
}

/* Whether the days are in their order and not too many; else the kind of answer is set. */
static bool days_check(MailAct *act, const char *first, const char *last)
{
	GDate from, to;
	day_read(first, &from);
	day_read(last, &to);
	const int days = g_date_days_between(&from, &to);
	if (days >= 0 && days < AWAY_DAYS_MAX)
		return true;
	act->answer_kind = days < 0 ? "away-backwards" : "away-long";
	mail_act_tell(act, "days", json_integer(AWAY_DAYS_MAX));
	return false;
}

bool mail_act_away(MailAct *act, GError **error)
{
	const char *days = act->decision->command.arguments;
	g_autofree char *first = g_strndup(days, DATE_LENGTH);
	const char *last = days + DATE_LENGTH + 1;
	AbsenceAdded added = ABSENCE_ADDED;
	if (!days_check(act, first, last))
		return true;
	if (!absence_add(act->db, act->player_id, first, last, &added, error))
		return false;
	act->answer_kind = added == ABSENCE_PAST ? "away-past" : "away";
	mail_act_tell(act, "repeated", json_boolean(added == ABSENCE_KNOWN));
	mail_act_tell(act, "first_day", json_string(first));
	mail_act_tell(act, "last_day", json_string(last));
	return true;
}

/* Somebody without an account who wants no more mails is invited no more. */
bool mail_act_stop(MailAct *act, GError **error)
{
	const bool is_no_mail = false;
	const AccountChange change = {.mail = &is_no_mail};
	if (act->player_id == 0)
		return mail_act_never(act, error);
	if (act->game != NULL && act->seat != 0 && act->decision->command.arguments == NULL) {
		act->answer_kind = "stopped-game";
		return seat_mail_stop(act->db, act->game->id, act->player_id, true, error);
	}
	act->answer_kind = "stopped-all";
	return account_update(act->db, act->player_id, &change, error);
}

/* ---- to be read ---- */

bool mail_act_rules(MailAct *act, GError **error)
{
	const char *key = act->decision->command.arguments;
	(void)error;
	if (key == NULL && act->game != NULL)
		key = act->game->rules;
	act->answer_kind = key == NULL ? "rules-which" : "rules";
	if (key != NULL)
		mail_act_tell(act, "rules", json_string(key));
	return true;
}

bool mail_act_example(MailAct *act, GError **error)
{
	(void)error;
	act->answer_kind = "example";
	return true;
}

bool mail_act_help(MailAct *act, GError **error)
{
	const bool invited = act->decision->addressee.kind == MAIL_TO_INVITE;
	(void)error;
	act->answer_kind = "help";
	mail_act_tell(act, "place", json_integer(invited ? MAIL_PLACE_INVITE : MAIL_PLACE_GAME));
	return true;
}
