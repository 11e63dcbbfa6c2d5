#include "service/lobby.h"

#include "db/address.h"
#include "db/event.h"
#include "db/game.h"
#include "db/player.h"
#include "rules/rules.h"
#include "service/email.h"
#include "service/lobby_private.h"
#include "service/name.h"
#include "service/problem.h"
#include "service/rate.h"
#include "service/rule_book.h"
#include "service/secret.h"
#include "service/workers.h"

#include <string.h>

static bool is(const char *text, const char *wanted)
{
	return g_strcmp0(text, wanted) == 0;
}

/* ---- making a challenge ---- */

typedef struct {
	const Config *config;
	const ChallengeOrder *order;
	int64_t *id_r;
	/* Found out on the way. */
	ChallengeDraft draft;
	Event event;
} Making;

static bool rules_check(const ChallengeOrder *order, GError **error)
{
	if (order->rules == NULL)
		return false;
	const GameRules *rules = rules_find(order->rules);
	if (rules == NULL) {
		g_autofree char *keys = rule_book_keys();
		problem_set_field(error, "rules", FIELD_NOT_A_CHOICE, "choices", keys, NULL);
		return false;
	}
	if (order->options == NULL)
		return false;
	Position position;
	Refusal refusal;
	if (!rules->start(order->options, &position, &refusal)) {
		problem_set_field(error, "options", FIELD_BAD_OPTIONS, "rules", rules->key, NULL);
		return false;
	}
	return true;
}

bool lobby_challenge_check(const ChallengeOrder *order, GError **error)
{
	const bool good = rules_check(order, error);
	g_autofree char *key = order->email != NULL ? email_key(order->email) : NULL;
	if (order->email == NULL || key != NULL)
		return good;
	problem_set_field(error, "email", FIELD_NOT_AN_ADDRESS, NULL);
	return false;
}

/* Mails that one player causes are limited, whoever gets them. */
static bool sender_rate(Db *db, const Making *making, GError **error)
{
	char key[24];
	g_snprintf(key, sizeof(key), "%" G_GINT64_FORMAT, making->order->challenger_id);
	return rate_mail_take(db, "challenge.player", key, making->config->rate_mail_client, error);
}

/* What one player may write to people who did not ask for it: so many a day, and fewer to one of
 * them. Counted whether the address is a player's or not, so that nothing tells. */
static bool invitation_rate(Db *db, const Making *making, const char *email_key_text,
			    GError **error)
{
	const Config *config = making->config;
	g_autofree char *sender =
		g_strdup_printf("%" G_GINT64_FORMAT, making->order->challenger_id);
	g_autofree char *pair = g_strconcat(sender, " ", email_key_text, NULL);
	return rate_mail_take(db, "invitation.player", sender, config->rate_invitation, error) &&
	       rate_mail_take(db, "invitation.pair", pair, config->rate_invitation_same, error);
}

static bool opponent_find(Db *db, Making *making, GError **error)
{
	const ChallengeOrder *order = making->order;
	g_autoptr(Player) player = NULL;
	g_autofree char *key = order->opponent_name ? name_key(order->opponent_name) : NULL;
	if (key != NULL ? !player_find_name_key(db, key, &player, error)
			: !player_find(db, order->opponent_id, &player, error))
		return false;
	if (player == NULL || player->id == order->challenger_id) {
		problem_set(error, player ? PROBLEM_OWN_CHALLENGE : PROBLEM_PLAYER_UNKNOWN, NULL);
		return false;
	}
	making->draft.kind = "player";
	making->draft.opponent_id = player->id;
	making->event.template = "challenge";
	making->event.players[0] = player->id;
	return sender_rate(db, making, error);
}

/* The address's owner, if it is one's confirmed address. */
static int64_t owner_of(const Address *address)
{
	return is(address->state, "confirmed") || is(address->state, "dead") ? address->player_id
									     : 0;
}

static bool address_find(Db *db, Making *making, GError **error)
{
	const ChallengeOrder *order = making->order;
	const char *language = language_code(order->language);
	g_autofree char *key = email_key(order->email);
	g_autoptr(Address) address = NULL;
	if (!sender_rate(db, making, error) || !invitation_rate(db, making, key, error) ||
	    !rate_mail_take(db, "challenge.address", key, making->config->rate_mail_address,
			    error) ||
	    !address_obtain(db, order->email, key, language, &address, error))
		return false;
	const int64_t owner = owner_of(address);
	if (owner == order->challenger_id) {
		problem_set(error, PROBLEM_OWN_CHALLENGE, NULL);
		return false;
	}
	making->draft.kind = "address";
	making->draft.address_id = address->id;
	making->draft.opponent_id = owner;
	making->draft.language = language;
	making->event.template = owner ? "challenge" : "invitation";
	making->event.players[0] = owner;
	making->event.addresses[0] = owner || is(address->state, "never") ? 0 : address->id;
	return true;
}

