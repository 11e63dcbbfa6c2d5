#include "service/mail_sweeper.h"

#include "db/inbox.h"
#include "service/bell.h"
#include "service/mail_take.h"
#include "service/outage.h"

#include <stdbool.h>

enum { POLL_MS = 5000, PAUSE_S = 30 };

struct MailSweeper {
	const Config *config;
	GThread *thread;
	Bell bell;    /* rings when it is time to stop */
	int stopping; /* atomic */
};

static bool sweeper_stopping(MailSweeper *sweeper)
{
	return g_atomic_int_get(&sweeper->stopping) != 0;
}

/* Sleeps, but not when it is time to stop. */
static void sweeper_pause(MailSweeper *sweeper, int64_t pause_ms)
{
	const int64_t until = g_get_monotonic_time() + pause_ms * 1000;
	uint64_t seen = bell_count(&sweeper->bell);
	while (!sweeper_stopping(sweeper) && g_get_monotonic_time() < until)
		seen = bell_wait(&sweeper->bell, seen, (until - g_get_monotonic_time()) / 1000 + 1);
}

/* Takes up what is there. *count_r: how many mails. */
static bool inbox_sweep(MailSweeper *sweeper, Db *db, int *count_r, GError **error)
{
	int64_t ids[INBOX_CLAIM_MAX];
	int failed = 0;
	if (!inbox_claim(db, INBOX_CLAIM_MAX, ids, count_r, &failed, error))
		return false;
	if (failed > 0)
		g_warning("event=mail_given_up count=%d", failed);
	for (int i = 0; i < *count_r; i++) {
		if (sweeper_stopping(sweeper))
			inbox_release(db, ids[i], 0, NULL);
		else
			mail_take(db, sweeper->config, ids[i], PAUSE_S);
	}
	return true;
}

static void *sweeper_run(void *user_data)
{
	MailSweeper *sweeper = user_data;
	g_autoptr(Db) db = db_new(sweeper->config->database);
	Outage outage = {.name = "database"};
	while (!sweeper_stopping(sweeper)) {
		int count = 0;
		g_autoptr(GError) error = NULL;
		if (!inbox_sweep(sweeper, db, &count, &error)) {
			sweeper_pause(sweeper, outage_begin(&outage, error->message));
			continue;
		}
		outage_end(&outage);
		if (count < INBOX_CLAIM_MAX)
			sweeper_pause(sweeper, POLL_MS);
	}
	return NULL;
}

MailSweeper *mail_sweeper_start(const Config *config)
{
	MailSweeper *sweeper = g_new0(MailSweeper, 1);
	sweeper->config = config;
	sweeper->thread = g_thread_new("inbox", sweeper_run, sweeper);
	return sweeper;
}

void mail_sweeper_stop(MailSweeper *sweeper)
{
	if (sweeper == NULL)
		return;
	g_atomic_int_set(&sweeper->stopping, 1);
	bell_ring_all(&sweeper->bell);
	g_thread_join(sweeper->thread);
	g_free(sweeper);
}
