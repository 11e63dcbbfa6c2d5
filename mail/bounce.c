#include "bounce.h"

#include <string.h>

#include "strip_words.h"

enum { TEXT_LOOKED_AT = 16384 };

void bounce_free(Bounce *bounce)
{
	if (bounce == NULL) {
		return;
	}
	g_free(bounce->recipient);
	g_free(bounce->message_id);
	g_free(bounce->return_path);
	g_free(bounce);
}

/* What servers write when there is no such mailbox, in small letters. */
static Words unknown_user = {
	"user unknown",
	"unknown user",
	"no such user",
	"no such recipient",
	"no such mailbox",
	"no such address",
	"no such local user",
	"no such account",
	"no such person",
	"user not found",
	"user doesn't exist",
	"user does not exist",
	"unknown recipient",
	"recipient unknown",
	"recipient not found",
	"recipient rejected",
	"recipient address rejected: user unknown",
	"invalid recipient",
	"invalid mailbox",
	"invalid address",
	"unknown address",
	"unknown mailbox",
	"address unknown",
	"address does not exist",
	"address not found",
	"address doesn't exist",
	"mailbox not found",
	"mailbox does not exist",
	"mailbox doesn't exist",
	"mailbox unknown",
	"mailbox unavailable or access denied",
	"account does not exist",
	"non-existent account",
	"account that you tried to reach does not exist",
	"account not found",
	"not a known user",
	"is not a valid mailbox",
	"isn't a valid mailbox",
	"no mailbox here by that name",
	"unrouteable address",
	"does not have a yahoo.com account",
	"doesn't have a yahoo.com account",
	"this user doesn't have",
	"unknown or illegal alias",
	"not listed in",
	"recipnotfound",
	"bad destination mailbox address",
	"not our customer",
	"nosuchuser",
	"unbekannter benutzer",
	"empfänger unbekannt",
	"adresse inconnue",
	"usuario desconocido",
	"пользователь не найден",
	"нет такого пользователя",
	NULL,
};

static Words full_mailbox = {
	"mailbox full",      "mailbox is full",  "over quota",
	"overquota",         "quota exceeded",   "exceeded quota",
	"exceeds quota",     "exceeded storage", "out of storage",
	"insufficient disk", "mailbox size",     "has exceeded",
	"postfach ist voll", "postfach voll",    "boîte pleine",
	"buzón lleno",       "ящик переполнен",  NULL,
};

static Words still_trying = {
	"has been delayed",
	"is delayed",
	"was delayed",
	"delivery delayed",
	"delayed mail",
	"still being retried",
	"will continue to",
	"will keep trying",
	"has not yet been delivered",
	"has not been delivered yet",
	"do not need to resend",
	"don't need to resend",
	"this is a warning message only",
	"delivery status notification (delay)",
	"could not be delivered for",
	"message still undelivered",
	"wurde noch nicht zugestellt",
	NULL,
};

/* What the subjects or texts of old bounces hold. */
static Words failure_phrases = {
	"failure notice",
	"delivery failure",
	"delivery failed",
	"mail delivery failed",
	"mail delivery failure",
	"message delivery failure",
	"mail delivery system",
	"undelivered mail",
	"undeliverable",
	"undelivered",
	"undeliverable mail",
	"delivery status notification",
	"delivery notification",
	"returned mail",
	"returned to sender",
	"returning message to sender",
	"mail system error",
	"nondeliverable",
	"non-deliverable",
	"could not be delivered",
	"couldn't be delivered",
	"could not deliver",
	"wasn't able to deliver",
	"was not delivered",
	"were not delivered",
	"not deliver your message",
	"unable to deliver",
	"delivery has failed",
	"delivery to the following",
	"following addresses had permanent",
	"i'm afraid i wasn't able",
	"did not reach the following",
	"mail could not be",
	"user unknown",
	"unzustellbar",
	"nicht zugestellt",
	"non remis",
	"échec de la remise",
	"no se pudo entregar",
	"no se ha podido entregar",
	"mancato recapito",
	"не доставлено",
	"недоставленное сообщение",
	"не удалось доставить",
	"niet bezorgd",
	"niedostarczona",
	NULL,
};