static bool challenge_work(Db *db, void *user_data, GError **error)
{
	Making *making = user_data;
	const ChallengeOrder *order = making->order;
	making->draft = (ChallengeDraft){
		.challenger_id = order->challenger_id,
		.kind = "open",
		.rules = order->rules,
		.options = order->options,
		.visibility = order->visibility,
		.seat = order->seat,
		.clock = order->clock,
		.message = order->message,
	};
	making->event = (Event){.kind = "challenge.created", .player_id = order->challenger_id};
	if (order->opponent_id != 0 || order->opponent_name != NULL) {
		if (!opponent_find(db, making, error))
			return false;
	} else if (order->email != NULL && !address_find(db, making, error)) {
		return false;
	}
	if (!challenge_create(db, &making->draft, making->id_r, error))
		return false;
	making->event.challenge_id = *making->id_r;
	return event_append(db, &making->event, NULL, error);
}

bool lobby_challenge(Db *db, const Config *config, const ChallengeOrder *order, int64_t *id_r,
		     GError **error)
{
	Making making = {.config = config, .order = order, .id_r = id_r};
	if (!lobby_challenge_check(order, error) ||
	    !db_transact(db, challenge_work, &making, error))
		return false;
	workers_wake();
	g_info("event=challenge_made challenge=%" G_GINT64_FORMAT " player=%" G_GINT64_FORMAT
	       " kind=%s rules=%s",
	       *id_r, order->challenger_id, making.draft.kind, order->rules);
	return true;
}

/* ---- answering ---- */

/* Whether the challenge is this player's to accept. */
static bool addressee(const Challenge *challenge, int64_t player_id)
{
	return player_id != 0 &&
	       (is(challenge->kind, "open") || challenge->opponent_id == player_id ||
		challenge->address_player_id == player_id);
}

bool lobby_visible(const Challenge *challenge, int64_t player_id)
{
	return is(challenge->kind, "open") || addressee(challenge, player_id) ||
	       (player_id != 0 && challenge->challenger_id == player_id);
}

static bool refuse(GError **error, ProblemCode code)
{
	problem_set(error, code, NULL);
	return false;
}

/* The position a game begins with: nothing is laid out yet where there is a set-up. */
static void position_start(const GameRules *rules, const char *options, Position *position_r)
{
	Refusal refusal;
	const bool started = rules->setup != NULL
				     ? rules->setup->start(options, position_r, &refusal)
				     : rules->start(options, position_r, &refusal);
	g_assert(started);
}

/* Begins the game of a challenge. */
static bool game_begin(Db *db, const Challenge *challenge, int64_t player_id, int64_t *game_id_r,
		       GError **error)
{
	const GameRules *rules = rules_find(challenge->rules);
	Position position;
	char board[RULES_BOARD_MAX], bare_board[RULES_BOARD_MAX];
	position_start(rules, challenge->options, &position);
	rules->format(&position, 0, board);
	rules->format_bare(&position, bare_board);
	uint8_t lot = 0;
	if (is(challenge->seat, "random"))
		secret_random(&lot, 1);
	const bool second = is(challenge->seat, "second") || (lot & 1);
	const GameDraft draft = {
		.rules = challenge->rules,
		.options = challenge->options,
		.visibility = challenge->visibility,
		.phase = rules->setup != NULL ? "setup" : "play",
		.board = board,
		.clock = challenge->clock,
		.board_key = (int64_t)rules_board_key(bare_board),
		.awaiting = rules->to_move(&position),
		.player_id = {second ? player_id : challenge->challenger_id,
			      second ? challenge->challenger_id : player_id},
	};
	return game_create(db, &draft, game_id_r, error);
}

static bool accepted_append(Db *db, const Challenge *challenge, int64_t player_id, int64_t game_id,
			    GError **error)
{
	const Event accepted = {
		.kind = "challenge.accepted",
		.game_id = game_id,
		.challenge_id = challenge->id,
		.player_id = player_id,
	};
	const Event started = {
		.kind = "game.started",
		.game_id = game_id,
		.challenge_id = challenge->id,
		.player_id = player_id,
		.template = "game-started",
		.players = {challenge->challenger_id, player_id},
	};
	return event_append(db, &accepted, NULL, error) && event_append(db, &started, NULL, error);
}

