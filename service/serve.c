#include "service/serve.h"

#include "mail/smtp.h"
#include "service/http.h"
#include "service/process.h"
#include "service/route.h"
#include "service/text.h"
#include "service/web/page.h"
#include "service/workers.h"

/* Requests are answered as long as the workers run, so that no mail waits for the next start. */
static int requests_serve(const char *command, const Config *config, const sigset_t *signals)
{
	g_autoptr(GError) error = NULL;
	HttpServer *server = http_start(config, routes, page_problem, &error);
	if (server == NULL)
		return command_failed(command, error);
	g_message("event=started listen=%s port=%d workers=%d", config->listen, http_port(server),
		  config->workers);
	process_signal_await(signals);
	http_stop(server);
	g_message("event=stopped");
	return COMMAND_DONE;
}

static int serve_run(const char *command, const Config *config)
{
	g_autoptr(GError) error = NULL;
	const sigset_t signals = process_signals_block();
	if (!process_schema_check(config, &error))
		return command_failed(command, error);
	smtp_prepare();
	Workers *workers = workers_start(config, config->run_workers, &error);
	if (workers == NULL)
		return command_failed(command, error);
	const int code = requests_serve(command, config, &signals);
	workers_stop(workers);
	return code;
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
