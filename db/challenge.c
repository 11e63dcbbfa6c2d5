#include "challenge.h"

enum {
	CHALLENGE_FIND,
	CHALLENGE_LOCK,
	CHALLENGE_INCOMING,
	CHALLENGE_OUTGOING,
	CHALLENGE_MINE,
	CHALLENGE_OPEN,
	CHALLENGE_CREATE,
	CHALLENGE_CLOSE,
};

#define CHALLENGE_COLUMNS                                                                        \
	"SELECT challenge.id, challenger_id, challenger.name, kind, opponent_id, opponent.name," \
	" address_id, address.email,"                                                            \
	" CASE WHEN address.state IN ('confirmed', 'dead') THEN address.player_id END,"          \
	" challenge.language, rules, options, visibility, seat, clock, message,"                 \
	" challenge.state, game_id, challenge.created_at, closed_at"                             \
	" FROM challenge"                                                                        \
	" JOIN player AS challenger ON challenger.id = challenger_id"                            \
	" LEFT JOIN player AS opponent ON opponent.id = opponent_id"                             \
	" LEFT JOIN address ON address.id = address_id"

/* CHALLENGE_LIST_MAX as text. A number that the planner sees keeps it from reading whole tables. */
#define CHALLENGE_LIST_ROWS "101"
/* The newest ids of one index: $1 player, $2 before, $4 state. */
#define CHALLENGE_IDS(condition)                                \
	"(SELECT challenge.id"                                  \
	" FROM challenge"                                       \
	" WHERE " condition " AND challenge.id < $2::bigint"    \
	" AND ($4::text IS NULL OR challenge.state = $4::text)" \
	" ORDER BY challenge.id DESC"                           \
	" LIMIT " CHALLENGE_LIST_ROWS ")"
#define CHALLENGE_BY_PLAYER CHALLENGE_IDS("challenger_id = $1::bigint")
/* To an address of the player's. */
#define CHALLENGE_TO_ADDRESS                                                     \
	CHALLENGE_IDS("challenger_id <> $1::bigint AND address_id = ANY (ARRAY(" \
		      " SELECT id"                                               \
		      " FROM address AS mine"                                    \
		      " WHERE mine.player_id = $1::bigint"                       \
		      " AND mine.state IN ('confirmed', 'dead')))")
/* $3 limit. */
#define CHALLENGE_PAGE(ids)               \
	CHALLENGE_COLUMNS                 \
	" WHERE challenge.id IN ("        \
	" SELECT id"                      \
	" FROM (" ids ") AS page"         \
	" ORDER BY id DESC"               \
	" LIMIT " CHALLENGE_LIST_ROWS ")" \
	" ORDER BY challenge.id DESC"     \
	" LIMIT $3::integer"

static const DbQuery queries[] = {
	[CHALLENGE_FIND] = {"challenge_find", CHALLENGE_COLUMNS " WHERE challenge.id = $1::bigint"},
	[CHALLENGE_LOCK] = {"challenge_lock", CHALLENGE_COLUMNS " WHERE challenge.id = $1::bigint"
								" FOR UPDATE OF challenge"},
	[CHALLENGE_INCOMING] = {"challenge_incoming",
				CHALLENGE_PAGE(CHALLENGE_IDS(
					"opponent_id = $1::bigint"
					" AND kind <> 'open'") " UNION " CHALLENGE_TO_ADDRESS)},
	[CHALLENGE_OUTGOING] = {"challenge_outgoing", CHALLENGE_PAGE(CHALLENGE_BY_PLAYER)},
	[CHALLENGE_MINE] = {"challenge_mine",
			    CHALLENGE_PAGE(CHALLENGE_IDS(
				    "opponent_id = $1::bigint") " UNION " CHALLENGE_BY_PLAYER
								" UNION " CHALLENGE_TO_ADDRESS)},
	[CHALLENGE_OPEN] = {"challenge_open",
			    CHALLENGE_PAGE(CHALLENGE_IDS("kind = 'open'"
							 " AND challenge.state = 'open'"
							 " AND $1::bigint IS NOT NULL"))},
	[CHALLENGE_CREATE] = {"challenge_create",
			      "INSERT INTO challenge (challenger_id, opponent_id, address_id, kind,"
			      " language, rules, options, visibility, seat, clock, message)"
			      " VALUES ($1::bigint, $2::bigint, $3::bigint, $4::text,"
			      " $5::language_code, $6::text, $7::text, $8::text, $9::text,"
			      " $10::jsonb, $11::text)"
			      " RETURNING id"},
	[CHALLENGE_CLOSE] = {"challenge_close",
			     "UPDATE challenge"
			     " SET state = $2::text, game_id = $3::bigint, closed_at = clock_now(),"
			     " opponent_id = COALESCE($4::bigint, opponent_id)"
			     " WHERE id = $1::bigint AND state = 'open'"},
};
const DbQueryTable challenge_queries = {queries, G_N_ELEMENTS(queries)};

