#include "service/account_private.h"

#include "db/player.h"
#include "db/token.h"
#include "service/problem.h"
#include "service/secret.h"

#include <string.h>

enum {
	TOKEN_NAME_MAX = 60,
	TOKEN_PREFIX_LETTERS = 7, /* "lp_" and four more: enough to tell them apart */
};

bool account_update_check(const AccountChange *change, GError **error)
{
	g_autoptr(Name) name = change->name != NULL ? name_new(change->name, error) : NULL;
	bool good = change->name == NULL || name != NULL;
	if (change->language != NULL)
		good = account_language_check(change->language, error) && good;
	if (change->time_zone != NULL)
		good = account_time_zone_check(change->time_zone, error) && good;
	return good;
}

bool account_update(Db *db, int64_t player_id, const AccountChange *change, GError **error)
{
	if (!account_update_check(change, error))
		return false;
	g_autoptr(Name) name = change->name != NULL ? name_new(change->name, NULL) : NULL;
	PlayerValues values = {
		.language = change->language,
		.time_zone = change->time_zone,
		.mail = change->mail,
		.remarks = change->remarks,
	};
	if (name != NULL) {
		values.name = name->text;
		values.name_key = name->key;
		values.name_look = name->look;
	}
	g_autoptr(GError) failure = NULL;
	if (player_update(db, player_id, &values, &failure))
		return true;
	if (player_name_taken(failure))
		problem_set(error, PROBLEM_NAME_TAKEN, NULL);
	else
		g_propagate_error(error, g_steal_pointer(&failure));
	return false;
}

/* ---- tokens ---- */

char *account_token_store(Db *db, const TokenNew *token, int64_t *id_r, GError **error)
{
	g_autofree char *secret = secret_token_new();
	g_autofree char *prefix = g_strndup(secret, TOKEN_PREFIX_LETTERS);
	uint8_t hash[SECRET_HASH_SIZE];
	secret_hash(secret, hash);
	TokenNew whole = *token;
	whole.prefix = prefix;
	whole.hash = hash;
	if (!token_insert(db, &whole, id_r, error))
		return NULL;
	if (*id_r == 0) {
		problem_set_field(error, "expires_at", FIELD_IN_THE_PAST, NULL);
		return NULL;
	}
	return g_steal_pointer(&secret);
}

/* Refuses scopes that the actor itself has not. */
static bool scopes_check(const Actor *actor, Scopes scopes, GError **error)
{
	for (unsigned i = 0; i < SCOPE_COUNT; i++) {
		if ((scopes & ~actor->scopes & 1u << i) == 0)
			continue;
		problem_set(error, PROBLEM_SCOPE_MISSING, "scope", scope_name((ScopeIndex)i), NULL);
		return false;
	}
	return true;
}

static bool token_name_check(const char *name, GError **error)
{
	const long length = name != NULL ? g_utf8_strlen(name, -1) : 0;
	if (length >= 1 && length <= TOKEN_NAME_MAX)
		return true;
	g_autofree char *max = g_strdup_printf("%d", TOKEN_NAME_MAX);
	if (length == 0)
		problem_set_field(error, "name", FIELD_MISSING, NULL);
	else
		problem_set_field(error, "name", FIELD_TOO_LONG, "max", max, NULL);
	return false;
}

/* RFC 3339 as PostgreSQL reads it without doubt: "2026-11-30T02:00:00Z". NULL with FIELD_INVALID.
 */
static char *instant_read(const char *text, GError **error)
{
	g_autoptr(GDateTime) time = NULL;
	if (strlen(text) >= strlen("2026-11-30T02:00:00Z") && text[4] == '-' && text[10] == 'T')
		time = g_date_time_new_from_iso8601(text, NULL);
	g_autoptr(GDateTime) utc = time != NULL ? g_date_time_to_utc(time) : NULL;
	if (utc == NULL) {
		problem_set_field(error, "expires_at", FIELD_NOT_A_TIME, NULL);
		return NULL;
	}
	return g_date_time_format(utc, "%Y-%m-%dT%H:%M:%SZ");
}

bool account_token_check(const AccountToken *token, GError **error)
{
	bool good = token_name_check(token->name, error);
	if (token->scopes == SCOPE_NONE) {
		problem_set_field(error, "scopes", FIELD_MISSING, NULL);
		good = false;
	}
	g_autofree char *expires_at =
		token->expires_at != NULL ? instant_read(token->expires_at, error) : NULL;
	return good && (token->expires_at == NULL || expires_at != NULL);
}

/* What a token is made with. */
typedef struct {
	const TokenNew *token;
	int limit;
	int64_t *id_r;
	char *secret;
} Making;

static bool token_work(Db *db, void *user_data, GError **error)
{
	Making *making = user_data;
	const int64_t player_id = making->token->player_id;
	if (!player_lock(db, player_id, error))
		return false;
	g_autoptr(DbResult) rows = token_list(db, player_id, 0, error);
	if (rows == NULL || !account_limit_check(db_rows(rows), making->limit, error))
		return false;
	g_free(making->secret);
	making->secret = account_token_store(db, making->token, making->id_r, error);
	return making->secret != NULL;
}

/* A token that may do less than its owner cannot make one that lives longer than itself. */
char *account_token_new(const AccountAccess *access, const Actor *actor, const AccountToken *token,
			int64_t *id_r, GError **error)
{
	if (!account_token_check(token, error) || !scopes_check(actor, token->scopes, error))
		return NULL;
	g_autofree char *expires_at =
		token->expires_at != NULL ? instant_read(token->expires_at, NULL) : NULL;
	const TokenNew stored = {
		.player_id = actor->player_id,
		.name = token->name,
		.scopes = token->scopes,
		.expires_at = expires_at,
		.within_id = actor->scopes == SCOPE_ALL ? 0 : actor->token_id,
	};
	Making making = {&stored, access->config->tokens_per_player, id_r, NULL};
	g_autofree char *secret = NULL;
	const bool made = db_transact(access->db, token_work, &making, error);
	secret = making.secret;
	return made ? g_steal_pointer(&secret) : NULL;
}

bool account_token_revoke(Db *db, const Actor *actor, int64_t token_id, GError **error)
{
	bool revoked = false;
	if (token_id != actor->token_id && !scopes_check(actor, SCOPE_ALL, error))
		return false;
	if (!token_revoke(db, actor->player_id, token_id, &revoked, error))
		return false;
	if (!revoked)
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
	return revoked;
}
