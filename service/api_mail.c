#include "service/api_mail.h"

#include "db/inbox.h"
#include "service/mail_addressee.h"
#include "service/mail_take.h"

#include <string.h>

enum { ENVELOPE_MAX = 1000 };

static bool body_check(const Request *request, InboxDraft *draft, GError **error)
{
	static const char wanted[] = "message/rfc822";
	const char *type = request_header(request, "Content-Type");
	const size_t length = strlen(wanted);

	if (type == NULL || g_ascii_strncasecmp(type, wanted, length) != 0 ||
	    strchr("; ", type[length]) == NULL) {
		problem_set(error, PROBLEM_UNSUPPORTED_MEDIA_TYPE, "expected", wanted, NULL);
		return false;
	}
	draft->raw = (const uint8_t *)request_body(request, &draft->raw_size);
	if (draft->raw_size == 0)
		problem_set_field(error, "body", FIELD_MISSING, NULL);
	return draft->raw_size > 0;
}

/* The envelope, as far as it is told. */
static bool envelope_check(const Request *request, InboxDraft *draft, GError **error)
{
	draft->sender = request_query(request, "sender");
	draft->recipient = request_query(request, "recipient");
	if (draft->sender != NULL && strlen(draft->sender) > ENVELOPE_MAX) {
		problem_set_parameter(error, "sender", FIELD_NOT_AN_ADDRESS, NULL);
		return false;
	}
	if (draft->recipient == NULL ||
	    mail_addressee_is_ours(draft->recipient, request_config(request)->mail_domain))
		return true;
	problem_set_parameter(error, "recipient", FIELD_NOT_OURS, NULL);
	return false;
}

static json_t *text_json(const DbResult *row, int column)
{
	return db_null(row, 0, column) ? json_null() : json_string(db_text(row, 0, column));
}

/* 200 with what was decided, 202 if that comes later. */
static Response *state_answer(Request *request, int64_t id, GError **error)
{
	g_autoptr(DbResult) row = inbox_state(request_db(request), id, error);

	if (row == NULL)
		return NULL;
	json_t *body = json_pack("{s:I, s:s, s:o, s:o, s:o, s:o}", "id", (json_int_t)id, "state",
				 db_text(row, 0, 0), "disposition", text_json(row, 1), "reason",
				 text_json(row, 2), "command", text_json(row, 3), "problem",
				 text_json(row, 4));
	return response_json(db_null(row, 0, 1) ? 202 : 200, body);
}

Response *api_mail_post(Request *request, GError **error)
{
	InboxDraft draft = {.via = "rest"};
	Db *db = request_db(request);
	int64_t id = 0;

	if (!envelope_check(request, &draft, error) || !body_check(request, &draft, error) ||
	    !inbox_add(db, &draft, 1, &id, error))
		return NULL;
	/* Once kept it is safe: a worker does what cannot be done now. */
	mail_take(db, request_config(request), id, MAIL_TAKE_AGAIN_S);
	return state_answer(request, id, error);
}
