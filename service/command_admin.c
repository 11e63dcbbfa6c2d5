#include "service/command_admin.h"

#include "db/announcement.h"
#include "db/delivery.h"
#include "db/inbox.h"
#include "db/player.h"
#include "db/prune.h"
#include "service/account_private.h"
#include "service/command.h"
#include "service/name.h"

#include <stdio.h>
#include <string.h>

enum { ANNOUNCEMENT_SUBJECT_MAX = 150, LETTERS_MAX = 200 };

static int admin_prune(const Config *config, const char *argument)
{
	(void)argument;
	g_autoptr(GError) error = NULL;
	g_autoptr(Db) db = db_new(config->database_owner);
	PruneCount counts[PRUNE_KINDS];
	if (!prune_all(db, config->inbox_days, counts, &error))
		return command_failed("admin prune", error);
	printf("pruned");
	for (int i = 0; i < PRUNE_KINDS; i++)
		printf(" %s=%" G_GINT64_FORMAT, counts[i].name, counts[i].count);
	printf("\n");
	return COMMAND_DONE;
}

/* A heading and one line for each row, parted by tabs. */
static void rows_print(const DbResult *rows, const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
		printf("%s%s", i > 0 ? "\t" : "", names[i]);
	printf("\n");
	for (int row = 0; row < db_rows(rows); row++) {
		for (int i = 0; i < count; i++)
			printf("%s%s", i > 0 ? "\t" : "",
			       db_null(rows, row, i) ? "-" : db_text(rows, row, i));
		printf("\n");
	}
}

/* Notifications that are not done, or dead, newest first: one line each, no addresses. */
static int admin_deliveries(const Config *config, const char *argument)
{
	const bool only_dead = argument != NULL;
	if (only_dead && strcmp(argument, "--dead") != 0)
		return command_usage("admin deliveries", "takes nothing but --dead");
	g_autoptr(GError) error = NULL;
	g_autoptr(Db) db = db_new(config->database_owner);
	g_autoptr(DbResult) rows = delivery_letters(
		db, only_dead ? "dead" : "pending,sending,retry,unknown,dead", LETTERS_MAX, &error);
	if (rows == NULL)
		return command_failed("admin deliveries", error);
	static const char *const names[] = {"id",       "template", "game",    "player",
					    "state",    "attempts", "created", "changed",
					    "next_try", "code",     "reply"};
	rows_print(rows, names, G_N_ELEMENTS(names));
	return COMMAND_DONE;
}

static bool number_read(const char *argument, int64_t *number_r)
{
	return argument != NULL &&
	       g_ascii_string_to_signed(argument, 10, 1, G_MAXINT64, number_r, NULL);
}

/* Sends a mail that was given up, or waits, at once. */
static int admin_retry(const Config *config, const char *argument)
{
	int64_t id = 0;
	if (!number_read(argument, &id))
		return command_usage("admin retry", "wants the number of a delivery");
	g_autoptr(GError) error = NULL;
	g_autoptr(Db) db = db_new(config->database_owner);
	bool found = false;
	if (!delivery_again(db, id, &found, &error))
		return command_failed("admin retry", error);
	if (!found) {
		fprintf(stderr,
			"ludopost admin retry: delivery %s is not dead, unknown or "
			"waiting\n",
			argument);
		return COMMAND_FAILED;
	}
	printf("delivery %s is due now\n", argument);
	return COMMAND_DONE;
}

/* Mails that came in and are not decided, or could not be read, newest first: one line each, no
 * addresses. */
static int admin_inbox(const Config *config, const char *argument)
{
	(void)argument;
	static const char *const names[] = {"id",      "state",    "via",  "attempts",
					    "arrived", "next_try", "bytes"};
	g_autoptr(GError) error = NULL;
	g_autoptr(Db) db = db_new(config->database_owner);
	g_autoptr(DbResult) rows = inbox_letters(db, LETTERS_MAX, &error);
	if (rows == NULL)
		return command_failed("admin inbox", error);
	rows_print(rows, names, G_N_ELEMENTS(names));
	return COMMAND_DONE;
}

