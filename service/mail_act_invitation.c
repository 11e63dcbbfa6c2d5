#include "service/account.h"
#include "service/lobby.h"
#include "service/mail_act.h"
#include "service/mail_act_challenge.h"
#include "service/mail_layout.h"
#include "service/secret.h"

#include <string.h>

static int64_t challenge_of(const MailAct *act)
{
	return act->decision->addressee.challenge_id;
}

/* The secret of the invitation that the mail answers: whoever acts has proved to have had it. */
static char *invitation_secret(const MailAct *act)
{
	return secret_make(act->config, config_newest_key(act->config), SECRET_INVITE,
			   SECRET_FIELDS(challenge_of(act)));
}

/* Whoever has no account plays as a guest, in the language that the inviter chose. */
static bool guest_accept(MailAct *act, GError **error)
{
	g_autofree char *secret = invitation_secret(act);
	const InvitationOrder order = {
		.challenge_id = challenge_of(act),
		.secret = secret,
		.guest = true,
		.language = act->language,
		.time_zone = "UTC",
	};
	InvitationAnswer answer = {0};

	if (!lobby_invitation_accept(act->db, act->config, &order, &answer, error))
		return false;
	act->player_id = answer.player_id;
	if (!answer.repeated)
		return true;
	/* Another mail of the same person came first. */
	act->answer_kind = "accepted";
	act->challenge_id = order.challenge_id;
	mail_act_tell(act, "game", json_integer(answer.game_id));
	return true;
}

/* Nothing can be laid out before the game has begun: who tried it is told that it was not taken. */
static void layout_decline(MailAct *act)
{
	const char *chat = act->decision->chat;

	if (chat != NULL && mail_layout_shows(chat))
		act->answer_kind = "layout-not-taken";
}

bool mail_act_yes(MailAct *act, GError **error)
{
	const bool done = act->player_id == 0 ? guest_accept(act, error)
					      : mail_act_challenge_accept(act, challenge_of(act),
									  "accepted", error);

	if (done)
		layout_decline(act);
	return done;
}

static bool guest_decline(const MailAct *act, bool for_ever, GError **error)
{
	g_autofree char *secret = invitation_secret(act);

	return lobby_invitation_decline(act->db, act->config, challenge_of(act), secret, for_ever,
					error);
}

bool mail_act_no(MailAct *act, GError **error)
{
	if (act->player_id != 0)
		return mail_act_challenge_decline(act, challenge_of(act), error);
	act->answer_kind = "invitation-declined";
	return guest_decline(act, false, error);
}

/* "Never" holds whatever became of the challenge. A player can take it back in the settings. */
static bool player_never(MailAct *act, GError **error)
{
	const bool mail = false;
	const AccountChange change = {.mail = &mail};
	g_autoptr(Challenge) challenge = NULL;

	if (!challenge_lock(act->db, challenge_of(act), &challenge, error))
		return false;
	if (challenge != NULL && strcmp(challenge->state, "open") == 0 &&
	    !mail_act_challenge_decline(act, challenge->id, error))
		return false;
	act->answer_kind = "silenced";
	return account_update(act->db, act->player_id, &change, error);
}

/* Not even that it is done is written to somebody who wants no mail any more. */
bool mail_act_never(MailAct *act, GError **error)
{
	return act->player_id == 0 ? guest_decline(act, true, error) : player_never(act, error);
}
