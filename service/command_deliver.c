#include "service/command_deliver.h"

#include "db/herald.h"
#include "db/inbox.h"
#include "mail/incoming.h"
#include "service/command.h"
#include "service/limits.h"
#include "service/mail_addressee.h"
#include "service/mail_take.h"
#include "service/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

enum {
	RECIPIENTS_MAX = 100,
	ENVELOPE_MAX = 1000, /* bytes of an address that are looked at */
	READ_S = 300,        /* a mailbox may be read over a slow line */
	WORK_S = 60,
};

typedef struct {
	char *sender;          /* NULL: unknown */
	GPtrArray *recipients; /* of texts, in small letters */
	GByteArray *raw;
} Delivery;

static void delivery_clear(Delivery *delivery)
{
	g_free(delivery->sender);
	g_ptr_array_unref(delivery->recipients);
	g_byte_array_unref(delivery->raw);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Delivery, delivery_clear)

/* Says why on stderr, which mail servers pass on to people. Returns the exit code. */
static int refuse(int code, const char *why)
{
	fprintf(stderr, "ludopost deliver: %s\n", why);
	return code;
}

/* An address of the envelope: without brackets, and fit to be stored. The caller frees. */
static char *address_tidy(const char *text)
{
	g_autofree char *cut = g_strndup(text, ENVELOPE_MAX);
	char *valid = g_utf8_make_valid(cut, -1);
	size_t length = strlen(valid);

	if (length >= 2 && valid[0] == '<' && valid[length - 1] == '>') {
		valid[length - 1] = '\0';
		memmove(valid, valid + 1, length - 1);
	}
	return g_strstrip(valid);
}

/* ---- arguments ---- */

static void recipient_add(Delivery *delivery, const char *text)
{
	g_autofree char *address = address_tidy(text);
	char *small = g_ascii_strdown(address, -1);

	if (g_ptr_array_find_with_equal_func(delivery->recipients, small, g_str_equal, NULL))
		g_free(small);
	else
		g_ptr_array_add(delivery->recipients, small);
}

/* What sendmail understands and mail programs give, though it changes nothing here. separate_r:
 * whether its value is the next argument. */
static bool sendmail_option(const char *text, bool *separate_r)
{
	static const char with_value[] = "fBFNRVrh";
	static const char without[] = "iomtUnvG";

	*separate_r = false;
	if (text[0] != '-' || text[1] == '\0' || text[1] == '-')
		return false;
	if (text[1] == 'o')
		return text[2] != '\0';
	if (strchr(with_value, text[1]) != NULL) {
		*separate_r = text[2] == '\0';
		return true;
	}
	return strchr(without, text[1]) != NULL && text[2] == '\0';
}

/* One argument, or two; NULL when they make sense, else what is wrong. *used_r: how many. */
static const char *argument_read(Delivery *delivery, int argc, char **argv, int *used_r)
{
	const char *text = argv[0];
	bool separate = false;
	const bool sender = strcmp(text, "--sender") == 0;

	*used_r = 1;
	if (sender || strcmp(text, "--recipient") == 0) {
		if (argc < 2)
			return sender ? "--sender needs an address (\"\" for none)"
				      : "--recipient needs an address";
		*used_r = 2;
		if (!sender) {
			recipient_add(delivery, argv[1]);
			return NULL;
		}
		g_free(delivery->sender);
		delivery->sender = address_tidy(argv[1]);
		return NULL;
	}
	if (text[0] != '-') {
		recipient_add(delivery, text);
		return NULL;
	}
	if (!sendmail_option(text, &separate))
		return "unknown option; see: ludopost deliver --help";
	*used_r = separate ? 2 : 1;
	return separate && argc < 2 ? "an option lacks its value" : NULL;
}

/* NULL when all arguments make sense. */
static const char *arguments_read(Delivery *delivery, int argc, char **argv)
{
	for (int i = 1, used = 0; i < argc; i += used) {
		if (strcmp(argv[i], "--") == 0) {
			for (i++; i < argc; i++)
				recipient_add(delivery, argv[i]);
			return NULL;
		}
		const char *wrong = argument_read(delivery, argc - i, argv + i, &used);
		if (wrong != NULL)
			return wrong;
	}
	return NULL;
}

/* EX_OK, or the refusal of the first one that is none of ours; what stands behind a "+" may be a
 * secret and is not repeated. */
