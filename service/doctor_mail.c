#include "db/checkup.h"
#include "mail/address.h"
#include "mail/compose.h"
#include "mail/fields.h"
#include "mail/smtp.h"
#include "service/doctor.h"
#include "service/mail_name.h"
#include "service/mail_worker.h"
#include "service/secret.h"

#include <string.h>

enum { POLL_US = 200000 };

/* The test mail, and where it is to come back. */
typedef struct Probe {
	char *sender; /* of the envelope, as our mails to players have it */
	char *recipient;
	char *message_id;
} Probe;

static void probe_clear(Probe *probe)
{
	g_free(probe->sender);
	g_free(probe->recipient);
	g_free(probe->message_id);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Probe, probe_clear)

/* No game has the number 0, and nobody knows the secret: the mail can be no turn. */
static Probe probe_make(const Config *config)
{
	g_autofree char *once = secret_cookie_new();
	return (Probe){
		.sender = config_newest_key(config) > 0
				  ? mail_name_bounce(config, 0)
				  : g_strdup_printf("bounce@%s", config->mail_domain),
		.recipient = g_strdup_printf("move+g0.t0.%.*s@%s", SECRET_LETTERS, once,
					     config->mail_domain),
		.message_id = g_strdup_printf("doctor.%s@%s", once, config->mail_domain),
	};
}

void doctor_settings(Doctor *doctor)
{
	const Config *config = doctor->config;
	g_autofree char *name = NULL, *address = NULL;
	const int before = doctor->counts[DOCTOR_FAILURE] + doctor->counts[DOCTOR_WARNING];
	if (config_newest_key(config) == 0)
		doctor_say(doctor, DOCTOR_FAILURE, "settings",
			   "no secret_key_1: make one with `openssl rand -hex 32`");
	if (strchr(config->mail_domain, '.') == NULL)
		doctor_say(doctor, DOCTOR_WARNING, "settings",
			   "mail_domain is %s: nobody on another host can answer a mail",
			   config->mail_domain);
	if (g_str_has_prefix(config->public_url, "http://"))
		doctor_say(doctor, DOCTOR_WARNING, "settings",
			   "public_url is not https: links in mails and sessions are not safe");
	if (mail_address_split(config->mail_from, &name, &address, NULL) &&
	    g_ascii_strcasecmp(strchr(address, '@') + 1, config->mail_domain) != 0)
		doctor_say(doctor, DOCTOR_WARNING, "settings",
			   "mail_from is not at mail_domain: DMARC wants both to be of one domain");
	if (before == doctor->counts[DOCTOR_FAILURE] + doctor->counts[DOCTOR_WARNING])
		doctor_say(doctor, DOCTOR_OK, "settings", "nothing contradicts itself");
}

/* ---- out ---- */

static const char *advice_for(const SmtpResult *result)
{
	static const struct {
		const char *stage, *advice;
	} advices[] = {
		{"connect", "does the mail server run, is smtp_url right?"},
		{"hello", "is the port in smtp_url right, does the server offer STARTTLS? "
			  "smtp_tls says whether it must"},
		{"starttls", "is the server's certificate valid for the name in smtp_url? "
			     "smtp_ca_file names one to trust"},
		{"login", "are smtp_user and smtp_password right?"},
		{"mail", "the server must take mails from mail_domain"},
		{"rcpt", "the server must take mails to mail_domain and hand them to `ludopost "
			 "deliver`: see virtual_mailbox_domains"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(advices); i++)
		if (strcmp(result->stage, advices[i].stage) == 0)
			return advices[i].advice;
	return "the server's log says more";
}

static void refusal_say(Doctor *doctor, const char *what, const SmtpResult *result)
{
	doctor_say(doctor, DOCTOR_FAILURE, what, "at %s: %s%s%s. %s", result->stage,
		   result->problem, *result->reply != '\0' ? ": " : "", result->reply,
		   advice_for(result));
}

static void tls_say(Doctor *doctor, const SmtpResult *result)
{
	if (result->encrypted)
		doctor_say(doctor, DOCTOR_OK, "SMTP TLS", "the connection is encrypted");
	else if (doctor->config->smtp_tls == CONFIG_TLS_NONE)
		doctor_say(doctor, DOCTOR_WARNING, "SMTP TLS",
			   "off (smtp_tls = none): right only when nobody can listen in");
	else
		doctor_say(doctor, DOCTOR_OK, "SMTP TLS", "not needed towards this very host");
}

void doctor_mail_out(Doctor *doctor)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(SmtpSession) session = mail_worker_session(doctor->config, &error);
	if (session == NULL) {
		doctor_say(doctor, DOCTOR_FAILURE, "SMTP", "%s", error->message);
		return;
	}
	g_auto(Probe) probe = probe_make(doctor->config);
	g_autoptr(SmtpResult) result = smtp_check(session, probe.sender);
	if (*result->server_name != '\0') {
		doctor->server_name = g_strdup(result->server_name);
		doctor_say(doctor, DOCTOR_OK, "SMTP", "%s answers as %s", doctor->config->smtp_url,
			   result->server_name);
	}
	if (result->class != SMTP_SENT) {
		refusal_say(doctor, "SMTP", result);
		return;
	}
	tls_say(doctor, result);
	doctor_say(doctor, DOCTOR_OK, "SMTP sender", "takes mails from bounce+…@%s",
		   doctor->config->mail_domain);
	doctor->mail_out_fine = true;
}

/* ---- in ---- */

