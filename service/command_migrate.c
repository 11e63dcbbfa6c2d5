#include "service/command_migrate.h"

#include "db/migrate.h"

#include <stdio.h>

int command_migrate(int argc, char **argv)
{
	const char *command = argv[0];
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = command_config(&argc, argv);
	if (config == NULL)
		return COMMAND_FAILED;
	if (argc != 1)
		return command_usage(command, "takes no arguments but --config FILE");
	if (!config_need(config, &error, "database", "database_owner", NULL))
		return command_failed(command, error);
	g_autofree char *role = migrate_conninfo_user(config->database, &error);
	int count = 0;
	if (role == NULL || !migrate_run(config->database_owner, role, &count, &error))
		return command_failed(command, error);
	printf("%d of %d migrations were new; the schema is up to date.\n", count,
	       migrate_newest());
	return COMMAND_DONE;
}
