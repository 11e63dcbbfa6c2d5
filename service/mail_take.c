#include "service/mail_take.h"

#include "db/address.h"
#include "db/challenge.h"
#include "db/event.h"
#include "db/player.h"
#include "mail/received.h"
#include "service/email.h"
#include "service/mail_act.h"
#include "service/mail_hold.h"
#include "service/mail_report.h"
#include "service/mail_source.h"
#include "service/mail_steps.h"
#include "service/notation.h"
#include "service/problem.h"
#include "service/rate.h"
#include "service/workers.h"

#include <string.h>

enum { HOUR_S = 3600, DAY_S = 86400, REFUSALS_OFTEN = 10 };

/* One mail on its way through its transaction. */
typedef struct {
	MailSource source;
	InboxMail *mail;
	MailDecision *decision;
	MailAct act;
	int64_t challenge_id; /* that the mail answers; 0: none */
	int64_t invited_id;   /* the address of an invitation that no player has yet; 0: none */
	const char *problem;  /* it was refused with; NULL: none */
} Taking;

static void taking_clear(Taking *taking)
{
	game_free(taking->act.game);
	json_decref(taking->act.answer);
	mail_source_clear(&taking->source);
	mail_decision_free(taking->decision);
	inbox_mail_free(taking->mail);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Taking, taking_clear)

/* ---- deciding ---- */

/* When our own mail server had it, if it says so. */
static bool received_read(Taking *taking, GError **error)
{
	const char *hosts = taking->source.config->mail_trusted_hosts;
	size_t body = 0;
	int64_t seconds = 0;
	g_autoptr(Fields) fields = fields_read(taking->mail->raw, taking->mail->raw_size, &body);

	if (hosts == NULL || fields == NULL || !received_time(fields, hosts, &seconds))
		return true;
	return inbox_received(taking->source.db, taking->mail, seconds, error);
}

/* A mail without a secret is remembered here, as deciding about it asks no memory. */
static void unproven_remember(Taking *taking)
{
	MailDecision *decision = taking->decision;
	const bool acts =
		decision->disposition == MAIL_IN_HOLD || (decision->disposition == MAIL_IN_ACCEPT &&
							  decision->addressee.kind == MAIL_TO_PLAY);
	const bool proven = decision->addressee.secret[0] != '\0';

	if (!acts || proven ||
	    mail_source_remember(&taking->source, &decision->addressee, decision->message_id) !=
		    MAIL_MEMORY_DUPLICATE)
		return;
	decision->disposition = MAIL_IN_IGNORE;
	decision->reason = MAIL_REASON_DUPLICATE;
}

static bool decide(Taking *taking, GError **error)
{
	MailSource *source = &taking->source;
	const Config *config = source->config;
	const MailInContext context = {
		.domain = config->mail_domain,
		.authserv_id = config->mail_authserv_id == NULL ? "" : config->mail_authserv_id,
		.sender = taking->mail->sender,
		.recipient = taking->mail->recipient,
		.source = &mail_source,
		.user_data = source,
	};

	source->mail = taking->mail;
	taking->decision = mail_in_decide(&context, taking->mail->raw, taking->mail->raw_size);
	unproven_remember(taking);
	if (source->error == NULL)
		return true;
	g_propagate_error(error, g_steal_pointer(&source->error));
	return false;
}

/* ---- acting ---- */

/* The address that is answered: the one it was written from if it is the player's, else the
 * primary one; of somebody without an account the invited one. */
static bool address_choose(Taking *taking, GError **error)
{
	MailAct *act = &taking->act;
	g_autoptr(Address) address = NULL, primary = NULL;

	if (!email_find(act->db, taking->decision->from, &address, error))
		return false;
	const bool is_his = address != NULL && act->player_id != 0 &&
			    address->player_id == act->player_id &&
			    taking->decision->disposition != MAIL_IN_HOLD;
	act->address_id = is_his ? address->id : taking->invited_id;
	if (is_his || act->player_id == 0)
		return true;
	if (!address_find_primary(act->db, act->player_id, &primary, error))
		return false;
	act->address_id = primary == NULL ? 0 : primary->id;
	return true;
}