static GBytes *probe_compose(const Doctor *doctor, const Probe *probe, GError **error)
{
	g_autofree char *name = NULL, *from = NULL;
	if (!mail_address_split(doctor->config->mail_from, &name, &from, error))
		return NULL;
	const MailMessage message = {
		.from_address = from,
		.to_address = probe->recipient,
		.subject = "ludopost doctor",
		.date = doctor->now_s,
		.message_id = probe->message_id,
		.cause = MAIL_AUTO_GENERATED,
		/* What comes in with this mark is never answered. */
		.loop_domain = doctor->config->mail_domain,
		.text = "A test of the way mails take. Nothing is to be done about it.\n",
	};
	return mail_compose(&message, error);
}

static bool probe_send(Doctor *doctor, const Probe *probe)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) message = probe_compose(doctor, probe, &error);
	g_autoptr(SmtpSession) session =
		message == NULL ? NULL : mail_worker_session(doctor->config, &error);
	if (session == NULL) {
		doctor_say(doctor, DOCTOR_FAILURE, "mail in", "%s", error->message);
		return false;
	}
	g_autoptr(SmtpResult) result = smtp_send(session, probe->sender, probe->recipient, message);
	if (result->class == SMTP_SENT)
		return true;
	refusal_say(doctor, "mail in", result);
	return false;
}

/* Looks into the inbox until the mail is there and decided, or the time is over. */
static bool probe_await(const Doctor *doctor, const Probe *probe, CheckupArrival *arrival_r,
			GError **error)
{
	const int64_t until = g_get_monotonic_time() + (int64_t)doctor->wait_s * G_USEC_PER_SEC;
	for (;;) {
		checkup_arrival_clear(arrival_r);
		*arrival_r = (CheckupArrival){0};
		if (!checkup_arrival(doctor->db, probe->message_id, arrival_r, error))
			return false;
		if (arrival_r->decided || g_get_monotonic_time() > until)
			return true;
		g_usleep(POLL_US);
	}
}

/* The value of a tag in "v=1; d=example.org; s=key"; NULL if it is not there. */
static char *tag_value(const char *field, const char *tag)
{
	g_auto(GStrv) parts = g_strsplit(field, ";", -1);
	for (size_t i = 0; parts[i] != NULL; i++) {
		const char *part = g_strstrip(parts[i]);
		const size_t length = strlen(tag);
		if (strncmp(part, tag, length) == 0 && part[length] == '=')
			return g_strstrip(g_strdup(part + length + 1));
	}
	return NULL;
}

static void signature_read(Doctor *doctor, const char *header)
{
	size_t body = 0;
	g_autoptr(Fields) fields = fields_read((const uint8_t *)header, strlen(header), &body);
	const char *signature = fields == NULL ? NULL : fields_first(fields, "DKIM-Signature");
	doctor->signature_sought = true;
	if (signature == NULL)
		return;
	doctor->dkim_domain = tag_value(signature, "d");
	doctor->dkim_selector = tag_value(signature, "s");
}

static void arrival_say(Doctor *doctor, const CheckupArrival *arrival, double took_s)
{
	if (!arrival->found) {
		doctor_say(doctor, DOCTOR_FAILURE, "mail in",
			   "a test mail to move+…@%s did not come back within %d s: does the "
			   "mail server hand mails for that domain to `ludopost deliver` (or "
			   "fetchmail, or POST /v1/mail)? Its log and queue say where it is",
			   doctor->config->mail_domain, doctor->wait_s);
		return;
	}
	doctor_say(doctor, arrival->decided ? DOCTOR_OK : DOCTOR_WARNING, "mail in",
		   "a test mail to move+…@%s came back %s after %.1f seconds%s",
		   doctor->config->mail_domain,
		   strcmp(arrival->via, "rest") == 0 ? "by POST /v1/mail" : "by ludopost deliver",
		   took_s, arrival->decided ? "" : ", but was not decided: the log says why");
	if (!arrival->dated)
		doctor_say(
			doctor, DOCTOR_WARNING, "mail in time",
			"no Received line is by a host in mail_trusted_hosts: a turn counts from "
			"when it reached Ludopost, not your mail server%s%s",
			doctor->server_name != NULL ? ", which calls itself " : "",
			doctor->server_name != NULL ? doctor->server_name : "");
	else
		doctor_say(doctor, DOCTOR_OK, "mail in time",
			   "a turn counts from when your mail server received it");
	signature_read(doctor, arrival->header);
}

void doctor_mail_in(Doctor *doctor)
{
	if (!doctor->config->inbound) {
		doctor_say(doctor, DOCTOR_WARNING, "mail in",
			   "off: no mail invites to reply. Set `inbound = yes` once mails for %s "
			   "reach `ludopost deliver`",
			   doctor->config->mail_domain);
		return;
	}
	if (!doctor->database_fine || !doctor->mail_out_fine) {
		doctor_say(doctor, DOCTOR_WARNING, "mail in",
			   "not looked at: it takes the database and the mail server");
		return;
	}
	g_auto(Probe) probe = probe_make(doctor->config);
	g_auto(CheckupArrival) arrival = {0};
	g_autoptr(GError) error = NULL;
	const int64_t begin = g_get_monotonic_time();
	if (!probe_send(doctor, &probe))
		return;
	if (!probe_await(doctor, &probe, &arrival, &error)) {
		doctor_say(doctor, DOCTOR_FAILURE, "mail in", "%s", error->message);
		return;
	}
	arrival_say(doctor, &arrival, (double)(g_get_monotonic_time() - begin) / G_USEC_PER_SEC);
}
