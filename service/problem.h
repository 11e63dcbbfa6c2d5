/*
 * Everything that can be refused, in one table: HTTP status, type of RFC 9457, and the keys of its
 * texts ("problem.<type>" and "problem.<type>.detail" in service/text/<lang>.problem.ini).
 *
 * To add a problem: one row here, two texts in each language. A {{name}} in the detail is filled
 * with the argument of that name given to problem_set, which also stands in the JSON under it. If
 * an argument "reason" was given and "problem.<type>.<reason>" is a text, that is the detail.
 */
#ifndef SERVICE_PROBLEM_H
#define SERVICE_PROBLEM_H

#include "service/language.h"

#include <glib.h>
#include <jansson.h>

/* Code, HTTP status, type, seconds after which the same request may succeed (Retry-After; 0: never,
 * or said by the argument "retry_after"). */
#define PROBLEMS(X)                                                   \
	X(REQUEST_MALFORMED, 400, "request-malformed", 0)             \
	X(TARGET_INVALID, 400, "target-invalid", 0)                   \
	X(QUERY_INVALID, 400, "query-invalid", 0)                     \
	X(JSON_INVALID, 400, "json-invalid", 0)                       \
	X(FORM_INVALID, 400, "form-invalid", 0)                       \
	X(PRECONDITION_MALFORMED, 400, "precondition-malformed", 0)   \
	X(CURSOR_INVALID, 400, "cursor-invalid", 0)                   \
	X(IDEMPOTENCY_KEY_INVALID, 400, "idempotency-key-invalid", 0) \
	X(PLY_MISSING, 400, "ply-missing", 0)                         \
	X(TURN_UNREADABLE, 400, "turn-unreadable", 0)                 \
	X(UNAUTHORIZED, 401, "unauthorized", 0)                       \
	X(SCOPE_MISSING, 403, "scope-missing", 0)                     \
	X(NOT_ALLOWED, 403, "not-allowed", 0)                         \
	X(FORM_STALE, 403, "form-stale", 0)                           \
	X(NOT_FOUND, 404, "not-found", 0)                             \
	X(METHOD_NOT_ALLOWED, 405, "method-not-allowed", 0)           \
	X(NOT_ACCEPTABLE, 406, "not-acceptable", 0)                   \
	X(REQUEST_TIMEOUT, 408, "request-timeout", 0)                 \
	X(PLY_PLAYED, 409, "ply-played", 0)                           \
	X(PLY_AHEAD, 409, "ply-ahead", 0)                             \
	X(GAME_OVER, 409, "game-over", 0)                             \
	X(GAME_NOT_OVER, 409, "game-not-over", 0)                     \
	X(CHALLENGE_CLOSED, 409, "challenge-closed", 0)               \
	X(OWN_CHALLENGE, 409, "own-challenge", 0)                     \
	X(NOT_YOUR_TURN, 409, "not-your-turn", 0)                     \
	X(NO_SETUP, 409, "no-setup", 0)                               \
	X(SETUP_NOT_OVER, 409, "setup-not-over", 0)                   \
	X(SETUP_OVER, 409, "setup-over", 0)                           \
	X(SETUP_OTHER_ROUND, 409, "setup-other-round", 0)             \
	X(SETUP_NOT_AWAITED, 409, "setup-not-awaited", 0)             \
	X(SETUP_NOTHING_TO_ACCEPT, 409, "setup-nothing-to-accept", 0) \
	X(SETUP_NO_CHANGES_LEFT, 409, "setup-no-changes-left", 0)     \
	X(NAME_TAKEN, 409, "name-taken", 0)                           \
	X(ADDRESS_TAKEN, 409, "address-taken", 0)                     \
	X(ADDRESS_PRIMARY, 409, "address-primary", 0)                 \
	X(LIMIT_REACHED, 409, "limit-reached", 0)                     \
	X(CODE_USED, 410, "code-used", 0)                             \
	X(CODE_EXPIRED, 410, "code-expired", 0)                       \
	X(PRECONDITION_FAILED, 412, "precondition-failed", 0)         \
	X(BODY_TOO_LARGE, 413, "body-too-large", 0)                   \
	X(TARGET_TOO_LONG, 414, "target-too-long", 0)                 \
	X(UNSUPPORTED_MEDIA_TYPE, 415, "unsupported-media-type", 0)   \
	X(CONTENT_ENCODING, 415, "content-encoding-unsupported", 0)   \
	X(EXPECTATION_FAILED, 417, "expectation-failed", 0)           \
	X(FIELD_INVALID, 422, "field-invalid", 0)                     \
	X(PLAYER_UNKNOWN, 422, "player-unknown", 0)                   \
	X(CODE_UNKNOWN, 422, "code-unknown", 0)                       \
	X(TURN_ILLEGAL, 422, "turn-illegal", 0)                       \
	X(CLOCK_NOT_YET, 422, "clock-not-yet", 0)                     \
	X(COMMAND_NOT_YET, 422, "command-not-yet", 0)                 \
	X(LAYOUT_FAULTY, 422, "layout-faulty", 0)                     \
	X(LAYOUT_LIKE_UNKNOWN, 422, "layout-like-unknown", 0)         \
	X(IDEMPOTENCY_MISMATCH, 422, "idempotency-mismatch", 0)       \
	X(RATE_LIMITED, 429, "rate-limited", 0)                       \
	X(INTERNAL, 500, "internal", 0)                               \
	X(UNAVAILABLE, 503, "unavailable", 5)                         \
	X(VERSION_NOT_SUPPORTED, 505, "version-not-supported", 0)
