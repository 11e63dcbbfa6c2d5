/* mail/address.h and mail/smtp_status.h: tables of what is and is not. */
#include <string.h>

#include <glib.h>

#include "mail/address.h"
#include "mail/error.h"
#include "mail/smtp_status.h"

static char *repeated(const char *before, char letter, size_t count, const char *after)
{
	g_autofree char *middle = g_strnfill(count, letter);
	return g_strconcat(before, middle, after, NULL);
}

static void these_are_addresses(void)
{
	static const char *const addresses[][2] = {
		{"anna@example.org", "anna@example.org"},
		{"Anna.B+games@Example.ORG", "Anna.B+games@example.org"},
		{"a@b.co", "a@b.co"},
		{"anna@localhost", "anna@localhost"},
		{"!#$%&'*+-/=?^_`{|}~@example.org", "!#$%&'*+-/=?^_`{|}~@example.org"},
		{"anna@1and1.com", "anna@1and1.com"},
		{"anna@exämple.org", "anna@xn--exmple-cua.org"},
		{"anna@straße.example", "anna@xn--strae-oqa.example"},
		{"anna@пример.рф", "anna@xn--e1afmkfd.xn--p1ai"},
		{"anna@xn--e1afmkfd.xn--p1ai", "anna@xn--e1afmkfd.xn--p1ai"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(addresses); i++) {
		g_autoptr(GError) error = NULL;
		g_autofree char *ascii = mail_address_to_ascii(addresses[i][0], &error);
		g_assert_no_error(error);
		g_assert_cmpstr(ascii, ==, addresses[i][1]);
		g_assert_true(mail_address_valid(addresses[i][0]));
	}
}

static void these_are_none(void)
{
	static const char *const texts[] = {
		"",
		"@",
		"anna",
		"anna@",
		"@example.org",
		"anna@@example.org",
		"a@b@example.org",
		"anna @example.org",
		" anna@example.org",
		"anna@example.org ",
		"anna@exam ple.org",
		"anna@example.org,bert@example.org",
		"anna@example.org;bert@example.org",
		"Anna <anna@example.org>",
		"<anna@example.org>",
		"\"anna b\"@example.org",
		"anna(comment)@example.org",
		".anna@example.org",
		"anna.@example.org",
		"an..na@example.org",
		"anna@.org",
		"anna@example..org",
		"anna@example.org.",
		"anna@-example.org",
		"anna@example-.org",
		"anna@exa_mple.org",
		"anna@127.0.0.1",
		"anna@[127.0.0.1]",
		"anna@[IPv6:::1]",
		"жук@example.org",
		"anna@example.org\r\n",
		"anna\r\nRCPT TO:<x@y.z>@example.org",
		"anna\t@example.org",
		"anna@example\x7f.org",
		"anna\x01@example.org",
		"anna@\xff\xfe.org",
		"anna@exa%mple.org",
		"anna\\@example.org",
		"mailto:anna@example.org",
	};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;
		g_autofree char *ascii = mail_address_to_ascii(texts[i], &error);
		g_assert_error(error, MAIL_ERROR, MAIL_ERROR_ADDRESS);
		g_assert_null(ascii);
		g_assert_false(mail_address_valid(texts[i]));
	}
	g_assert_false(mail_address_valid(NULL));
}

static void lengths_have_limits(void)
{
	g_autofree char *local = repeated("", 'a', 64, "@example.org");
	g_autofree char *local_over = repeated("", 'a', 65, "@example.org");
	g_autofree char *label = repeated("a@", 'b', 63, ".org");
	g_autofree char *label_over = repeated("a@", 'b', 64, ".org");
	g_assert_true(mail_address_valid(local));
	g_assert_false(mail_address_valid(local_over));
	g_assert_true(mail_address_valid(label));
	g_assert_false(mail_address_valid(label_over));
	g_autofree char *labels = repeated("", 'b', 60, ".");
	g_autofree char *domain = g_strconcat(labels, labels, labels, labels, NULL);
	g_autofree char *longest = g_strconcat("abcde@", domain, "org", NULL);
	g_autofree char *over = g_strconcat("abcdefgh@", domain, "org", NULL);
	g_assert_cmpuint(strlen(longest), ==, 253);
	g_assert_true(mail_address_valid(longest));
	g_assert_cmpuint(strlen(over), ==, 256);
	g_assert_false(mail_address_valid(over));
}

static void a_message_about_an_address_does_not_repeat_it(void)
{
	g_autoptr(GError) error = NULL;
	g_assert_null(mail_address_to_ascii("secret name@example.org", &error));
	g_assert_null(strstr(error->message, "secret"));
}

