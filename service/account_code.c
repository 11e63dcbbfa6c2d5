#include "service/account_private.h"

#include "db/inbox.h"
#include "db/player.h"
#include "db/token.h"
#include "service/mail_take.h"
#include "service/problem.h"
#include "service/secret.h"
#include "service/workers.h"

static const char *const did_names[] = {
	[ACCOUNT_SIGNED_UP] = "signed-up",         [ACCOUNT_LOGGED_IN] = "logged-in",
	[ACCOUNT_ADDRESS_ADDED] = "address-added", [ACCOUNT_ADDRESS_REVERTED] = "address-reverted",
	[ACCOUNT_MAIL_ACTED] = "mail-acted",
};

static const AccountDid kind_does[] = {
	[MAIL_CODE_SIGNUP] = ACCOUNT_SIGNED_UP,      [MAIL_CODE_LOGIN] = ACCOUNT_LOGGED_IN,
	[MAIL_CODE_ADDRESS] = ACCOUNT_ADDRESS_ADDED, [MAIL_CODE_REVERT] = ACCOUNT_ADDRESS_REVERTED,
	[MAIL_CODE_MAIL] = ACCOUNT_MAIL_ACTED,
};

const char *account_did_name(AccountDid did)
{
	return did_names[did];
}

void account_code_free(AccountCode *code)
{
	if (code == NULL)
		return;
	g_free(code->email);
	g_free(code->name);
	g_free(code->from);
	g_free(code->written);
	g_free(code);
}

void account_confirmed_free(AccountConfirmed *confirmed)
{
	if (confirmed == NULL)
		return;
	g_free(confirmed->secret);
	g_free(confirmed);
}

static bool refuse(ProblemCode problem, GError **error)
{
	problem_set(error, problem, NULL);
	return false;
}

/* The code somebody typed, as it is stored. NULL with CODE_UNKNOWN. */
static MailCode *code_find(Db *db, const char *text, GError **error)
{
	g_autofree char *secret = secret_read(text);
	MailCode *code = NULL;
	uint8_t hash[SECRET_HASH_SIZE];
	if (secret != NULL) {
		secret_hash(secret, hash);
		if (!mail_code_find(db, hash, &code, error))
			return NULL;
	}
	if (code == NULL)
		refuse(PROBLEM_CODE_UNKNOWN, error);
	return code;
}

static bool code_check(const MailCode *code, GError **error)
{
	if (code->used)
		return refuse(PROBLEM_CODE_USED, error);
	return !code->expired || refuse(PROBLEM_CODE_EXPIRED, error);
}

/* The data of a code as an object; the caller drops it. */
static json_t *code_data(const MailCode *code)
{
	json_t *data = json_loads(code->data, 0, NULL);
	g_assert(json_is_object(data));
	return data;
}

static const char *data_text(const json_t *data, const char *name)
{
	return json_string_value(json_object_get(data, name));
}

/* ---- looking ---- */

AccountCode *account_code_look(const AccountAccess *access, const char *text, GError **error)
{
	g_autoptr(MailCode) code = code_find(access->db, text, error);
	if (code == NULL || !code_check(code, error))
		return NULL;
	g_autoptr(Address) address = NULL;
	g_autoptr(Player) player = NULL;
	g_autofree char *written = NULL;
	if (!inbox_written(access->db, code->inbox_id, &written, error) ||
	    !address_find_id(access->db, code->address_id, &address, error) ||
	    (code->player_id != 0 && !player_find(access->db, code->player_id, &player, error)))
		return NULL;
	json_t *data = code_data(code);
	AccountCode *look = g_new0(AccountCode, 1);
	look->will = kind_does[code->kind];
	look->email = g_strdup(address->email);
	const bool named = player != NULL && code->kind != MAIL_CODE_SIGNUP;
	look->name = g_strdup(named ? player->name : data_text(data, "name"));
	look->from = g_strdup(data_text(data, "from"));
	look->game_id = json_integer_value(json_object_get(data, "game"));
	look->written = g_steal_pointer(&written);
	json_decref(data);
	return look;
}

/* ---- doing ---- */

typedef struct {
	const AccountAccess *access;
	const AccountConfirm *order;
	const MailCode *code;
	const Address *address; /* locked */
	const json_t *data;
	AccountConfirmed *confirmed;
} Confirm;

/* A guest's account gets the name and the wishes, and keeps its games. */
static bool guest_claim(const Confirm *confirm, const Player *guest, const char *name,
			GError **error)
{
	Db *db = confirm->access->db;
	const AccountChange change = {
		.name = name,
		.language = data_text(confirm->data, "language"),
		.time_zone = data_text(confirm->data, "time_zone"),
	};
	confirm->confirmed->player_id = guest->id;
	return account_update(db, guest->id, &change, error) &&
	       address_give(db, confirm->address->id, guest->id, error) &&
	       mail_code_void(db, confirm->address->id, MAIL_CODE_SIGNUP, error);
}

static bool sign_up(Confirm *confirm, GError **error)
{
	const char *wanted = confirm->order->name;
	const char *wish = wanted ? wanted : data_text(confirm->data, "name");
	g_autoptr(Player) owner = NULL;
	if (!player_find(confirm->access->db, confirm->address->player_id, &owner, error))
		return false;
	if (owner != NULL && owner->guest)
		return guest_claim(confirm, owner, wish, error);
	g_autoptr(Name) name = name_new(wish, error);
	if (name == NULL)
		return false;
	const AccountNew account = {
		.address_id = confirm->address->id,
		.name = name,
		.language = data_text(confirm->data, "language"),
		.time_zone = data_text(confirm->data, "time_zone"),
	};
	return account_create(confirm->access->db, &account, &confirm->confirmed->player_id, error);
}