typedef enum {
#define X(code, status, type, retry) PROBLEM_##code,
	PROBLEMS(X)
#undef X
		PROBLEM_COUNT
} ProblemCode;

/* What can be wrong with one field of a body. The names stand in the JSON ("problem"), the texts
 * under "field.<name>". */
#define FIELD_FAULTS(X)                                   \
	X(MISSING, "missing")                             \
	X(UNKNOWN, "unknown")                             \
	X(NOT_TEXT, "not-text")                           \
	X(NOT_INTEGER, "not-integer")                     \
	X(NOT_BOOLEAN, "not-boolean")                     \
	X(NOT_OBJECT, "not-object")                       \
	X(NOT_LIST, "not-list")                           \
	X(TOO_SHORT, "too-short")                         \
	X(TOO_LONG, "too-long")                           \
	X(TOO_SMALL, "too-small")                         \
	X(TOO_LARGE, "too-large")                         \
	X(CONTROL_CHARACTER, "control-character")         \
	X(NOT_A_CHOICE, "not-a-choice")                   \
	X(BAD_FORMAT, "bad-format")                       \
	X(NOT_AN_ADDRESS, "not-an-address")               \
	X(NOT_A_TIME_ZONE, "not-a-time-zone")             \
	X(CHARACTER_NOT_ALLOWED, "character-not-allowed") \
	X(MIXED_SCRIPTS, "mixed-scripts")                 \
	X(SEPARATOR_MISPLACED, "separator-misplaced")     \
	X(NO_LETTER, "no-letter")                         \
	X(RESERVED, "reserved")                           \
	X(IN_THE_PAST, "in-the-past")                     \
	X(NOT_A_TIME, "not-a-time")                       \
	X(GIVEN_TWICE, "given-twice")                     \
	X(NOT_A_PLAYER, "not-a-player")                   \
	X(ADDRESS_NOT_NAME, "address-not-name")           \
	X(NOT_OURS, "not-ours")                           \
	X(BAD_OPTIONS, "bad-options")                     \
	X(NOT_BOTH, "not-both")
typedef enum {
#define X(code, name) FIELD_##code,
	FIELD_FAULTS(X)
#undef X
		FIELD_FAULT_COUNT
} FieldFault;

#define PROBLEM_ERROR (problem_error_quark())
GQuark problem_error_quark(void);

/* Sets the error: pairs of name and value (const char *, copied; neither NULL), then NULL. They
 * fill the detail's placeholders. */
void problem_set(GError **error, ProblemCode code, ...) G_GNUC_NULL_TERMINATED;
/* PROBLEM_FIELD_INVALID for one field ("clock.kind"); pairs as above fill "field.<fault>": {{min}}
 * for TOO_SHORT and TOO_SMALL, {{max}} for TOO_LONG and TOO_LARGE, {{choices}} for NOT_A_CHOICE.
 * With "rules", the key of a game, its own "field.<fault>.<key>" is told if there is one. An error
 * that is one already gets this field, too, so that all of them can be told at once; a field keeps
 * its first fault. */
void problem_set_field(GError **error, const char *field, FieldFault fault,
		       ...) G_GNUC_NULL_TERMINATED;
/* PROBLEM_QUERY_INVALID for one parameter of the query; pairs as above. */
void problem_set_parameter(GError **error, const char *parameter, FieldFault fault,
			   ...) G_GNUC_NULL_TERMINATED;
/* The fields of FIELD_INVALID in the order in which they were found: the name of one, NULL behind
 * the last and for all other errors; what is wrong with it, for a person (the caller frees); and
 * whether a field is among them. */
const char *problem_fault_field(const GError *error, unsigned number);
char *problem_fault_words(const GError *error, unsigned number, Language language);
bool problem_fault_of(const GError *error, const char *field);
/* The value of one argument given to problem_set; NULL if it was not given, or not a problem. Of
 * several fields, the first one's. */
const char *problem_argument(const GError *error, const char *name);

/* All arguments given to problem_set as an object of texts; NULL if there are none. The caller owns
 * it. problem_rebuild makes the same problem again from them (NULL: none). */
json_t *problem_arguments(const GError *error);
GError *problem_rebuild(ProblemCode code, const json_t *arguments);

/* The problem any error stands for: its own code, UNAVAILABLE for a database that cannot be
 * reached, INTERNAL for all else. */
ProblemCode problem_code(const GError *error);
/* HTTP status, "turn-illegal", "/problems/turn-illegal" of a code. */
int problem_status(ProblemCode code);
const char *problem_type(ProblemCode code);
const char *problem_url(ProblemCode code);
/* Seconds for Retry-After: the argument "retry_after", else the table's; 0 for none. */
int problem_retry_after(const GError *error);
/* The problem whose type this is ("turn-illegal"); false if there is none. */
bool problem_find(const char *type, ProblemCode *code_r);

/* One line that names the problem, for a person. Belongs to the catalogue. */
const char *problem_title(ProblemCode code, Language language);
/* What it means, where a sentence says that for all times; else NULL. Belongs to the catalogue. */
const char *problem_meaning(ProblemCode code, Language language);
/* What happened this time, for a person; nothing of the inside of the service. The caller frees. */
char *problem_detail(const GError *error, Language language);
/* The members of RFC 9457: type, title, status, detail; arguments under their names; "errors" for
 * FIELD_INVALID, each {field, problem, detail}. The caller owns it. */
json_t *problem_json(const GError *error, Language language);

#endif
