#include "service/dispatch.h"

#include "db/session.h"
#include "db/token.h"
#include "service/metrics.h"
#include "service/response_private.h"
#include "service/secret.h"

#include <arpa/inet.h>
#include <string.h>

enum {
	TOKEN_MIN = 8,
	TOKEN_MAX = 200,
	IPV6_NETWORK_SIZE = 8, /* bytes: one customer has a /64, and is one client */
};

struct Dispatcher {
	const Config *config;
	ProblemPageFn *problem_page;
	RateTable *rates;
	bool https;
};

Dispatcher *dispatcher_new(const Config *config, ProblemPageFn *problem_page)
{
	Dispatcher *dispatcher = g_new0(Dispatcher, 1);
	dispatcher->config = config;
	dispatcher->problem_page = problem_page;
	dispatcher->rates = rate_table_new();
	dispatcher->https = g_str_has_prefix(config->public_url, "https://");
	return dispatcher;
}

void dispatcher_free(Dispatcher *dispatcher)
{
	if (dispatcher == NULL)
		return;
	rate_table_free(dispatcher->rates);
	g_free(dispatcher);
}

static bool route_is_page(const Route *route)
{
	return route->access == ACCESS_VISITOR || route->access == ACCESS_SESSION;
}

bool dispatch_is_immediate(const Request *request)
{
	return request->match.route == NULL || request->match.route->immediate;
}

/* ---- credentials ------------------------------------------------------------------------- */

typedef enum { CREDENTIAL_NONE, CREDENTIAL_GIVEN, CREDENTIAL_BAD } CredentialState;

static CredentialState token_read(const Request *request, uint8_t hash_r[SECRET_HASH_SIZE])
{
	static const char scheme[] = "Bearer ";
	const char *value = request_header(request, "Authorization");
	if (value == NULL)
		return CREDENTIAL_NONE;
	if (g_ascii_strncasecmp(value, scheme, sizeof(scheme) - 1) != 0)
		return CREDENTIAL_BAD;
	value += sizeof(scheme) - 1;
	value += strspn(value, " ");
	size_t size = strlen(value);
	if (size < TOKEN_MIN || size > TOKEN_MAX || strncmp(value, "lp_", 3) != 0)
		return CREDENTIAL_BAD;
	secret_hash(value, hash_r);
	return CREDENTIAL_GIVEN;
}

/* A bad cookie is no cookie: browsers send old ones. */
static CredentialState cookie_read(const Request *request, uint8_t hash_r[SECRET_HASH_SIZE])
{
	const char *value = request_cookie(request, REQUEST_SESSION_COOKIE);
	if (value == NULL || *value == '\0' || strlen(value) > TOKEN_MAX)
		return CREDENTIAL_NONE;
	secret_hash(value, hash_r);
	return CREDENTIAL_GIVEN;
}

static CredentialState credential_read(Request *request)
{
	const Route *route = request->match.route;
	if (route->access == ACCESS_NOBODY)
		return CREDENTIAL_NONE;
	return route_is_page(route) ? cookie_read(request, request->credential)
				    : token_read(request, request->credential);
}

static bool credential_queue(Request *request, GError **error)
{
	if (!request->authenticates)
		return true;
	return route_is_page(request->match.route)
		       ? session_auth_queue(request->db, request->credential, error)
		       : token_auth_queue(request->db, request->credential, error);
}

static bool actor_take(Request *request, GError **error)
{
	return !request->authenticates || actor_next(request->db, &request->actor, error);
}

/* ---- limits ------------------------------------------------------------------------------ */

static const char *const rate_names[RATE_CLASS_COUNT] = {
	[RATE_NONE] = "none",
	[RATE_READ] = "read",
	[RATE_WRITE] = "write",
	[RATE_LOGIN] = "login",
};

static ConfigRate rate_limit(const Config *config, RateClass class)
{
	switch (class) {
	case RATE_READ:
		return config->rate_read;
	case RATE_WRITE:
		return config->rate_write;
	default:
		return config->rate_login;
	}
}

/* What of an address counts as one client: an IPv4 address, an IPv6 network. */
static size_t address_key(const char *address, unsigned char key_r[REQUEST_ADDRESS_SIZE])
{
	struct in6_addr bytes;
	if (inet_pton(AF_INET6, address, &bytes) == 1) {
		memcpy(key_r, &bytes, IPV6_NETWORK_SIZE);
		return IPV6_NETWORK_SIZE;
	}
	return g_strlcpy((char *)key_r, address, REQUEST_ADDRESS_SIZE);
}

