#include "service/mail_act.h"
#include "service/problem.h"

static bool not_yet(GError **error)
{
	problem_set(error, PROBLEM_COMMAND_NOT_YET, NULL);
	return false;
}

bool mail_act_yes(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_no(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_never(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}