static bool language_load(MailAct *act, GError **error)
{
	g_autoptr(Player) player = NULL;

	if (act->player_id == 0)
		return true;
	if (!player_find(act->db, act->player_id, &player, error))
		return false;
	if (player != NULL)
		language_parse(player->language, &act->language);
	return true;
}

/* The game: of the address, or the one that the command names. */
static bool game_choose(Taking *taking, GError **error)
{
	MailAct *act = &taking->act;
	const int64_t named = taking->decision->command.game_id;

	act->game = g_steal_pointer(&taking->source.game);
	act->ply = taking->decision->addressee.ply;
	act->stage = taking->source.stage;
	if (act->game == NULL && named != 0) {
		if (!game_lock(act->db, named, &act->game, error))
			return false;
		if (act->game != NULL && !game_visible(act->game, act->player_id))
			g_clear_pointer(&act->game, game_free);
		act->ply = act->game == NULL ? 0 : act->game->ply + 1;
	}
	act->seat = act->game == NULL ? 0 : game_seat(act->game, act->player_id);
	return true;
}

/* Whose mail it is: known by the secret, by the mail it answers, or by whom a challenge went to. */
static bool writer_find(Taking *taking, GError **error)
{
	const MailDecision *decision = taking->decision;
	MailAct *act = &taking->act;
	g_autoptr(Challenge) challenge = NULL;

	act->player_id = taking->source.player_id;
	if (decision->addressee.kind != MAIL_TO_INVITE)
		return true;
	if (!challenge_find(act->db, decision->addressee.challenge_id, &challenge, error))
		return false;
	taking->challenge_id = challenge == NULL ? 0 : challenge->id;
	act->player_id = challenge == NULL ? 0 : challenge_invited(challenge);
	if (challenge == NULL || act->player_id != 0)
		return true;
	taking->invited_id = challenge->address_id;
	language_parse(challenge->language, &act->language);
	return true;
}

/* The turn, and the lines of the remark that may have been meant as steps of it; NULL: none was. */
static GPtrArray *doubtful_lines(const MailDecision *decision)
{
	g_autofree char *steps = notation_plain(decision->command.text);
	g_auto(GStrv) lines = g_strsplit(decision->chat, "\n", -1);
	g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(found, g_strdup(decision->command.text));
	for (int i = 0; lines[i] != NULL; i++) {
		if (mail_steps_doubt(lines[i], steps))
			g_ptr_array_add(found, g_strdup(lines[i]));
	}
	return found->len > 1 ? g_steal_pointer(&found) : NULL;
}

/* The rules of a game that the address does not name were not known when the turn was read. */
static void named_turn_judge(Taking *taking)
{
	MailDecision *decision = taking->decision;
	const Game *game = taking->act.game;
	const GameRules *rules = game == NULL ? NULL : rules_find(game->rules);

	if (decision->disposition != MAIL_IN_ACCEPT || decision->chat == NULL ||
	    decision->command.id != MAIL_MOVE || decision->command.game_id == 0 || rules == NULL ||
	    !rules->whole_turn_goes_on)
		return;
	decision->candidates = doubtful_lines(decision);
	if (decision->candidates == NULL)
		return;
	decision->disposition = MAIL_IN_REJECT;
	decision->reason = MAIL_REASON_AMBIGUOUS_COMMAND;
}

static bool act_prepare(Taking *taking, GError **error)
{
	MailAct *act = &taking->act;

	*act = (MailAct){.db = taking->source.db,
			 .config = taking->source.config,
			 .decision = taking->decision,
			 .mail = taking->mail,
			 .language = LANGUAGE_EN};
	if (!writer_find(taking, error) || !language_load(act, error) ||
	    !address_choose(taking, error) || !game_choose(taking, error))
		return false;
	named_turn_judge(taking);
	return true;
}

