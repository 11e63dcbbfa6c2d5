#include "service/account_private.h"

#include "db/session.h"
#include "service/secret.h"

char *account_session_new(Db *db, int64_t player_id, GError **error)
{
	g_autofree char *cookie = secret_cookie_new();
	uint8_t hash[SECRET_HASH_SIZE];
	secret_hash(cookie, hash);
	return session_insert(db, player_id, hash, error) ? g_steal_pointer(&cookie) : NULL;
}

bool account_log_out(Db *db, const Actor *actor, bool everywhere, GError **error)
{
	return everywhere ? session_end_all(db, actor->player_id, error)
			  : session_end(db, actor->session_id, error);
}
