#ifndef MAIL_ADDRESS_H
#define MAIL_ADDRESS_H

#include <stdbool.h>

#include <glib.h>

/* Addresses of mailboxes: the one place of the whole service that says what a valid one is. */

/* Whether `address` (UTF-8) is exactly one mailbox that we can write to: local part of 1–64 ASCII
 * characters as an RFC 5321 dot-string (no quotes, no comments, no display name), one `@`, a domain
 * of letters, digits and hyphens (international domains are converted, RFC 5891), at most 254 bytes
 * in all. NULL is no address. */
bool mail_address_valid(const char *address);

/* The address as it goes on the wire: the domain as lower-case ASCII (punycode), the local part
 * untouched. The caller owns it. NULL and MAIL_ERROR_ADDRESS, whose message says what is wrong
 * without repeating the address, if it is none. */
char *mail_address_to_ascii(const char *address, GError **error);

/* Takes "Name <address>" or a bare address apart; the name may stand in quotes. The caller owns
 * both; `name_r` becomes NULL where there is none. False and MAIL_ERROR_ADDRESS if the address is
 * none. */
bool mail_address_split(const char *mailbox, char **name_r, char **address_r, GError **error);

/* Whether `domain` is a domain name in ASCII that may follow the `@`, as checked above. */
bool mail_domain_valid(const char *domain);

#endif
