/*
 * Challenges and what becomes of them: the only writer of challenges, and of the games they begin.
 * Whoever races, a challenge is answered once: its row is locked first. All join a transaction,
 * leave nothing behind when they refuse, and wake the workers.
 */
#ifndef SERVICE_LOBBY_H
#define SERVICE_LOBBY_H

#include "db/challenge.h"
#include "service/config.h"
#include "service/language.h"

#include <jansson.h>

/* A challenge somebody wants to make: to a player (by number or name), to a mail address, or, with
 * none of the three, open to all. All is borrowed. */
typedef struct {
	int64_t challenger_id;
	int64_t opponent_id;       /* 0: see the next */
	const char *opponent_name; /* NULL: see the next */
	const char *email;         /* NULL: open to all */
	Language language;         /* of the invitation to an address */
	const char *rules;         /* "ordo" */
	const char *options;       /* "": the game's usual ones */
	const char *seat;          /* "first", "second", "random": of the challenger */
	const char *visibility;    /* "public", "private" */
	const char *clock;         /* as lobby_clock wrote it */
	const char *message;       /* NULL: none */
} ChallengeOrder;
/* FIELD_INVALID for rules and options (NULL: told already) and an address that are none; adds to an
 * error that is so already. */
bool lobby_challenge_check(const ChallengeOrder *order, GError **error);
/* Makes it and tells the opponent. An address that belongs to a player makes an ordinary challenge
 * to that player, which the challenger cannot tell from an invitation; an address that is never to
 * be written to gets no mail, which he cannot tell either. FIELD_INVALID, PLAYER_UNKNOWN,
 * OWN_CHALLENGE, RATE_LIMITED. */
bool lobby_challenge(Db *db, const Config *config, const ChallengeOrder *order, int64_t *id_r,
		     GError **error);

/* FIELD_INVALID for all of a clock (NULL: none) that does not fit; adds to an error that is so
 * already. */
bool lobby_clock_check(const json_t *clock, GError **error);
/* The clock of a challenge (NULL: none) as it is stored: a JSON object, which the caller frees.
 * FIELD_INVALID for what is none, CLOCK_NOT_YET for kinds that cannot be chosen yet. */
char *lobby_clock(const json_t *clock, GError **error);

/* Whether a player (0: a stranger) may see it. */
bool lobby_visible(const Challenge *challenge, int64_t player_id);

/* Each answers for a player; *repeated_r: it had been answered so before, nothing was changed.
 * NOT_FOUND, NOT_ALLOWED, OWN_CHALLENGE, CHALLENGE_CLOSED. */
bool lobby_accept(Db *db, int64_t challenge_id, int64_t player_id, int64_t *game_id_r,
		  bool *repeated_r, GError **error);
bool lobby_decline(Db *db, int64_t challenge_id, int64_t player_id, bool *repeated_r,
		   GError **error);
bool lobby_cancel(Db *db, int64_t challenge_id, int64_t player_id, bool *repeated_r,
		  GError **error);

/* ---- invitations: the secret that was mailed stands for the address it was mailed to ---- */

/* The challenge behind an invitation. NOT_FOUND also for a wrong secret. The caller frees. */
Challenge *lobby_invitation_find(Db *db, const Config *config, int64_t challenge_id,
				 const char *secret, GError **error);
/* Somebody who has no account accepts: makes the player, with the address confirmed, and the game.
 * Where the address belongs to a player by now, that player accepts and the wishes are not looked
 * at. As lobby_accept; FIELD_INVALID, NAME_TAKEN. */
typedef struct {
	int64_t challenge_id;
	const char *secret;
	const char *name; /* may be NULL where the address has a player */
	bool guest;       /* a new player gets a name of ours, "Guest 3", and may change it */
	Language language;
	const char *time_zone; /* an IANA name */
} InvitationOrder;
typedef struct {
	int64_t player_id, game_id;
	bool repeated;
} InvitationAnswer;
bool lobby_invitation_accept(Db *db, const Config *config, const InvitationOrder *order,
			     InvitationAnswer *answer_r, GError **error);
/* Declines; for_ever: and nothing goes to this address any more, whoever causes it; if it is a
 * player's by now, no mails about games, which the settings can take back. */
bool lobby_invitation_decline(Db *db, const Config *config, int64_t challenge_id,
			      const char *secret, bool for_ever, GError **error);
/* Takes "for ever" back. */
bool lobby_invitation_allow(Db *db, const Config *config, int64_t challenge_id, const char *secret,
			    GError **error);

#endif