/* The owner has proved that mails arrive, so a dead address lives again. */
static bool log_in(Confirm *confirm, GError **error)
{
	Db *db = confirm->access->db;
	const Address *address = confirm->address;
	const int64_t player_id = confirm->code->player_id;
	if (address->player_id != player_id)
		return refuse(PROBLEM_CODE_USED, error);
	confirm->confirmed->player_id = player_id;
	if (g_str_equal(address->state, "dead") && !address_give(db, address->id, player_id, error))
		return false;
	return mail_code_void(db, address->id, MAIL_CODE_LOGIN, error);
}

static bool address_add(Confirm *confirm, GError **error)
{
	Db *db = confirm->access->db;
	const Address *address = confirm->address;
	const int64_t player_id = confirm->code->player_id;
	if (address->player_id != 0 && address->player_id != player_id)
		return refuse(PROBLEM_ADDRESS_TAKEN, error);
	confirm->confirmed->player_id = player_id;
	if (address->player_id == 0 && !account_address_room(confirm->access, player_id, error))
		return false;
	if (!address_give(db, address->id, player_id, error) ||
	    !mail_code_void(db, address->id, MAIL_CODE_SIGNUP, error) ||
	    !mail_code_void(db, address->id, MAIL_CODE_ADDRESS, error))
		return false;
	return !json_is_true(json_object_get(confirm->data, "primary")) ||
	       account_primary_make(confirm->access, player_id, address, error);
}

static bool address_revert(Confirm *confirm, GError **error)
{
	confirm->confirmed->player_id = confirm->code->player_id;
	const json_t *change = json_object_get(confirm->data, "change");
	return account_revert(confirm->access, json_integer_value(change), error);
}

/* The mail that was held acts as if it had come from the player beyond doubt. */
static bool mail_act(Confirm *confirm, GError **error)
{
	Db *db = confirm->access->db;
	const MailCode *code = confirm->code;
	const int64_t trust_id = json_integer_value(json_object_get(confirm->data, "trust"));
	bool taken = false;
	g_autoptr(Address) after = NULL;
	if (confirm->address->player_id != code->player_id)
		return refuse(PROBLEM_CODE_USED, error);
	if (!address_trust(db, trust_id, code->player_id, error) ||
	    !mail_take_held(db, confirm->access->config, code->inbox_id, &taken, error))
		return false;
	if (!taken)
		return refuse(PROBLEM_CODE_USED, error);
	if (!address_find_id(db, confirm->address->id, &after, error))
		return false;
	confirm->confirmed->player_id = after->player_id;
	return true;
}

typedef bool ConfirmFn(Confirm *confirm, GError **error);
static ConfirmFn *const kind_functions[] = {
	[MAIL_CODE_SIGNUP] = sign_up,      [MAIL_CODE_LOGIN] = log_in,
	[MAIL_CODE_ADDRESS] = address_add, [MAIL_CODE_REVERT] = address_revert,
	[MAIL_CODE_MAIL] = mail_act,
};

static bool grant(const Confirm *confirm, GError **error)
{
	Db *db = confirm->access->db;
	AccountConfirmed *confirmed = confirm->confirmed;
	if (confirmed->did == ACCOUNT_ADDRESS_ADDED || confirmed->did == ACCOUNT_MAIL_ACTED)
		return true;
	if (confirm->order->grant == ACCOUNT_GRANT_SESSION) {
		confirmed->secret = account_session_new(db, confirmed->player_id, error);
		return confirmed->secret != NULL;
	}
	const TokenNew token = {
		.player_id = confirmed->player_id,
		.name = "login",
		.scopes = SCOPE_ALL,
		.lifetime_s = ACCOUNT_LOGIN_SECONDS,
	};
	confirmed->secret = account_token_store(db, &token, &confirmed->token_id, error);
	return confirmed->secret != NULL;
}

/* Uses up the code, its player and address locked: of two that come with it one does something. */
static bool code_use(Confirm *confirm, GError **error)
{
	bool used = false;
	if (!mail_code_use(confirm->access->db, confirm->code->id, &used, error))
		return false;
	if (!used)
		return code_check(confirm->code, error) && refuse(PROBLEM_CODE_USED, error);
	confirm->confirmed = g_new0(AccountConfirmed, 1);
	confirm->confirmed->did = kind_does[confirm->code->kind];
	return kind_functions[confirm->code->kind](confirm, error) && grant(confirm, error);
}

static bool confirm_work(Db *db, void *user_data, GError **error)
{
	Confirm *confirm = user_data;
	g_clear_pointer(&confirm->confirmed, account_confirmed_free);
	g_autoptr(MailCode) code = code_find(db, confirm->order->code, error);
	g_autoptr(Address) address = NULL;
	if (code == NULL || (code->player_id != 0 && !player_lock(db, code->player_id, error)) ||
	    !address_lock(db, code->address_id, &address, error))
		return false;
	json_t *data = code_data(code);
	confirm->code = code;
	confirm->address = address;
	confirm->data = data;
	const bool done = code_use(confirm, error);
	json_decref(data);
	return done;
}

AccountConfirmed *account_confirm(const AccountAccess *access, const AccountConfirm *order,
				  GError **error)
{
	Confirm confirm = {.access = access, .order = order};
	if (!db_transact(access->db, confirm_work, &confirm, error)) {
		account_confirmed_free(confirm.confirmed);
		return NULL;
	}
	workers_wake();
	return confirm.confirmed;
}
