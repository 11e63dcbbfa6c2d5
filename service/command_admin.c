#include "service/command_admin.h"

#include "db/prune.h"
#include "service/command.h"

#include <stdio.h>
#include <string.h>

static int admin_prune(const Config *config)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Db) db = db_new(config->database_owner);
	PruneCount counts[PRUNE_KINDS];
	if (!prune_all(db, counts, &error))
		return command_failed("admin prune", error);
	printf("pruned");
	for (int i = 0; i < PRUNE_KINDS; i++)
		printf(" %s=%" G_GINT64_FORMAT, counts[i].name, counts[i].count);
	printf("\n");
	return COMMAND_DONE;
}

static const struct {
	const char *word;
	int (*work)(const Config *config);
} words[] = {
	{"prune", admin_prune},
};

int command_admin(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = command_config(&argc, argv);
	if (config == NULL)
		return COMMAND_FAILED;
	for (size_t i = 0; argc == 2 && i < G_N_ELEMENTS(words); i++) {
		if (strcmp(argv[1], words[i].word) != 0)
			continue;
		if (!config_need(config, &error, "database_owner", NULL))
			return command_failed(argv[0], error);
		return words[i].work(config);
	}
	return command_usage(argv[0], "wants one word: prune");
}

int command_queries(int argc, char **argv)
{
	if (argc != 1)
		return command_usage(argv[0], "takes no arguments");
	for (const DbQueryTable *const *table = db_query_tables; *table != NULL; table++)
		for (size_t i = 0; i < (*table)->count; i++)
			printf("%s\t%s\n", (*table)->queries[i].name, (*table)->queries[i].sql);
	return COMMAND_DONE;
}