bool lobby_accept_locked(Db *db, const Challenge *challenge, int64_t player_id, int64_t *game_id_r,
			 bool *repeated_r, GError **error)
{
	if (challenge->challenger_id == player_id)
		return refuse(error, PROBLEM_OWN_CHALLENGE);
	*repeated_r = is(challenge->state, "accepted") && challenge->opponent_id == player_id;
	*game_id_r = challenge->game_id;
	if (*repeated_r)
		return true;
	if (!is(challenge->state, "open"))
		return refuse(error, PROBLEM_CHALLENGE_CLOSED);
	bool closed = false;
	if (!game_begin(db, challenge, player_id, game_id_r, error))
		return false;
	const ChallengeEnd end = {
		.challenge_id = challenge->id,
		.state = "accepted",
		.game_id = *game_id_r,
		.opponent_id = player_id,
	};
	if (!challenge_close(db, &end, &closed, error))
		return false;
	g_assert(closed);
	g_info("event=game_started game=%" G_GINT64_FORMAT " challenge=%" G_GINT64_FORMAT
	       " player=%" G_GINT64_FORMAT " rules=%s",
	       *game_id_r, challenge->id, player_id, challenge->rules);
	return accepted_append(db, challenge, player_id, *game_id_r, error);
}

/* One player's answer to one challenge. */
typedef struct {
	int64_t challenge_id, player_id;
	int64_t *game_id_r;
	bool *repeated_r;
} Answering;

/* Locks a challenge the player may see. */
static Challenge *challenge_take(Db *db, const Answering *answering, GError **error)
{
	g_autoptr(Challenge) challenge = NULL;
	if (!challenge_lock(db, answering->challenge_id, &challenge, error))
		return NULL;
	if (challenge == NULL || !lobby_visible(challenge, answering->player_id)) {
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
		return NULL;
	}
	return g_steal_pointer(&challenge);
}

static bool accept_work(Db *db, void *user_data, GError **error)
{
	const Answering *answering = user_data;
	g_autoptr(Challenge) challenge = challenge_take(db, answering, error);
	return challenge != NULL &&
	       lobby_accept_locked(db, challenge, answering->player_id, answering->game_id_r,
				   answering->repeated_r, error);
}

bool lobby_accept(Db *db, int64_t challenge_id, int64_t player_id, int64_t *game_id_r,
		  bool *repeated_r, GError **error)
{
	Answering answering = {challenge_id, player_id, game_id_r, repeated_r};
	const bool done = db_transact(db, accept_work, &answering, error);
	workers_wake();
	return done;
}

/* Closes without a game, unless it was closed so before. */
static bool close_so(Db *db, const Challenge *challenge, const char *state, bool *repeated_r,
		     GError **error)
{
	*repeated_r = is(challenge->state, state);
	if (*repeated_r)
		return true;
	if (!is(challenge->state, "open"))
		return refuse(error, PROBLEM_CHALLENGE_CLOSED);
	bool closed = false;
	const ChallengeEnd end = {.challenge_id = challenge->id, .state = state};
	return challenge_close(db, &end, &closed, error);
}

bool lobby_decline_locked(Db *db, const Challenge *challenge, int64_t player_id, bool *repeated_r,
			  GError **error)
{
	if (!close_so(db, challenge, "declined", repeated_r, error))
		return false;
	const Event event = {
		.kind = "challenge.declined",
		.challenge_id = challenge->id,
		.player_id = player_id,
		.template = "challenge-declined",
		.players = {challenge->challenger_id},
	};
	return *repeated_r || event_append(db, &event, NULL, error);
}

static bool decline_work(Db *db, void *user_data, GError **error)
{
	const Answering *answering = user_data;
	g_autoptr(Challenge) challenge = challenge_take(db, answering, error);
	if (challenge == NULL)
		return false;
	if (challenge->challenger_id == answering->player_id)
		return refuse(error, PROBLEM_OWN_CHALLENGE);
	if (is(challenge->kind, "open"))
		return refuse(error, PROBLEM_NOT_ALLOWED);
	return lobby_decline_locked(db, challenge, answering->player_id, answering->repeated_r,
				    error);
}

bool lobby_decline(Db *db, int64_t challenge_id, int64_t player_id, bool *repeated_r,
		   GError **error)
{
	Answering answering = {challenge_id, player_id, NULL, repeated_r};
	const bool done = db_transact(db, decline_work, &answering, error);
	workers_wake();
	return done;
}

static bool cancel_work(Db *db, void *user_data, GError **error)
{
	const Answering *answering = user_data;
	g_autoptr(Challenge) challenge = challenge_take(db, answering, error);
	if (challenge == NULL)
		return false;
	if (challenge->challenger_id != answering->player_id)
		return refuse(error, PROBLEM_NOT_ALLOWED);
	if (!close_so(db, challenge, "cancelled", answering->repeated_r, error))
		return false;
	const Event event = {
		.kind = "challenge.cancelled",
		.challenge_id = challenge->id,
		.player_id = answering->player_id,
	};
	return *answering->repeated_r || event_append(db, &event, NULL, error);
}

bool lobby_cancel(Db *db, int64_t challenge_id, int64_t player_id, bool *repeated_r, GError **error)
{
	Answering answering = {challenge_id, player_id, NULL, repeated_r};
	return db_transact(db, cancel_work, &answering, error);
}
