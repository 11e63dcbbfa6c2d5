/*
 * The connections of clients: how many an address has, and until when each must have got on with
 * what it does. libmicrohttpd's own time-out only knows silence, so that one byte a second would
 * hold a connection for ever; here a thread looks at the deadlines.
 */
#ifndef SERVICE_HTTP_CLIENT_H
#define SERVICE_HTTP_CLIENT_H

#include "service/request_private.h"

#include <sys/socket.h>

typedef struct HttpClients HttpClients;
typedef struct HttpClient HttpClient;

/* What a connection is doing, and so how long it may. */
typedef enum {
	CLIENT_NEW,     /* connected, has sent nothing yet, or not a whole line */
	CLIENT_HEAD,    /* sends a request's head */
	CLIENT_BODY,    /* sends its body */
	CLIENT_WAITING, /* waits for us: no deadline */
	CLIENT_TAKING,  /* takes the answer */
	CLIENT_IDLE,    /* between two requests */
} ClientPhase;

HttpClients *clients_new(const Config *config);
/* All connections must have ended. */
void clients_free(HttpClients *clients);

/* Whether one more connection from this address is allowed. */
bool clients_admit(HttpClients *clients, const struct sockaddr *address);
HttpClient *clients_open(HttpClients *clients, int socket, const struct sockaddr *address);
void clients_close(HttpClients *clients, HttpClient *client);
/* The client goes on to a phase. The first head of a connection keeps its deadline. False when it
 * was already told that it is too slow: what it sent then is not to be done any more. */
bool clients_phase(HttpClients *clients, HttpClient *client, ClientPhase phase);
/* Ends all idle connections, or all: when the service stops. */
void clients_shut(HttpClients *clients, bool all);
int clients_count(HttpClients *clients);

/* The address a request came from: the peer's, or the one a trusted proxy names in X-Forwarded-For
 * (the rightmost that is not itself trusted). NULL header: none. */
void clients_address(const HttpClients *clients, const HttpClient *client, const char *forwarded,
		     char address_r[REQUEST_ADDRESS_SIZE]);

#endif
