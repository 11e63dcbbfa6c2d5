/* Who is asking: what a token or a session says about its owner. Loaded by token.h or session.h. */
#ifndef DB_ACTOR_H
#define DB_ACTOR_H

#include "db.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* What a token may do. The names stand in the database, in JSON and in problems. */
#define SCOPES(X)                   \
	X(READ, "read")             \
	X(PLAY, "play")             \
	X(CHALLENGE, "challenge")   \
	X(CHAT, "chat")             \
	X(TOURNAMENT, "tournament") \
	X(WEBHOOK, "webhook")       \
	X(MAIL, "mail")
typedef enum {
#define X(code, name) SCOPE_INDEX_##code,
	SCOPES(X)
#undef X
		SCOPE_COUNT
} ScopeIndex;
/* A set of scopes, one bit each. */
typedef unsigned Scopes;
enum {
	SCOPE_NONE = 0,
#define X(code, name) SCOPE_##code = 1 << SCOPE_INDEX_##code,
	SCOPES(X)
#undef X
	/* Of a player. "mail", to bring mails that came in, only who runs the service gives. */
	SCOPE_ALL = ((1 << SCOPE_COUNT) - 1) & ~SCOPE_MAIL,
};

typedef struct Actor {
	int64_t player_id;
	int64_t token_id;   /* 0 when a session acts */
	int64_t session_id; /* 0 when a token acts */
	char *name;
	char *language;  /* "de" */
	char *time_zone; /* "Europe/Berlin" */
	Scopes scopes;   /* a session has all of them */
	/* For a session only: what its pages remind of (see Player). */
	bool guest, unreachable;
	bool touch_due; /* last use is to be written down (token_touch, session_touch) */
} Actor;

/* Frees the actor; NULL does nothing. */
void actor_free(Actor *actor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Actor, actor_free)

/* Reads what token_auth_queue or session_auth_queue asked for: player_id, token_id, session_id,
 * name, language, time_zone, scopes (NULL: all), touch_due, guest, unreachable. *actor_r is NULL
 * for a credential that is not good. The caller frees. */
bool actor_next(Db *db, Actor **actor_r, GError **error);

/* "play" for SCOPE_PLAY, one scope only; never NULL. */
const char *scope_name(ScopeIndex scope);
/* The scope with this name as a set of one; SCOPE_NONE if there is none. */
Scopes scope_parse(const char *name);
/* A set as "read play", in the order of the table, and back (unknown names are left out). The
 * caller frees the text. */
char *scopes_text(Scopes scopes);
Scopes scopes_parse(const char *text);

#endif
