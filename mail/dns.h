#ifndef MAIL_DNS_H
#define MAIL_DNS_H

#include <glib.h>

/* What the domain name system says, as far as mail depends on it. */

typedef enum DnsKind {
	DNS_ADDRESS, /* A and AAAA, as numeric addresses */
	DNS_MX,      /* host names, without their preference */
	DNS_TXT,     /* the strings of a record joined */
	DNS_PTR,     /* host names; asked for by numeric address */
} DnsKind;

typedef struct Dns Dns;
/* resolver: "ADDRESS" or "ADDRESS:PORT" (IPv4) of a name server; NULL: those of the system. NULL if
 * it is neither. The caller owns it. */
Dns *dns_new(const char *resolver);
void dns_free(Dns *dns);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Dns, dns_free)

/* The records of a name, texts, perhaps none; NULL if no name server answered in time (10 s at
 * most). The caller owns them. */
GPtrArray *dns_find(Dns *dns, DnsKind kind, const char *name);

#endif
