#include "service/workers.h"

#include "db/event.h"
#include "db/follow.h"
#include "db/herald.h"
#include "db/prune.h"
#include "mail/smtp.h"
#include "service/bell.h"
#include "service/command.h"
#include "service/mail_sweeper.h"
#include "service/mail_worker.h"
#include "service/outage.h"
#include "service/process.h"
#include "service/text.h"

#include <sys/eventfd.h>
#include <unistd.h>

enum {
	FEED_POLL_MS = 5000,
	FEED_PAUSE_MS = 100, /* between two fillings: one moves what many turns brought */
	CALL_PAUSE_MS = 100, /* between two calls to other processes */
	HERALD_POLL_MS = 30000,
	KEEPER_PAUSE_MS = 60000,
	PRUNE_POLL_MS = 3600000,
	WELL_FED_S = 60,
	WELL_ROUND_S = 30 * 60, /* ten mails in hand may each take minutes */
	HEARTBEAT_MS = 5000,
};

struct Workers {
	const Config *config;
	GPtrArray *mail; /* of MailWorker */
	MailSweeper *sweeper;
	GThread *feed, *herald, *keeper;
	_Atomic int64_t fed_at; /* when the database last answered the feed's thread */
	int stopping;           /* atomic */
};

static Bell mail_bell, feed_bell;
/* Readable when other processes are to be told; -1: nobody would tell them. */
static int herald_fd = -1;

static void bells_ring(void)
{
	bell_ring(&mail_bell);
	bell_ring(&feed_bell);
}

void workers_wake(void)
{
	bells_ring();
	const int fd = g_atomic_int_get(&herald_fd);
	if (fd >= 0)
		eventfd_write(fd, 1);
}

static bool workers_stopping(Workers *workers)
{
	return g_atomic_int_get(&workers->stopping) != 0;
}

/* Sleeps whatever rings, but not when it is time to stop. */
static void feed_pause(Workers *workers, int64_t pause_ms)
{
	const int64_t until = g_get_monotonic_time() + pause_ms * 1000;
	uint64_t seen = bell_count(&feed_bell);
	while (!workers_stopping(workers) && g_get_monotonic_time() < until)
		seen = bell_wait(&feed_bell, seen, (until - g_get_monotonic_time()) / 1000 + 1);
}

static void *feed_run(void *user_data)
{
	Workers *workers = user_data;
	g_autoptr(Db) db = db_new(workers->config->database);
	Outage outage = {.name = "database"};
	while (!workers_stopping(workers)) {
		const uint64_t seen = bell_count(&feed_bell);
		int moved = 0;
		g_autoptr(GError) error = NULL;
		if (!feed_fill(db, &moved, &error)) {
			feed_pause(workers, outage_begin(&outage, error->message));
			continue;
		}
		outage_end(&outage);
		workers->fed_at = g_get_monotonic_time();
		if (moved > 0) {
			/* Those who follow games may have mails now. */
			bell_ring(&mail_bell);
			feed_pause(workers, FEED_PAUSE_MS);
		} else {
			bell_wait(&feed_bell, seen, FEED_POLL_MS);
		}
	}
	return NULL;
}

/* Mails that are due by the clock and by nothing that happens, and what is too old to be kept. */
static bool house_keep(Workers *workers, Db *db, int64_t *prune_at, GError **error)
{
	int told = 0;
	do {
		if (!follow_tell(db, &told, error))
			return false;
		if (told > 0)
			bell_ring(&mail_bell);
	} while (told > 0 && !workers_stopping(workers));
	if (g_get_monotonic_time() < *prune_at)
		return true;
	*prune_at = g_get_monotonic_time() + (int64_t)PRUNE_POLL_MS * 1000;
	return prune_alone(db, workers->config->inbox_days, error);
}

static void *keeper_run(void *user_data)
{
	Workers *workers = user_data;
	g_autoptr(Db) db = db_new(workers->config->database);
	Outage outage = {.name = "database"};
	int64_t prune_at = 0;
	while (!workers_stopping(workers)) {
		g_autoptr(GError) error = NULL;
		if (!house_keep(workers, db, &prune_at, &error)) {
			feed_pause(workers, outage_begin(&outage, error->message));
			continue;
		}
		outage_end(&outage);
		feed_pause(workers, KEEPER_PAUSE_MS);
	}
	return NULL;
}

/* Waits until others call or are to be called; false when the connection is lost. */
static bool herald_work(Workers *workers, Herald *herald, GError **error)
{
	bool heard = false;
	if (!herald_connect(herald, error) ||
	    !herald_wait(herald, herald_fd, HERALD_POLL_MS, &heard, error))
		return false;
	if (heard)
		bells_ring();
	eventfd_t count = 0;
	if (workers_stopping(workers) || eventfd_read(herald_fd, &count) != 0)
		return true;
	if (!herald_call(herald, error))
		return false;
	g_usleep(CALL_PAUSE_MS * 1000);
	return true;
}

