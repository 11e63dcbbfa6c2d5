/*
 * mail_cases DIR: decides about each NNN.eml of a folder with the shipped code and prints one line
 * of JSON for each. Of its NNN.json only `id` and `context` are read. The context brings the
 * secret; `session` names cases that were decided before.
 */
#include "service/mail_in.h"
#include "service/secret.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

typedef struct Case {
	json_t *json; /* borrowed from `all` */
	const char *folder;
	GPtrArray *seen; /* "message id\tturn" of what was accepted before */
} Case;

static json_t *context_of(const Case *one)
{
	return json_object_get(one->json, "context");
}

static const char *text_of(const Case *one, const char *key)
{
	return json_string_value(json_object_get(context_of(one), key));
}

static int64_t number_of(const Case *one, const char *key)
{
	return json_integer_value(json_object_get(context_of(one), key));
}

/* Whether a secret stands anywhere in a value: a list, an object by turn, or a text. */
static bool value_holds(const json_t *value, const char *secret)
{
	if (json_is_string(value))
		return secret_equal(json_string_value(value), secret);
	bool holds = false;
	if (json_is_array(value)) {
		size_t index;
		json_t *each;
		json_array_foreach(value, index, each) holds = holds || value_holds(each, secret);
	} else if (json_is_object(value)) {
		const char *key;
		json_t *each;
		json_object_foreach((json_t *)value, key, each) holds =
			holds || secret_equal(key, secret) || value_holds(each, secret);
	}
	return holds;
}

static bool is_used(const Case *one, const char *secret)
{
	return value_holds(json_object_get(context_of(one), "used_secrets"), secret);
}

static bool secret_fits(const MailAddressee *addressee, void *user_data)
{
	const Case *one = user_data;
	const char *secret = text_of(one, "secret");
	bool is_current = secret != NULL && secret_equal(secret, addressee->secret);
	bool other_game = addressee->game_id != 0 && addressee->game_id != number_of(one, "game");

	return (is_current || is_used(one, addressee->secret)) && !other_game;
}

static bool locate(const char *message_id, MailAddressee *addressee_r, void *user_data)
{
	const Case *one = user_data;
	const char *sent = text_of(one, "sent_message_id");
	g_autofree char *bracketed = g_strdup_printf("<%s>", message_id);

	if (g_strcmp0(sent, bracketed) != 0)
		return false;
	*addressee_r = (MailAddressee){
		.kind = MAIL_TO_MOVE,
		.game_id = number_of(one, "game"),
		.ply = (int)number_of(one, "turn"),
	};
	return true;
}

static void look_up(const MailAddressee *addressee, MailSituation *situation_r, void *user_data)
{
	const Case *one = user_data;
	const char *key = text_of(one, "rules");

	*situation_r = (MailSituation){
		.rules = rules_find(key == NULL ? "ordo" : key),
		.past = (addressee->ply != 0 && addressee->ply < number_of(one, "turn")) ||
			(addressee->secret[0] != '\0' && is_used(one, addressee->secret)),
	};
}

static bool sender_fits(const MailAddressee *addressee, const char *address, void *user_data)
{
	const Case *one = user_data;
	json_t *aliases = json_object_get(context_of(one), "aliases"), *alias;
	size_t index;
	const char *player = text_of(one, "player");

	(void)addressee;
	if (player != NULL && g_ascii_strcasecmp(player, address) == 0)
		return true;
	json_array_foreach(aliases, index, alias) if (g_ascii_strcasecmp(json_string_value(alias),
									 address) == 0) return true;
	return false;
}

static bool sender_trusted(const char *address, void *user_data)
{
	(void)address;
	(void)user_data;
	return false;
}

