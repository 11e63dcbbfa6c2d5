#include "service/account_private.h"

#include "db/event.h"
#include "db/idempotency.h"
#include "db/player.h"
#include "service/email.h"
#include "service/language.h"
#include "service/problem.h"
#include "service/rate.h"
#include "service/secret.h"
#include "service/time_zone.h"
#include "service/workers.h"

bool account_language_check(const char *language, GError **error)
{
	Language known;
	if (language == NULL) {
		problem_set_field(error, "language", FIELD_MISSING, NULL);
		return false;
	}
	if (language_parse(language, &known))
		return true;
	g_autoptr(GString) choices = g_string_new(NULL);
	for (int i = 0; i < LANGUAGE_COUNT; i++)
		g_string_append_printf(choices, "%s%s", i ? ", " : "", language_code((Language)i));
	problem_set_field(error, "language", FIELD_NOT_A_CHOICE, "choices", choices->str, NULL);
	return false;
}

bool account_time_zone_check(const char *time_zone, GError **error)
{
	if (time_zone_known(time_zone))
		return true;
	problem_set_field(error, "time_zone", FIELD_NOT_A_TIME_ZONE, NULL);
	return false;
}

bool account_limit_check(int count, int limit, GError **error)
{
	if (count < limit)
		return true;
	g_autofree char *most = g_strdup_printf("%d", limit);
	problem_set(error, PROBLEM_LIMIT_REACHED, "limit", most, NULL);
	return false;
}

char *account_email_key(const char *email, GError **error)
{
	if (email == NULL) {
		problem_set_field(error, "email", FIELD_MISSING, NULL);
		return NULL;
	}
	char *key = email_key(email);
	if (key == NULL)
		problem_set_field(error, "email", FIELD_NOT_AN_ADDRESS, NULL);
	return key;
}

bool account_mail_count(const AccountAccess *access, const char *email_key_text, int64_t player_id,
			GError **error)
{
	const Config *config = access->config;
	g_autofree char *player = g_strdup_printf("%" G_GINT64_FORMAT, player_id);
	return rate_mail_take(access->db, "mail.address", email_key_text, config->rate_mail_address,
			      error) &&
	       rate_mail_take(access->db, player_id ? "mail.player" : "mail.client",
			      player_id ? player : access->client, config->rate_mail_client, error);
}

bool account_mail(const AccountAccess *access, const AccountMail *mail, GError **error)
{
	g_autofree char *data = mail->data ? json_dumps(mail->data, JSON_COMPACT) : NULL;
	MailCodeNew code = {
		.kind = mail->kind,
		.address_id = mail->address_id,
		.player_id = mail->player_id,
		.inbox_id = mail->inbox_id,
		.data = data,
		.key_number = config_newest_key(access->config),
	};
	secret_random(code.nonce, sizeof code.nonce);
	g_autofree char *secret = secret_code(access->config, code.key_number, code.nonce);
	secret_hash(secret, code.hash);
	Event event = {
		.kind = mail->event,
		.player_id = mail->player_id,
		.inbox_id = mail->inbox_id,
		.template = mail->template,
		.addresses = {mail->address_id},
	};
	if (!mail_code_insert(access->db, &code, &event.mail_code_id, error))
		return false;
	return event.mail_code_id != 0 ? event_append(access->db, &event, NULL, error)
				       : mail_code_void(access->db, 0, mail->kind, error);
}

bool account_create(Db *db, const AccountNew *account, int64_t *player_id_r, GError **error)
{
	g_autoptr(Address) address = NULL;
	if (!account_time_zone_check(account->time_zone, error) ||
	    !address_lock(db, account->address_id, &address, error))
		return false;
	if (address == NULL || address->player_id != 0) {
		problem_set(error, PROBLEM_ADDRESS_TAKEN, NULL);
		return false;
	}
	const PlayerValues values = {
		.name = account->name->text,
		.name_key = account->name->key,
		.name_look = account->name->look,
		.language = account->language,
		.time_zone = account->time_zone,
		.guest = account->guest,
	};
	int64_t old_id;
	if (!player_insert(db, &values, player_id_r, error))
		return false;
	if (*player_id_r == 0) {
		problem_set(error, PROBLEM_NAME_TAKEN, NULL);
		return false;
	}
	return address_give(db, address->id, *player_id_r, error) &&
	       address_primary_set(db, *player_id_r, address->id, &old_id, error) &&
	       mail_code_void(db, address->id, MAIL_CODE_SIGNUP, error);
}

bool account_hold(Db *db, const Config *config, const AccountHeld *held, GError **error)
{
	const AccountAccess access = {.db = db, .config = config};
	json_t *data = json_pack("{s:s, s:I, s:I}", "from", held->from, "game",
				 (json_int_t)held->game_id, "trust", (json_int_t)held->trust_id);
	const AccountMail mail = {
		.kind = MAIL_CODE_MAIL,
		.event = "mail.held",
		.template = "held",
		.address_id = held->address_id,
		.player_id = held->player_id,
		.inbox_id = held->inbox_id,
		.data = data,
	};
	const bool done = account_mail(&access, &mail, error);
	json_decref(data);
	return done;
}

/* ---- sign-up ---- */