/* What is refused before any command: the answer tells the reason. */
static void refusal_tell(Taking *taking)
{
	const MailDecision *decision = taking->decision;

	if (!decision->may_answer)
		return;
	taking->act.answer_kind = "refused";
	if (decision->candidates == NULL)
		return;
	json_t *list = json_array();
	for (unsigned i = 0; i < decision->candidates->len; i++)
		json_array_append_new(list, json_string(decision->candidates->pdata[i]));
	mail_act_tell(&taking->act, "candidates", list);
}

static bool act_do(Taking *taking, GError **error)
{
	switch (taking->decision->disposition) {
	case MAIL_IN_ACCEPT:
		return mail_act_run(&taking->act, &taking->problem, error);
	case MAIL_IN_HOLD:
		return mail_hold(&taking->act, error);
	case MAIL_IN_REJECT:
		refusal_tell(taking);
		return true;
	case MAIL_IN_BOUNCE:
	case MAIL_IN_COMPLAINT:
	case MAIL_IN_UNSUBSCRIBE:
		return mail_report(taking->source.db, taking->source.config, taking->decision,
				   taking->source.seat, error);
	case MAIL_IN_IGNORE:
		break;
	}
	return true;
}

/* ---- answering ---- */

/* Whether one more refusal may be told: one an hour about a turn to an address, two a day; what is
 * about no turn, and where many small things can be wrong at once, is answered as often as a person
 * errs. */
static bool refusal_may(const Taking *taking, bool *may_r, GError **error)
{
	const MailAct *act = &taking->act;
	const int64_t game_id = act->game == NULL ? 0 : act->game->id;
	g_autofree char *about = g_strdup_printf("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT ".%d.%d",
						 act->address_id, game_id, act->ply, act->stage);
	const bool often = game_id == 0 || g_strcmp0(taking->problem, "layout-faulty") == 0;
	const int times = often ? REFUSALS_OFTEN : 1;

	if (!rate_mail_may(act->db, "refusal_hour", about, (ConfigRate){times, HOUR_S}, may_r,
			   error))
		return false;
	return !*may_r || rate_mail_may(act->db, "refusal_day", about,
					(ConfigRate){2 * times, DAY_S}, may_r, error);
}

/* The rules have pictures of their own. */
static const char *answer_template(const MailAct *act, bool plays)
{
	if (strcmp(act->answer_kind, "rules") == 0)
		return "rules";
	return plays ? "answer-game" : "answer";
}

static bool answer_append(const Taking *taking, GError **error)
{
	const MailAct *act = &taking->act;
	const bool plays = act->game != NULL && act->seat != 0;
	const Event event = {
		.kind = "mail.answer",
		.game_id = plays ? act->game->id : 0,
		.ply = plays ? act->game->ply : 0,
		.challenge_id = act->challenge_id != 0 ? act->challenge_id : taking->challenge_id,
		.inbox_id = taking->mail->id,
		.player_id = act->player_id,
		.template = answer_template(act, plays),
		.addresses = {act->address_id},
	};

	return event_append(act->db, &event, NULL, error);
}

static bool answer_send(Taking *taking, GError **error)
{
	MailAct *act = &taking->act;
	bool may = act->address_id != 0;

	if (act->answer_kind == NULL)
		return true;
	mail_act_tell(act, "kind", json_string(act->answer_kind));
	if (may && strcmp(act->answer_kind, "refused") == 0 && !refusal_may(taking, &may, error))
		return false;
	return !may || answer_append(taking, error);
}

