#include "service/mail_act.h"
#include "service/problem.h"

static bool not_yet(GError **error)
{
	problem_set(error, PROBLEM_COMMAND_NOT_YET, NULL);
	return false;
}

bool mail_act_draw(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_accept(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_decline(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_board(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_legal(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_history(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_record(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_clock(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_rematch(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_pause(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}
