#include "service/mail_worker.h"

#include "db/delivery.h"
#include "mail/smtp.h"
#include "service/mail_job.h"
#include "service/outage.h"

#include <stdbool.h>

enum {
	CLAIM_LIMIT = 10,
	POLL_MS = 5000,
	SMTP_CONNECT_TIMEOUT = 20,
	SMTP_TOTAL_TIMEOUT = 240, /* within the lease of a mail being sent, db/delivery.c */
};

struct MailWorker {
	const Config *config;
	Bell *bell;
	GThread *thread;
	Db *db;
	SmtpSession *session;
	Outage database, server;
	_Atomic int64_t round_at;
	int stopping; /* atomic */
	int ended;    /* atomic */
};

static bool worker_stopping(void *user_data)
{
	MailWorker *worker = user_data;
	return g_atomic_int_get(&worker->stopping) != 0;
}

/* Sleeps whatever rings, but not when it is time to stop. */
static void worker_pause(MailWorker *worker, int64_t pause_ms)
{
	const int64_t until = g_get_monotonic_time() + pause_ms * 1000;
	uint64_t seen = bell_count(worker->bell);
	while (!worker_stopping(worker)) {
		const int64_t left = (until - g_get_monotonic_time()) / 1000;
		if (left <= 0)
			return;
		seen = bell_wait(worker->bell, seen, left);
	}
}

/* Works on what was claimed. What is left when it is time to stop, or when the mail server cannot
 * be reached, is given back at once. */
static void claims_work(MailWorker *worker, const DeliveryClaim *claims, int count)
{
	MailJob job = {.config = worker->config,
		       .db = worker->db,
		       .session = worker->session,
		       .stopping = worker_stopping,
		       .user_data = worker};
	for (int i = 0; i < count; i++) {
		const MailJobEnd end =
			worker_stopping(worker) ? MAIL_JOB_STOPPED : mail_job_do(&job, &claims[i]);
		if (end == MAIL_JOB_SERVED) {
			outage_end(&worker->server);
			continue;
		}
		if (end == MAIL_JOB_DONE)
			continue;
		const int rest = end == MAIL_JOB_STOPPED ? i : i + 1;
		delivery_release(worker->db, &claims[rest], count - rest, NULL);
		if (end == MAIL_JOB_UNREACHABLE)
			worker_pause(worker, outage_begin(&worker->server, job.trouble));
		return;
	}
}

static void *worker_run(void *user_data)
{
	MailWorker *worker = user_data;
	while (!worker_stopping(worker)) {
		const uint64_t seen = bell_count(worker->bell);
		worker->round_at = g_get_monotonic_time();
		DeliveryClaim claims[CLAIM_LIMIT];
		g_autoptr(GError) error = NULL;
		const int count = delivery_claim(worker->db, CLAIM_LIMIT, claims, &error);
		if (count < 0) {
			worker_pause(worker, outage_begin(&worker->database, error->message));
			continue;
		}
		outage_end(&worker->database);
		if (count == CLAIM_LIMIT)
			bell_ring(worker->bell); /* there may be more: another one's turn */
		if (count == 0)
			bell_wait(worker->bell, seen, POLL_MS);
		else
			claims_work(worker, claims, count);
	}
	g_atomic_int_set(&worker->ended, 1);
	return NULL;
}

SmtpSession *mail_worker_session(const Config *config, GError **error)
{
	static const SmtpTls tls[] = {[CONFIG_TLS_AUTO] = SMTP_TLS_AUTO,
				      [CONFIG_TLS_REQUIRED] = SMTP_TLS_REQUIRED,
				      [CONFIG_TLS_NONE] = SMTP_TLS_NONE};
	const SmtpSettings settings = {
		.url = config->smtp_url,
		.tls = tls[config->smtp_tls],
		.ca_file = config->smtp_ca_file,
		.user = config->smtp_user,
		.password = config->smtp_password,
		.hello_name = config->mail_domain,
		.connect_timeout = SMTP_CONNECT_TIMEOUT,
		.response_timeout = (unsigned)config->smtp_timeout_s,
		.total_timeout = SMTP_TOTAL_TIMEOUT,
	};
	return smtp_session_new(&settings, error);
}

MailWorker *mail_worker_start(const Config *config, Bell *bell, GError **error)
{
	SmtpSession *session = mail_worker_session(config, error);
	if (session == NULL)
		return NULL;
	MailWorker *worker = g_new0(MailWorker, 1);
	worker->config = config;
	worker->bell = bell;
	worker->session = session;
	worker->db = db_new(config->database);
	worker->round_at = g_get_monotonic_time();
	outage_name(&worker->database, "database");
	outage_name(&worker->server, "mail_server");
	worker->thread = g_thread_new("mail", worker_run, worker);
	return worker;
}

int64_t mail_worker_round_at(MailWorker *worker)
{
	return worker->round_at;
}

void mail_worker_stop(MailWorker *worker)
{
	g_atomic_int_set(&worker->stopping, 1);
}

void mail_worker_join(MailWorker *worker, int64_t until)
{
	while (g_atomic_int_get(&worker->ended) == 0 && g_get_monotonic_time() < until)
		g_usleep(10000);
	smtp_session_interrupt(worker->session);
	g_thread_join(worker->thread);
	smtp_session_free(worker->session);
	db_free(worker->db);
	g_free(worker);
}
