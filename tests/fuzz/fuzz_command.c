/* Lines of mails: the first byte says where they stand. A command's one form is read as the same
 * command again. */
#include "service/mail_addressee.h"
#include "service/mail_command.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void reading_check(const MailPlace *place, MailReading reading, const MailCommand *command)
{
	g_auto(MailCommand) again = {.id = MAIL_COMMAND_NONE};

	if (reading == MAIL_READING_REMARK) {
		g_assert_cmpint(command->id, ==, MAIL_COMMAND_NONE);
		g_assert_null(command->text);
		return;
	}
	g_assert_nonnull(command->text);
	if (command->game_id != 0) /* its number is no part of the text */
		return;
	g_assert_cmpint(mail_command_read(command->text, place, &again), ==, reading);
	g_assert_cmpint(again.id, ==, command->id);
	g_assert_cmpstr(again.text, ==, command->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned places[] = {MAIL_PLACE_GAME, MAIL_PLACE_PLAY, MAIL_PLACE_INVITE};
	g_auto(MailCommand) command = {.id = MAIL_COMMAND_NONE};
	MailAddressee addressee;

	if (size < 1)
		return 0;
	g_autofree char *raw = g_strndup((const char *)data + 1, size - 1);
	g_autofree char *line = g_utf8_make_valid(raw, -1);
	const MailPlace place = {places[data[0] % G_N_ELEMENTS(places)], rules_at(data[0] % 3),
				 data[0] % 5 == 0};

	reading_check(&place, mail_command_read(line, &place, &command), &command);
	mail_addressee_read(line, &addressee);
	g_assert_cmpuint(strlen(addressee.secret), <=, MAIL_SECRET_LENGTH_MAX);
	return 0;
}