/* The status "5.1.1" at `at`, which must stand by itself and not be part of a host's address. */
static bool status_at(const char *start, const char *at, char *status_r, size_t size)
{
	if (at > start && (g_ascii_isalnum(at[-1]) || at[-1] == '.')) {
		return false;
	}
	size_t length = strspn(at, "0123456789.");
	g_autofree char *word = g_strndup(at, length);
	if (g_str_has_suffix(word, ".")) {
		word[length - 1] = '\0';
	}
	return (at[0] == '4' || at[0] == '5') && at[1] == '.' &&
	       smtp_status_parse(word, status_r, size);
}

/* The first enhanced status in a text. */
static bool status_find(const char *text, char *status_r, size_t size)
{
	for (const char *at = text; *at != '\0'; at++) {
		if ((*at == '4' || *at == '5') && status_at(text, at, status_r, size)) {
			return true;
		}
	}
	return false;
}

/* The class of the first SMTP reply code of a refusal in a text: '4', '5', or 0. */
static char code_class(const char *text)
{
	for (const char *at = text; *at != '\0'; at++) {
		bool is_start = at == text || strchr(" \n\t:(<[", at[-1]) != NULL;
		bool is_code = (at[0] == '4' || at[0] == '5') && g_ascii_isdigit(at[1]) &&
			       at[1] <= '5' && g_ascii_isdigit(at[2]);
		if (is_start && is_code && at[3] != '\0' && strchr(" -#", at[3]) != NULL) {
			return at[0];
		}
	}
	return '\0';
}

static bool says_nothing(const char *status)
{
	return status[0] == '\0' || g_str_has_suffix(status, ".0.0");
}

/* Decides by the status, and where it says nothing, by the text (in small letters). */
static void bounce_judge(Bounce *bounce, const char *text)
{
	if (says_nothing(bounce->status)) {
		char found[sizeof bounce->status];
		bool is_full = words_stand_in(text, full_mailbox);
		if (status_find(text, found, sizeof found) && !says_nothing(found)) {
			g_strlcpy(bounce->status, found, sizeof bounce->status);
		} else if (words_stand_in(text, unknown_user) && !is_full) {
			g_strlcpy(bounce->status, "5.0.0", sizeof bounce->status);
			bounce->kind = BOUNCE_HARD;
			bounce->cause = SMTP_CAUSE_DEAD;
			bounce->suppress = true;
			return;
		} else {
			bool is_lasting = bounce->status[0] == '5' || code_class(text) == '5';
			g_strlcpy(bounce->status, is_lasting ? "5.0.0" : "4.0.0",
				  sizeof bounce->status);
			bounce->kind = BOUNCE_SOFT;
			bounce->cause = is_full ? SMTP_CAUSE_FULL : SMTP_CAUSE_UNCLEAR;
			return;
		}
	}
	bounce->cause = smtp_status_cause(bounce->status[0] == '5' ? 550 : 450, bounce->status);
	bool says_little = bounce->cause == SMTP_CAUSE_FULL || bounce->cause == SMTP_CAUSE_POLICY;
	bounce->kind = bounce->status[0] == '5' && !says_little ? BOUNCE_HARD : BOUNCE_SOFT;
	bounce->suppress = smtp_cause_suppresses(bounce->cause);
}

/* "rfc822; anna@example.com" without its type and brackets. */
static char *address_of(const char *value)
{
	if (value == NULL) {
		return NULL;
	}
	const char *semicolon = strchr(value, ';');
	g_autofree char *address = g_strdup(semicolon == NULL ? value : semicolon + 1);
	g_strdelimit(address, "<>\"", ' ');
	g_strstrip(address);
	return address[0] == '\0' ? NULL : g_steal_pointer(&address);
}

