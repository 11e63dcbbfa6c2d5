/* Mail addresses as people enter them, and the key by which one is looked up. */
#ifndef SERVICE_EMAIL_H
#define SERVICE_EMAIL_H

#include <glib.h>

/* The key of an address: equal for spellings that differ in case or in the form of an international
 * domain. NULL if text is no address (mail/address.h) or NULL. The caller frees. */
char *email_key(const char *text);

#endif