static bool decision_write(Taking *taking, GError **error)
{
	const MailDecision *decision = taking->decision;
	const MailAct *act = &taking->act;
	g_autofree char *answer =
		act->answer == NULL ? NULL : json_dumps(act->answer, JSON_COMPACT);
	const InboxDecision row = {
		.disposition = mail_disposition_name(decision->disposition),
		.reason = mail_reason_name(decision->reason),
		.command = decision->command.id == MAIL_COMMAND_NONE
				   ? NULL
				   : mail_command_name(decision->command.id),
		.written = decision->command_text,
		.problem = taking->problem,
		.message_id = decision->message_id,
		.game_id = act->game == NULL ? 0 : act->game->id,
		.ply = act->ply,
		.challenge_id = taking->challenge_id,
		.player_id = act->player_id,
		.address_id = act->address_id,
		.answer = answer,
	};

	return inbox_decided(act->db, taking->mail->id, &row, error);
}

/* ---- the transaction ---- */

typedef struct {
	const Config *config;
	int64_t inbox_id;
	bool held;  /* it was, and is confirmed now */
	bool taken; /* somebody else had not done it before */
} Order;

static bool row_lock(Db *db, const Order *order, InboxMail **mail_r, GError **error)
{
	return order->held ? inbox_lock_held(db, order->inbox_id, mail_r, error)
			   : inbox_lock(db, order->inbox_id, mail_r, error);
}

/* A mail that was held acts once its player says that it is his; he was promised to be told what
 * came of it, be it that it came too late. */
static void confirmation_apply(Taking *taking)
{
	MailDecision *decision = taking->decision;

	if (!taking->source.confirmed)
		return;
	decision->may_answer = true;
	if (decision->disposition == MAIL_IN_HOLD)
		decision->disposition = MAIL_IN_ACCEPT;
}

static const char *word(const char *text)
{
	return text == NULL || text[0] == '\0' ? "none" : text;
}

static void taking_log(const Taking *taking)
{
	const MailDecision *decision = taking->decision;

	g_info("event=mail_taken inbox=%" G_GINT64_FORMAT " disposition=%s reason=%s command=%s "
	       "problem=%s player=%" G_GINT64_FORMAT,
	       taking->mail->id, mail_disposition_name(decision->disposition),
	       word(mail_reason_name(decision->reason)),
	       word(mail_command_name(decision->command.id)), word(taking->problem),
	       taking->act.player_id);
}

static bool take_work(Db *db, void *user_data, GError **error)
{
	Order *order = user_data;
	g_auto(Taking) taking = {.source = {.db = db,
					    .config = order->config,
					    .confirmed = order->held,
					    .stage = MAIL_STAGE_NONE}};

	order->taken = false;
	if (!row_lock(db, order, &taking.mail, error))
		return false;
	if (taking.mail == NULL || taking.mail->raw == NULL)
		return true;
	order->taken = true;
	if (!received_read(&taking, error) || !decide(&taking, error))
		return false;
	confirmation_apply(&taking);
	if (!act_prepare(&taking, error) || !act_do(&taking, error) ||
	    !answer_send(&taking, error) || !decision_write(&taking, error))
		return false;
	taking_log(&taking);
	return true;
}

void mail_take(Db *db, const Config *config, int64_t inbox_id, int pause_s)
{
	Order order = {.config = config, .inbox_id = inbox_id};
	g_autoptr(GError) error = NULL;

	if (db_transact(db, take_work, &order, &error)) {
		workers_wake();
		return;
	}
	g_warning("event=mail_left inbox=%" G_GINT64_FORMAT " why=\"%s\"", inbox_id,
		  error->message);
	inbox_release(db, inbox_id, pause_s, NULL);
}

bool mail_take_held(Db *db, const Config *config, int64_t inbox_id, bool *taken_r, GError **error)
{
	Order order = {.config = config, .inbox_id = inbox_id, .held = true};

	if (!db_transact(db, take_work, &order, error))
		return false;
	*taken_r = order.taken;
	workers_wake();
	return true;
}
