#include "service/secret.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

enum {
	LETTER_BITS = 5,
	SECRET_BYTES = SECRET_LETTERS * LETTER_BITS / 8,
	RANDOM_LETTERS = 40,
	RANDOM_BYTES = RANDOM_LETTERS * LETTER_BITS / 8,
	GROUP = 4,
};

/* 36 letters and digits without 0, 1, i and l. "o" stays because 32 are needed; its look-alike is
 * read as "o". */
static const char letters[] = "abcdefghjkmnopqrstuvwxyz23456789";

static const char *const purpose_names[] = {
#define X(code, name) name,
	SECRET_PURPOSES(X)
#undef X
};

/* Five bits a letter, the first bit first; size is a multiple of 5. */
static char *letters_encode(const uint8_t *bytes, size_t size)
{
	GString *text = g_string_sized_new(size * 8 / LETTER_BITS);
	unsigned bits = 0, held = 0;
	for (size_t i = 0; i < size; i++) {
		bits = bits << 8 | bytes[i];
		for (held += 8; held >= LETTER_BITS; held -= LETTER_BITS)
			g_string_append_c(text, letters[bits >> (held - LETTER_BITS) & 31]);
		bits &= (1u << held) - 1;
	}
	return g_string_free(text, FALSE);
}

/* The first 80 bits of the message's HMAC, as letters. */
static char *message_sign(const Config *config, int key_number, const char *message)
{
	const char *key = config_key(config, key_number);
	g_assert(key != NULL);
	uint8_t digest[SECRET_HASH_SIZE];
	size_t size = sizeof digest;
	g_autoptr(GHmac) hmac =
		g_hmac_new(G_CHECKSUM_SHA256, (const unsigned char *)key, strlen(key));
	g_hmac_update(hmac, (const unsigned char *)message, (ssize_t)strlen(message));
	g_hmac_get_digest(hmac, digest, &size);
	return letters_encode(digest, SECRET_BYTES);
}

char *secret_make(const Config *config, int key_number, SecretPurpose purpose,
		  const int64_t fields[SECRET_FIELDS_MAX])
{
	g_autofree char *message =
		g_strdup_printf("%s|%" G_GINT64_FORMAT "|%" G_GINT64_FORMAT "|%" G_GINT64_FORMAT,
				purpose_names[purpose], fields[0], fields[1], fields[2]);
	return message_sign(config, key_number, message);
}

bool secret_check(const Config *config, const char *text, SecretPurpose purpose,
		  const int64_t fields[SECRET_FIELDS_MAX])
{
	g_autofree char *given = secret_read(text);
	if (!given)
		return false;
	bool fits = false;
	for (int number = 1; number <= CONFIG_SECRET_KEYS; number++) {
		if (!config_key(config, number))
			continue;
		g_autofree char *expected = secret_make(config, number, purpose, fields);
		fits |= secret_equal(given, expected);
	}
	return fits;
}

char *secret_code(const Config *config, int key_number, const uint8_t nonce[SECRET_NONCE_SIZE])
{
	g_autoptr(GString) message = g_string_new(purpose_names[SECRET_CODE]);
	g_string_append_c(message, '|');
	for (int i = 0; i < SECRET_NONCE_SIZE; i++)
		g_string_append_printf(message, "%02x", nonce[i]);
	return message_sign(config, key_number, message->str);
}

char *secret_grouped(const char *secret)
{
	GString *text = g_string_new(NULL);
	for (size_t i = 0; secret[i]; i++) {
		if (i && i % GROUP == 0)
			g_string_append_c(text, '-');
		g_string_append_c(text, secret[i]);
	}
	return g_string_free(text, FALSE);
}

char *secret_read(const char *text)
{
	char found[SECRET_LETTERS + 1] = "";
	size_t length = 0;
	for (; text && *text; text++) {
		char letter = g_ascii_tolower(*text);
		if (letter == '-' || g_ascii_isspace(letter))
			continue;
		if (letter == '0')
			letter = 'o';
		if (!strchr(letters, letter) || length == SECRET_LETTERS)
			return NULL;
		found[length++] = letter;
	}
	return length == SECRET_LETTERS ? g_strdup(found) : NULL;
}

void secret_random(uint8_t *bytes, size_t size)
{
	/* Up to 256 bytes are never cut short (getrandom(2)); only a signal before the kernel is
	 * ready can interrupt. */
	g_assert(size <= 256);
	ssize_t got;
	do
		got = getrandom(bytes, size, 0);
	while (got < 0 && errno == EINTR);
	g_assert(got == (ssize_t)size);
}

char *secret_cookie_new(void)
{
	uint8_t bytes[RANDOM_BYTES];
	secret_random(bytes, sizeof bytes);
	return letters_encode(bytes, sizeof bytes);
}

char *secret_token_new(void)
{
	g_autofree char *random = secret_cookie_new();
	return g_strconcat("lp_", random, NULL);
}

void secret_hash(const char *text, uint8_t hash_r[SECRET_HASH_SIZE])
{
	size_t size = SECRET_HASH_SIZE;
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	g_checksum_update(checksum, (const unsigned char *)text, (ssize_t)strlen(text));
	g_checksum_get_digest(checksum, hash_r, &size);
}

bool secret_equal(const char *one, const char *other)
{
	size_t length = strlen(one);
	if (length != strlen(other))
		return false;
	unsigned differences = 0;
	for (size_t i = 0; i < length; i++)
		differences |= (unsigned char)one[i] ^ (unsigned char)other[i];
	return differences == 0;
}
