/* What the log must never say. */
#include "service/log.h"

#include <glib.h>

static const struct {
	const char *said, *logged;
} rows[] = {
	{"event=turn_played game=7 ply=13 ms=3", "event=turn_played game=7 ply=13 ms=3"},
	{"to=move+g7.t14.k7q2m9x4w8ztb3n5@play.example.org done", "to=***@*** done"},
	{"error=\"Key (email_key)=(anna@example.org) exists\"",
	 "error=\"Key (email_key)=(***@***) exists\""},
	{"<Anna.B+x@sub.example.org>, b@x.org", "<***@***>, ***@***"},
	{"token lp_abcdefghjkmnpqrstuvw is bad", "token lp_*** is bad"},
	{"url=http://x/confirm/abcd-efgh-jkmn-pqrs ok", "url=http://x/confirm/*** ok"},
	{"GET /invitations/31/k7q2m9x4w8ztb3n5?x", "GET /invitations/31/***"},
	{"/unsubscribe/5/k7q2m9x4w8ztb3n5", "/unsubscribe/5/***"},
	{"route=/confirm/{code} status=200", "route=/confirm/{code} status=200"},
	{"\xff bytes a@b", "\xff bytes ***@***"},
};

static void test_secrets_and_addresses_are_masked(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *masked = log_mask(rows[i].said);
		g_assert_cmpstr(masked, ==, rows[i].logged);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/log/secrets_and_addresses_are_masked",
			test_secrets_and_addresses_are_masked);
	return g_test_run();
}
