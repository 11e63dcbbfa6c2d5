#include "service/email.h"

#include "mail/address.h"

char *email_key(const char *text)
{
	if (!mail_address_valid(text))
		return NULL;
	g_autofree char *wire = mail_address_to_ascii(text, NULL);
	return wire ? g_ascii_strdown(wire, -1) : NULL;
}

bool email_find(Db *db, const char *text, Address **address_r, GError **error)
{
	g_autofree char *key = email_key(text);
	*address_r = NULL;
	return key == NULL || address_find_key(db, key, address_r, error);
}
