#include "recipient.h"

#include <string.h>

#include <gmime/gmime.h>

#include "library.h"

enum { LIST_MAX = 50, ADDRESS_MAX = 254 };

const char *recipient_source_name(RecipientSource source)
{
	static const char *const names[] = {
		[RECIPIENT_ENVELOPE] = "envelope",
		[RECIPIENT_X_ORIGINAL_TO] = "x-original-to",
		[RECIPIENT_DELIVERED_TO] = "delivered-to",
		[RECIPIENT_ENVELOPE_TO] = "envelope-to",
		[RECIPIENT_TO] = "to",
		[RECIPIENT_CC] = "cc",
		[RECIPIENT_IN_REPLY_TO] = "in-reply-to",
		[RECIPIENT_REFERENCES] = "references",
		[RECIPIENT_NONE] = NULL,
	};
	g_assert((size_t)source < G_N_ELEMENTS(names));
	return names[source];
}

/* Offers one address if it is at our domain. */
static bool address_offer(const char *text, const char *domain, RecipientFn *each, void *user_data)
{
	if (strlen(text) > ADDRESS_MAX + 2) {
		return false;
	}
	g_autofree char *address = g_ascii_strdown(text, -1);
	g_strdelimit(address, "<>\"", ' ');
	g_strstrip(address);
	const char *at = strrchr(address, '@');
	return at != NULL && g_ascii_strcasecmp(at + 1, domain) == 0 && each(address, user_data);
}

static bool list_offer(const char *value, const char *domain, RecipientFn *each, void *user_data)
{
	bool found = false;
	library_prepare();
	InternetAddressList *list = internet_address_list_parse(NULL, value);
	int count = list == NULL ? 0 : MIN(internet_address_list_length(list), LIST_MAX);
	for (int i = 0; i < count && !found; i++) {
		InternetAddress *one = internet_address_list_get_address(list, i);
		const char *address =
			INTERNET_ADDRESS_IS_MAILBOX(one)
				? internet_address_mailbox_get_addr(INTERNET_ADDRESS_MAILBOX(one))
				: NULL;
		found = address != NULL && address_offer(address, domain, each, user_data);
	}
	if (list != NULL) {
		g_object_unref(list);
	}
	return found;
}

RecipientSource recipient_find(const Fields *fields, const char *envelope, const char *domain,
			       RecipientFn *each, void *user_data)
{
	static const struct {
		const char *name;
		RecipientSource source;
	} added[] =
		{
			{"x-original-to", RECIPIENT_X_ORIGINAL_TO},
			{"delivered-to", RECIPIENT_DELIVERED_TO},
			{"envelope-to", RECIPIENT_ENVELOPE_TO},
			{"x-envelope-to", RECIPIENT_ENVELOPE_TO},
		},
	  written[] = {{"to", RECIPIENT_TO}, {"cc", RECIPIENT_CC}};
	if (envelope != NULL && address_offer(envelope, domain, each, user_data)) {
		return RECIPIENT_ENVELOPE;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(added); i++) {
		const char *value = fields_first(fields, added[i].name);
		if (value != NULL && address_offer(value, domain, each, user_data)) {
			return added[i].source;
		}
	}
	for (size_t i = 0; i < G_N_ELEMENTS(written); i++) {
		const char *value = fields_first(fields, written[i].name);
		if (value != NULL && list_offer(value, domain, each, user_data)) {
			return written[i].source;
		}
	}
	return RECIPIENT_NONE;
}