static void reported_read(Bounce *bounce, const Fields *message)
{
	if (message == NULL) {
		return;
	}
	g_auto(GStrv) ids = fields_ids(message, "message-id");
	bounce->message_id = g_strdup(ids[0]);
	bounce->return_path = address_of(fields_first(message, "return-path"));
	if (bounce->recipient == NULL) {
		bounce->recipient = address_of(fields_first(message, "to"));
	}
}

/* How much an action tells: of several recipients the one that failed counts. */
static int action_rank(const char *action)
{
	static const char *const actions[] = {"expanded", "relayed", "delivered", "delayed",
					      "failed"};
	for (size_t i = 0; action != NULL && i < G_N_ELEMENTS(actions); i++) {
		if (g_ascii_strncasecmp(action, actions[i], strlen(actions[i])) == 0) {
			return (int)i + 1;
		}
	}
	return 0;
}

/* The fields about the recipient of whom the report tells most; NULL if it tells of none. The
 * blocks of a report stand apart by empty lines. */
static Fields *recipient_block(const char *report)
{
	g_autofree char *unified = g_strdup(report);
	g_autoptr(Fields) best = NULL;
	const uint8_t *bytes = (const uint8_t *)unified;
	size_t size = strlen(unified), at = 0;
	while (at < size) {
		size_t length = 0;
		g_autoptr(Fields) block = fields_read(bytes + at, size - at, &length);
		if (block == NULL) {
			break;
		}
		int rank = action_rank(fields_first(block, "action"));
		bool is_about = rank > 0 || fields_first(block, "final-recipient") != NULL;
		if (is_about &&
		    (best == NULL || rank > action_rank(fields_first(best, "action")))) {
			fields_free(best);
			best = g_steal_pointer(&block);
		}
		at += length;
	}
	return g_steal_pointer(&best);
}

static void delivery_read(Bounce *bounce, const IncomingMail *mail, const char *text)
{
	g_autoptr(Fields) block =
		recipient_block(mail->report_text == NULL ? "" : mail->report_text);
	if (block == NULL) {
		bounce_judge(bounce, text);
		return;
	}
	const char *action = fields_first(block, "action");
	const char *status = fields_first(block, "status");
	const char *diagnostic = fields_first(block, "diagnostic-code");
	bounce->recipient = address_of(fields_first(block, "original-recipient"));
	if (bounce->recipient == NULL) {
		bounce->recipient = address_of(fields_first(block, "final-recipient"));
	}
	smtp_status_parse(status == NULL ? "" : status, bounce->status, sizeof bounce->status);
	int rank = action_rank(action);
	if (rank >= 1 && rank <= 4) {
		bounce->kind = rank == 4 ? BOUNCE_DELAYED : BOUNCE_SUCCESS;
		return;
	}
	g_autofree char *key = line_key(diagnostic == NULL ? "" : diagnostic);
	g_autofree char *both = g_strconcat(key, "\n", text, NULL);
	bounce_judge(bounce, both);
}

/* The text with every row of blanks and line ends one blank, so that wrapped phrases are found. */
static char *blanks_single(const char *text)
{
	GString *single = g_string_new(NULL);
	for (; *text != '\0'; text++) {
		bool is_blank = g_ascii_isspace(*text);
		if (!is_blank || single->len == 0 || single->str[single->len - 1] != ' ') {
			g_string_append_c(single, is_blank ? ' ' : *text);
		}
	}
	return g_string_free(single, FALSE);
}

/* The text in small letters up to the copy of our own mail. */
static char *text_lower(const IncomingMail *mail)
{
	static const char *const copies[] = {
		"below this line is a copy",     "a copy of your message",
		"this is a copy of the message", "original message follows",
		"--- undelivered message",       "----- original message"};
	g_autofree char *text = incoming_text(mail);
	g_autofree char *letters = g_utf8_strdown(text, (ssize_t)MIN(strlen(text), TEXT_LOOKED_AT));
	char *lower = blanks_single(letters);
	for (size_t i = 0; i < G_N_ELEMENTS(copies); i++) {
		char *at = strstr(lower, copies[i]);
		if (at != NULL) {
			*at = '\0';
		}
	}
	return lower;
}

