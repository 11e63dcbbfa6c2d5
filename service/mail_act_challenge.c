#include "service/mail_act_challenge.h"

#include "db/player.h"
#include "service/lobby.h"
#include "service/mail_act_setup.h"
#include "service/mail_challenge.h"
#include "service/problem.h"

#include <string.h>

enum { MESSAGE_MAX = 500, LIST_MAX = 50 };

char *mail_act_message(const MailAct *act)
{
	const char *words = act->decision->chat;
	return words == NULL
		       ? NULL
		       : g_utf8_substring(words, 0, MIN(g_utf8_strlen(words, -1), MESSAGE_MAX));
}

/* ---- making one ---- */

/* Names the player, or the address, that somebody wants to play. */
static void opponent_set(ChallengeOrder *order, const MailChallenge *wish)
{
	if (wish->is_address)
		order->email = wish->opponent;
	else
		order->opponent_name = wish->opponent;
}

static bool challenge_make(MailAct *act, const MailChallenge *wish, GError **error)
{
	g_autofree char *clock = lobby_clock(NULL, error);
	g_autofree char *message = mail_act_message(act);
	ChallengeOrder order = {
		.challenger_id = act->player_id,
		.language = wish->has_language ? wish->language : act->language,
		.rules = wish->rules->key,
		.options = wish->options,
		.seat = wish->seat,
		.visibility = wish->visibility,
		.clock = clock,
		.message = message,
	};
	opponent_set(&order, wish);
	act->answer_kind = "challenged";
	mail_act_tell(act, "private", json_boolean(strcmp(wish->visibility, "private") == 0));
	g_autoptr(GError) fault = NULL;
	if (clock == NULL ||
	    lobby_challenge(act->db, act->config, &order, &act->challenge_id, &fault))
		return clock != NULL;
	if (g_error_matches(fault, PROBLEM_ERROR, PROBLEM_PLAYER_UNKNOWN)) {
		act->answer_kind = "player-unknown";
		return true;
	}
	g_propagate_error(error, g_steal_pointer(&fault));
	return false;
}

bool mail_act_challenge(MailAct *act, GError **error)
{
	MailChallenge wish;
	bool done = true;
	mail_challenge_read(act->decision->command.arguments, &wish);
	if (wish.fault != MAIL_CHALLENGE_GOOD)
		act->answer_kind = "challenge-fault";
	else
		done = challenge_make(act, &wish, error);
	mail_challenge_clear(&wish);
	return done;
}

/* ---- those that are open ---- */

ChallengeList *mail_act_challenges(MailAct *act, const MailChallengesWish *wish, GError **error)
{
	const ChallengeFilter filter = {
		.player_id = act->player_id,
		.side = wish->outgoing ? CHALLENGES_OUTGOING : CHALLENGES_INCOMING,
		.state = "open",
		.limit = LIST_MAX,
	};
	return challenge_list(act->db, &filter, error);
}

bool mail_act_challenge_fits(const Challenge *challenge, const MailChallengesWish *wish)
{
	if (wish->other_id == 0)
		return true;
	/* Whose address an invitation went to its maker does not know. */
	return wish->outgoing ? strcmp(challenge->kind, "player") == 0 &&
					challenge->opponent_id == wish->other_id
			      : challenge->challenger_id == wish->other_id;
}

void mail_act_challenges_tell(MailAct *act, const ChallengeList *list,
			      const MailChallengesWish *wish)
{
	json_t *rows = json_array();
	json_t *players = json_object_get(act->answer, "players");
	json_t *all = players == NULL ? json_array() : json_incref(players);
	for (int i = 0; i < list->count; i++) {
		const Challenge *challenge = &list->challenges[i];
		if (!mail_act_challenge_fits(challenge, wish))
			continue;
		json_array_append_new(rows, json_pack("[I, s, I]", (json_int_t)challenge->id,
						      challenge->rules,
						      (json_int_t)challenge->challenger_id));
		json_array_append_new(all, json_integer(challenge->challenger_id));
	}
	mail_act_tell(act, "challenges", rows);
	mail_act_tell(act, "players", all);
}

/* ---- answering one ---- */

