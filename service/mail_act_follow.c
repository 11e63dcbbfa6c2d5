#include "db/follow.h"
#include "service/mail_act.h"
#include "service/problem.h"

#include <string.h>

/* The game that the command names, if everybody may watch it. NULL with NOT_FOUND. */
static Game *game_named(const MailAct *act, GError **error)
{
	const char *digits = strpbrk(act->decision->command.arguments, "0123456789");
	const int64_t id = digits == NULL ? 0 : g_ascii_strtoll(digits, NULL, 10);
	g_autoptr(Game) game = NULL;

	if (!game_find(act->db, id, &game, error))
		return NULL;
	if (game != NULL && strcmp(game->visibility, "public") == 0)
		return g_steal_pointer(&game);
	problem_set(error, PROBLEM_NOT_FOUND, NULL);
	return NULL;
}

/* Nothing but a word for "day" may follow the number. */
static bool is_daily(const MailAct *act)
{
	const char *rest = strpbrk(act->decision->command.arguments, "0123456789");

	return rest != NULL && g_utf8_strlen(rest + strspn(rest, "0123456789 "), -1) > 0;
}

bool mail_act_follow(MailAct *act, GError **error)
{
	const bool daily = is_daily(act);
	g_autoptr(Game) game = game_named(act, error);

	if (game == NULL)
		return false;
	if (strcmp(game->phase, "over") == 0) {
		problem_set(error, PROBLEM_GAME_OVER, NULL);
		return false;
	}
	mail_act_tell(act, "followed", json_integer(game->id));
	act->answer_kind = daily ? "followed-day" : "followed";
	if (game_seat(game, act->player_id) != 0) {
		act->answer_kind = "follow-own";
		return true;
	}
	return follow_set(act->db, game->id, act->player_id, daily ? "day" : "turn", error);
}

bool mail_act_unfollow(MailAct *act, GError **error)
{
	bool ended = false;
	g_autoptr(Game) game = game_named(act, error);

	if (game == NULL || !follow_end(act->db, game->id, act->player_id, &ended, error))
		return false;
	mail_act_tell(act, "followed", json_integer(game->id));
	act->answer_kind = "unfollowed";
	return true;
}
