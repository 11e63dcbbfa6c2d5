#include "service/command.h"

#include "service/command_admin.h"
#include "service/command_deliver.h"
#include "service/command_migrate.h"
#include "service/command_rules.h"
#include "service/doctor.h"
#include "service/serve.h"
#include "service/version.h"
#include "service/workers.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

typedef struct {
	const char *name;
	CommandFn *command;
	const char *what_for;  /* NULL: not listed, for tests and tools */
	const char *arguments; /* NULL: it answers --help itself */
} Subcommand;

static const Subcommand subcommands[] = {
	{"serve", command_serve, "answer requests; send mail unless run_workers is no", ""},
	{"deliver", command_deliver, "take a mail from standard input, for a mail server",
	 " [--sender ADDRESS] [--recipient ADDRESS]... [--] [ADDRESS...]"},
	{"migrate", command_migrate, "bring the database's schema up to date", ""},
	{"admin", command_admin,
	 "announce to all players; prune; list mails, send or read one again; tokens for mail",
	 " " COMMAND_ADMIN_ARGUMENTS},
	{"doctor", command_doctor, "look at all the service leans on, mail and DNS included",
	 " [--wait SECONDS] [--resolver ADDRESS[:PORT]]"},
	{"config", command_config_show, "print the settings and where each comes from",
	 " [--table]"},
	{"rules", command_rules, "the referee: legal turns, playing, counting, drawing", NULL},
	{"work", command_work,
	 "send mails, read those that came in, and tidy up, until told to stop", ""},
	{"routes", command_routes, NULL, ""},
	{"queries", command_queries, NULL, ""},
};

static int help_print(void)
{
	printf("Ludopost: slow games by mail, web and REST.\n\n"
	       "Usage: ludopost COMMAND [--config FILE] [ARGUMENTS]\n\nCommands:\n");
	for (size_t i = 0; i < G_N_ELEMENTS(subcommands); i++)
		if (subcommands[i].what_for != NULL)
			printf("  %-10s %s\n", subcommands[i].name, subcommands[i].what_for);
	printf("\nSettings come from /etc/ludopost.conf (or --config FILE), then LUDOPOST_NAME in "
	       "the\nenvironment, then the file named by LUDOPOST_NAME_FILE. `ludopost config "
	       "--table` lists them.\n");
	return COMMAND_DONE;
}

static int usage_print(const Subcommand *subcommand)
{
	printf("Usage: ludopost %s%s\n", subcommand->name, subcommand->arguments);
	if (subcommand->what_for != NULL)
		printf("%s\n", subcommand->what_for);
	return COMMAND_DONE;
}

static int run(const Subcommand *subcommand, int argc, char **argv)
{
	const bool wants_help = argc == 2 && strcmp(argv[1], "--help") == 0;
	if (wants_help && subcommand->arguments != NULL)
		return usage_print(subcommand);
	return subcommand->command(argc, argv);
}

static int command_find(int argc, char **argv)
{
	if (argc < 2)
		return command_usage("COMMAND", "a command is missing");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0)
		return help_print();
	if (strcmp(argv[1], "--version") == 0) {
		printf("ludopost %s\n", LUDOPOST_VERSION);
		return COMMAND_DONE;
	}
	const bool has_own_codes = strcmp(argv[1], "deliver") == 0; /* of sysexits.h */
	if (strcmp(argv[argc - 1], "--config") == 0 && !has_own_codes)
		return command_usage(argv[1], "--config needs a file");
	for (size_t i = 0; i < G_N_ELEMENTS(subcommands); i++)
		if (strcmp(argv[1], subcommands[i].name) == 0)
			return run(&subcommands[i], argc - 1, argv + 1);
	return command_usage(argv[1], "there is no such command");
}

int main(int argc, char **argv)
{
	/* Numbers keep their dot: only the character set of the environment is taken. */
	setlocale(LC_CTYPE, "C.UTF-8");
	const int code = command_find(argc, argv);
	const bool written = fflush(stdout) == 0 && ferror(stdout) == 0;
	if (written || code != COMMAND_DONE)
		return code;
	/* What nobody could read was not done: a full disk, say. */
	fputs("ludopost: the output could not be written\n", stderr);
	return COMMAND_FAILED;
}