static MailMemory remember(const MailAddressee *addressee, const char *message_id,
			   const char *command, void *user_data)
{
	const Case *one = user_data;

	(void)addressee; /* a case is about one turn only */
	for (unsigned i = 0; i < one->seen->len; i++) {
		g_auto(GStrv) before = g_strsplit(g_ptr_array_index(one->seen, i), "\t", 2);
		if (message_id != NULL && strcmp(before[0], message_id) == 0)
			return MAIL_MEMORY_DUPLICATE;
		if (command != NULL && strcmp(before[1], command) == 0)
			return message_id == NULL ? MAIL_MEMORY_DUPLICATE : MAIL_MEMORY_PLAYED;
	}
	return MAIL_MEMORY_NEW;
}

static const MailInSource source = {
	.secret_fits = secret_fits,
	.locate = locate,
	.look_up = look_up,
	.sender_fits = sender_fits,
	.sender_trusted = sender_trusted,
	.remember = remember,
};

static MailDecision *case_decide(Case *one, const char *id)
{
	g_autofree char *name = g_strconcat(one->folder, "/", id, ".eml", NULL);
	g_autofree char *bytes = NULL;
	g_autoptr(GError) error = NULL;
	size_t size = 0;
	const MailInContext context = {
		.domain = "play.example.org",
		.authserv_id = "in.play.example.org",
		.sender = text_of(one, "envelope_from"),
		.recipient = text_of(one, "envelope_to"),
		.source = &source,
		.user_data = one,
	};

	if (!g_file_get_contents(name, &bytes, &size, &error))
		g_error("%s", error->message);
	return mail_in_decide(&context, (const uint8_t *)bytes, size);
}

/* Decides about what came before, and keeps what was accepted of it. */
static void session_feed(Case *one)
{
	size_t index;
	json_t *id;

	json_array_foreach(json_object_get(context_of(one), "session"), index, id)
	{
		g_autoptr(MailDecision) decision = case_decide(one, json_string_value(id));
		if (decision->disposition == MAIL_IN_ACCEPT)
			g_ptr_array_add(
				one->seen,
				g_strdup_printf(
					"%s\t%s",
					decision->message_id == NULL ? "" : decision->message_id,
					decision->command.text == NULL ? ""
								       : decision->command.text));
	}
}

static void case_print(Case *one)
{
	session_feed(one);
	const char *id = json_string_value(json_object_get(one->json, "id"));
	g_autoptr(MailDecision) decision = case_decide(one, id);
	json_t *line = json_pack("{s:s, s:s, s:s?, s:s?, s:s?, s:s?, s:b}", "id", id, "disposition",
				 mail_disposition_name(decision->disposition), "reason",
				 mail_reason_name(decision->reason), "command",
				 decision->command.text, "chat", decision->chat, "secret_from",
				 recipient_source_name(decision->secret_from), "may_answer",
				 decision->may_answer);
	json_dumpf(line, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(line);
}

static int names_compare(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* The names of the folder's JSON files, sorted. */
static GPtrArray *names_read(const char *folder)
{
	g_autoptr(GError) error = NULL;
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GDir *directory = g_dir_open(folder, 0, &error);
	const char *name;

	if (directory == NULL)
		g_error("%s", error->message);
	while ((name = g_dir_read_name(directory)) != NULL) {
		if (g_str_has_suffix(name, ".json"))
			g_ptr_array_add(names, g_build_filename(folder, name, NULL));
	}
	g_dir_close(directory);
	g_ptr_array_sort(names, names_compare);
	return names;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: mail_cases DIR\n", stderr);
		return 2;
	}
	GPtrArray *names = names_read(argv[1]);
	for (unsigned i = 0; i < names->len; i++) {
		json_error_t error;
		json_t *json = json_load_file(g_ptr_array_index(names, i), 0, &error);
		if (json == NULL)
			g_error("%s: %s", (const char *)g_ptr_array_index(names, i), error.text);
		Case one = {json, argv[1], g_ptr_array_new_with_free_func(g_free)};
		case_print(&one);
		g_ptr_array_unref(one.seen);
		json_decref(json);
	}
	g_ptr_array_unref(names);
	return 0;
}
