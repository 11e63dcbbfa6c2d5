/*
 * Reads mails and takes quotations and signatures off, again and again: `strip SECONDS DIR...` with
 * every .eml of the folders. One JSON object on stdout.
 */
#include "mail/strip.h"
#include "mail/incoming.h"
#include "mail/library.h"

#include <stdio.h>

#define DOMAIN "play.example.org"

static void folder_read(const char *path, GPtrArray *mails)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GDir) folder = g_dir_open(path, 0, &error);
	if (folder == NULL)
		g_error("%s", error->message);
	for (const char *name; (name = g_dir_read_name(folder)) != NULL;) {
		if (!g_str_has_suffix(name, ".eml"))
			continue;
		g_autofree char *file = g_build_filename(path, name, NULL);
		char *text = NULL;
		size_t size = 0;
		if (!g_file_get_contents(file, &text, &size, &error))
			g_error("%s", error->message);
		g_ptr_array_add(mails, g_bytes_new_take(text, size));
	}
}

/* How many lines are left of a mail. */
static unsigned mail_strip(GBytes *bytes)
{
	size_t size = 0;
	const uint8_t *text = g_bytes_get_data(bytes, &size);
	g_autoptr(IncomingMail) mail = incoming_read(text, size);
	if (mail->lines == NULL)
		return 0;
	bool cut = false;
	g_autoptr(GPtrArray) lines = strip_lines(mail->lines, DOMAIN, NULL, &cut);
	return lines->len;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "strip SECONDS DIR...\n");
		return 2;
	}
	library_prepare();
	g_autoptr(GPtrArray) mails = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	for (int i = 2; i < argc; i++)
		folder_read(argv[i], mails);
	const int64_t begin = g_get_monotonic_time();
	const int64_t until = begin + (int64_t)(g_ascii_strtod(argv[1], NULL) * 1e6);
	uint64_t rounds = 0, lines = 0;
	do {
		for (unsigned i = 0; i < mails->len; i++)
			lines += mail_strip(mails->pdata[i]);
		rounds++;
	} while (g_get_monotonic_time() < until);
	const double took = (double)(g_get_monotonic_time() - begin) / 1e6;
	printf("{\"mails\": %u, \"lines\": %.1f, \"rate\": %.1f}\n", mails->len,
	       (double)lines / (double)rounds, (double)(rounds * mails->len) / took);
	return 0;
}
