/* The subcommands of ludopost. One row in main.c, one function command_NAME. */
#ifndef SERVICE_COMMAND_H
#define SERVICE_COMMAND_H

#include "service/config.h"

enum {
	COMMAND_DONE = 0,
	COMMAND_FAILED = 1, /* a reason stands on stderr */
	COMMAND_USAGE = 2,
};

/* Runs a subcommand: argv[0] is its name. Returns the program's exit code. */
typedef int CommandFn(int argc, char **argv);

/* Takes "--config FILE" out of the arguments of a subcommand, loads the settings and begins to log
 * as they say. NULL after saying why on stderr. */
Config *command_config(int *argc, char **argv);
/* Says on stderr what is wrong with the arguments, and that --help helps. Returns COMMAND_USAGE. */
int command_usage(const char *command, const char *what);
/* Says on stderr why a subcommand failed. Returns COMMAND_FAILED. */
int command_failed(const char *command, const GError *error);

int command_config_show(int argc, char **argv);
int command_routes(int argc, char **argv);

#endif
