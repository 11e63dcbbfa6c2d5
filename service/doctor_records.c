#include "mail/address.h"
#include "mail/dns.h"
#include "service/doctor.h"

#include <string.h>

#define DKIM_SELECTOR "ludopost" /* as docker/postfix/opendkim.conf has it */

/* The one look-up of a run that failed is told once; the others are then spared. */
typedef struct Records {
	Doctor *doctor;
	Dns *dns;
	bool silent; /* no name server answers */
} Records;

static GPtrArray *records_find(Records *records, DnsKind kind, const char *name)
{
	if (records->silent)
		return NULL;
	GPtrArray *found = dns_find(records->dns, kind, name);
	if (found != NULL)
		return found;
	records->silent = true;
	doctor_say(records->doctor, DOCTOR_WARNING, "DNS",
		   "no name server answers: MX, SPF, DKIM, DMARC and PTR records were not looked "
		   "at (--resolver names another one)");
	return NULL;
}

/* The records that begin with these words; NULL if nobody answered. */
static GPtrArray *texts_find(Records *records, const char *name, const char *begin)
{
	GPtrArray *found = records_find(records, DNS_TXT, name);
	for (unsigned i = found == NULL ? 0 : found->len; i > 0; i--)
		if (g_ascii_strncasecmp(found->pdata[i - 1], begin, strlen(begin)) != 0)
			g_ptr_array_remove_index(found, i - 1);
	return found;
}

static void mx_examine(Records *records, const char *domain)
{
	g_autoptr(GPtrArray) hosts = records_find(records, DNS_MX, domain);
	if (hosts == NULL)
		return;
	if (hosts->len > 0)
		doctor_say(records->doctor, DOCTOR_OK, "MX", "mails for %s go to %s", domain,
			   (const char *)hosts->pdata[0]);
	else
		doctor_say(records->doctor,
			   records->doctor->config->inbound ? DOCTOR_FAILURE : DOCTOR_WARNING, "MX",
			   "%s has no MX record: answers and bounces find no way. Add  %s. MX 10 "
			   "(your mail server).",
			   domain, domain);
}

static void spf_examine(Records *records, const char *domain)
{
	g_autoptr(GPtrArray) texts = texts_find(records, domain, "v=spf1");
	Doctor *doctor = records->doctor;
	if (texts == NULL)
		return;
	if (texts->len == 0)
		doctor_say(doctor, DOCTOR_FAILURE, "SPF",
			   "%s has no SPF record: large providers refuse its mails. Add  %s. TXT "
			   "\"v=spf1 a:(your mail server) -all\"",
			   domain, domain);
	else if (texts->len > 1)
		doctor_say(doctor, DOCTOR_FAILURE, "SPF",
			   "%s has %u SPF records, which counts as none: leave one", domain,
			   texts->len);
	else if (strstr(texts->pdata[0], "+all") != NULL ||
		 g_str_has_suffix(texts->pdata[0], " all"))
		doctor_say(doctor, DOCTOR_WARNING, "SPF",
			   "the SPF record of %s lets everybody send in its name: end it with -all",
			   domain);
	else
		doctor_say(doctor, DOCTOR_OK, "SPF", "%s: %s", domain,
			   (const char *)texts->pdata[0]);
}

static void dkim_key_examine(Records *records, const char *domain, const char *selector)
{
	g_autofree char *name = g_strdup_printf("%s._domainkey.%s", selector, domain);
	g_autoptr(GPtrArray) texts = records_find(records, DNS_TXT, name);
	if (texts == NULL)
		return;
	const char *key = texts->len == 0 ? NULL : strstr(texts->pdata[0], "p=");
	if (key != NULL && key[2] != '\0' && key[2] != ';')
		doctor_say(records->doctor, DOCTOR_OK, "DKIM", "%s holds a key", name);
	else
		doctor_say(records->doctor, DOCTOR_FAILURE, "DKIM",
			   "%s holds no key: put the TXT record there that opendkim-genkey wrote",
			   name);
}

static void dkim_examine(Records *records, const char *domain)
{
	Doctor *doctor = records->doctor;
	if (!doctor->signature_sought) {
		dkim_key_examine(records, domain, DKIM_SELECTOR);
		return;
	}
	if (doctor->dkim_domain == NULL || doctor->dkim_selector == NULL) {
		doctor_say(
			doctor, DOCTOR_WARNING, "DKIM",
			"the test mail came back without a signature: see "
			"docker/postfix/opendkim.conf; without one large providers refuse mails");
		return;
	}
	if (g_ascii_strcasecmp(doctor->dkim_domain, domain) != 0)
		doctor_say(doctor, DOCTOR_WARNING, "DKIM",
			   "mails are signed by %s and are from %s: DMARC wants one domain",
			   doctor->dkim_domain, domain);
	dkim_key_examine(records, doctor->dkim_domain, doctor->dkim_selector);
}