int64_t challenge_invited(const Challenge *challenge)
{
	return challenge->address_player_id != 0 ? challenge->address_player_id
						 : challenge->opponent_id;
}

void challenge_free(Challenge *challenge)
{
	if (!challenge)
		return;
	PQclear(challenge->result);
	g_free(challenge);
}

void challenge_list_free(ChallengeList *list)
{
	if (!list)
		return;
	PQclear(list->result);
	g_free(list->challenges);
	g_free(list);
}

static Challenge challenge_read(const DbResult *result, int row)
{
	return (Challenge){
		.id = db_int(result, row, 0),
		.challenger_id = db_int(result, row, 1),
		.challenger_name = db_text(result, row, 2),
		.kind = db_text(result, row, 3),
		.opponent_id = db_int(result, row, 4),
		.opponent_name = db_text(result, row, 5),
		.address_id = db_int(result, row, 6),
		.email = db_text(result, row, 7),
		.address_player_id = db_int(result, row, 8),
		.language = db_text(result, row, 9),
		.rules = db_text(result, row, 10),
		.options = db_text(result, row, 11),
		.visibility = db_text(result, row, 12),
		.seat = db_text(result, row, 13),
		.clock = db_text(result, row, 14),
		.message = db_text(result, row, 15),
		.state = db_text(result, row, 16),
		.game_id = db_int(result, row, 17),
		.created_at = db_text(result, row, 18),
		.closed_at = db_text(result, row, 19),
	};
}

static bool challenge_load(Db *db, const DbQuery *query, int64_t challenge_id,
			   Challenge **challenge_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, challenge_id);
	*challenge_r = NULL;
	g_autoptr(DbResult) result = db_run(db, query, &params, error);
	if (!result)
		return false;
	if (db_rows(result) == 0)
		return true;
	Challenge *challenge = g_new(Challenge, 1);
	*challenge = challenge_read(result, 0);
	challenge->result = g_steal_pointer(&result);
	*challenge_r = challenge;
	return true;
}

bool challenge_find(Db *db, int64_t challenge_id, Challenge **challenge_r, GError **error)
{
	return challenge_load(db, &queries[CHALLENGE_FIND], challenge_id, challenge_r, error);
}

bool challenge_lock(Db *db, int64_t challenge_id, Challenge **challenge_r, GError **error)
{
	return challenge_load(db, &queries[CHALLENGE_LOCK], challenge_id, challenge_r, error);
}

ChallengeList *challenge_list(Db *db, const ChallengeFilter *filter, GError **error)
{
	static const int side_queries[] = {
		[CHALLENGES_MINE] = CHALLENGE_MINE,
		[CHALLENGES_INCOMING] = CHALLENGE_INCOMING,
		[CHALLENGES_OUTGOING] = CHALLENGE_OUTGOING,
		[CHALLENGES_OPEN] = CHALLENGE_OPEN,
	};
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, filter->player_id);
	db_param_int(&params, filter->before_id ? filter->before_id : INT64_MAX);
	db_param_int(&params, filter->limit);
	db_param_text(&params, filter->state);
	g_autoptr(DbResult) result =
		db_run(db, &queries[side_queries[filter->side]], &params, error);
	if (!result)
		return NULL;
	ChallengeList *list = g_new0(ChallengeList, 1);
	list->count = db_rows(result);
	list->challenges = g_new(Challenge, list->count);
	for (int i = 0; i < list->count; i++)
		list->challenges[i] = challenge_read(result, i);
	list->result = g_steal_pointer(&result);
	return list;
}

static void param_id(DbParams *params, int64_t id)
{
	if (id)
		db_param_int(params, id);
	else
		db_param_null(params);
}

bool challenge_create(Db *db, const ChallengeDraft *draft, int64_t *id_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, draft->challenger_id);
	param_id(&params, draft->opponent_id);
	param_id(&params, draft->address_id);
	db_param_text(&params, draft->kind);
	db_param_text(&params, draft->language);
	db_param_text(&params, draft->rules);
	db_param_text(&params, draft->options);
	db_param_text(&params, draft->visibility);
	db_param_text(&params, draft->seat);
	db_param_text(&params, draft->clock);
	db_param_text(&params, draft->message);
	g_autoptr(DbResult) result = db_run(db, &queries[CHALLENGE_CREATE], &params, error);
	if (!result)
		return false;
	*id_r = db_int(result, 0, 0);
	return true;
}

bool challenge_close(Db *db, const ChallengeEnd *end, bool *closed_r, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, end->challenge_id);
	db_param_text(&params, end->state);
	param_id(&params, end->game_id);
	param_id(&params, end->opponent_id);
	g_autoptr(DbResult) result = db_run(db, &queries[CHALLENGE_CLOSE], &params, error);
	if (!result)
		return false;
	*closed_r = db_touched(result) == 1;
	return true;
}