bool mail_act_challenge_accept(MailAct *act, int64_t challenge_id, const char *kind, GError **error)
{
	int64_t game_id = 0;
	bool repeated = false;
	g_autoptr(Player) player = NULL;
	if (!lobby_accept(act->db, challenge_id, act->player_id, &game_id, &repeated, error) ||
	    !player_find(act->db, act->player_id, &player, error))
		return false;
	act->challenge_id = challenge_id;
	mail_act_tell(act, "game", json_integer(game_id));
	act->answer_kind = !repeated && player != NULL && player->mail ? NULL : kind;
	return true;
}

bool mail_act_challenge_decline(MailAct *act, int64_t challenge_id, GError **error)
{
	bool repeated = false;
	act->answer_kind = "declined";
	act->challenge_id = challenge_id;
	return lobby_decline(act->db, challenge_id, act->player_id, &repeated, error);
}

/* What "accept" and "decline" differ in. */
typedef struct {
	bool accept;
	const char *none, *unknown;
} Reply;

static bool reply_do(MailAct *act, const Reply *reply, int64_t challenge_id, GError **error)
{
	return reply->accept ? mail_act_challenge_accept(act, challenge_id, "accepted", error)
			     : mail_act_challenge_decline(act, challenge_id, error);
}

/* In a game's thread: what the opponent challenged the writer to. */
static bool reply_in_game(MailAct *act, const Reply *reply, GError **error)
{
	const MailChallengesWish wish = {
		.other_id = act->game->seat[act->seat == 1 ? 1 : 0].player_id,
	};
	g_autoptr(ChallengeList) list = mail_act_challenges(act, &wish, error);
	int count = 0;
	int64_t found = 0;
	if (list == NULL)
		return false;
	for (int i = 0; i < list->count; i++)
		if (mail_act_challenge_fits(&list->challenges[i], &wish)) {
			found = list->challenges[i].id;
			count++;
		}
	if (count == 1)
		return reply_do(act, reply, found, error);
	act->answer_kind = count == 0 ? reply->none : "choose";
	if (count > 1)
		mail_act_challenges_tell(act, list, &wish);
	return true;
}

/* In the set-up of a game it is about the pair of layouts that lies open. */
static bool reply_in_setup(MailAct *act, const Reply *reply, GError **error)
{
	if (reply->accept)
		return mail_act_setup_accept(act, error);
	act->answer_kind = "setup-decline";
	return true;
}

/* Elsewhere the number is a challenge's, or that of a game in its set-up. */
static bool reply_by_number(MailAct *act, const Reply *reply, GError **error)
{
	const int64_t id = act->decision->command.game_id;
	const bool is_setup = mail_act_in_setup(act) && act->seat != 0;
	g_autoptr(Challenge) challenge = NULL;
	if (!challenge_find(act->db, id, &challenge, error))
		return false;
	const bool is_seen = challenge != NULL && lobby_visible(challenge, act->player_id);
	const bool is_open = is_seen && strcmp(challenge->state, "open") == 0;
	if (is_setup && !is_open)
		return reply_in_setup(act, reply, error);
	/* The game of this number has nothing to do with it. */
	g_clear_pointer(&act->game, game_free);
	act->seat = 0;
	if (is_setup) {
		act->answer_kind = "reply-two";
		mail_act_tell(act, "challenge", json_integer(id));
		return true;
	}
	if (is_seen)
		return reply_do(act, reply, id, error);
	act->answer_kind = reply->unknown;
	mail_act_tell(act, "challenge", json_integer(id));
	return true;
}

static bool reply_run(MailAct *act, const Reply *reply, GError **error)
{
	if (mail_act_in_setup(act) && act->seat != 0 && act->decision->command.game_id == 0)
		return reply_in_setup(act, reply, error);
	if (act->decision->command.game_id != 0)
		return reply_by_number(act, reply, error);
	return mail_act_game(act, error) && reply_in_game(act, reply, error);
}

bool mail_act_accept(MailAct *act, GError **error)
{
	static const Reply reply = {true, "accept-none", "accept-unknown"};
	return reply_run(act, &reply, error);
}

bool mail_act_decline(MailAct *act, GError **error)
{
	static const Reply reply = {false, "decline-none", "decline-unknown"};
	return reply_run(act, &reply, error);
}
