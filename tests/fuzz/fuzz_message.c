/* Whole mails: whatever comes in, the decision about it is one that can be carried out. */
#include "service/mail_in.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool secret_fits(const MailAddressee *addressee, void *user_data)
{
	(void)user_data;
	return addressee->secret[0] != 'a';
}

static bool locate(const char *message_id, MailAddressee *addressee_r, void *user_data)
{
	(void)user_data;
	*addressee_r = (MailAddressee){.kind = MAIL_TO_MOVE, .game_id = 7, .ply = 13};
	return g_str_has_prefix(message_id, "g");
}

static void look_up(const MailAddressee *addressee, MailSituation *situation_r, void *user_data)
{
	(void)user_data;
	*situation_r = (MailSituation){.rules = rules_at(addressee->ply % 2 == 0 ? 0 : 1),
				       .past = addressee->ply > 100};
}

static bool sender_fits(const MailAddressee *addressee, const char *address, void *user_data)
{
	(void)addressee;
	(void)user_data;
	return address[0] != 'm';
}

static bool sender_trusted(const char *address, void *user_data)
{
	(void)user_data;
	return address[0] == 'a';
}

static MailMemory remember(const MailAddressee *addressee, const char *message_id,
			   const char *command, void *user_data)
{
	(void)addressee;
	(void)command;
	(void)user_data;
	return message_id != NULL && message_id[0] == 'x' ? MAIL_MEMORY_DUPLICATE : MAIL_MEMORY_NEW;
}

static void decision_check(const MailDecision *decision)
{
	bool is_read =
		decision->disposition == MAIL_IN_ACCEPT || decision->disposition == MAIL_IN_HOLD;
	bool has_command = decision->command.id != MAIL_COMMAND_NONE;

	g_assert_true((decision->command.text != NULL) == has_command);
	g_assert_true((decision->command_text != NULL) == has_command);
	g_assert_true(is_read || (!has_command && decision->chat == NULL));
	g_assert_true(!is_read || has_command || decision->chat != NULL);
	g_assert_true((decision->disposition == MAIL_IN_ACCEPT) ==
			      (decision->reason == MAIL_REASON_NONE &&
			       decision->disposition != MAIL_IN_COMPLAINT &&
			       decision->disposition != MAIL_IN_UNSUBSCRIBE) ||
		      !is_read);
	g_assert_true((decision->candidates != NULL) ==
		      (decision->reason == MAIL_REASON_AMBIGUOUS_COMMAND));
	g_assert_true(!decision->may_answer || decision->from != NULL);
	if (decision->chat != NULL) {
		g_assert_true(g_utf8_validate(decision->chat, -1, NULL));
		g_assert_cmpint(g_utf8_strlen(decision->chat, -1), <=, MAIL_CHAT_MAX);
		g_assert_null(strchr(decision->chat, '\r'));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const MailInSource source = {
		.secret_fits = secret_fits,
		.locate = locate,
		.look_up = look_up,
		.sender_fits = sender_fits,
		.sender_trusted = sender_trusted,
		.remember = remember,
	};
	const MailInContext context = {
		.domain = "play.example.org",
		.authserv_id = "in.play.example.org",
		.source = &source,
	};
	g_autoptr(MailDecision) decision = mail_in_decide(&context, data, size);

	decision_check(decision);
	return 0;
}
