#include "db/event.h"
#include "db/player.h"
#include "db/remark.h"
#include "service/mail_act_setup.h"
#include "service/play.h"
#include "service/problem.h"
#include "service/rate.h"

#include <string.h>

enum { REMARKS_MAX = 20, HOUR_S = 3600 };

/* The mail about the end of the game is the answer, unless its reader stopped such mails. */
static bool over_answer(MailAct *act, const char *kind, GError **error)
{
	g_autoptr(Player) player = NULL;

	if (!player_find(act->db, act->player_id, &player, error))
		return false;
	act->answer_kind = player != NULL && player->mail ? NULL : kind;
	return true;
}

static bool turn_answer(MailAct *act, const PlayAnswer *played, GError **error)
{
	bool kept = false;

	if (!game_reload(act->db, &act->game, error) || !mail_act_remark(act, &kept, error))
		return false;
	act->answer_kind = "turn-played";
	mail_act_tell(act, "turn", json_string(played->turn.text));
	mail_act_tell(act, "remark", json_boolean(kept));
	return strcmp(act->game->phase, "over") != 0 || over_answer(act, "turn-played", error);
}

bool mail_act_move(MailAct *act, GError **error)
{
	g_auto(PlayAnswer) answer = {0};
	Game *game = NULL;
	const TurnOrder order = {
		.player_id = act->player_id,
		.ply = act->ply,
		.text = act->decision->command.text,
		.channel = "mail",
		.received_at = act->mail->received_at,
	};

	if (mail_act_in_setup(act)) {
		problem_set(error, PROBLEM_SETUP_NOT_OVER, NULL);
		return false;
	}
	if (!game_find(act->db, act->game->id, &game, error))
		return false;
	return play_turn(act->db, game, &order, &answer, error) && turn_answer(act, &answer, error);
}

bool mail_act_resign(MailAct *act, GError **error)
{
	const ResignOrder order = {.player_id = act->player_id};
	bool repeated = false, kept = false;

	if (!play_resign(act->db, &act->game, &order, &repeated, error))
		return false;
	return (repeated || mail_act_remark(act, &kept, error)) &&
	       over_answer(act, "resigned", error);
}

static const ConfigRate remarks_rate = {REMARKS_MAX, HOUR_S};

static char *remarks_about(const MailAct *act)
{
	return g_strdup_printf("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, act->game->id,
			       act->player_id);
}

/* More words than anybody reads go nowhere. */
static bool words_may(const MailAct *act, GError **error)
{
	g_autofree char *about = remarks_about(act);

	return rate_mail_take(act->db, "remark", about, remarks_rate, error);
}

/* Tells the opponent at once what was said without a turn. */
static bool words_tell(const MailAct *act, int64_t remark_id, GError **error)
{
	g_autofree char *data = g_strdup_printf("{\"remark\": %" G_GINT64_FORMAT "}", remark_id);
	const Event event = {
		.kind = "remark.said",
		.game_id = act->game->id,
		.ply = act->game->ply,
		.player_id = act->player_id,
		.data = data,
		.template = "remark",
		.players = {act->game->seat[GAME_SEATS - act->seat].player_id},
	};

	return event_append(act->db, &event, NULL, error);
}

/* *passed_r: whether words are told, as the player may have switched that off. */
static bool words_keep(const MailAct *act, const char *text, bool *passed_r, GError **error)
{
	int64_t remark_id = 0;
	const RemarkDraft draft = {
		.game_id = act->game->id,
		.ply = act->game->ply,
		.player_id = act->player_id,
		.text = text,
	};

	if (!remark_add(act->db, &draft, &remark_id, error))
		return false;
	*passed_r = remark_id != 0;
	return remark_id == 0 || words_tell(act, remark_id, error);
}

bool mail_act_pass(MailAct *act, const char *text, bool *passed_r, GError **error)
{
	g_autofree char *about = remarks_about(act);
	bool may = false;

	*passed_r = false;
	if (!rate_mail_may(act->db, "remark", about, remarks_rate, &may, error))
		return false;
	return !may || words_keep(act, text, passed_r, error);
}

static bool words_pass(MailAct *act, const char *text, GError **error)
{
	bool passed = false;

	if (!words_may(act, error) || !words_keep(act, text, &passed, error))
		return false;
	act->answer_kind = "words-passed";
	mail_act_tell(act, "passed", json_boolean(passed));
	return true;
}

/* What follows "say" and the game's number, in the case it was written in. */
static const char *said(const MailAct *act)
{
	const char *text = act->decision->command_text;

	for (int words = 0; words < 2; words++) {
		text += strspn(text, " \t");
		text += strcspn(text, " \t");
	}
	text += strspn(text, " \t");
	return text[0] == '\0' ? act->decision->command.arguments : text;
}

bool mail_act_say(MailAct *act, GError **error)
{
	return words_pass(act, said(act), error);
}

bool mail_act_words(MailAct *act, GError **error)
{
	return mail_act_game(act, error) && words_pass(act, act->decision->chat, error);
}
