/*
 * All doors of the service in one table: 404, 405 with Allow, OPTIONS, HEAD, the labels of
 * /metrics, the class of rate limit and the test of /openapi.json come from the rows.
 *
 * To add a route: one row in routes[] (route.c), the handler in service/api_….c, its operation in
 * service/openapi.json.
 */
#ifndef SERVICE_ROUTE_H
#define SERVICE_ROUTE_H

#include "service/request.h"

/* Whose credentials a route looks at. REST takes "Authorization: Bearer lp_…", pages the cookie. */
typedef enum {
	ACCESS_NOBODY,  /* looks at none: health, documents */
	ACCESS_ANYONE,  /* a token if there is one; a bad one is refused */
	ACCESS_TOKEN,   /* a token with all scopes of the row */
	ACCESS_VISITOR, /* page: a session if there is one */
	ACCESS_SESSION, /* page: a session, else off to /login */
} Access;

/* Which bucket a request is taken from; limits are settings. Whatever sends mail counts in the
 * database besides (rate_mail_take). */
typedef enum {
	RATE_NONE,
	RATE_READ,
	RATE_WRITE,
	RATE_LOGIN, /* sign-up, login codes, guesses of codes */
	RATE_CLASS_COUNT,
} RateClass;

enum {
	ROUTE_PARTS_MAX = 3,
	ROUTE_TEXT_MAX = 360, /* a name of 30 characters, each escaped (4 bytes, %XX) */
	ROUTE_PATH_MAX = 511,
};

typedef struct Route {
	const char *method;    /* HEAD and OPTIONS are answered from the other rows */
	const char *path;      /* "/v1/games/{id}/turns"; literal paths win over patterns */
	const char *operation; /* operationId in openapi.json; NULL: a page, not in it */
	Access access;
	Scopes scopes; /* all of them are needed, ACCESS_TOKEN only */
	RateClass rate;
	PrefetchFn *prefetch; /* NULL: nothing travels with the authentication */
	HandlerFn *handler;
	const char *produces; /* media types for Accept, "a/b, c/d"; NULL: application/json */
	bool immediate;       /* answered by the network thread: no database, never blocks */
	/* Under /v1 only; others are refused before the handler runs. */
	const char *query; /* parameters it knows, "cursor limit"; NULL: none */
	bool takes_body;   /* false: nothing or an empty object */
} Route;

/* Ends with a row whose path is NULL. */
extern const Route routes[];

/* What a path and method led to. */
typedef struct {
	const Route *route; /* NULL: no such path, or not with this method */
	const char *path;   /* the row's path; NULL: no such path at all */
	char part[ROUTE_PARTS_MAX][ROUTE_TEXT_MAX + 1]; /* texts of {…}, in their order */
	int64_t id[ROUTE_PARTS_MAX]; /* the same as numbers where the part is an id */
} RouteMatch;

/* The path of a target, its escapes written in one way: letters, digits and "-._~" as they are,
 * all else in capitals (RFC 3986 section 6.2.2). "" if it is longer than any of ours. */
void route_path(const char *target, char path_r[ROUTE_PATH_MAX + 1]);
/* Finds the row of a table (routes, or a test's) for a method and a path as route_path wrote it. */
void route_match(const Route *table, const char *method, const char *path, RouteMatch *match_r);
/* "GET, HEAD, OPTIONS" for the path that matched. The caller frees. */
char *route_allow(const Route *table, const RouteMatch *match);
/* The place of {name} among the parts of the row's path; -1 if it has none. */
int route_part(const Route *route, const char *name);
/* Whether the route knows a parameter of the query. */
bool route_knows(const Route *route, const char *parameter);
/* Prints the table, one row a line: method, path, operation, access, scopes, parameters of the
 * query, "body" if it takes one ("ludopost routes"). */
int route_print(void);

#endif
