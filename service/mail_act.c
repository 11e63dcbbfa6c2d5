#include "service/mail_act.h"

#include "db/remark.h"
#include "db/seat.h"
#include "service/mail_act_setup.h"
#include "service/problem.h"

void mail_act_tell(MailAct *act, const char *name, json_t *value)
{
	if (act->answer == NULL)
		act->answer = json_object();
	if (json_object_set_new(act->answer, name, value) != 0)
		g_error("event=out_of_memory where=mail_act");
}

bool mail_act_game(const MailAct *act, GError **error)
{
	if (act->game != NULL && act->seat != 0)
		return true;
	problem_set(error, PROBLEM_NOT_FOUND, NULL);
	return false;
}

bool mail_act_remark(MailAct *act, bool *kept_r, GError **error)
{
	int64_t id = 0;
	const RemarkDraft draft = {
		.game_id = act->game->id,
		.ply = act->game->ply,
		.player_id = act->player_id,
		.text = act->decision->chat,
		.with_turn = true,
	};

	*kept_r = false;
	if (draft.text == NULL)
		return true;
	if (!remark_add(act->db, &draft, &id, error))
		return false;
	*kept_r = id != 0;
	return true;
}

/* The number that follows "accept" or "decline" may be a challenge's. */
static bool needs_game(const MailCommandRow *row)
{
	return row->needs_game && row->id != MAIL_ACCEPT && row->id != MAIL_DECLINE;
}

/* Who writes to a game wants its mails (again), unless that is what the command is about. */
static bool mails_resume(const MailAct *act, const MailCommandRow *row, GError **error)
{
	if (act->game == NULL || act->seat == 0 || row->id == MAIL_PAUSE || row->id == MAIL_STOP)
		return true;
	return seat_mail_stop(act->db, act->game->id, act->player_id, false, error);
}

static bool run_work(Db *db, void *user_data, GError **error)
{
	MailAct *act = user_data;
	const MailCommandRow *row = mail_command_row(act->decision->command.id);

	bool shows = false;

	(void)db;
	if (!mail_act_shows_sealed(act, &shows, error))
		return false;
	/* A layout that is good, or whose faults are told, is answered as such; its words stay
	 * here. */
	if (shows && act->decision->command.id != MAIL_LAYOUT) {
		problem_set(error, PROBLEM_LAYOUT_FAULTY, NULL);
		return false;
	}
	if (row == NULL)
		return mail_act_words(act, error);
	if (needs_game(row) && !mail_act_game(act, error))
		return false;
	return row->act(act, error) && mails_resume(act, row, error);
}

/* A refusal becomes the answer. */
static void refusal_tell(MailAct *act, const GError *refusal, const char **problem_r)
{
	*problem_r = problem_type(problem_code(refusal));
	act->answer_kind = "refused";
	json_t *arguments = problem_arguments(refusal);
	if (arguments != NULL)
		mail_act_tell(act, "arguments", arguments);
	if (act->decision->command.id == MAIL_MOVE)
		mail_act_tell(act, "turn", json_string(act->decision->command.text));
}

bool mail_act_run(MailAct *act, const char **problem_r, GError **error)
{
	g_autoptr(GError) refusal = NULL;

	*problem_r = NULL;
	if ((act->decision->flags & MAIL_FLAG_CHAT_LOSSY) != 0)
		mail_act_tell(act, "remark_cut", json_true());
	if (db_transact(act->db, run_work, act, &refusal))
		return true;
	if (refusal->domain != PROBLEM_ERROR || problem_code(refusal) == PROBLEM_UNAVAILABLE) {
		g_propagate_error(error, g_steal_pointer(&refusal));
		return false;
	}
	refusal_tell(act, refusal, problem_r);
	return true;
}