static int recipients_check(const Config *config, const Delivery *delivery)
{
	if (delivery->recipients->len > RECIPIENTS_MAX)
		return refuse(EX_USAGE, "too many recipients");
	for (unsigned i = 0; i < delivery->recipients->len; i++) {
		const char *address = delivery->recipients->pdata[i];
		if (mail_addressee_is_ours(address, config->mail_domain))
			continue;
		const char *at = strrchr(address, '@');
		g_autofree char *local = g_strndup(address, strcspn(address, "+@"));
		g_autofree char *why = g_strdup_printf(
			"no such address here: %s%s%s. Only addresses at %s that stand in mails "
			"from this server are taken, and play@%s. Nothing was delivered.",
			local, strchr(address, '+') == NULL ? "" : "+…", at == NULL ? "" : at,
			config->mail_domain, config->mail_domain);
		return refuse(EX_NOUSER, why);
	}
	return EX_OK;
}

/* ---- the message ---- */

/* Reads to the end; of a message that is too large one byte more than may be is kept, so that it is
 * answered for that. False when it cannot be read. */
static bool raw_read(GByteArray *raw)
{
	uint8_t buffer[16384];

	for (;;) {
		const ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
		if (got == 0)
			return true;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		const size_t room = (size_t)INCOMING_SIZE_MAX + 1 - raw->len;
		g_byte_array_append(raw, buffer, (unsigned)MIN((size_t)got, room));
	}
}

/* Commits one row for each recipient. */
static bool delivery_keep(Db *db, const Delivery *delivery, int64_t *ids_r, int count,
			  GError **error)
{
	g_autofree InboxDraft *drafts = g_new0(InboxDraft, count);

	for (int i = 0; i < count; i++) {
		drafts[i] = (InboxDraft){
			.via = "deliver",
			.sender = delivery->sender,
			.recipient = delivery->recipients->len == 0
					     ? NULL
					     : delivery->recipients->pdata[i],
			.raw = delivery->raw->data,
			.raw_size = delivery->raw->len,
		};
	}
	return inbox_add(db, drafts, count, ids_r, error);
}

/* Once kept a mail is safe: what goes wrong from here on a worker does later. */
static int delivery_take(const Config *config, const Delivery *delivery)
{
	const int count = MAX((int)delivery->recipients->len, 1);
	g_autofree int64_t *ids = g_new0(int64_t, count);
	g_autoptr(Db) db = db_new(config->database);
	g_autoptr(GError) error = NULL;

	if (!delivery_keep(db, delivery, ids, count, &error)) {
		g_warning("event=mail_not_kept why=\"%s\"", error->message);
		return refuse(EX_TEMPFAIL, "the mail cannot be kept now; try again later");
	}
	limits_exit_code(EX_OK);
	text_init();
	for (int i = 0; i < count; i++)
		mail_take(db, config, ids[i], MAIL_TAKE_AGAIN_S);
	/* The answer waits for a worker in another process, who else looks by himself later. */
	if (!herald_call_over(db, &error))
		g_info("event=workers_not_called why=\"%s\"", error->message);
	return EX_OK;
}

static Config *config_obtain(int *argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = command_config(argc, argv);

	if (config == NULL)
		return NULL;
	if (config_need(config, &error, "database", "mail_domain", NULL) &&
	    config_need_key(config, &error))
		return g_steal_pointer(&config);
	command_failed(argv[0], error);
	return NULL;
}

int command_deliver(int argc, char **argv)
{
	g_auto(Delivery) delivery = {.recipients = g_ptr_array_new_with_free_func(g_free),
				     .raw = g_byte_array_new()};

	limits_set(EX_TEMPFAIL);
	limits_time(READ_S);
	if (strcmp(argv[argc - 1], "--config") == 0)
		return refuse(EX_USAGE, "--config needs a file");
	/* Settings that are wrong are put right some day. */
	g_autoptr(Config) config = config_obtain(&argc, argv);
	const char *wrong = arguments_read(&delivery, argc, argv);
	if (wrong != NULL)
		return refuse(EX_USAGE, wrong);
	if (config == NULL)
		return EX_TEMPFAIL;
	if (!raw_read(delivery.raw))
		return refuse(EX_TEMPFAIL, "the mail cannot be read from standard input");
	if (delivery.raw->len == 0)
		return refuse(EX_DATAERR, "no mail on standard input");
	limits_time(WORK_S);
	const int code = recipients_check(config, &delivery);
	return code == EX_OK ? delivery_take(config, &delivery) : code;
}