/* Whether a mail that is no report by its form is one by what it says. */
static bool is_old_bounce(const IncomingMail *mail, const char *text)
{
	static const char *const robots[] = {"mailer-daemon", "mailerdaemon", "postmaster",
					     "mail delivery"};
	const char *from = fields_first(mail->fields, "from");
	g_autofree char *sender =
		g_utf8_strdown(from == NULL || !g_utf8_validate(from, -1, NULL) ? "" : from, -1);
	g_autofree char *subject = line_key(mail->subject == NULL ? "" : mail->subject);
	bool is_robot = false;
	for (size_t i = 0; i < G_N_ELEMENTS(robots); i++) {
		is_robot = is_robot || strstr(sender, robots[i]) != NULL;
	}
	bool says_so =
		words_stand_in(subject, failure_phrases) || words_stand_in(subject, still_trying);
	bool text_says_so = words_stand_in(text, failure_phrases) ||
			    words_stand_in(text, still_trying) ||
			    words_stand_in(text, unknown_user);
	return fields_first(mail->fields, "x-failed-recipients") != NULL || says_so ||
	       (is_robot && text_says_so);
}

static void old_bounce_read(Bounce *bounce, const IncomingMail *mail, const char *text)
{
	g_autofree char *subject = line_key(mail->subject == NULL ? "" : mail->subject);
	bounce->recipient = address_of(fields_first(mail->fields, "x-failed-recipients"));
	bool is_delayed =
		words_stand_in(subject, still_trying) || words_stand_in(text, still_trying);
	if (is_delayed) {
		bounce->kind = BOUNCE_DELAYED;
		return;
	}
	bounce_judge(bounce, text);
}

static void complaint_read(Bounce *bounce, const IncomingMail *mail)
{
	size_t length = 0;
	const char *report = mail->report_text == NULL ? "" : mail->report_text;
	g_autoptr(Fields) fields = fields_read((const uint8_t *)report, strlen(report), &length);
	const char *type = fields == NULL ? NULL : fields_first(fields, "feedback-type");
	g_autofree char *said = g_strdup(type == NULL ? "" : type);
	/* RFC 6430, RFC 6591: reports that nobody complains in. */
	if (g_ascii_strcasecmp(g_strstrip(said), "not-spam") == 0 ||
	    g_ascii_strcasecmp(said, "auth-failure") == 0) {
		return;
	}
	bounce->kind = BOUNCE_COMPLAINT;
	if (fields != NULL) {
		bounce->recipient = address_of(fields_first(fields, "original-rcpt-to"));
		bounce->return_path = address_of(fields_first(fields, "original-mail-from"));
	}
}

Bounce *bounce_read(const IncomingMail *mail, bool is_expected)
{
	Bounce *bounce = g_new0(Bounce, 1);
	g_autofree char *text = text_lower(mail);
	if (mail->report == INCOMING_REPORT_FEEDBACK) {
		complaint_read(bounce, mail);
	} else if (mail->report == INCOMING_REPORT_DELIVERY) {
		delivery_read(bounce, mail, text);
	} else if (is_expected && mail->report != INCOMING_REPORT_DISPOSITION &&
		   is_old_bounce(mail, text)) {
		old_bounce_read(bounce, mail, text);
	}
	if (bounce->kind != BOUNCE_NONE) {
		g_autofree char *before = g_steal_pointer(&bounce->return_path);
		reported_read(bounce, mail->report_message);
		if (bounce->return_path == NULL) {
			bounce->return_path = g_steal_pointer(&before);
		}
	}
	return bounce;
}
