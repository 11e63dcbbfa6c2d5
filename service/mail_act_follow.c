#include "db/follow.h"
#include "service/mail_act.h"
#include "service/problem.h"

#include <string.h>

/* The number that the command names. */
static int64_t number_named(const MailAct *act)
{
	const char *digits = strpbrk(act->decision->command.arguments, "0123456789");

	return digits == NULL ? 0 : g_ascii_strtoll(digits, NULL, 10);
}

/* The game that the command names, if everybody may watch it. NULL with NOT_FOUND. */
static Game *game_named(const MailAct *act, GError **error)
{
	const int64_t id = number_named(act);
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
	const int64_t id = number_named(act);
	bool ended = false;

	if (!follow_end(act->db, id, act->player_id, &ended, error))
		return false;
	/* What was followed may be private by now; of what was not followed nothing is told. */
	g_autoptr(Game) game = ended ? NULL : game_named(act, error);
	if (!ended && game == NULL)
		return false;
	mail_act_tell(act, "followed", json_integer(id));
	act->answer_kind = "unfollowed";
	return true;
}
