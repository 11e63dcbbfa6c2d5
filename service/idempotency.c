#include "service/idempotency.h"

#include "db/idempotency.h"
#include "service/workers.h"

#include <string.h>

bool idempotency_key_any(const Request *request, const char **key_r, GError **error)
{
	*key_r = NULL;
	const char *key = request_header(request, "Idempotency-Key");
	if (key == NULL)
		return true;
	const size_t length = strlen(key);
	bool valid = length >= 1 && length <= IDEMPOTENCY_KEY_MAX;
	for (size_t i = 0; i < length; i++)
		valid = valid && key[i] > ' ' && key[i] < 0x7f;
	if (!valid) {
		problem_set(error, PROBLEM_IDEMPOTENCY_KEY_INVALID, NULL);
		return false;
	}
	*key_r = key;
	return true;
}

bool idempotency_key(const Request *request, const char **key_r, GError **error)
{
	if (!idempotency_key_any(request, key_r, error))
		return false;
	if (request_player(request) == 0)
		*key_r = NULL;
	return true;
}

char *idempotency_hash(const Request *request)
{
	size_t size;
	const char *body = request_body(request, &size);
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_checksum_update(sum, (const uint8_t *)request_method(request), -1);
	g_checksum_update(sum, (const uint8_t *)" ", 1);
	g_checksum_update(sum, (const uint8_t *)request_target(request), -1);
	g_checksum_update(sum, (const uint8_t *)"\n", 1);
	g_checksum_update(sum, (const uint8_t *)body, (ssize_t)size);
	uint8_t hash[IDEMPOTENCY_HASH_SIZE];
	size_t length = sizeof(hash);
	g_checksum_get_digest(sum, hash, &length);
	return db_hex(hash, length);
}

Response *idempotency_replayed(Response *response)
{
	response_header(response, "Idempotent-Replayed", "true");
	return response;
}

typedef struct {
	Request *request;
	HandlerFn *work;
	const char *secret; /* the member that is not kept; NULL: none */
	const char *key;
	char *hash;
	Response *response;
} Run;

static Response *answer_again(const IdempotencyAnswer *kept)
{
	Response *response = *kept->body
				     ? response_json_text(kept->status, g_string_new(kept->body))
				     : response_empty(kept->status);
	if (kept->location != NULL)
		response_header(response, "Location", kept->location);
	return idempotency_replayed(response);
}

/* The body as it is kept. */
static char *body_keep(const Run *run)
{
	size_t size;
	const char *bytes = response_body(run->response, &size);
	if (run->secret == NULL)
		return g_strndup(bytes ? bytes : "", size);
	json_t *body = json_loadb(bytes, size, 0, NULL);
	g_assert(body != NULL);
	json_object_del(body, run->secret);
	char *text = json_dumps(body, JSON_COMPACT);
	json_decref(body);
	return text;
}

static bool answer_keep(Db *db, const Run *run, GError **error)
{
	g_autofree char *body = body_keep(run);
	const IdempotencyDraft draft = {
		.player_id = request_player(run->request),
		.key = run->key,
		.request_hash = run->hash,
		.status = response_status(run->response),
		.location = response_find(run->response, "Location"),
		.body = body,
	};
	return idempotency_keep(db, &draft, error);
}

/* Looks for a kept answer; run->response stays NULL if there is none. */
static bool answer_find(Db *db, Run *run, GError **error)
{
	g_autoptr(IdempotencyAnswer) kept = NULL;
	if (!idempotency_find_locked(db, request_player(run->request), run->key, run->hash, &kept,
				     error))
		return false;
	if (kept == NULL)
		return true;
	if (!kept->same_request || kept->body == NULL) {
		problem_set(error, PROBLEM_IDEMPOTENCY_MISMATCH, NULL);
		return false;
	}
	run->response = answer_again(kept);
	return true;
}

static bool run_work(Db *db, void *user_data, GError **error)
{
	Run *run = user_data;
	g_clear_pointer(&run->response, response_free);
	if (run->key != NULL && !answer_find(db, run, error))
		return false;
	if (run->response != NULL)
		return true;
	run->response = run->work(run->request, error);
	return run->response != NULL && (run->key == NULL || answer_keep(db, run, error));
}

static Response *run_do(Run *run, GError **error)
{
	if (!db_transact(request_db(run->request), run_work, run, error)) {
		response_free(run->response);
		return NULL;
	}
	workers_wake();
	return run->response;
}

static Response *run_all(Run *run, GError **error)
{
	if (!idempotency_key(run->request, &run->key, error))
		return NULL;
	g_autofree char *hash = run->key ? idempotency_hash(run->request) : NULL;
	run->hash = hash;
	return run_do(run, error);
}

Response *idempotency_run_form(Request *request, HandlerFn *work, GError **error)
{
	g_autofree char *hash = idempotency_hash(request);
	g_autofree char *key = g_strconcat("form-", hash, NULL);
	const bool once = request_form(request, "once") != NULL && request_player(request) != 0;
	Run run = {.request = request, .work = work, .key = once ? key : NULL, .hash = hash};
	return run_do(&run, error);
}

Response *idempotency_run(Request *request, HandlerFn *work, GError **error)
{
	Run run = {.request = request, .work = work};
	return run_all(&run, error);
}

Response *idempotency_run_secret(Request *request, HandlerFn *work, const char *secret,
				 GError **error)
{
	Run run = {.request = request, .work = work, .secret = secret};
	return run_all(&run, error);
}
