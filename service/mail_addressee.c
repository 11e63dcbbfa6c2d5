#include "service/mail_addressee.h"

#include <glib.h>
#include <string.h>

enum { NUMBER_LENGTH_MAX = 18 };

static const struct {
	const char *name;
	MailAddresseeKind kind;
} names[] = {
	{"move", MAIL_TO_MOVE},     {"bounce", MAIL_TO_BOUNCE},
	{"invite", MAIL_TO_INVITE}, {"unsubscribe", MAIL_TO_UNSUBSCRIBE},
	{"fbl", MAIL_TO_FEEDBACK},  {"play", MAIL_TO_PLAY},
};

static bool number_read(const char *text, int64_t *number_r)
{
	size_t length = strspn(text, "0123456789");

	if (length == 0 || length > NUMBER_LENGTH_MAX || text[length] != '\0')
		return false;
	*number_r = g_ascii_strtoll(text, NULL, 10);
	return true;
}

/* One part with its letter: "g7". False if it is none. */
static bool part_read(const char *part, MailAddressee *addressee)
{
	int64_t number;

	if (part[0] == '\0' || !number_read(part + 1, &number))
		return false;
	switch (part[0]) {
	case 'g':
		addressee->game_id = number;
		return true;
	case 't':
		addressee->ply = (int)MIN(number, G_MAXINT);
		return true;
	case 'd':
		addressee->delivery_id = number;
		return true;
	case 'c':
		addressee->challenge_id = number;
		return true;
	case 'u':
		addressee->player_id = number;
		return true;
	default:
		return false;
	}
}

/* The parts between dots, the last of them the secret. */
static bool detail_read(const char *detail, MailAddressee *addressee)
{
	g_auto(GStrv) parts = g_strsplit(detail, ".", 5);
	size_t count = g_strv_length(parts);

	if (count < 2 || count > 3)
		return false;
	for (size_t i = 0; i + 1 < count; i++) {
		if (!part_read(parts[i], addressee))
			return false;
	}
	const char *secret = parts[count - 1];
	if (secret[0] == '\0' || strlen(secret) > MAIL_SECRET_LENGTH_MAX)
		return false;
	g_strlcpy(addressee->secret, secret, sizeof addressee->secret);
	return true;
}

void mail_addressee_read(const char *address, MailAddressee *addressee_r)
{
	g_autofree char *local = g_ascii_strdown(address, (ssize_t)strcspn(address, "@"));
	char *plus = strchr(local, '+');
	const char *detail = plus == NULL ? NULL : plus + 1;

	*addressee_r = (MailAddressee){.kind = MAIL_TO_NOBODY};
	if (plus != NULL)
		*plus = '\0';
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (strcmp(local, names[i].name) == 0)
			addressee_r->kind = names[i].kind;
	}
	if (addressee_r->kind == MAIL_TO_NOBODY || detail == NULL)
		return;
	MailAddresseeKind kind = addressee_r->kind;
	if (!detail_read(detail, addressee_r))
		*addressee_r = (MailAddressee){.kind = kind, .broken = true};
}

bool mail_addressee_is_ours(const char *address, const char *domain)
{
	const size_t length = strlen(address);
	const bool is_bracketed = length >= 2 && address[0] == '<' && address[length - 1] == '>';
	g_autofree char *plain =
		is_bracketed ? g_strndup(address + 1, length - 2) : g_strdup(address);
	const char *at = strrchr(plain, '@');
	MailAddressee addressee;

	if (at == NULL || g_ascii_strcasecmp(at + 1, domain) != 0)
		return false;
	mail_addressee_read(plain, &addressee);
	return addressee.kind != MAIL_TO_NOBODY;
}
