/* Idempotency-Key of REST (draft-ietf-httpapi-idempotency-key-header): the same key gets the same
 * answer, stored in the transaction of what it did. Refusals changed nothing and are not stored. */
#ifndef SERVICE_IDEMPOTENCY_H
#define SERVICE_IDEMPOTENCY_H

#include "service/request.h"

/* The request's key; *key_r is NULL if it has none (or no player, to whom keys belong).
 * IDEMPOTENCY_KEY_INVALID. */
bool idempotency_key(const Request *request, const char **key_r, GError **error);
/* The same for doors of strangers: the caller sees to whom the key belongs. */
bool idempotency_key_any(const Request *request, const char **key_r, GError **error);
/* SHA-256 of method, target and body, as db_hex() writes it. The caller frees. */
char *idempotency_hash(const Request *request);
/* Marks an answer as one that was given before. Returns it. */
Response *idempotency_replayed(Response *response);

/* Runs a handler that changes something: in one transaction with its key's row. A key that came
 * before gets the first answer (status, Location, body); of two at the same time one waits for the
 * other. What work raises rolls all back. IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_MISMATCH. Wakes the
 * workers at the end. */
Response *idempotency_run(Request *request, HandlerFn *work, GError **error);
/* As idempotency_run for an answer whose member `secret` is shown once: it is not kept, so a key
 * that came before gets the answer without it. */
Response *idempotency_run_secret(Request *request, HandlerFn *work, const char *secret,
				 GError **error);

/* As idempotency_run for a form with a one-time key (form_once): sent twice as it is, it gets the
 * first answer. What was changed in it is another form. */
Response *idempotency_run_form(Request *request, HandlerFn *work, GError **error);

#endif
