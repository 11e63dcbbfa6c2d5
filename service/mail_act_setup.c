#include "service/mail_act_setup.h"

#include "db/player.h"
#include "db/setup.h"
#include "service/mail_challenge.h"
#include "service/mail_layout.h"
#include "service/mail_source.h"
#include "service/problem.h"
#include "service/setup.h"

#include <string.h>

bool mail_act_in_setup(const MailAct *act)
{
	return act->game != NULL && strcmp(act->game->phase, "setup") == 0;
}

/* ---- what would give a layout away ---- */

/* Whether what the mail says to others shows a part of a layout. */
static bool words_show(const MailDecision *decision)
{
	const MailCommand *command = &decision->command;
	if (command->id == MAIL_SAY && command->arguments != NULL &&
	    mail_layout_shows(command->arguments))
		return true;
	return decision->chat != NULL && mail_layout_shows(decision->chat);
}

/* Whether the mail asks for a game that begins with a set-up. */
static bool asks_for_setup(const MailAct *act)
{
	const MailCommand *command = &act->decision->command;
	const GameRules *rules = act->game == NULL ? NULL : rules_find(act->game->rules);
	MailChallenge wish;
	if (command->id == MAIL_REMATCH)
		return rules != NULL && rules->setup != NULL;
	if (command->id != MAIL_CHALLENGE)
		return false;
	mail_challenge_read(command->arguments, &wish);
	const bool asks = wish.rules != NULL && wish.rules->setup != NULL;
	mail_challenge_clear(&wish);
	return asks;
}

bool mail_act_shows_sealed(MailAct *act, bool *shows_r, GError **error)
{
	*shows_r = false;
	if (!words_show(act->decision))
		return true;
	*shows_r = asks_for_setup(act);
	return *shows_r || setup_sealed(act->db, act->player_id, shows_r, error);
}

/* ---- which pair a mail speaks of ---- */

static void other_round_set(GError **error, int round)
{
	char number[12];
	g_snprintf(number, sizeof(number), "%d", round);
	problem_set(error, PROBLEM_SETUP_OTHER_ROUND, "round", number, NULL);
}

/* The layout in its canonical form; false if it is none of this board. */
static bool layout_read(const SetupView *view, int seat, const char *text, char *canonical_r)
{
	Layout layout;
	view->rules->setup->parse(&view->position, seat, text, &layout);
	if (!view->rules->setup->check(&view->position, seat, &layout))
		return false;
	memcpy(canonical_r, layout.text, sizeof(layout.text));
	return true;
}

/* Whether the layout lies on the writer's own ground already. */
static bool is_in_already(const MailAct *act, const SetupView *view, const char *layout)
{
	char canonical[RULES_LAYOUT_MAX];
	return layout != NULL && layout_read(view, act->seat, layout, canonical) &&
	       strcmp(canonical, view->layout[act->seat - 1]) == 0;
}

/* Whether the opponent has done something in the set-up since the mail came: then a mail whose
 * address tells no stage may speak of what is no more. */
static bool outdated(MailAct *act, bool *outdated_r, GError **error)
{
	g_autoptr(SetupStepList) list = setup_step_list(act->db, act->game->id, error);
	*outdated_r = false;
	if (list == NULL)
		return false;
	for (int i = 0; i < list->count; i++)
		*outdated_r =
			*outdated_r || (list->steps[i].seat != act->seat &&
					strcmp(list->steps[i].at, act->mail->received_at) > 0);
	return true;
}

typedef struct {
	const char *layout; /* as typed; NULL: an acceptance */
	int64_t round;
	bool in_already; /* nothing is to be done */
} Wish;

/* The number of the pair that the mail speaks of. SETUP_OTHER_ROUND. */
static bool round_find(MailAct *act, const SetupView *view, Wish *wish, GError **error)
{
	const int round = view->state.round;
	bool is_outdated = false;
	wish->round = act->stage > 0 ? act->stage : round;
	if (!view->over && act->stage > 0 && act->stage < round && wish->layout == NULL) {
		other_round_set(error, round);
		return false;
	}
	if (view->over || act->stage > 0)
		return true;
	if (act->stage == MAIL_STAGE_NONE && !outdated(act, &is_outdated, error))
		return false;
	if (act->stage == 0)
		is_outdated = !view->state.sealed;
	wish->in_already = is_outdated && is_in_already(act, view, wish->layout);
	if (!is_outdated || wish->in_already)
		return true;
	other_round_set(error, round);
	return false;
}

/* ---- what is done ---- */

/* Which answer tells what came of it. */
static const char *kind_of(const SetupAnswer *answer)
{
	if (answer->began)
		return "setup-began";
	if (answer->accepted)
		return answer->repeated ? "setup-accepted-repeated" : "setup-accepted";
	if (answer->repeated)
		return "layout-repeated";
	if (answer->view.state.sealed)
		return "layout-sealed";
	return answer->view.state.round == 1 ? "layout-opened" : "layout-changed";
}

/* If play has begun and the writer is awaited, the mail that asks for the turn is the answer. */
static bool answer_set(MailAct *act, const SetupAnswer *answer, GError **error)
{
	g_autoptr(Player) player = NULL;
	act->answer_kind = kind_of(answer);
	if (!answer->began || (act->game->awaiting & SEATS_OF(act->seat)) == 0)
		return true;
	if (!player_find(act->db, act->player_id, &player, error))
		return false;
	if (player != NULL && player->mail)
		act->answer_kind = NULL;
	return true;
}

/* Words around a layout go to the opponent in a mail of their own, unless they show layouts. */
static bool words_pass(MailAct *act, bool shown, GError **error)
{
	bool passed = false;
	if (act->decision->chat == NULL)
		return true;
	if (!shown && !mail_act_pass(act, act->decision->chat, &passed, error))
		return false;
	mail_act_tell(act, "remark", json_boolean(passed));
	mail_act_tell(act, "remark_withheld", json_boolean(shown));
	return true;
}

static bool wish_send(MailAct *act, const Wish *wish, GError **error)
{
	g_auto(SetupAnswer) answer = {0};
	bool shown = false;
	const SetupOrder order = {
		.player_id = act->player_id,
		.round = wish->round,
		.layout = wish->layout,
		.channel = "mail",
	};
	return mail_act_shows_sealed(act, &shown, error) &&
	       setup_send(act->db, act->game->id, &order, &answer, error) &&
	       game_reload(act->db, &act->game, error) && answer_set(act, &answer, error) &&
	       words_pass(act, shown, error);
}

/* Whether a pair would be accepted that the writer may never have seen: only an address of the game
 * tells which one the mail is about. */
static bool is_blind(const MailAct *act, const SetupView *view, const char *layout)
{
	return layout == NULL && act->stage == MAIL_STAGE_NONE && !view->over &&
	       !view->state.sealed;
}

static bool setup_do(MailAct *act, const char *layout, GError **error)
{
	SetupView view;
	Wish wish = {.layout = layout};
	if (!setup_view(act->db, act->game, act->player_id, &view, error) ||
	    !round_find(act, &view, &wish, error))
		return false;
	if (!wish.in_already && !is_blind(act, &view, layout))
		return wish_send(act, &wish, error);
	act->answer_kind = wish.in_already ? "layout-repeated" : "setup-which";
	return true;
}

bool mail_act_layout(MailAct *act, GError **error)
{
	const char *layout = act->decision->command.arguments;
	if (layout != NULL)
		return setup_do(act, layout, error);
	act->answer_kind = "layout-missing";
	return true;
}

bool mail_act_setup_accept(MailAct *act, GError **error)
{
	return setup_do(act, NULL, error);
}
