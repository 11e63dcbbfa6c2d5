#include "smtp_attempt.h"

#include <string.h>

enum { CODE_LOGIN_FIRST = 530, CODE_LOGIN_WEAK = 534, CODE_LOGIN_CLEAR = 538 };

static bool is_settings_fault(CURLcode result)
{
	switch (result) {
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_URL_MALFORMAT:
	case CURLE_USE_SSL_FAILED:
	case CURLE_LOGIN_DENIED:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
		return true;
	default:
		return false;
	}
}

/* A refusal before MAIL, or for want of a login, is about us and not about this mail. */
static SmtpClass refusal_class(const SmtpAttempt *attempt)
{
	if (attempt->stage < SMTP_STAGE_MAIL || attempt->code == CODE_LOGIN_FIRST ||
	    attempt->code == CODE_LOGIN_WEAK || attempt->code == CODE_LOGIN_CLEAR) {
		return SMTP_CONFIG;
	}
	return SMTP_PERMANENT;
}

/* After 354: libcurl's result does not count, only whether and what the server answered. */
static SmtpClass body_class(const SmtpAttempt *attempt)
{
	switch (attempt->code / 100) {
	case 2:
		return SMTP_SENT;
	case 4:
		return SMTP_TEMPORARY;
	case 5:
		return refusal_class(attempt);
	default:
		return attempt->body_read ? SMTP_AMBIGUOUS : SMTP_TEMPORARY;
	}
}

const char *smtp_class_name(SmtpClass class)
{
	static const char *const names[] = {
		[SMTP_SENT] = "sent",           [SMTP_TEMPORARY] = "temporary",
		[SMTP_PERMANENT] = "permanent", [SMTP_AMBIGUOUS] = "ambiguous",
		[SMTP_CONFIG] = "config",
	};
	g_assert((size_t) class < G_N_ELEMENTS(names));
	return names[class];
}

SmtpClass smtp_attempt_class(const SmtpAttempt *attempt)
{
	if (attempt->login_missing) {
		return SMTP_CONFIG;
	}
	if (attempt->stage == SMTP_STAGE_BODY) {
		return body_class(attempt);
	}
	switch (attempt->code / 100) {
	case 4:
		return SMTP_TEMPORARY;
	case 5:
		return refusal_class(attempt);
	default:
		return is_settings_fault(attempt->result) ? SMTP_CONFIG : SMTP_TEMPORARY;
	}
}

bool smtp_attempt_was_idle(const SmtpAttempt *attempt)
{
	if (!attempt->reused || attempt->stage == SMTP_STAGE_BODY || attempt->login_missing) {
		return false;
	}
	bool is_lost = attempt->result == CURLE_SEND_ERROR || attempt->result == CURLE_RECV_ERROR ||
		       attempt->result == CURLE_GOT_NOTHING;
	return attempt->code == 421 || (is_lost && attempt->code < 400);
}

SmtpStage smtp_stage_of(const char *line, size_t length, SmtpStage before)
{
	static const struct {
		const char *verb;
		SmtpStage stage;
	} verbs[] = {
		{"EHLO", SMTP_STAGE_HELLO},        {"HELO", SMTP_STAGE_HELLO},
		{"STARTTLS", SMTP_STAGE_STARTTLS}, {"AUTH", SMTP_STAGE_LOGIN},
		{"MAIL", SMTP_STAGE_MAIL},         {"RCPT", SMTP_STAGE_RCPT},
		{"DATA", SMTP_STAGE_DATA},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(verbs); i++) {
		size_t verb = strlen(verbs[i].verb);
		if (length > verb && strncmp(line, verbs[i].verb, verb) == 0 &&
		    (line[verb] == ' ' || line[verb] == '\r')) {
			return verbs[i].stage;
		}
	}
	return before;
}

const char *smtp_stage_name(SmtpStage stage)
{
	static const char *const names[] = {
		[SMTP_STAGE_CONNECT] = "connect",   [SMTP_STAGE_HELLO] = "hello",
		[SMTP_STAGE_STARTTLS] = "starttls", [SMTP_STAGE_LOGIN] = "login",
		[SMTP_STAGE_MAIL] = "mail",         [SMTP_STAGE_RCPT] = "rcpt",
		[SMTP_STAGE_DATA] = "data",         [SMTP_STAGE_BODY] = "body",
	};
	g_assert((size_t)stage < G_N_ELEMENTS(names));
	return names[stage];
}
