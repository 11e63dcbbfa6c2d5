#include "service/http_client.h"

#include "service/metrics.h"
#include "service/problem.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum {
	LOOK_EVERY_MS = 250,
	LAST_WORD_MS = 1000, /* to read why, before the connection is cut */
};

struct HttpClient {
	GList link; /* in HttpClients.all; data points at this */
	int socket;
	bool trusted;
	bool told; /* that it is too slow */
	bool shut;
	ClientPhase phase;
	int64_t deadline_ms; /* 0: none */
	char address[REQUEST_ADDRESS_SIZE];
};

struct HttpClients {
	const Config *config;
	GStrv trusted;
	char *slow_answer;
	GMutex lock; /* of everything below, and of the clients' phases */
	GCond stop;
	bool stopping;
	GQueue all;
	GHashTable *counts; /* address → number of its connections */
	GThread *watcher;
};

static int64_t now_ms(void)
{
	return g_get_monotonic_time() / 1000;
}

/* Numeric text of an address; an IPv4 address that came over IPv6 is an IPv4 address. */
static void address_format(const struct sockaddr *address, char text_r[REQUEST_ADDRESS_SIZE])
{
	g_strlcpy(text_r, "unknown", REQUEST_ADDRESS_SIZE);
	if (address->sa_family == AF_INET) {
		struct sockaddr_in in;
		memcpy(&in, address, sizeof(in));
		inet_ntop(AF_INET, &in.sin_addr, text_r, REQUEST_ADDRESS_SIZE);
	} else if (address->sa_family == AF_INET6) {
		struct sockaddr_in6 in6;
		memcpy(&in6, address, sizeof(in6));
		if (IN6_IS_ADDR_V4MAPPED(&in6.sin6_addr))
			inet_ntop(AF_INET, &in6.sin6_addr.s6_addr[12], text_r,
				  REQUEST_ADDRESS_SIZE);
		else
			inet_ntop(AF_INET6, &in6.sin6_addr, text_r, REQUEST_ADDRESS_SIZE);
	}
}

static bool address_is_trusted(const HttpClients *clients, const char *address)
{
	return clients->trusted != NULL &&
	       g_strv_contains((const char *const *)clients->trusted, address);
}

/* ---- deadlines --------------------------------------------------------------------------- */

/* The network thread sees the end of the stream and closes; the socket stays its own till then. */
static void client_shut(HttpClient *client)
{
	client->shut = true;
	shutdown(client->socket, SHUT_RDWR);
}

/* A whole 408. What the client wants to be spoken to in stands in a head that may not be whole. */
static char *slow_answer(void)
{
	g_autoptr(GError) error = NULL;
	problem_set(&error, PROBLEM_REQUEST_TIMEOUT, NULL);
	json_t *problem = problem_json(error, LANGUAGE_EN);
	char *body = json_dumps(problem, JSON_COMPACT);
	char *answer = g_strdup_printf("HTTP/1.1 408 Request Timeout\r\n"
				       "Content-Type: application/problem+json\r\n"
				       "Content-Language: en\r\nContent-Length: %zu\r\n"
				       "Cache-Control: no-store\r\nConnection: close\r\n\r\n%s",
				       strlen(body), body);
	free(body);
	json_decref(problem);
	return answer;
}

/* Tells a slow sender why, and leaves it a moment: what comes in at a socket that is shut both ways
 * makes the kernel throw away what the client has not read yet. */
static void client_tell(const HttpClients *clients, HttpClient *client, int64_t now)
{
	const char *text = clients->slow_answer;
	(void)!send(client->socket, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL);
	shutdown(client->socket, SHUT_WR);
	client->told = true;
	client->deadline_ms = now + LAST_WORD_MS;
}

static void deadlines_check(HttpClients *clients)
{
	int64_t now = now_ms();
	for (GList *at = clients->all.head; at != NULL; at = at->next) {
		HttpClient *client = at->data;
		if (client->shut || client->deadline_ms == 0 || client->deadline_ms > now)
			continue;
		bool sends = client->phase <= CLIENT_BODY && !client->told;
		if (client->phase != CLIENT_IDLE && !client->told)
			metrics_connection_refused(true);
		if (sends)
			client_tell(clients, client, now);
		else
			client_shut(client);
	}
}

static void *watch(void *data)
{
	HttpClients *clients = data;
	g_mutex_lock(&clients->lock);
	while (!clients->stopping) {
		deadlines_check(clients);
		int64_t until = g_get_monotonic_time() + LOOK_EVERY_MS * G_TIME_SPAN_MILLISECOND;
		g_cond_wait_until(&clients->stop, &clients->lock, until);
	}
	g_mutex_unlock(&clients->lock);
	return NULL;
}

static int phase_seconds(const Config *config, ClientPhase phase)
{
	switch (phase) {
	case CLIENT_NEW:
	case CLIENT_HEAD:
		return config->header_timeout_s;
	case CLIENT_BODY:
	case CLIENT_TAKING:
		return config->body_timeout_s;
	case CLIENT_IDLE:
		return config->idle_timeout_s;
	default:
		return 0;
	}
}