static bool rate_check(const Dispatcher *dispatcher, Request *request, bool by_address,
		       GError **error)
{
	RateClass class = request->match.route->rate;
	if (class == RATE_NONE)
		return true;
	unsigned char key[1 + MAX(SECRET_HASH_SIZE, (int)REQUEST_ADDRESS_SIZE)];
	size_t size = SECRET_HASH_SIZE;
	key[0] = (unsigned char)class;
	if (by_address)
		size = address_key(request->address, key + 1);
	else
		memcpy(key + 1, request->credential, SECRET_HASH_SIZE);
	request->rate = rate_take(dispatcher->rates, rate_limit(dispatcher->config, class), key,
				  size + 1, g_get_monotonic_time() / 1000);
	request->rate_known = true;
	if (request->rate.allowed)
		return true;
	metrics_rate_refused(class);
	g_autofree char *seconds = g_strdup_printf("%d", request->rate.reset_s);
	problem_set(error, PROBLEM_RATE_LIMITED, "retry_after", seconds, "policy",
		    rate_names[class], NULL);
	return false;
}

/* ---- the first half ---------------------------------------------------------------------- */

#define CHALLENGE "Bearer realm=\"ludopost\""

/* RFC 6750 section 3. */
static void challenge_add(Response *response, const Request *request, ProblemCode code)
{
	if (code == PROBLEM_UNAUTHORIZED)
		response_header(response, "WWW-Authenticate",
				request->authenticates ? CHALLENGE ", error=\"invalid_token\""
						       : CHALLENGE);
	if (code == PROBLEM_SCOPE_MISSING)
		response_header(response, "WWW-Authenticate",
				CHALLENGE ", error=\"insufficient_scope\"");
}

static void problem_headers_add(Response *response, const Request *request, const GError *error);

static Response *options_answer(const char *allow)
{
	Response *response = response_empty(204);
	response_header(response, "Allow", allow);
	return response;
}

/* People who lost their way get a page, programs JSON. */
static Response *lost_answer(const Dispatcher *dispatcher, Request *request, const GError *error)
{
	if (dispatcher->problem_page == NULL || !request_wants_page(request) ||
	    g_str_has_prefix(request->target, "/v1/"))
		return dispatch_problem(request, error);
	Response *response = dispatcher->problem_page(request, error);
	problem_headers_add(response, request, error);
	return response;
}

