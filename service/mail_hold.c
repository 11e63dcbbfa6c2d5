#include "service/mail_hold.h"

bool mail_hold(MailAct *act, GError **error)
{
	(void)act;
	(void)error;
	return true;
}
