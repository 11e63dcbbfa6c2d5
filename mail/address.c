#include "address.h"

#include <string.h>

#include <idn2.h>

#include "error.h"

enum { ADDRESS_MAX = 254, LOCAL_MAX = 64, DOMAIN_MAX = 253, LABEL_MAX = 63 };

static bool is_letter_or_digit(char c)
{
	return g_ascii_isalnum(c);
}

/* RFC 5321 atext: what a dot-string may hold between its dots. */
static bool is_atom(char c)
{
	return is_letter_or_digit(c) || (c != '\0' && strchr("!#$%&'*+-/=?^_`{|}~", c) != NULL);
}

static const char *local_fault(const char *local, size_t length)
{
	if (length == 0 || length > LOCAL_MAX) {
		return "the part before the @ is empty or longer than 64 bytes";
	}
	char before = '.';
	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)local[i] >= 0x80) {
			return "the part before the @ is not ASCII";
		}
		if (!is_atom(local[i]) && (local[i] != '.' || before == '.')) {
			return "the part before the @ holds what no address may hold";
		}
		before = local[i];
	}
	return before == '.' ? "the part before the @ ends with a dot" : NULL;
}

static bool label_valid(const char *label, size_t length)
{
	if (length == 0 || length > LABEL_MAX || label[0] == '-' || label[length - 1] == '-') {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		if (!is_letter_or_digit(label[i]) && label[i] != '-') {
			return false;
		}
	}
	return true;
}

bool mail_domain_valid(const char *domain)
{
	if (domain == NULL || strlen(domain) > DOMAIN_MAX) {
		return false;
	}
	const char *label = domain;
	for (;;) {
		size_t length = strcspn(label, ".");
		if (!label_valid(label, length)) {
			return false;
		}
		if (label[length] == '\0') {
			/* No top-level domain begins with a digit; addresses of hosts do. */
			return !g_ascii_isdigit(label[0]);
		}
		label += length + 1;
	}
}

/* The domain in ASCII and lower case, or NULL. IDNA 2008 without the old mapping of ß to ss, which
 * would write to somebody else's domain. */
static char *domain_to_ascii(const char *domain)
{
	char *converted = NULL;
	if (!g_utf8_validate(domain, -1, NULL) ||
	    idn2_to_ascii_8z(domain, &converted, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL) !=
		    IDN2_OK) {
		return NULL;
	}
	g_autofree char *ascii = g_ascii_strdown(converted, -1);
	idn2_free(converted);
	return mail_domain_valid(ascii) ? g_steal_pointer(&ascii) : NULL;
}

char *mail_address_to_ascii(const char *address, GError **error)
{
	const char *at = address == NULL ? NULL : strrchr(address, '@');
	if (at == NULL) {
		g_set_error_literal(error, MAIL_ERROR, MAIL_ERROR_ADDRESS, "there is no @");
		return NULL;
	}
	const char *fault = local_fault(address, (size_t)(at - address));
	if (fault != NULL) {
		g_set_error_literal(error, MAIL_ERROR, MAIL_ERROR_ADDRESS, fault);
		return NULL;
	}
	g_autofree char *domain = domain_to_ascii(at + 1);
	if (domain == NULL) {
		g_set_error_literal(error, MAIL_ERROR, MAIL_ERROR_ADDRESS,
				    "the part after the @ is no domain name");
		return NULL;
	}
	g_autofree char *ascii = g_strdup_printf("%.*s@%s", (int)(at - address), address, domain);
	if (strlen(ascii) > ADDRESS_MAX || strlen(address) > ADDRESS_MAX) {
		g_set_error_literal(error, MAIL_ERROR, MAIL_ERROR_ADDRESS,
				    "it is longer than 254 bytes");
		return NULL;
	}
	return g_steal_pointer(&ascii);
}

bool mail_address_valid(const char *address)
{
	g_autofree char *ascii = mail_address_to_ascii(address, NULL);
	return ascii != NULL;
}

static char *name_unquote(const char *name, size_t length)
{
	g_autofree char *trimmed = g_strstrip(g_strndup(name, length));
	size_t end = strlen(trimmed);
	if (end >= 2 && trimmed[0] == '"' && trimmed[end - 1] == '"') {
		return g_strndup(trimmed + 1, end - 2);
	}
	return end == 0 ? NULL : g_steal_pointer(&trimmed);
}

bool mail_address_split(const char *mailbox, char **name_r, char **address_r, GError **error)
{
	const char *open = strrchr(mailbox, '<');
	g_autofree char *address = g_strstrip(g_strdup(open == NULL ? mailbox : open + 1));
	size_t length = strlen(address);
	if (open != NULL && length > 0 && address[length - 1] == '>') {
		address[length - 1] = '\0';
	}
	g_autofree char *ascii = mail_address_to_ascii(address, error);
	if (ascii == NULL) {
		return false;
	}
	*name_r = open == NULL ? NULL : name_unquote(mailbox, (size_t)(open - mailbox));
	*address_r = g_steal_pointer(&ascii);
	return true;
}
