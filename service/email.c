#include "service/email.h"

#include "mail/address.h"

char *email_key(const char *text)
{
	if (!mail_address_valid(text))
		return NULL;
	g_autofree char *wire = mail_address_to_ascii(text, NULL);
	return wire ? g_ascii_strdown(wire, -1) : NULL;
}
