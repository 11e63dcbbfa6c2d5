#include "service/mail_act.h"
#include "service/problem.h"

static bool not_yet(GError **error)
{
	problem_set(error, PROBLEM_COMMAND_NOT_YET, NULL);
	return false;
}

bool mail_act_games(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_challenge(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_language(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_away(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_rules(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_example(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_stop(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}

bool mail_act_help(MailAct *act, GError **error)
{
	(void)act;
	return not_yet(error);
}