/* Lets a mail be read again that nobody could read. */
static int admin_reread(const Config *config, const char *argument)
{
	int64_t id = 0;
	if (!number_read(argument, &id))
		return command_usage("admin reread", "wants the number of a mail in the inbox");
	g_autoptr(GError) error = NULL;
	g_autoptr(Db) db = db_new(config->database_owner);
	bool found = false;
	if (!inbox_again(db, id, &found, &error))
		return command_failed("admin reread", error);
	if (!found) {
		fprintf(stderr,
			"ludopost admin reread: there is no failed mail %s whose text is still "
			"kept; see: ludopost admin inbox\n",
			argument);
		return COMMAND_FAILED;
	}
	printf("mail %s is read again now\n", argument);
	return COMMAND_DONE;
}

/* The first line is the subject, the rest what is said. False: it is not fit to be mailed. */
static bool announcement_split(char *text, char **subject_r, char **body_r)
{
	g_strdelimit(text, "\r", ' ');
	char *end = strchr(text, '\n');
	if (end == NULL || !g_utf8_validate(text, -1, NULL))
		return false;
	*end = '\0';
	*subject_r = g_strstrip(text);
	*body_r = g_strstrip(end + 1);
	for (const char *c = *body_r; *c != '\0'; c++)
		if (g_ascii_iscntrl(*c) && *c != '\n')
			return false;
	return **subject_r != '\0' && **body_r != '\0' &&
	       g_utf8_strlen(*subject_r, -1) <= ANNOUNCEMENT_SUBJECT_MAX;
}

/* Tells all players something once, however often it is called. */
static int admin_announce(const Config *config, const char *argument)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;
	char *subject = NULL, *body = NULL;
	if (argument == NULL)
		return command_usage("admin announce", "wants a file");
	if (!g_file_get_contents(argument, &text, NULL, &error))
		return command_failed("admin announce", error);
	if (!announcement_split(text, &subject, &body))
		return command_usage("admin announce",
				     "wants UTF-8 text: the subject in the first line (up to 150 "
				     "characters), then what is said");
	g_autoptr(Db) db = db_new(config->database_owner);
	bool made = false;
	int64_t told = 0;
	if (!announcement_make(db, subject, body, &made, &told, &error))
		return command_failed("admin announce", error);
	if (made)
		printf("announced to %" G_GINT64_FORMAT " players\n", told);
	else
		printf("announced before: nobody is told again\n");
	return COMMAND_DONE;
}

/* Makes a token for whoever brings mail to POST /v1/mail; a player answers for it. */
static int admin_mail_token(const Config *config, const char *argument)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *key = argument == NULL ? NULL : name_key(argument);
	g_autoptr(Player) player = NULL;
	if (key == NULL)
		return command_usage("admin mail-token", "wants the name of a player");
	g_autoptr(Db) db = db_new(config->database_owner);
	if (!player_find_name_key(db, key, &player, &error))
		return command_failed("admin mail-token", error);
	if (player == NULL) {
		fprintf(stderr, "ludopost admin mail-token: there is no player of this name\n");
		return COMMAND_FAILED;
	}
	const TokenNew token = {.player_id = player->id, .name = "mail", .scopes = SCOPE_MAIL};
	int64_t id = 0;
	g_autofree char *secret = account_token_store(db, &token, &id, &error);
	if (secret == NULL)
		return command_failed("admin mail-token", error);
	printf("%s\n", secret);
	return COMMAND_DONE;
}

static const struct {
	const char *word;
	int (*work)(const Config *config, const char *argument);
	bool takes_argument;
} words[] = {
	{"announce", admin_announce, true},     {"prune", admin_prune, false},
	{"deliveries", admin_deliveries, true}, {"retry", admin_retry, true},
	{"mail-token", admin_mail_token, true}, {"inbox", admin_inbox, false},
	{"reread", admin_reread, true},
};

int command_admin(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = command_config(&argc, argv);
	if (config == NULL)
		return COMMAND_FAILED;
	for (size_t i = 0; argc >= 2 && i < G_N_ELEMENTS(words); i++) {
		if (strcmp(argv[1], words[i].word) != 0 || argc > 2 + words[i].takes_argument)
			continue;
		if (!config_need(config, &error, "database_owner", NULL))
			return command_failed(argv[0], error);
		return words[i].work(config, argc > 2 ? argv[2] : NULL);
	}
	return command_usage(argv[0], "wants one of: " COMMAND_ADMIN_ARGUMENTS);
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
