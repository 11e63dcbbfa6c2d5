#include "service/account_private.h"

#include "db/event.h"
#include "db/player.h"
#include "db/session.h"
#include "db/token.h"
#include "service/email.h"
#include "service/problem.h"
#include "service/workers.h"

#include <string.h>

/* What a use case about one address of a player works with. */
typedef struct {
	const AccountAccess *access;
	int64_t player_id;
	int64_t address_id;
	const char *email, *email_key;
	bool primary;
} Order;

static bool refuse(ProblemCode problem, GError **error)
{
	problem_set(error, problem, NULL);
	return false;
}

/* ---- adding ---- */

bool account_address_room(const AccountAccess *access, int64_t player_id, GError **error)
{
	g_autoptr(DbResult) rows = address_list(access->db, player_id, error);
	return rows != NULL &&
	       account_limit_check(db_rows(rows), access->config->addresses_per_player, error);
}

/* Another's address gets a mail too: the one for those who forgot that they have an account. */
static bool add_mail(const Order *order, const Address *address, const Player *player,
		     GError **error)
{
	json_t *data = json_pack("{s:s, s:b}", "name", player->name, "primary", order->primary);
	const bool others = address->player_id != 0 && address->player_id != order->player_id;
	const AccountMail mail = {
		.kind = others ? MAIL_CODE_LOGIN : MAIL_CODE_ADDRESS,
		.event = others ? "mail.known-address" : "mail.address-change-new",
		.template = others ? "known-address" : "address-change-new",
		.address_id = address->id,
		.player_id = others ? address->player_id : order->player_id,
		.data = data,
	};
	const bool done = account_mail(order->access, &mail, error);
	json_decref(data);
	return done;
}

static bool add_work(Db *db, void *user_data, GError **error)
{
	const Order *order = user_data;
	g_autoptr(Player) player = NULL;
	g_autoptr(Address) address = NULL;
	if (!account_address_room(order->access, order->player_id, error) ||
	    !account_mail_count(order->access, order->email_key, order->player_id, error) ||
	    !player_find(db, order->player_id, &player, error) ||
	    !address_obtain(db, order->email, order->email_key, player->language, &address, error))
		return false;
	return add_mail(order, address, player, error);
}

bool account_address_add(const AccountAccess *access, int64_t player_id, const char *email,
			 bool primary, GError **error)
{
	g_autofree char *key = account_email_key(email, error);
	if (key == NULL)
		return false;
	Order order = {access, player_id, 0, email, key, primary};
	if (!db_transact(access->db, add_work, &order, error))
		return false;
	workers_wake();
	return true;
}

/* ---- the primary one ---- */

bool account_primary_make(const AccountAccess *access, int64_t player_id, const Address *address,
			  GError **error)
{
	Db *db = access->db;
	AddressChange change = {.player_id = player_id, .new_address_id = address->id};
	if (!address_primary_set(db, player_id, address->id, &change.old_address_id, error))
		return false;
	if (change.old_address_id == address->id || change.old_address_id == 0)
		return true;
	if (!address_change_insert(db, &change, mail_code_seconds(MAIL_CODE_REVERT), &change.id,
				   error))
		return false;
	json_t *data = json_pack("{s:I}", "change", (json_int_t)change.id);
	const AccountMail mail = {
		.kind = MAIL_CODE_REVERT,
		.event = "mail.address-change-old",
		.template = "address-change-old",
		.address_id = change.old_address_id,
		.player_id = player_id,
		.data = data,
	};
	const bool done = account_mail(access, &mail, error);
	json_decref(data);
	return done;
}

bool account_primary_tell(const AccountAccess *access, const Address *address, GError **error)
{
	const Event event = {
		.kind = "mail.address-primary",
		.player_id = address->player_id,
		.template = "address-primary",
		.addresses = {address->id},
	};
	return event_append(access->db, &event, NULL, error);
}

