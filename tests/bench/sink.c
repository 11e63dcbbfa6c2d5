/*
 * A mail server that takes everything and keeps nothing, cheap enough not to be what is measured:
 * `sink` prints its port and serves until its standard input ends.
 */
#include <arpa/inet.h>
#include <glib.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINE_SIZE = 8192, BACKLOG = 128 };

static void answer(FILE *out, const char *text)
{
	fputs(text, out);
	fflush(out);
}

static bool begins(const char *line, const char *word)
{
	return g_ascii_strncasecmp(line, word, strlen(word)) == 0;
}

static void command_answer(const char *line, bool *data, FILE *out)
{
	*data = begins(line, "DATA");
	if (begins(line, "EHLO"))
		answer(out, "250-sink\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 1000000\r\n");
	else if (*data)
		answer(out, "354 go on\r\n");
	else if (begins(line, "QUIT"))
		answer(out, "221 bye\r\n");
	else
		answer(out, "250 ok\r\n");
}

static void *serve(void *user_data)
{
	const int client = GPOINTER_TO_INT(user_data), yes = 1;
	setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	FILE *in = fdopen(client, "r"), *out = fdopen(dup(client), "w");
	char line[LINE_SIZE];
	bool data = false;
	answer(out, "220 sink ESMTP\r\n");
	while (fgets(line, sizeof(line), in) != NULL) {
		if (!data) {
			command_answer(line, &data, out);
		} else if (strcmp(line, ".\r\n") == 0) {
			data = false;
			answer(out, "250 taken\r\n");
		}
	}
	fclose(in);
	fclose(out);
	return NULL;
}

static void *accept_all(void *user_data)
{
	const int listener = GPOINTER_TO_INT(user_data);
	for (;;) {
		const int client = accept(listener, NULL, NULL);
		if (client >= 0)
			g_thread_unref(g_thread_new("client", serve, GINT_TO_POINTER(client)));
	}
	return NULL;
}

int main(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(listener, (struct sockaddr *)&address, size) != 0 ||
	    listen(listener, BACKLOG) != 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &size) != 0)
		g_error("cannot listen");
	printf("%d\n", ntohs(address.sin_port));
	fflush(stdout);
	g_thread_unref(g_thread_new("accept", accept_all, GINT_TO_POINTER(listener)));
	char byte;
	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
	return 0;
}
