#include "service/serve.h"

#include "db/db.h"
#include "service/http.h"
#include "service/route.h"
#include "service/text.h"

#include <signal.h>
#include <string.h>

/* A database that is away may come; one whose schema does not fit will not mend itself. */
static bool schema_check(const Config *config, GError **error)
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

/* Taken by sigwait alone: threads inherit the mask, so this comes before the first one. */
static sigset_t signals_block(void)
{
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signals;
}

/* Waits for SIGTERM or SIGINT; a second one then ends the process at once. */
static void signal_await(const sigset_t *signals)
{
	int number = 0;
	sigwait(signals, &number);
	g_message("event=stopping signal=%s", number == SIGINT ? "INT" : "TERM");
	pthread_sigmask(SIG_UNBLOCK, signals, NULL);
}

static int serve_run(const char *command, const Config *config)
{
	g_autoptr(GError) error = NULL;
	sigset_t signals = signals_block();
	if (!schema_check(config, &error))
		return command_failed(command, error);
	HttpServer *server = http_start(config, routes, NULL, &error);
	if (server == NULL)
		return command_failed(command, error);
	g_message("event=started listen=%s port=%d workers=%d", config->listen, http_port(server),
		  config->workers);
	signal_await(&signals);
	http_stop(server);
	g_message("event=stopped");
	return COMMAND_DONE;
}

int command_serve(int argc, char **argv)
{
	const char *command = argv[0];
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = command_config(&argc, argv);
	if (config == NULL)
		return COMMAND_FAILED;
	if (argc != 1)
		return command_usage(command, "takes no arguments but --config FILE");
	if (!config_need(config, &error, "database", "public_url", "mail_domain", NULL) ||
	    !config_need_key(config, &error))
		return command_failed(command, error);
	text_init();
	return serve_run(command, config);
}
