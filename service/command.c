#include "service/command.h"

#include "service/log.h"
#include "service/route.h"

#include <stdio.h>
#include <string.h>

int command_usage(const char *command, const char *what)
{
	fprintf(stderr, "ludopost%s%s: %s\nSee: ludopost --help\n", *command != '\0' ? " " : "",
		command, what);
	return COMMAND_USAGE;
}

int command_failed(const char *command, const GError *error)
{
	fprintf(stderr, "ludopost %s: %s\n", command, error->message);
	return COMMAND_FAILED;
}

/* Removes count arguments from place on. */
static void arguments_remove(int *argc, char **argv, int place, int count)
{
	memmove(&argv[place], &argv[place + count],
		(size_t)(*argc - place - count) * sizeof(*argv));
	*argc -= count;
}

Config *command_config(int *argc, char **argv)
{
	const char *path = NULL;
	g_autoptr(GError) error = NULL;
	for (int i = 1; i + 1 < *argc; i++) {
		if (strcmp(argv[i], "--config") != 0)
			continue;
		path = argv[i + 1];
		arguments_remove(argc, argv, i, 2);
		break;
	}
	Config *config = config_load(path, &error);
	if (config == NULL)
		command_failed(argv[0], error);
	else
		log_start(config->log_level);
	return config;
}

int command_config_show(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--table") == 0) {
		config_print_table();
		return COMMAND_DONE;
	}
	g_autoptr(Config) config = command_config(&argc, argv);
	if (config == NULL)
		return COMMAND_FAILED;
	if (argc != 1)
		return command_usage(argv[0], "takes no arguments but --config FILE or --table");
	config_print(config);
	return COMMAND_DONE;
}

int command_routes(int argc, char **argv)
{
	if (argc != 1)
		return command_usage(argv[0], "takes no arguments");
	return route_print();
}