/* No row: 404, or 405 and OPTIONS for a path that has others. */
static Response *unmatched_answer(const Dispatcher *dispatcher, Request *request)
{
	g_autoptr(GError) error = NULL;
	if (strcmp(request->target, "*") == 0)
		return options_answer("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
	if (request->match.path == NULL) {
		problem_set(&error, PROBLEM_NOT_FOUND, NULL);
		return lost_answer(dispatcher, request, error);
	}
	g_autofree char *allow = route_allow(request->table, &request->match);
	if (strcmp(request->method, "OPTIONS") == 0)
		return options_answer(allow);
	request_problem_header(request, "Allow", allow);
	problem_set(&error, PROBLEM_METHOD_NOT_ALLOWED, "allow", allow, NULL);
	return lost_answer(dispatcher, request, error);
}

static bool accept_check(const Request *request, GError **error)
{
	const char *produces = request->match.route->produces;
	if (produces == NULL)
		produces = "application/json";
	g_auto(GStrv) types = g_strsplit(produces, ", ", -1);
	for (int i = 0; types[i] != NULL; i++)
		if (request_accepts(request, types[i]))
			return true;
	problem_set(error, PROBLEM_NOT_ACCEPTABLE, "produces", produces, NULL);
	return false;
}

/* Nothing is decoded: what a body unpacks to could be of any size (RFC 9110 section 15.5.16). */
static bool encoding_check(Request *request, GError **error)
{
	const char *encoding = request_header(request, "Content-Encoding");
	if (encoding == NULL || request->body == NULL ||
	    g_ascii_strcasecmp(encoding, "identity") == 0)
		return true;
	request_problem_header(request, "Accept-Encoding", "identity");
	problem_set(error, PROBLEM_CONTENT_ENCODING, NULL);
	return false;
}

static bool statements_queue(Request *request, GError **error)
{
	const Route *route = request->match.route;
	return credential_queue(request, error) &&
	       (route->prefetch == NULL || route->prefetch(request, error));
}

static bool begin(const Dispatcher *dispatcher, Request *request, GError **error)
{
	const Route *route = request->match.route;
	if (!accept_check(request, error) || !encoding_check(request, error) ||
	    !request_query_read(request, error))
		return false;
	CredentialState credential = credential_read(request);
	request->authenticates = credential == CREDENTIAL_GIVEN;
	bool by_address = credential != CREDENTIAL_GIVEN || route->rate == RATE_LOGIN;
	if (!rate_check(dispatcher, request, by_address, error))
		return false;
	if (credential == CREDENTIAL_BAD ||
	    (credential == CREDENTIAL_NONE && route->access == ACCESS_TOKEN)) {
		problem_set(error, PROBLEM_UNAUTHORIZED, NULL);
		return false;
	}
	return statements_queue(request, error);
}

static Response *error_answer(const Dispatcher *dispatcher, Request *request, const GError *error);

Response *dispatch_begin(Dispatcher *dispatcher, Request *request)
{
	if (request->match.route == NULL)
		return unmatched_answer(dispatcher, request);
	g_autoptr(GError) error = NULL;
	return begin(dispatcher, request, &error) ? NULL : error_answer(dispatcher, request, error);
}

Response *dispatch_again(const Dispatcher *dispatcher, Request *request)
{
	g_autoptr(GError) error = NULL;
	if (statements_queue(request, &error))
		return NULL;
	db_drain(request->db);
	return error_answer(dispatcher, request, error);
}

/* ---- the second half --------------------------------------------------------------------- */

static Response *login_answer(const Request *request)
{
	g_autofree char *next = g_uri_escape_string(request->target, NULL, FALSE);
	g_autofree char *location = g_strconcat("/login?next=", next, NULL);
	return response_redirect(location);
}

static bool access_check(const Dispatcher *dispatcher, Request *request, GError **error)
{
	const Route *route = request->match.route;
	const Actor *actor = request->actor;
	/* A made-up token has a fresh bucket of its own; guessing is paid for by the address. */
	if (actor == NULL && request->authenticates &&
	    !rate_check(dispatcher, request, true, error))
		return false;
	bool token_wanted = route->access == ACCESS_TOKEN ||
			    (route->access == ACCESS_ANYONE && request->authenticates);
	if (actor == NULL && (token_wanted || route->access == ACCESS_SESSION)) {
		problem_set(error, PROBLEM_UNAUTHORIZED, NULL);
		return false;
	}
	Scopes missing = actor == NULL ? SCOPE_NONE : route->scopes & ~actor->scopes;
	for (unsigned i = 0; i < SCOPE_COUNT; i++) {
		if ((missing & 1u << i) == 0)
			continue;
		problem_set(error, PROBLEM_SCOPE_MISSING, "scope", scope_name((ScopeIndex)i), NULL);
		return false;
	}
	return true;
}

/* What changes something that has no entity tag cannot be made to depend on one: no tag fits, and
 * "*" fits whatever there is (RFC 9110 section 13.1). What is done in a game looks at the game's.
 */
static bool tagless_check(Request *request, GError **error)
{
	const Route *route = request->match.route;
	if (strcmp(route->method, "GET") == 0 || route_is_page(route) ||
	    g_str_has_prefix(route->path, "/v1/games/{id}/"))
		return true;
	return request_if_match(request, NULL, error) &&
	       request_if_none_match(request, NULL, error);
}

static Response *handle(const Dispatcher *dispatcher, Request *request, GError **error)
{
	if (!actor_take(request, error) || !access_check(dispatcher, request, error) ||
	    !request_body_check(request, error) || !tagless_check(request, error))
		return NULL;
	Response *response = request->match.route->handler(request, error);
	g_assert((response == NULL) == (*error != NULL));
	return response;
}

/* A GET whose answer the client already has: the answer without its body, with the headers that
 * RFC 9110 section 15.4.5 wants. */
static Response *unless_known(const Request *request, Response *response)
{
	if (!request_none_match(request, response->etag))
		return response;
	Response *short_one = response_empty(304);
	const char *vary = response_find(response, "Vary");
	if (vary != NULL)
		response_header(short_one, "Vary", vary);
	short_one->etag = g_steal_pointer(&response->etag);
	short_one->cache = response->cache;
	response_free(response);
	return short_one;
}

/* Preconditions of a GET, in the order of RFC 9110 section 13.2.2. Takes response over. */
static Response *conditions_heard(const Dispatcher *dispatcher, Request *request,
				  Response *response)
{
	if (response->etag == NULL || response->status != 200 ||
	    strcmp(request_method(request), "GET") != 0)
		return response;
	g_autoptr(GError) error = NULL;
	g_autofree char *etag = g_strndup(response->etag + 1, strlen(response->etag) - 2);
	if (request_if_match(request, etag, &error))
		return unless_known(request, response);
	request_problem_header(request, "ETag", response->etag);
	response_free(response);
	return error_answer(dispatcher, request, error);
}

Response *dispatch_finish(Dispatcher *dispatcher, Request *request)
{
	g_autoptr(GError) error = NULL;
	Response *response = handle(dispatcher, request, &error);
	if (request->db != NULL)
		db_drain(request->db);
	return response == NULL ? error_answer(dispatcher, request, error)
				: conditions_heard(dispatcher, request, response);
}

/* ---- problems ---------------------------------------------------------------------------- */

static void members_add(json_t *problem, const Request *request)
{
	int failed = json_object_set_new(problem, "request_id", json_string(request->name));
	if (request->members != NULL)
		failed |= json_object_update(problem, request->members);
	g_assert(failed == 0);
}

static void problem_headers_add(Response *response, const Request *request, const GError *error)
{
	int seconds = problem_retry_after(error);
	if (seconds > 0) {
		g_autofree char *text = g_strdup_printf("%d", seconds);
		response_header(response, "Retry-After", text);
	}
	challenge_add(response, request, problem_code(error));
	GPtrArray *pairs = request->headers_of_problem;
	for (unsigned i = 0; pairs != NULL && i < pairs->len; i += 2)
		response_header(response, pairs->pdata[i], pairs->pdata[i + 1]);
}

Response *dispatch_problem(const Request *request, const GError *error)
{
	Language language = request_language(request);
	json_t *problem = problem_json(error, language);
	members_add(problem, request);
	Response *response = response_json(problem_status(problem_code(error)), problem);
	response->content_type = "application/problem+json";
	response_header(response, "Content-Language", language_code(language));
	problem_headers_add(response, request, error);
	return response;
}

/* What is our fault is logged here, where every error of a request passes once. */
static void error_log(const Request *request, const GError *error)
{
	ProblemCode code = problem_code(error);
	if (code == PROBLEM_INTERNAL)
		g_critical("event=request_failed request=%s route=%s error=\"%s\"", request->name,
			   request->match.path, error->message);
	else if (code == PROBLEM_UNAVAILABLE)
		g_debug("event=request_unavailable request=%s error=\"%s\"", request->name,
			error->message);
}

static Response *error_answer(const Dispatcher *dispatcher, Request *request, const GError *error)
{
	const Route *route = request->match.route;
	error_log(request, error);
	if (!route_is_page(route))
		return dispatch_problem(request, error);
	if (strcmp(request_method(request), "GET") == 0 &&
	    g_error_matches(error, PROBLEM_ERROR, PROBLEM_UNAUTHORIZED))
		return login_answer(request);
	if (dispatcher->problem_page == NULL)
		return dispatch_problem(request, error);
	Response *response = dispatcher->problem_page(request, error);
	problem_headers_add(response, request, error);
	return response;
}

/* ---- what every answer carries ----------------------------------------------------------- */

static void header_default(Response *response, const char *name, const char *value)
{
	if (response_find(response, name) == NULL)
		response_header(response, name, value);
}

static void rate_headers_add(const Request *request, Response *response)
{
	const char *name = rate_names[request->match.route->rate];
	const RateState *rate = &request->rate;
	char text[64];
	g_snprintf(text, sizeof(text), "\"%s\";q=%d;w=%d", name, rate->limit.quota,
		   rate->limit.window_s);
	response_header(response, "RateLimit-Policy", text);
	g_snprintf(text, sizeof(text), "\"%s\";r=%d;t=%d", name, rate->remaining, rate->reset_s);
	response_header(response, "RateLimit", text);
}

static bool is_type(const Response *response, const char *type)
{
	return response->content_type != NULL && g_str_has_prefix(response->content_type, type);
}

/* What a browser may load for an answer: our own style and pictures for a page (no script), the
 * style written inside for a drawing, nothing for all else. */
static const char *content_policy(const Response *response)
{
	if (is_type(response, "text/html"))
		return "default-src 'none'; style-src 'self'; img-src 'self' data:; "
		       "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
	if (is_type(response, "image/svg+xml"))
		return "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
	return "default-src 'none'; frame-ancestors 'none'";
}

void dispatch_complete(const Dispatcher *dispatcher, const Request *request, Response *response)
{
	response_header(response, "X-Request-Id", request->name);
	response_header(response, "X-Content-Type-Options", "nosniff");
	header_default(response, "Referrer-Policy", "same-origin");
	header_default(response, "Content-Security-Policy", content_policy(response));
	if (is_type(response, "text/html"))
		header_default(response, "X-Frame-Options", "DENY");
	if (dispatcher->https)
		response_header(response, "Strict-Transport-Security", "max-age=31536000");
	if (request->rate_known)
		rate_headers_add(request, response);
}