static void phase_set(const HttpClients *clients, HttpClient *client, ClientPhase phase)
{
	int seconds = phase_seconds(clients->config, phase);
	client->phase = phase;
	client->deadline_ms = seconds == 0 ? 0 : now_ms() + seconds * 1000;
}

bool clients_phase(HttpClients *clients, HttpClient *client, ClientPhase phase)
{
	g_mutex_lock(&clients->lock);
	bool wanted = !client->told;
	if (phase == CLIENT_HEAD && client->phase == CLIENT_NEW)
		client->phase = CLIENT_HEAD;
	else if (wanted)
		phase_set(clients, client, phase);
	g_mutex_unlock(&clients->lock);
	return wanted;
}

/* ---- the list ---------------------------------------------------------------------------- */

HttpClients *clients_new(const Config *config)
{
	HttpClients *clients = g_new0(HttpClients, 1);
	clients->config = config;
	if (config->trusted_proxies != NULL)
		clients->trusted = g_strsplit_set(config->trusted_proxies, " ,", -1);
	clients->slow_answer = slow_answer();
	g_mutex_init(&clients->lock);
	g_cond_init(&clients->stop);
	g_queue_init(&clients->all);
	clients->counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	clients->watcher = g_thread_new("deadlines", watch, clients);
	return clients;
}

void clients_free(HttpClients *clients)
{
	if (clients == NULL)
		return;
	g_mutex_lock(&clients->lock);
	clients->stopping = true;
	g_cond_signal(&clients->stop);
	g_mutex_unlock(&clients->lock);
	g_thread_join(clients->watcher);
	g_assert(clients->all.length == 0);
	g_hash_table_unref(clients->counts);
	g_cond_clear(&clients->stop);
	g_mutex_clear(&clients->lock);
	g_strfreev(clients->trusted);
	g_free(clients->slow_answer);
	g_free(clients);
}

/* Changes how many connections an address has; returns how many it has then. */
static int count_change(HttpClients *clients, const char *address, int change)
{
	int count = GPOINTER_TO_INT(g_hash_table_lookup(clients->counts, address)) + change;
	if (change != 0 && count == 0)
		g_hash_table_remove(clients->counts, address);
	else if (change != 0)
		g_hash_table_replace(clients->counts, g_strdup(address), GINT_TO_POINTER(count));
	return count;
}

bool clients_admit(HttpClients *clients, const struct sockaddr *address)
{
	char text[REQUEST_ADDRESS_SIZE];
	address_format(address, text);
	if (address_is_trusted(clients, text))
		return true;
	g_mutex_lock(&clients->lock);
	int count = count_change(clients, text, 0);
	g_mutex_unlock(&clients->lock);
	return count < clients->config->connections_per_address;
}

HttpClient *clients_open(HttpClients *clients, int socket, const struct sockaddr *address)
{
	HttpClient *client = g_new0(HttpClient, 1);
	client->link.data = client;
	client->socket = socket;
	address_format(address, client->address);
	client->trusted = address_is_trusted(clients, client->address);
	g_mutex_lock(&clients->lock);
	phase_set(clients, client, CLIENT_NEW);
	g_queue_push_tail_link(&clients->all, &client->link);
	count_change(clients, client->address, 1);
	g_mutex_unlock(&clients->lock);
	metrics_add(GAUGE_CONNECTIONS, 1);
	return client;
}

void clients_close(HttpClients *clients, HttpClient *client)
{
	g_mutex_lock(&clients->lock);
	g_queue_unlink(&clients->all, &client->link);
	count_change(clients, client->address, -1);
	g_mutex_unlock(&clients->lock);
	g_free(client);
	metrics_add(GAUGE_CONNECTIONS, -1);
}

void clients_shut(HttpClients *clients, bool all)
{
	g_mutex_lock(&clients->lock);
	for (GList *at = clients->all.head; at != NULL; at = at->next) {
		HttpClient *client = at->data;
		if (!client->shut &&
		    (all || client->phase == CLIENT_IDLE || client->phase == CLIENT_NEW))
			client_shut(client);
	}
	g_mutex_unlock(&clients->lock);
}

int clients_count(HttpClients *clients)
{
	g_mutex_lock(&clients->lock);
	int count = (int)clients->all.length;
	g_mutex_unlock(&clients->lock);
	return count;
}

static bool is_numeric(const char *text)
{
	unsigned char bytes[sizeof(struct in6_addr)];
	return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

void clients_address(const HttpClients *clients, const HttpClient *client, const char *forwarded,
		     char address_r[REQUEST_ADDRESS_SIZE])
{
	g_strlcpy(address_r, client->address, REQUEST_ADDRESS_SIZE);
	if (!client->trusted || forwarded == NULL)
		return;
	g_auto(GStrv) hops = g_strsplit(forwarded, ",", -1);
	for (int i = (int)g_strv_length(hops) - 1; i >= 0; i--) {
		const char *hop = g_strstrip(hops[i]);
		if (!is_numeric(hop))
			return;
		g_strlcpy(address_r, hop, REQUEST_ADDRESS_SIZE);
		if (!address_is_trusted(clients, hop))
			return;
	}
}