static void *herald_run(void *user_data)
{
	Workers *workers = user_data;
	g_autoptr(Herald) herald = herald_new(workers->config->database);
	Outage outage = {.name = "database"};
	while (!workers_stopping(workers)) {
		g_autoptr(GError) error = NULL;
		if (herald_work(workers, herald, &error))
			outage_end(&outage);
		else
			feed_pause(workers, outage_begin(&outage, error->message));
	}
	return NULL;
}

static bool mail_workers_start(Workers *workers, GError **error)
{
	for (int i = 0; i < workers->config->mail_workers; i++) {
		MailWorker *worker = mail_worker_start(workers->config, &mail_bell, error);
		if (worker == NULL)
			return false;
		g_ptr_array_add(workers->mail, worker);
	}
	return true;
}

Workers *workers_start(const Config *config, bool work, GError **error)
{
	if (!config_need_key(config, error))
		return NULL;
	Workers *workers = g_new0(Workers, 1);
	workers->config = config;
	workers->mail = g_ptr_array_new();
	g_atomic_int_set(&herald_fd, eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
	if (work && !mail_workers_start(workers, error)) {
		workers_stop(workers);
		return NULL;
	}
	if (work) {
		workers->feed = g_thread_new("feed", feed_run, workers);
		workers->keeper = g_thread_new("keeper", keeper_run, workers);
		workers->sweeper = mail_sweeper_start(config);
	}
	workers->herald = g_thread_new("herald", herald_run, workers);
	return workers;
}

bool workers_are_well(const Workers *workers)
{
	const int64_t now = g_get_monotonic_time();
	if (now - workers->fed_at > WELL_FED_S * G_USEC_PER_SEC)
		return false;
	for (unsigned i = 0; i < workers->mail->len; i++)
		if (now - mail_worker_round_at(workers->mail->pdata[i]) >
		    WELL_ROUND_S * G_USEC_PER_SEC)
			return false;
	return true;
}

static void mail_workers_stop(Workers *workers)
{
	for (unsigned i = 0; i < workers->mail->len; i++)
		mail_worker_stop(workers->mail->pdata[i]);
	bell_ring_all(&mail_bell);
	const int64_t until =
		g_get_monotonic_time() + (int64_t)workers->config->stop_timeout_s * G_USEC_PER_SEC;
	for (unsigned i = 0; i < workers->mail->len; i++)
		mail_worker_join(workers->mail->pdata[i], until);
}

void workers_stop(Workers *workers)
{
	if (workers == NULL)
		return;
	g_atomic_int_set(&workers->stopping, 1);
	mail_sweeper_stop(workers->sweeper);
	mail_workers_stop(workers);
	bell_ring_all(&feed_bell);
	workers_wake();
	if (workers->feed != NULL)
		g_thread_join(workers->feed);
	if (workers->keeper != NULL)
		g_thread_join(workers->keeper);
	if (workers->herald != NULL)
		g_thread_join(workers->herald);
	const int fd = g_atomic_int_get(&herald_fd);
	g_atomic_int_set(&herald_fd, -1);
	close(fd);
	g_ptr_array_unref(workers->mail);
	g_free(workers);
}

/* The file's time tells a health check when all was last well. */
static void heartbeat(const Config *config, const Workers *workers)
{
	g_autoptr(GError) error = NULL;
	if (config->heartbeat != NULL && workers_are_well(workers) &&
	    !g_file_set_contents(config->heartbeat, "", 0, &error))
		g_warning("event=heartbeat_failed why=\"%s\"", error->message);
}

int command_work(int argc, char **argv)
{
	g_autoptr(Config) config = command_config(&argc, argv);
	if (config == NULL)
		return COMMAND_FAILED;
	if (argc != 1)
		return command_usage(argv[0], "takes no arguments but --config FILE");
	const sigset_t signals = process_signals_block();
	g_autoptr(GError) error = NULL;
	if (!process_schema_check(config, &error))
		return command_failed(argv[0], error);
	text_init();
	smtp_prepare();
	Workers *workers = workers_start(config, true, &error);
	if (workers == NULL)
		return command_failed(argv[0], error);
	g_message("event=work_started mail_workers=%d", config->mail_workers);
	do
		heartbeat(config, workers);
	while (!process_signal_within(&signals, HEARTBEAT_MS));
	workers_stop(workers);
	return COMMAND_DONE;
}
