/* Secrets: made again the same, told apart by purpose, field and key, read as people type. */
#include "service/secret.h"

#include <string.h>

static Config config = {.secret_key = {"first key, long enough", "second key, long enough"}};
static const int64_t *const fields = SECRET_FIELDS(7, 1, 13);

static void a_secret_is_sixteen_letters_without_look_alikes_and_always_the_same(void)
{
	g_autofree char *once = secret_make(&config, 1, SECRET_MOVE, fields);
	g_autofree char *again = secret_make(&config, 1, SECRET_MOVE, fields);
	g_assert_cmpstr(once, ==, again);
	g_assert_cmpuint(strlen(once), ==, SECRET_LETTERS);
	g_assert_cmpuint(strspn(once, "abcdefghjkmnopqrstuvwxyz23456789"), ==, SECRET_LETTERS);
}

static void another_purpose_field_or_key_makes_another_secret(void)
{
	g_autofree char *move = secret_make(&config, 1, SECRET_MOVE, fields);
	g_autofree char *bounce = secret_make(&config, 1, SECRET_BOUNCE_GAME, fields);
	g_autofree char *seat = secret_make(&config, 1, SECRET_MOVE, SECRET_FIELDS(7, 2, 13));
	g_autofree char *ply = secret_make(&config, 1, SECRET_MOVE, SECRET_FIELDS(7, 11, 3));
	g_autofree char *key = secret_make(&config, 2, SECRET_MOVE, fields);
	g_assert_cmpstr(move, !=, bounce);
	g_assert_cmpstr(move, !=, seat);
	g_assert_cmpstr(move, !=, ply);
	g_assert_cmpstr(move, !=, key);
}

static void a_secret_of_an_older_key_still_fits(void)
{
	g_autofree char *old = secret_make(&config, 1, SECRET_MOVE, fields);
	g_autofree char *new = secret_make(&config, 2, SECRET_MOVE, fields);
	g_assert_true(secret_check(&config, old, SECRET_MOVE, fields));
	g_assert_true(secret_check(&config, new, SECRET_MOVE, fields));
	const Config later = {.secret_key = {NULL, "second key, long enough"}};
	g_assert_false(secret_check(&later, old, SECRET_MOVE, fields));
	g_assert_true(secret_check(&later, new, SECRET_MOVE, fields));
}

static void a_secret_is_worth_nothing_elsewhere(void)
{
	g_autofree char *secret = secret_make(&config, 1, SECRET_MOVE, fields);
	g_assert_false(secret_check(&config, secret, SECRET_BOUNCE_GAME, fields));
	g_assert_false(secret_check(&config, secret, SECRET_MOVE, SECRET_FIELDS(7, 1, 14)));
	g_assert_false(secret_check(&config, "", SECRET_MOVE, fields));
	g_assert_false(secret_check(&config, NULL, SECRET_MOVE, fields));
	secret[15] = secret[15] == 'a' ? 'b' : 'a';
	g_assert_false(secret_check(&config, secret, SECRET_MOVE, fields));
}

static void a_secret_is_read_in_any_case_and_grouping(void)
{
	g_autofree char *secret = secret_make(&config, 1, SECRET_CSRF, SECRET_FIELDS(5));
	g_autofree char *grouped = secret_grouped(secret);
	g_assert_cmpuint(strlen(grouped), ==, 19);
	g_assert_cmpint(grouped[4], ==, '-');
	g_autofree char *loud = g_ascii_strup(grouped, -1);
	g_assert_true(secret_check(&config, loud, SECRET_CSRF, SECRET_FIELDS(5)));
	g_autofree char *read = secret_read(" ABCD efgh\nJKMN-0pqr ");
	g_assert_cmpstr(read, ==, "abcdefghjkmnopqr");
}

static void what_cannot_be_a_secret_is_not_read(void)
{
	static const char *const texts[] = {"",
					    "abcd-efgh-jkmn-pqr",
					    "abcdefghjkmnpqrst",
					    "abcdefghjkmnpqri",
					    "abcdefghjkmnpqr1",
					    "abcdéfghjkmnpqrs",
					    NULL};
	for (const char *const *text = texts; *text; text++)
		g_assert_null(secret_read(*text));
	g_assert_null(secret_read(NULL));
}

static void a_code_follows_from_key_and_nonce(void)
{
	uint8_t nonce[SECRET_NONCE_SIZE] = {1, 2, 3};
	g_autofree char *code = secret_code(&config, 1, nonce);
	g_autofree char *again = secret_code(&config, 1, nonce);
	g_autofree char *other_key = secret_code(&config, 2, nonce);
	nonce[15] = 1;
	g_autofree char *other_nonce = secret_code(&config, 1, nonce);
	g_assert_cmpstr(code, ==, again);
	g_assert_cmpstr(code, !=, other_key);
	g_assert_cmpstr(code, !=, other_nonce);
}

static void every_token_is_new_and_long(void)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (int i = 0; i < 1000; i++) {
		char *token = secret_token_new();
		g_assert_true(g_str_has_prefix(token, "lp_"));
		g_assert_cmpuint(strlen(token), ==, 43);
		g_assert_true(g_hash_table_add(seen, token));
	}
}

static void a_hash_is_sha_256(void)
{
	uint8_t hash[SECRET_HASH_SIZE];
	secret_hash("abc", hash);
	g_assert_cmphex(hash[0], ==, 0xba);
	g_assert_cmphex(hash[31], ==, 0xad);
}

static void texts_of_another_length_or_letter_differ(void)
{
	g_assert_true(secret_equal("abc", "abc"));
	g_assert_false(secret_equal("abc", "abd"));
	g_assert_false(secret_equal("abc", "abcd"));
	g_assert_false(secret_equal("", "a"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/secret/" #name, name)
	TEST(a_secret_is_sixteen_letters_without_look_alikes_and_always_the_same);
	TEST(another_purpose_field_or_key_makes_another_secret);
	TEST(a_secret_of_an_older_key_still_fits);
	TEST(a_secret_is_worth_nothing_elsewhere);
	TEST(a_secret_is_read_in_any_case_and_grouping);
	TEST(what_cannot_be_a_secret_is_not_read);
	TEST(a_code_follows_from_key_and_nonce);
	TEST(every_token_is_new_and_long);
	TEST(a_hash_is_sha_256);
	TEST(texts_of_another_length_or_letter_differ);
	return g_test_run();
}
