/*
 * The cookies of pages. The session's is always Secure HttpOnly SameSite=Lax: browsers take Secure
 * cookies from https and from http on this very host (localhost, 127.0.0.1). Only where public_url
 * is http on another host, which no site should be, Secure is left out: nobody could log in.
 */
#ifndef SERVICE_WEB_COOKIE_H
#define SERVICE_WEB_COOKIE_H

#include "service/request.h"

#define COOKIE_VISITOR "ludopost_visitor"   /* binds the forms of strangers */
#define COOKIE_LANGUAGE "ludopost_language" /* chosen by a stranger */
#define COOKIE_NEXT "ludopost_next"         /* where to go after the login */

/* A new session for 30 days; value: its secret. */
void cookie_session_set(Response *response, const Config *config, const char *value);
/* Ends it in the browser. */
void cookie_session_clear(Response *response, const Config *config);
/* One of the others; value: visible ASCII without ";" and ",". Seconds 0: deletes it. */
void cookie_set(Response *response, const Config *config, const char *name, const char *value,
		int seconds);

#endif
