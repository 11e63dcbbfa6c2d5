#include "service/mail_hold.h"

#include "db/address.h"
#include "service/account.h"
#include "service/email.h"
#include "service/rate.h"

enum { HOUR_S = 3600, QUESTIONS_OFTEN = 5 };

/* Once confirmed, commands without a game need no more confirmation from where this one came. */
static bool trust_find(const MailAct *act, AccountHeld *held, GError **error)
{
	g_autoptr(Address) address = NULL;

	if (act->decision->addressee.kind != MAIL_TO_PLAY)
		return true;
	if (!email_find(act->db, act->decision->from, &address, error))
		return false;
	if (address != NULL && address->player_id == act->player_id)
		held->trust_id = address->id;
	return true;
}

/* One question an hour about a turn, a few about all else: whoever writes much in somebody's name
 * makes few mails, and who asks twice himself is heard. */
static bool question_may(const MailAct *act, const AccountHeld *held, bool *may_r, GError **error)
{
	g_autofree char *about =
		g_strdup_printf("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT ".%d.%d", held->address_id,
				held->game_id, act->ply, act->stage);
	const int times = held->game_id == 0 ? QUESTIONS_OFTEN : 1;

	return rate_mail_may(act->db, "held_hour", about, (ConfigRate){times, HOUR_S}, may_r,
			     error);
}

bool mail_hold(MailAct *act, GError **error)
{
	/* The player's primary address is asked; where nobody has an account yet, the invited one.
	 */
	AccountHeld held = {
		.address_id = act->address_id,
		.player_id = act->player_id,
		.inbox_id = act->mail->id,
		.from = act->decision->from,
		.game_id = act->game == NULL ? 0 : act->game->id,
	};
	bool may = false;

	if (!trust_find(act, &held, error))
		return false;
	if (held.address_id == 0)
		return true;
	if (!question_may(act, &held, &may, error))
		return false;
	return !may || account_hold(act->db, act->config, &held, error);
}
