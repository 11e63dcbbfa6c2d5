#include "service/mail_report.h"

#include "db/address.h"
#include "db/delivery.h"
#include "service/account.h"
#include "service/secret.h"

/* The delivery that a report is about; *id_r is 0 where that is not proved. */
static bool delivery_of(Db *db, const Config *config, const MailAddressee *addressee, int seat,
			int64_t *id_r, GError **error)
{
	*id_r = 0;
	if (addressee->kind != MAIL_TO_BOUNCE)
		return true;
	/* The ply is that of the turn awaited, during set-up 0. */
	if (addressee->game_id != 0)
		return seat == 0 || delivery_find_game(db, addressee->game_id, seat,
						       MAX(addressee->ply - 1, 0), id_r, error);
	if (secret_check(config, addressee->secret, SECRET_BOUNCE_DELIVERY,
			 SECRET_FIELDS(addressee->delivery_id)))
		*id_r = addressee->delivery_id;
	return true;
}

static bool bounce_act(Db *db, int64_t id, const Bounce *bounce, GError **error)
{
	g_autofree char *reply = g_strdup_printf("returned: %s", bounce->status);
	const bool hard = bounce->kind == BOUNCE_HARD;
	const DeliveryReturn returned = {
		.reply = reply,
		.cause = bounce->cause == SMTP_CAUSE_NONE ? NULL : smtp_cause_name(bounce->cause),
		.hard = hard,
		.address_dead = hard && bounce->suppress,
	};
	bool found = false;
	if (!delivery_returned(db, id, &returned, &found, error))
		return false;
	/* What is refused for policy is our fault or our standing: somebody must look. */
	g_log(G_LOG_DOMAIN,
	      bounce->cause == SMTP_CAUSE_POLICY ? G_LOG_LEVEL_WARNING : G_LOG_LEVEL_INFO,
	      "event=mail_returned delivery=%" G_GINT64_FORMAT " status=%s cause=%s hard=%s new=%s",
	      id, bounce->status, smtp_cause_name(bounce->cause), hard ? "yes" : "no",
	      found ? "yes" : "no");
	return true;
}

/* No mails about games any more. */
static bool player_silence(Db *db, int64_t player_id, GError **error)
{
	const bool mail = false;
	const AccountChange change = {.mail = &mail};
	return account_update(db, player_id, &change, error);
}

static bool complaint_act(Db *db, int64_t id, GError **error)
{
	int64_t address_id = 0, player_id = 0;
	if (!delivery_addressee(db, id, &address_id, &player_id, error))
		return false;
	g_message("event=complaint delivery=%" G_GINT64_FORMAT " player=%" G_GINT64_FORMAT, id,
		  player_id);
	return player_id != 0 ? player_silence(db, player_id, error)
			      : address_never_set(db, address_id, true, error);
}

static bool unsubscribe_act(Db *db, const Config *config, const MailAddressee *addressee,
			    GError **error)
{
	if (!secret_check(config, addressee->secret, SECRET_UNSUBSCRIBE,
			  SECRET_FIELDS(addressee->player_id)))
		return true;
	g_info("event=unsubscribed player=%" G_GINT64_FORMAT, addressee->player_id);
	return player_silence(db, addressee->player_id, error);
}

bool mail_report(Db *db, const Config *config, const MailDecision *decision, int seat,
		 GError **error)
{
	int64_t id = 0;
	if (decision->disposition == MAIL_IN_UNSUBSCRIBE)
		return unsubscribe_act(db, config, &decision->addressee, error);
	if (decision->disposition != MAIL_IN_BOUNCE && decision->disposition != MAIL_IN_COMPLAINT)
		return true;
	if (!delivery_of(db, config, &decision->addressee, seat, &id, error))
		return false;
	if (id == 0) {
		g_info("event=report_unknown disposition=%s",
		       mail_disposition_name(decision->disposition));
		return true;
	}
	return decision->disposition == MAIL_IN_BOUNCE ? bounce_act(db, id, decision->bounce, error)
						       : complaint_act(db, id, error);
}
