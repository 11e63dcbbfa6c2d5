#include "service/lobby.h"
#include "service/mail_act.h"
#include "service/problem.h"
#include "service/secret.h"

/* The secret of the invitation that the mail answers: whoever acts has proved to have had it. */
static char *invitation_secret(const MailAct *act)
{
	return secret_make(act->config, config_newest_key(act->config), SECRET_INVITE,
			   SECRET_FIELDS(act->decision->addressee.challenge_id));
}

/* Whoever answers by mail plays as a guest, in the language that the inviter chose. */
bool mail_act_yes(MailAct *act, GError **error)
{
	g_autofree char *secret = invitation_secret(act);
	InvitationOrder order = {
		.challenge_id = act->decision->addressee.challenge_id,
		.secret = secret,
		.guest = true,
		.language = act->language,
		.time_zone = "UTC",
	};
	InvitationAnswer answer = {0};
	g_autoptr(Challenge) challenge =
		lobby_invitation_find(act->db, act->config, order.challenge_id, secret, error);

	if (challenge == NULL)
		return false;
	language_parse(challenge->language, &order.language);
	if (!lobby_invitation_accept(act->db, act->config, &order, &answer, error))
		return false;
	act->player_id = answer.player_id;
	if (!answer.repeated)
		return true;
	act->answer_kind = "invitation-accepted";
	mail_act_tell(act, "started", json_integer(answer.game_id));
	return true;
}

static bool decline(const MailAct *act, bool for_ever, GError **error)
{
	g_autofree char *secret = invitation_secret(act);

	return lobby_invitation_decline(act->db, act->config, act->decision->addressee.challenge_id,
					secret, for_ever, error);
}

bool mail_act_no(MailAct *act, GError **error)
{
	if (!decline(act, false, error))
		return false;
	act->answer_kind = "invitation-declined";
	return true;
}

/* Not even that it is done is written to somebody who wants no mail any more. */
bool mail_act_never(MailAct *act, GError **error)
{
	if (!decline(act, true, error))
		return false;
	act->answer_kind = act->player_id == 0 ? NULL : "silenced";
	return true;
}