/* The record may stand at the domain or at one above it. */
static void dmarc_examine(Records *records, const char *domain)
{
	for (const char *at = domain; strchr(at, '.') != NULL; at = strchr(at, '.') + 1) {
		g_autofree char *name = g_strdup_printf("_dmarc.%s", at);
		g_autoptr(GPtrArray) texts = texts_find(records, name, "v=DMARC1");
		if (texts == NULL)
			return;
		if (texts->len == 0)
			continue;
		doctor_say(records->doctor, DOCTOR_OK, "DMARC", "%s: %s", name,
			   (const char *)texts->pdata[0]);
		return;
	}
	doctor_say(records->doctor, DOCTOR_WARNING, "DMARC",
		   "%s has no DMARC record: large providers want one. Add  _dmarc.%s. TXT "
		   "\"v=DMARC1; p=quarantine\"",
		   domain, domain);
}

/* Whether an address is one that only this host or its own network knows. */
static bool address_is_private(const char *address)
{
	return g_str_has_prefix(address, "127.") || g_str_has_prefix(address, "10.") ||
	       g_str_has_prefix(address, "192.168.") || strcmp(address, "::1") == 0 ||
	       g_ascii_strncasecmp(address, "fe80:", 5) == 0 ||
	       g_ascii_strncasecmp(address, "fd", 2) == 0;
}

static void ptr_examine_address(Records *records, const char *host, const char *address)
{
	g_autoptr(GPtrArray) names = records_find(records, DNS_PTR, address);
	if (names == NULL)
		return;
	for (unsigned i = 0; i < names->len; i++) {
		if (g_ascii_strcasecmp(names->pdata[i], host) != 0)
			continue;
		doctor_say(records->doctor, DOCTOR_OK, "PTR", "%s is %s", address, host);
		return;
	}
	doctor_say(records->doctor, DOCTOR_FAILURE, "PTR",
		   "the PTR record of %s says %s, not %s: whoever gave you the address can set it, "
		   "and large providers refuse mails without",
		   address, names->len > 0 ? (const char *)names->pdata[0] : "nothing", host);
}

static void ptr_examine(Records *records)
{
	Doctor *doctor = records->doctor;
	const char *host = doctor->server_name;
	if (host == NULL || strchr(host, '.') == NULL) {
		doctor_say(doctor, DOCTOR_WARNING, "PTR",
			   "not looked at: the mail server calls itself %s, which is no name the "
			   "world knows",
			   host == NULL ? "nothing" : host);
		return;
	}
	g_autoptr(GPtrArray) addresses = records_find(records, DNS_ADDRESS, host);
	if (addresses == NULL)
		return;
	if (addresses->len == 0)
		doctor_say(doctor, DOCTOR_FAILURE, "PTR",
			   "%s, as the mail server calls itself, has no address: add its A record",
			   host);
	for (unsigned i = 0; i < addresses->len; i++) {
		if (address_is_private(addresses->pdata[i]))
			doctor_say(doctor, DOCTOR_WARNING, "PTR",
				   "%s has the private address %s here: its public one was not "
				   "looked at",
				   host, (const char *)addresses->pdata[i]);
		else
			ptr_examine_address(records, host, addresses->pdata[i]);
	}
}

void doctor_records(Doctor *doctor)
{
	g_autofree char *name = NULL, *from = NULL;
	const char *domain = doctor->config->mail_domain;
	if (strchr(domain, '.') == NULL)
		return; /* doctor_settings has said it */
	g_autoptr(Dns) dns = dns_new(doctor->resolver);
	if (dns == NULL) {
		doctor_say(doctor, DOCTOR_FAILURE, "DNS", "--resolver takes ADDRESS[:PORT]");
		return;
	}
	if (!mail_address_split(doctor->config->mail_from, &name, &from, NULL))
		return;
	const char *from_domain = strchr(from, '@') + 1;
	Records records = {.doctor = doctor, .dns = dns};
	mx_examine(&records, domain);
	spf_examine(&records, domain);
	dkim_examine(&records, from_domain);
	dmarc_examine(&records, from_domain);
	ptr_examine(&records);
}
