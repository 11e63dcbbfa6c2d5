#include "db/address.h"
#include "db/player.h"
#include "service/account.h"
#include "service/lobby_private.h"
#include "service/problem.h"
#include "service/secret.h"
#include "service/text.h"
#include "service/workers.h"

/* Five digits or so that nobody need guess. */
static int64_t secret_number(void)
{
	uint16_t number = 0;
	secret_random((uint8_t *)&number, sizeof number);
	return number;
}

static bool secret_fits(const Config *config, int64_t challenge_id, const char *secret)
{
	return secret_check(config, secret, SECRET_INVITE, SECRET_FIELDS(challenge_id));
}

/* Finds (or locks) the challenge of an invitation whose secret fits. */
static Challenge *invitation_load(Db *db, const Config *config, int64_t challenge_id,
				  const char *secret, bool lock, GError **error)
{
	g_autoptr(Challenge) challenge = NULL;
	if (secret_fits(config, challenge_id, secret) &&
	    !(lock ? challenge_lock : challenge_find)(db, challenge_id, &challenge, error))
		return NULL;
	if (challenge == NULL || challenge->address_id == 0) {
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
		return NULL;
	}
	return g_steal_pointer(&challenge);
}

Challenge *lobby_invitation_find(Db *db, const Config *config, int64_t challenge_id,
				 const char *secret, GError **error)
{
	return invitation_load(db, config, challenge_id, secret, false, error);
}

typedef struct {
	const Config *config;
	const InvitationOrder *order;
	InvitationAnswer *answer_r;
} Accepting;

/* A name for somebody who answered by mail: nobody has it, and it says that it was not chosen. */
static Name *guest_name(Db *db, const InvitationOrder *order, GError **error)
{
	g_autoptr(Name) name = NULL;
	bool is_free = false;
	for (int64_t number = order->challenge_id; !is_free; number = 100000 + secret_number()) {
		g_autofree char *digits = g_strdup_printf("%" G_GINT64_FORMAT, number);
		g_autofree char *text =
			text_format(order->language, "mail.guest", "number", digits, NULL);
		g_clear_pointer(&name, name_free);
		name = name_new(text, error);
		if (name == NULL)
			return NULL;
		const PlayerValues values = {.name_key = name->key, .name_look = name->look};
		if (!player_name_free(db, 0, &values, &is_free, error))
			return NULL;
	}
	return g_steal_pointer(&name);
}

/* Makes a player of whoever reads the mails of this address. */
static bool player_make(Db *db, const InvitationOrder *order, int64_t address_id,
			int64_t *player_id_r, GError **error)
{
	g_autoptr(Name) name =
		order->guest ? guest_name(db, order, error) : name_new(order->name, error);
	if (name == NULL)
		return false;
	const AccountNew account = {
		.address_id = address_id,
		.name = name,
		.language = language_code(order->language),
		.time_zone = order->time_zone,
		.guest = order->guest,
	};
	return account_create(db, &account, player_id_r, error);
}

static bool accept_work(Db *db, void *user_data, GError **error)
{
	const Accepting *accepting = user_data;
	const InvitationOrder *order = accepting->order;
	InvitationAnswer *answer = accepting->answer_r;
	g_autoptr(Challenge) challenge = invitation_load(db, accepting->config, order->challenge_id,
							 order->secret, true, error);
	if (challenge == NULL)
		return false;
	answer->player_id = challenge_invited(challenge);
	if (answer->player_id == 0 && g_strcmp0(challenge->state, "open") != 0) {
		problem_set(error, PROBLEM_CHALLENGE_CLOSED, NULL);
		return false;
	}
	if (answer->player_id == 0 &&
	    !player_make(db, order, challenge->address_id, &answer->player_id, error))
		return false;
	return lobby_accept_locked(db, challenge, answer->player_id, &answer->game_id,
				   &answer->repeated, error);
}

bool lobby_invitation_accept(Db *db, const Config *config, const InvitationOrder *order,
			     InvitationAnswer *answer_r, GError **error)
{
	Accepting accepting = {config, order, answer_r};
	const bool done = db_transact(db, accept_work, &accepting, error);
	workers_wake();
	return done;
}

typedef struct {
	const Config *config;
	int64_t challenge_id;
	const char *secret;
	bool for_ever;
} Declining;

/* Whoever has an account by now gets no mails about games either; nobody's address none at all. */
static bool silence(Db *db, const Challenge *challenge, GError **error)
{
	const bool mail = false;
	const AccountChange change = {.mail = &mail};
	return challenge->address_player_id == 0
		       ? address_never_set(db, challenge->address_id, true, error)
		       : account_update(db, challenge->address_player_id, &change, error);
}

/* "Never again" holds for whatever comes, also when this challenge is closed already. */
static bool decline_work(Db *db, void *user_data, GError **error)
{
	const Declining *declining = user_data;
	g_autoptr(Challenge) challenge = invitation_load(
		db, declining->config, declining->challenge_id, declining->secret, true, error);
	if (challenge == NULL)
		return false;
	if (declining->for_ever && !silence(db, challenge, error))
		return false;
	if (declining->for_ever && g_strcmp0(challenge->state, "open") != 0)
		return true;
	bool repeated;
	return lobby_decline_locked(db, challenge, challenge->address_player_id, &repeated, error);
}

bool lobby_invitation_decline(Db *db, const Config *config, int64_t challenge_id,
			      const char *secret, bool for_ever, GError **error)
{
	Declining declining = {config, challenge_id, secret, for_ever};
	const bool done = db_transact(db, decline_work, &declining, error);
	workers_wake();
	return done;
}

bool lobby_invitation_allow(Db *db, const Config *config, int64_t challenge_id, const char *secret,
			    GError **error)
{
	g_autoptr(Challenge) challenge =
		invitation_load(db, config, challenge_id, secret, false, error);
	return challenge != NULL && address_never_set(db, challenge->address_id, false, error);
}