static void a_mailbox_is_taken_apart(void)
{
	static const char *const mailboxes[][3] = {
		{"turns@example.org", NULL, "turns@example.org"},
		{"<turns@example.org>", NULL, "turns@example.org"},
		{"Ludopost <turns@example.org>", "Ludopost", "turns@example.org"},
		{"\"Ludopost, Bern\" <turns@Example.org>", "Ludopost, Bern", "turns@example.org"},
		{"Лудопост <turns@example.org>", "Лудопост", "turns@example.org"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(mailboxes); i++) {
		g_autofree char *name = NULL;
		g_autofree char *address = NULL;
		g_assert_true(mail_address_split(mailboxes[i][0], &name, &address, NULL));
		g_assert_cmpstr(name, ==, mailboxes[i][1]);
		g_assert_cmpstr(address, ==, mailboxes[i][2]);
	}
	g_autofree char *name = NULL;
	g_autofree char *address = NULL;
	g_assert_false(mail_address_split("Ludopost", &name, &address, NULL));
	g_assert_false(mail_address_split("Ludopost <>", &name, &address, NULL));
}

static void an_enhanced_status_is_found(void)
{
	static const char *const texts[][2] = {
		{"5.1.1 no such user", "5.1.1"},
		{"5.1.10", "5.1.10"},
		{"4.7.28 slow down", "4.7.28"},
		{"2.0.0 queued", "2.0.0"},
		{"no such user", ""},
		{"5.1 x", ""},
		{"5.1.1.1 x", ""},
		{"3.1.1 x", ""},
		{"5.1234.1 x", ""},
		{"5.1.1234 x", ""},
		{"5.1.1x", ""},
		{"", ""},
		{"5", ""},
		{"5.", ""},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		char enhanced[12] = "x";
		bool is_found = smtp_status_parse(texts[i][0], enhanced, sizeof enhanced);
		g_assert_cmpstr(enhanced, ==, texts[i][1]);
		g_assert_cmpint(is_found, ==, texts[i][1][0] != '\0');
	}
}

static void only_a_dead_address_is_suppressed_at_once(void)
{
	static const struct {
		int code;
		const char *enhanced;
		SmtpCause cause;
	} rows[] = {
		{550, "5.1.1", SMTP_CAUSE_DEAD},
		{550, "5.1.2", SMTP_CAUSE_DEAD},
		{501, "5.1.3", SMTP_CAUSE_DEAD},
		{556, "5.1.10", SMTP_CAUSE_DEAD},
		{450, "4.1.1", SMTP_CAUSE_NONE},
		{550, "5.2.1", SMTP_CAUSE_DISABLED},
		{552, "5.2.2", SMTP_CAUSE_FULL},
		{452, "4.2.2", SMTP_CAUSE_FULL},
		{550, "5.7.1", SMTP_CAUSE_POLICY},
		{550, "5.7.26", SMTP_CAUSE_POLICY},
		{421, "4.7.32", SMTP_CAUSE_POLICY},
		{550, "5.0.0", SMTP_CAUSE_UNCLEAR},
		{550, "5.1.0", SMTP_CAUSE_UNCLEAR},
		{550, "5.1.11", SMTP_CAUSE_UNCLEAR},
		{550, "5.11.1", SMTP_CAUSE_UNCLEAR},
		{554, "", SMTP_CAUSE_UNCLEAR},
		{550, NULL, SMTP_CAUSE_UNCLEAR},
		{451, "", SMTP_CAUSE_NONE},
		{250, "2.1.5", SMTP_CAUSE_NONE},
		{354, "", SMTP_CAUSE_NONE},
		{0, "", SMTP_CAUSE_NONE},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		SmtpCause cause = smtp_status_cause(rows[i].code, rows[i].enhanced);
		g_assert_cmpstr(smtp_cause_name(cause), ==, smtp_cause_name(rows[i].cause));
		g_assert_cmpint(smtp_cause_suppresses(cause), ==, cause == SMTP_CAUSE_DEAD);
	}
}

int main(int count, char **arguments)
{
	g_test_init(&count, &arguments, NULL);
	g_test_add_func("/mail/these_are_addresses", these_are_addresses);
	g_test_add_func("/mail/these_are_none", these_are_none);
	g_test_add_func("/mail/lengths_have_limits", lengths_have_limits);
	g_test_add_func("/mail/a_message_about_an_address_does_not_repeat_it",
			a_message_about_an_address_does_not_repeat_it);
	g_test_add_func("/mail/a_mailbox_is_taken_apart", a_mailbox_is_taken_apart);
	g_test_add_func("/mail/an_enhanced_status_is_found", an_enhanced_status_is_found);
	g_test_add_func("/mail/only_a_dead_address_is_suppressed_at_once",
			only_a_dead_address_is_suppressed_at_once);
	return g_test_run();
}
