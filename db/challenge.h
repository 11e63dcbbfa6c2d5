/* Challenges: to a player, to a mail address, or open to all. */
#ifndef DB_CHALLENGE_H
#define DB_CHALLENGE_H

#include "db.h"

typedef struct Challenge {
	int64_t id;
	int64_t challenger_id;
	const char *challenger_name;
	const char *kind; /* "player", "address", "open" */
	/* Of kind player; of kind open the one who accepted; of kind address the player whose
	 * address it is (whom its maker learns only when the game begins). 0: nobody. */
	int64_t opponent_id;
	const char *opponent_name;
	int64_t address_id; /* of kind address, else 0 */
	const char *email;  /* its text */
	/* Who owns that address now, if it is confirmed; else 0. */
	int64_t address_player_id;
	const char *language; /* of the invitation; NULL: none */
	const char *rules, *options, *visibility;
	const char *seat;                   /* "first", "second", "random": of its maker */
	const char *clock;                  /* a JSON object */
	const char *message;                /* NULL: none */
	const char *state;                  /* "open", "accepted", "declined", "cancelled" */
	int64_t game_id;                    /* 0 until it is accepted */
	const char *created_at, *closed_at; /* as PostgreSQL writes them; NULL: not closed */
	DbResult *result;                   /* owns the texts; NULL inside a ChallengeList */
} Challenge;

void challenge_free(Challenge *challenge);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Challenge, challenge_free)

typedef struct ChallengeList {
	int count;
	Challenge *challenges;
	DbResult *result;
} ChallengeList;

void challenge_list_free(ChallengeList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ChallengeList, challenge_list_free)

/* The player it was sent to, by name or at an address that is the player's; 0: nobody yet. */
int64_t challenge_invited(const Challenge *challenge);

/* *challenge_r is NULL (and the call true) when there is none. */
bool challenge_find(Db *db, int64_t challenge_id, Challenge **challenge_r, GError **error);
/* The same, inside a transaction: nobody else changes it until its end. */
bool challenge_lock(Db *db, int64_t challenge_id, Challenge **challenge_r, GError **error);

typedef enum {
	CHALLENGES_MINE, /* incoming and outgoing */
	CHALLENGES_INCOMING,
	CHALLENGES_OUTGOING,
	CHALLENGES_OPEN, /* open to all, by anybody */
} ChallengeSide;
enum { CHALLENGE_LIST_MAX = 101 };
/* Newest first; state NULL: any; before_id 0: from the newest. NULL with DB_ERROR. */
typedef struct {
	int64_t player_id;
	ChallengeSide side;
	const char *state;
	int64_t before_id;
	int limit; /* CHALLENGE_LIST_MAX at most */
} ChallengeFilter;
ChallengeList *challenge_list(Db *db, const ChallengeFilter *filter, GError **error);

/* A new challenge; all is borrowed, numbers that are 0 become NULL. */
typedef struct {
	int64_t challenger_id, opponent_id, address_id;
	const char *kind, *language, *rules, *options, *visibility, *seat, *clock, *message;
} ChallengeDraft;
bool challenge_create(Db *db, const ChallengeDraft *draft, int64_t *id_r, GError **error);

/* What an open challenge becomes. */
typedef struct {
	int64_t challenge_id;
	const char *state;   /* "accepted", "declined", "cancelled" */
	int64_t game_id;     /* of an accepted one, else 0 */
	int64_t opponent_id; /* who accepted it; 0 keeps what there is */
} ChallengeEnd;
/* Closes an open challenge. *closed_r is false (and the call true) if it was closed before. */
bool challenge_close(Db *db, const ChallengeEnd *end, bool *closed_r, GError **error);

#endif
