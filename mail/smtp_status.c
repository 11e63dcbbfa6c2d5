#include "smtp_status.h"

#include <string.h>

#include <glib.h>

enum { ENHANCED_SIZE = 12, DETAIL_DIGITS = 3 };

typedef struct StatusRow {
	const char
		*detail; /* behind the class digit; one that ends with a dot is a whole subject */
	SmtpCause permanent;
	SmtpCause transient;
} StatusRow;

/* RFC 3463 and RFC 5248, as far as they say something about the recipient. */
static const StatusRow status_rows[] = {
	{"1.1", SMTP_CAUSE_DEAD, SMTP_CAUSE_NONE},     {"1.2", SMTP_CAUSE_DEAD, SMTP_CAUSE_NONE},
	{"1.3", SMTP_CAUSE_DEAD, SMTP_CAUSE_NONE},     {"1.10", SMTP_CAUSE_DEAD, SMTP_CAUSE_NONE},
	{"2.1", SMTP_CAUSE_DISABLED, SMTP_CAUSE_NONE}, {"2.2", SMTP_CAUSE_FULL, SMTP_CAUSE_FULL},
	{"7.", SMTP_CAUSE_POLICY, SMTP_CAUSE_POLICY},
};

static bool row_fits(const StatusRow *row, const char *detail)
{
	return g_str_has_suffix(row->detail, ".") ? g_str_has_prefix(detail, row->detail)
						  : strcmp(detail, row->detail) == 0;
}

SmtpCause smtp_status_cause(int code, const char *enhanced)
{
	if (code < 400 || code > 599) {
		return SMTP_CAUSE_NONE;
	}
	bool is_permanent = code >= 500;
	const char *detail = enhanced == NULL || strlen(enhanced) < 5 ? "" : enhanced + 2;
	for (size_t i = 0; i < G_N_ELEMENTS(status_rows); i++) {
		if (row_fits(&status_rows[i], detail)) {
			return is_permanent ? status_rows[i].permanent : status_rows[i].transient;
		}
	}
	return is_permanent ? SMTP_CAUSE_UNCLEAR : SMTP_CAUSE_NONE;
}

bool smtp_cause_suppresses(SmtpCause cause)
{
	return cause == SMTP_CAUSE_DEAD;
}

const char *smtp_cause_name(SmtpCause cause)
{
	static const char *const names[] = {
		[SMTP_CAUSE_NONE] = "none",         [SMTP_CAUSE_DEAD] = "dead",
		[SMTP_CAUSE_DISABLED] = "disabled", [SMTP_CAUSE_FULL] = "full",
		[SMTP_CAUSE_POLICY] = "policy",     [SMTP_CAUSE_UNCLEAR] = "unclear",
	};
	g_assert((size_t)cause < G_N_ELEMENTS(names));
	return names[cause];
}

/* The length of ".123" at `text`, 0 if there is none. */
static size_t detail_length(const char *text)
{
	size_t digits = 0;
	while (text[0] == '.' && g_ascii_isdigit(text[1 + digits])) {
		digits++;
	}
	return digits >= 1 && digits <= DETAIL_DIGITS ? digits + 1 : 0;
}

bool smtp_status_parse(const char *text, char *enhanced_r, size_t size)
{
	g_assert(size >= ENHANCED_SIZE);
	enhanced_r[0] = '\0';
	if (text[0] != '2' && text[0] != '4' && text[0] != '5') {
		return false;
	}
	size_t subject = detail_length(text + 1);
	size_t detail = subject == 0 ? 0 : detail_length(text + 1 + subject);
	if (detail == 0 ||
	    (text[1 + subject + detail] != ' ' && text[1 + subject + detail] != '\0')) {
		return false;
	}
	g_strlcpy(enhanced_r, text, MIN(size, 1 + subject + detail + 1));
	return true;
}
