#include "dns.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdbool.h>
#include <string.h>

enum { ANSWER_SIZE = 65535, WAIT_S = 2, TRIES = 2, PORT = 53 };

struct Dns {
	struct __res_state state;
};

static bool resolver_set(struct __res_state *state, const char *resolver)
{
	g_auto(GStrv) parts = g_strsplit(resolver, ":", 2);
	guint64 port = PORT;
	struct sockaddr_in address = {.sin_family = AF_INET};
	if (parts[0] == NULL || inet_pton(AF_INET, parts[0], &address.sin_addr) != 1 ||
	    (parts[1] != NULL &&
	     !g_ascii_string_to_unsigned(parts[1], 10, 1, UINT16_MAX, &port, NULL))) {
		return false;
	}
	address.sin_port = htons((uint16_t)port);
	state->nsaddr_list[0] = address;
	state->nscount = 1;
	return true;
}

Dns *dns_new(const char *resolver)
{
	g_autoptr(Dns) dns = g_new0(Dns, 1);
	if (res_ninit(&dns->state) != 0) {
		return NULL;
	}
	dns->state.retrans = WAIT_S;
	dns->state.retry = TRIES;
	if (resolver != NULL && !resolver_set(&dns->state, resolver)) {
		return NULL;
	}
	return g_steal_pointer(&dns);
}

void dns_free(Dns *dns)
{
	if (dns == NULL) {
		return;
	}
	res_nclose(&dns->state);
	g_free(dns);
}

/* The strings of a TXT record, joined. */
static char *txt_read(const uint8_t *data, size_t size)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (size_t at = 0; at < size && at + 1 + data[at] <= size; at += 1 + (size_t)data[at]) {
		g_string_append_len(text, (const char *)data + at + 1, data[at]);
	}
	return g_utf8_make_valid(text->str, -1);
}

static char *name_read(const ns_msg *answer, const uint8_t *data)
{
	char name[NS_MAXDNAME];
	int length = ns_name_uncompress(ns_msg_base(*answer), ns_msg_end(*answer), data, name,
					sizeof name);
	return length < 0 ? NULL : g_ascii_strdown(name, -1);
}

static char *address_read(int family, const uint8_t *data, size_t size)
{
	char text[INET6_ADDRSTRLEN];
	bool fits = size == (family == AF_INET ? NS_INADDRSZ : NS_IN6ADDRSZ);
	return fits ? g_strdup(inet_ntop(family, data, text, sizeof text)) : NULL;
}

static char *record_read(const ns_msg *answer, const ns_rr *record)
{
	const uint8_t *data = ns_rr_rdata(*record);
	size_t size = ns_rr_rdlen(*record);
	switch (ns_rr_type(*record)) {
	case ns_t_a:
		return address_read(AF_INET, data, size);
	case ns_t_aaaa:
		return address_read(AF_INET6, data, size);
	case ns_t_txt:
		return txt_read(data, size);
	case ns_t_ptr:
		return name_read(answer, data);
	case ns_t_mx:
		return size > NS_INT16SZ ? name_read(answer, data + NS_INT16SZ) : NULL;
	default:
		return NULL;
	}
}

/* Adds the records of one type; false if nobody answered. */
static bool type_find(Dns *dns, ns_type type, const char *name, GPtrArray *records)
{
	g_autofree uint8_t *bytes = g_malloc(ANSWER_SIZE);
	int size = res_nquery(&dns->state, name, ns_c_in, (int)type, bytes, ANSWER_SIZE);
	if (size < 0) {
		return dns->state.res_h_errno == HOST_NOT_FOUND ||
		       dns->state.res_h_errno == NO_DATA;
	}
	ns_msg answer;
	if (ns_initparse(bytes, MIN(size, ANSWER_SIZE), &answer) != 0) {
		return false;
	}
	for (int i = 0; i < ns_msg_count(answer, ns_s_an); i++) {
		ns_rr record;
		if (ns_parserr(&answer, ns_s_an, i, &record) != 0 || ns_rr_type(record) != type) {
			continue;
		}
		char *text = record_read(&answer, &record);
		if (text != NULL) {
			g_ptr_array_add(records, text);
		}
	}
	return true;
}

/* "1.0.0.127.in-addr.arpa"; NULL if it is no numeric address. */
static char *reverse_name(const char *address)
{
	uint8_t bytes[NS_IN6ADDRSZ];
	if (inet_pton(AF_INET, address, bytes) == 1) {
		return g_strdup_printf("%d.%d.%d.%d.in-addr.arpa", bytes[3], bytes[2], bytes[1],
				       bytes[0]);
	}
	if (inet_pton(AF_INET6, address, bytes) != 1) {
		return NULL;
	}
	g_autoptr(GString) name = g_string_new(NULL);
	for (int i = NS_IN6ADDRSZ - 1; i >= 0; i--) {
		g_string_append_printf(name, "%x.%x.", bytes[i] & 15, bytes[i] >> 4);
	}
	g_string_append(name, "ip6.arpa");
	return g_string_free(g_steal_pointer(&name), FALSE);
}

GPtrArray *dns_find(Dns *dns, DnsKind kind, const char *name)
{
	static const ns_type types[] = {[DNS_ADDRESS] = ns_t_a,
					[DNS_MX] = ns_t_mx,
					[DNS_TXT] = ns_t_txt,
					[DNS_PTR] = ns_t_ptr};
	g_autoptr(GPtrArray) records = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *reverse = kind == DNS_PTR ? reverse_name(name) : NULL;
	const char *asked = kind == DNS_PTR ? reverse : name;
	if (asked == NULL) {
		return g_steal_pointer(&records);
	}
	bool answered = type_find(dns, types[kind], asked, records);
	if (answered && kind == DNS_ADDRESS) {
		answered = type_find(dns, ns_t_aaaa, asked, records);
	}
	return answered ? g_steal_pointer(&records) : NULL;
}
