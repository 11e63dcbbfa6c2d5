/* Mail addresses as people enter them, and the key by which one is looked up. */
#ifndef SERVICE_EMAIL_H
#define SERVICE_EMAIL_H

#include "db/address.h"

#include <glib.h>

/* The key of an address: equal for spellings that differ in case or in the form of an international
 * domain. NULL if text is no address (mail/address.h) or NULL. The caller frees. */
char *email_key(const char *text);
/* The address that people write so. *address_r is NULL (and the call true) when text is no address
 * or not known. False with DB_ERROR. */
bool email_find(Db *db, const char *text, Address **address_r, GError **error);

#endif
