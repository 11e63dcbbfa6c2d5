#include "service/process.h"

#include "db/db.h"

sigset_t process_signals_block(void)
{
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signals;
}

static void signal_taken(const sigset_t *signals, int number)
{
	g_message("event=stopping signal=%s", number == SIGINT ? "INT" : "TERM");
	pthread_sigmask(SIG_UNBLOCK, signals, NULL);
}

bool process_signal_within(const sigset_t *signals, int milliseconds)
{
	const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
	const int number = sigtimedwait(signals, NULL, &time);
	if (number <= 0)
		return false;
	signal_taken(signals, number);
	return true;
}

void process_signal_await(const sigset_t *signals)
{
	int number = 0;
	sigwait(signals, &number);
	signal_taken(signals, number);
}

bool process_schema_check(const Config *config, GError **error)
{
	g_autoptr(Db) db = db_new(config->database);
	g_autoptr(GError) cause = NULL;
	if (db_connect(db, &cause))
		return true;
	if (g_error_matches(cause, DB_ERROR, DB_ERROR_UNAVAILABLE)) {
		g_warning("event=database_unavailable error=\"%s\"", cause->message);
		return true;
	}
	g_propagate_error(error, g_steal_pointer(&cause));
	return false;
}