/* Locks player and address, in this order as everywhere. NULL with NOT_FOUND unless it is his. */
static Address *own_lock(const Order *order, GError **error)
{
	g_autoptr(Address) address = NULL;
	if (!player_lock(order->access->db, order->player_id, error) ||
	    !address_lock(order->access->db, order->address_id, &address, error))
		return NULL;
	if (address == NULL || address->player_id != order->player_id) {
		refuse(PROBLEM_NOT_FOUND, error);
		return NULL;
	}
	return g_steal_pointer(&address);
}

static bool primary_work(Db *db, void *user_data, GError **error)
{
	(void)db;
	const Order *order = user_data;
	g_autoptr(Address) address = own_lock(order, error);
	if (address == NULL || address->is_primary)
		return address != NULL;
	g_autofree char *key = email_key(address->email);
	return account_mail_count(order->access, key, order->player_id, error) &&
	       account_primary_make(order->access, order->player_id, address, error) &&
	       account_primary_tell(order->access, address, error);
}

bool account_address_primary(const AccountAccess *access, int64_t player_id, int64_t address_id,
			     GError **error)
{
	Order order = {.access = access, .player_id = player_id, .address_id = address_id};
	if (!db_transact(access->db, primary_work, &order, error))
		return false;
	workers_wake();
	return true;
}

/* ---- removing ---- */

bool account_address_release(Db *db, int64_t address_id, GError **error)
{
	return address_release(db, address_id, error) &&
	       mail_code_void(db, address_id, MAIL_CODE_LOGIN, error);
}

static bool remove_work(Db *db, void *user_data, GError **error)
{
	g_autoptr(Address) address = own_lock(user_data, error);
	if (address == NULL)
		return false;
	if (address->is_primary)
		return refuse(PROBLEM_ADDRESS_PRIMARY, error);
	return account_address_release(db, address->id, error);
}

bool account_address_remove(const AccountAccess *access, int64_t player_id, int64_t address_id,
			    GError **error)
{
	Order order = {.access = access, .player_id = player_id, .address_id = address_id};
	return db_transact(access->db, remove_work, &order, error);
}

/* ---- undoing a change ---- */

/* The addresses that came with this change and later ones no longer let anybody in. */
static bool newcomers_release(Db *db, const AddressChange *change, GError **error)
{
	g_autoptr(DbResult) newcomers = address_change_revert(db, change, error);
	if (newcomers == NULL)
		return false;
	for (int row = 0; row < db_rows(newcomers); row++) {
		g_autoptr(Address) address = NULL;
		if (!address_lock(db, db_int(newcomers, row, 0), &address, error))
			return false;
		if (address->player_id == change->player_id &&
		    !account_address_release(db, address->id, error))
			return false;
	}
	return true;
}

/* The old address is the player's again, even if it was removed in the meantime. */
static bool old_take_back(Db *db, const AddressChange *change, GError **error)
{
	g_autoptr(Address) old = NULL;
	int64_t before;
	if (!address_lock(db, change->old_address_id, &old, error))
		return false;
	if (old->player_id != 0 && old->player_id != change->player_id)
		return refuse(PROBLEM_ADDRESS_TAKEN, error);
	return address_give(db, old->id, change->player_id, error) &&
	       address_primary_set(db, change->player_id, old->id, &before, error);
}

bool account_revert(const AccountAccess *access, int64_t change_id, GError **error)
{
	Db *db = access->db;
	AddressChange change;
	if (!address_change_find(db, change_id, &change, error))
		return false;
	if (!change.open)
		return refuse(PROBLEM_CODE_USED, error);
	return old_take_back(db, &change, error) && newcomers_release(db, &change, error) &&
	       mail_code_void_player(db, change.player_id, MAIL_CODE_ADDRESS, error) &&
	       token_revoke_since_change(db, change.player_id, change.id, error) &&
	       session_end_all(db, change.player_id, error);
}