/* Takes the key of a form or request, which counts for one address and one thing to do; *first_r is
 * false if that was done already. */
static bool once_take(const AccountAccess *access, const char *what, const char *email_key_text,
		      bool *first_r, GError **error)
{
	*first_r = true;
	if (access->once == NULL)
		return true;
	g_autofree char *all = g_strjoin("\n", what, email_key_text, access->once, NULL);
	uint8_t hash[SECRET_HASH_SIZE];
	secret_hash(all, hash);
	g_autofree char *hex = db_hex(hash, sizeof(hash));
	return idempotency_take(access->db, hex, first_r, error);
}

typedef struct {
	const AccountAccess *access;
	const AccountSignUp *wish;
	const char *time_zone;
	const Name *name;
	const char *email_key;
} SignUp;

static bool name_free_check(Db *db, const Name *name, GError **error)
{
	const PlayerValues values = {.name_key = name->key, .name_look = name->look};
	bool is_free = false;
	if (!player_name_free(db, 0, &values, &is_free, error))
		return false;
	if (!is_free)
		problem_set(error, PROBLEM_NAME_TAKEN, NULL);
	return is_free;
}

/* Whether the address has an owner who chose a name: a guest still may sign up. */
static bool owner_find(Db *db, const Address *address, bool *owned_r, GError **error)
{
	g_autoptr(Player) player = NULL;
	if (!player_find(db, address->player_id, &player, error))
		return false;
	*owned_r = player != NULL && !player->guest;
	return true;
}

/* One way for known and unknown addresses, with the same statements: only the mail differs. */
static bool sign_up_work(Db *db, void *user_data, GError **error)
{
	const SignUp *sign_up = user_data;
	const AccountSignUp *wish = sign_up->wish;
	g_autoptr(Address) address = NULL;
	bool known = false;
	bool first = false;
	g_autofree char *what = g_strjoin("\n", "sign-up", sign_up->name->text, wish->language,
					  sign_up->time_zone, NULL);
	if (!once_take(sign_up->access, what, sign_up->email_key, &first, error))
		return false;
	if (!first)
		return true;
	if (!name_free_check(db, sign_up->name, error) ||
	    !account_mail_count(sign_up->access, sign_up->email_key, 0, error) ||
	    !address_obtain(db, wish->email, sign_up->email_key, wish->language, &address, error) ||
	    !owner_find(db, address, &known, error))
		return false;
	json_t *data = json_pack("{s:s, s:s, s:s}", "name", sign_up->name->text, "language",
				 wish->language, "time_zone", sign_up->time_zone);
	const AccountMail mail = {
		.kind = known ? MAIL_CODE_LOGIN : MAIL_CODE_SIGNUP,
		.event = known ? "mail.known-address" : "mail.confirm",
		.template = known ? "known-address" : "confirm",
		.address_id = address->id,
		.player_id = address->player_id,
		.data = data,
	};
	const bool done = account_mail(sign_up->access, &mail, error);
	json_decref(data);
	return done;
}

bool account_sign_up_check(const AccountSignUp *wish, GError **error)
{
	g_autofree char *key = account_email_key(wish->email, error);
	g_autoptr(Name) name = name_new(wish->name, error);
	bool good = key != NULL && name != NULL;
	good = account_language_check(wish->language, error) && good;
	if (wish->time_zone != NULL)
		good = account_time_zone_check(wish->time_zone, error) && good;
	return good;
}

bool account_sign_up(const AccountAccess *access, const AccountSignUp *wish, GError **error)
{
	if (!account_sign_up_check(wish, error))
		return false;
	g_autofree char *email_key_text = email_key(wish->email);
	g_autoptr(Name) name = name_new(wish->name, NULL);
	const char *time_zone = wish->time_zone ? wish->time_zone : "UTC";
	SignUp sign_up = {access, wish, time_zone, name, email_key_text};
	if (!db_transact(access->db, sign_up_work, &sign_up, error))
		return false;
	workers_wake();
	return true;
}

/* ---- login ---- */

typedef struct {
	const AccountAccess *access;
	const char *email_key;
} Login;

static bool login_work(Db *db, void *user_data, GError **error)
{
	const Login *login = user_data;
	g_autoptr(Address) address = NULL;
	bool first = false;
	if (!once_take(login->access, "login", login->email_key, &first, error))
		return false;
	if (!first)
		return true;
	if (!account_mail_count(login->access, login->email_key, 0, error) ||
	    !address_find_key(db, login->email_key, &address, error))
		return false;
	const bool known = address != NULL && address->player_id != 0;
	const AccountMail mail = {
		.kind = MAIL_CODE_LOGIN,
		.event = "mail.login",
		.template = "login",
		.address_id = known ? address->id : 0,
		.player_id = known ? address->player_id : 0,
	};
	return account_mail(login->access, &mail, error);
}

bool account_login_request(const AccountAccess *access, const char *email, GError **error)
{
	g_autofree char *email_key_text = account_email_key(email, error);
	if (email_key_text == NULL)
		return false;
	Login login = {access, email_key_text};
	if (!db_transact(access->db, login_work, &login, error))
		return false;
	workers_wake();
	return true;
}
