#include "smtp.h"

#include <string.h>
#include <sys/socket.h>

#include "address.h"
#include "smtp_attempt.h"

enum {
	CONNECT_TIMEOUT = 30,
	RESPONSE_TIMEOUT = 60,
	TOTAL_TIMEOUT = 300,
	IDLE_MAX = 60,      /* seconds after which a connection is not used again */
	GOODBYE_MAX = 2,    /* how long to wait for the answer to QUIT */
	LIFETIME_MAX = 600, /* likewise, since it was opened */
	LINE_LIMIT = 998,
	REPLY_LIMIT = 1000, /* bytes kept of a reply */
};

struct SmtpSession {
	CURL *curl;
	char *url;
	unsigned total_timeout;
	bool has_user;
	bool is_implicit; /* TLS from the first byte */
	int interrupted;  /* read and written atomically */
	bool logged_in;   /* on the connection that is open */
	char problem[CURL_ERROR_SIZE];
	/* Of the mail being sent: */
	SmtpAttempt attempt;
	int64_t deadline; /* monotonic microseconds */
	const char *message;
	size_t size;
	size_t offset;
	GString *reply; /* the lines of the last reply */
	GString *server_name;
	bool reply_complete;
};

G_DEFINE_QUARK(ludopost - smtp - error, smtp_error)

void smtp_prepare(void)
{
	CURLcode result = curl_global_init(CURL_GLOBAL_DEFAULT);
	g_assert(result == CURLE_OK);
}

void smtp_result_free(SmtpResult *result)
{
	if (result == NULL) {
		return;
	}
	g_free(result->reply);
	g_free(result->problem);
	g_free(result->server_name);
	g_free(result);
}

/* ---- what libcurl asks and tells ---- */

static size_t on_read(char *buffer, size_t size, size_t count, void *data)
{
	SmtpSession *session = data;
	size_t length = MIN(size * count, session->size - session->offset);
	memcpy(buffer, session->message + session->offset, length);
	session->offset += length;
	session->attempt.body_read = session->offset == session->size;
	return length;
}

/* The code of a reply's last line, 0 for any other line. */
static int line_code(const char *line, size_t length)
{
	bool is_last = length >= 4 && g_ascii_isdigit(line[0]) && g_ascii_isdigit(line[1]) &&
		       g_ascii_isdigit(line[2]) && line[3] != '-';
	return is_last ? (line[0] - '0') * 100 + (line[1] - '0') * 10 + (line[2] - '0') : 0;
}

static void reply_append(SmtpSession *session, const char *line, size_t length)
{
	if (session->reply_complete) {
		g_string_truncate(session->reply, 0);
	}
	if (session->reply->len < REPLY_LIMIT) {
		g_string_append_len(session->reply, line,
				    (long)MIN(length, REPLY_LIMIT - session->reply->len));
	}
}

/* "220 mail.example.org ESMTP" */
static void greeting_read(SmtpSession *session, const char *line, size_t length)
{
	g_string_truncate(session->server_name, 0);
	for (size_t i = 4; i < length && g_ascii_isgraph(line[i]); i++)
		g_string_append_c(session->server_name, line[i]);
}

/* A line of a reply. What the server says to QUIT does not matter any more. */
static size_t on_reply_line(char *line, size_t size, size_t count, void *data)
{
	SmtpSession *session = data;
	SmtpAttempt *attempt = &session->attempt;
	if (attempt->quitting)
		return size * count;
	reply_append(session, line, size * count);
	int code = line_code(line, size * count);
	session->reply_complete = code != 0;
	attempt->code = code != 0 ? code : attempt->code;
	if (attempt->stage == SMTP_STAGE_CONNECT) {
		session->logged_in = false;
		greeting_read(session, line, size * count);
	} else if (attempt->stage == SMTP_STAGE_LOGIN && code == 235) {
		session->logged_in = true;
	} else if (attempt->stage == SMTP_STAGE_DATA && code == 354) {
		attempt->stage = SMTP_STAGE_BODY;
	}
	/* libcurl goes on without login where none is offered; we do not. */
	attempt->login_missing =
		session->has_user && !session->logged_in && attempt->stage >= SMTP_STAGE_MAIL;
	return attempt->login_missing ? 0 : size * count;
}

/* What libcurl would print: a reply's text, which on_reply_line has seen. */
static size_t on_write(char *text, size_t size, size_t count, void *data)
{
	(void)text, (void)data;
	return size * count;
}

static int on_debug(CURL *curl, curl_infotype type, char *text, size_t size, void *data)
{
	(void)curl;
	SmtpSession *session = data;
	if (type != CURLINFO_HEADER_OUT || session->attempt.quitting) {
		return 0;
	}
	const SmtpStage before = session->attempt.stage;
	session->attempt.stage = smtp_stage_of(text, size, before);
	session->attempt.encrypted |= before == SMTP_STAGE_STARTTLS || session->is_implicit;
	if (size >= 4 && strncmp(text, "QUIT", 4) == 0) {
		session->attempt.quitting = true;
		session->deadline = MIN(session->deadline,
					g_get_monotonic_time() + GOODBYE_MAX * G_USEC_PER_SEC);
	}
	return 0;
}

/* libcurl's own time limit does not hold while it waits for an answer after the final dot. */
static int on_progress(void *data, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	(void)a, (void)b, (void)c, (void)d;
	SmtpSession *session = data;
	return g_atomic_int_get(&session->interrupted) != 0 ||
	       g_get_monotonic_time() > session->deadline;
}

/* ---- the session ---- */

static bool host_is_local(const char *host)
{
	return strcmp(host, "localhost") == 0 || g_str_has_prefix(host, "127.") ||
	       strcmp(host, "::1") == 0 || strcmp(host, "[::1]") == 0;
}

static bool settings_refuse(const char *why, GError **error)
{
	g_set_error_literal(error, SMTP_ERROR, 0, why);
	return false;
}

static bool url_parse(CURLU *parts, const char *url, char **host_r, bool *is_implicit_r)
{
	char *scheme = NULL;
	char *host = NULL;
	char *path = NULL;
	bool is_fine = curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
		       curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
		       curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
		       curl_url_get(parts, CURLUPART_PATH, &path, 0) == CURLUE_OK &&
		       strcmp(path, "/") == 0 && host[0] != '\0';
	if (is_fine) {
		*host_r = g_strdup(host);
		*is_implicit_r = strcmp(scheme, "smtps") == 0;
		is_fine = *is_implicit_r || strcmp(scheme, "smtp") == 0;
	}
	curl_free(scheme);
	curl_free(host);
	curl_free(path);
	return is_fine;
}

/* The URL that makes libcurl greet with the host's proper name. */
static char *url_with_hello(CURLU *parts, const char *hello_name)
{
	g_autofree char *path = g_strdup_printf("/%s", hello_name);
	char *url = NULL;
	CURLUcode set = curl_url_set(parts, CURLUPART_PATH, path, 0);
	CURLUcode got = curl_url_get(parts, CURLUPART_URL, &url, 0);
	g_assert(set == CURLUE_OK && got == CURLUE_OK);
	char *copy = g_strdup(url);
	curl_free(url);
	return copy;
}

static bool settings_check(const SmtpSettings *settings, bool is_local, bool is_implicit,
			   GError **error)
{
	if (!mail_domain_valid(settings->hello_name)) {
		return settings_refuse("the name to say to the mail server is no domain name",
				       error);
	}
	if (settings->tls == SMTP_TLS_NONE && settings->user != NULL && !is_local && !is_implicit) {
		return settings_refuse("a login needs TLS unless the mail server is local", error);
	}
	if (settings->user != NULL && settings->password == NULL) {
		return settings_refuse("there is a user for the mail server, but no password",
				       error);
	}
	return true;
}

static unsigned or_default(unsigned seconds, unsigned fallback)
{
	return seconds == 0 ? fallback : seconds;
}

static void curl_prepare_security(CURL *curl, const SmtpSettings *settings, bool is_local,
				  bool is_implicit)
{
	bool is_required = is_implicit || settings->tls == SMTP_TLS_REQUIRED ||
			   (settings->tls == SMTP_TLS_AUTO && !is_local);
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	curl_easy_setopt(curl, CURLOPT_USE_SSL,
			 is_required ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_NONE);
	curl_easy_setopt(curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(curl, CURLOPT_PROXY, "");
	curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	if (settings->ca_file != NULL) {
		curl_easy_setopt(curl, CURLOPT_CAINFO, settings->ca_file);
	}
	if (settings->user != NULL) {
		curl_easy_setopt(curl, CURLOPT_USERNAME, settings->user);
		curl_easy_setopt(curl, CURLOPT_PASSWORD, settings->password);
	}
}

static void curl_prepare_limits(CURL *curl, const SmtpSettings *settings)
{
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT,
			 (long)or_default(settings->connect_timeout, CONNECT_TIMEOUT));
	curl_easy_setopt(curl, CURLOPT_SERVER_RESPONSE_TIMEOUT,
			 (long)or_default(settings->response_timeout, RESPONSE_TIMEOUT));
	curl_easy_setopt(curl, CURLOPT_MAXAGE_CONN, (long)IDLE_MAX);
	curl_easy_setopt(curl, CURLOPT_MAXLIFETIME_CONN, (long)LIFETIME_MAX);
	curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(curl, CURLOPT_VERBOSE, 1L); /* calls on_debug */
}

static void curl_prepare_callbacks(SmtpSession *session)
{
	CURL *curl = session->curl;
	curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, session->problem);
	curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_read);
	curl_easy_setopt(curl, CURLOPT_READDATA, session);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_write);
	curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_reply_line);
	curl_easy_setopt(curl, CURLOPT_HEADERDATA, session);
	curl_easy_setopt(curl, CURLOPT_DEBUGFUNCTION, on_debug);
	curl_easy_setopt(curl, CURLOPT_DEBUGDATA, session);
	curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(curl, CURLOPT_XFERINFODATA, session);
}

static SmtpSession *session_open(CURLU *parts, const SmtpSettings *settings, GError **error)
{
	g_autofree char *host = NULL;
	bool is_implicit = false;
	if (!url_parse(parts, settings->url, &host, &is_implicit)) {
		settings_refuse("the mail server's URL is not smtp://host or smtps://host", error);
		return NULL;
	}
	bool is_local = host_is_local(host);
	if (!settings_check(settings, is_local, is_implicit, error))
		return NULL;
	SmtpSession *session = g_new0(SmtpSession, 1);
	session->curl = curl_easy_init();
	g_assert(session->curl != NULL);
	session->url = url_with_hello(parts, settings->hello_name);
	session->total_timeout = or_default(settings->total_timeout, TOTAL_TIMEOUT);
	session->has_user = settings->user != NULL;
	session->is_implicit = is_implicit;
	session->reply = g_string_new(NULL);
	session->server_name = g_string_new(NULL);
	curl_prepare_security(session->curl, settings, is_local, is_implicit);
	curl_prepare_limits(session->curl, settings);
	curl_prepare_callbacks(session);
	curl_easy_setopt(session->curl, CURLOPT_URL, session->url);
	return session;
}

SmtpSession *smtp_session_new(const SmtpSettings *settings, GError **error)
{
	CURLU *parts = curl_url();
	g_assert(parts != NULL);
	SmtpSession *session = session_open(parts, settings, error);
	curl_url_cleanup(parts);
	return session;
}

void smtp_session_free(SmtpSession *session)
{
	if (session == NULL) {
		return;
	}
	/* libcurl says QUIT and would wait two minutes for the answer. */
	curl_socket_t idle = CURL_SOCKET_BAD;
	if (curl_easy_getinfo(session->curl, CURLINFO_ACTIVESOCKET, &idle) == CURLE_OK &&
	    idle != CURL_SOCKET_BAD) {
		shutdown(idle, SHUT_RD);
	}
	curl_easy_cleanup(session->curl);
	g_string_free(session->reply, TRUE);
	g_string_free(session->server_name, TRUE);
	g_free(session->url);
	g_free(session);
}

void smtp_session_interrupt(SmtpSession *session)
{
	g_atomic_int_set(&session->interrupted, 1);
}

/* ---- sending ---- */

/* Whether the bytes may go on the wire: only whole CRLF line ends, no NUL, no line too long. */
static bool message_is_clean(const char *message, size_t size)
{
	size_t line = 0;
	for (size_t i = 0; i < size; i++) {
		bool is_end = message[i] == '\r' && i + 1 < size && message[i + 1] == '\n';
		if (is_end) {
			i++;
			line = 0;
			continue;
		}
		if (message[i] == '\r' || message[i] == '\n' || message[i] == '\0' ||
		    ++line > LINE_LIMIT) {
			return false;
		}
	}
	return size > 0;
}

/* After a failure libcurl may keep the connection and take a late answer for that to the next
 * mail. A connection whose socket is shut down it finds dead and opens another. */
static void connection_spoil(CURL *curl)
{
	curl_socket_t socket = CURL_SOCKET_BAD;
	if (curl_easy_getinfo(curl, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK &&
	    socket != CURL_SOCKET_BAD) {
		shutdown(socket, SHUT_RDWR);
	}
}

static void attempt_run(SmtpSession *session, bool is_fresh)
{
	CURL *curl = session->curl;
	session->attempt = (SmtpAttempt){.stage = SMTP_STAGE_CONNECT};
	session->offset = 0;
	session->reply_complete = false;
	session->problem[0] = '\0';
	g_string_truncate(session->reply, 0);
	int64_t left = MAX(1, (session->deadline - g_get_monotonic_time()) / 1000);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)left);
	curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, is_fresh ? 1L : 0L);
	SmtpAttempt *attempt = &session->attempt;
	attempt->result = curl_easy_perform(curl);
	if (attempt->result != CURLE_OK) {
		connection_spoil(curl);
	}
	long connections = 0;
	curl_easy_getinfo(curl, CURLINFO_NUM_CONNECTS, &connections);
	attempt->reused = connections == 0;
}

static void message_send(SmtpSession *session, const char *envelope_from, const char *envelope_to)
{
	CURL *curl = session->curl;
	struct curl_slist *recipients = curl_slist_append(NULL, envelope_to);
	g_assert(recipients != NULL);
	curl_easy_setopt(curl, CURLOPT_MAIL_FROM, envelope_from);
	curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, recipients);
	/* Without an upload libcurl would ask VRFY and call that a success. */
	curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
	curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)session->size);
	session->deadline =
		g_get_monotonic_time() + (int64_t)session->total_timeout * G_USEC_PER_SEC;
	attempt_run(session, false);
	if (smtp_attempt_was_idle(&session->attempt)) {
		attempt_run(session, true);
	}
	curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, NULL);
	curl_slist_free_all(recipients);
}

/* The reply as valid UTF-8, its lines joined by LF, other control characters as blanks. */
static char *reply_clean(const char *reply)
{
	g_autofree char *valid = g_utf8_make_valid(reply, -1);
	g_autoptr(GString) clean = g_string_new(valid);
	g_string_replace(clean, "\r\n", "\n", 0);
	for (size_t i = 0; i < clean->len; i++) {
		unsigned char c = (unsigned char)clean->str[i];
		if ((c < 0x20 && c != '\n') || c == 0x7f) {
			clean->str[i] = ' ';
		}
	}
	return g_strstrip(g_string_free(g_steal_pointer(&clean), FALSE));
}

static const char *attempt_problem(const SmtpSession *session)
{
	if (session->attempt.login_missing) {
		return "the mail server offers no login, but there is a user";
	}
	return session->problem[0] != '\0' ? session->problem
					   : curl_easy_strerror(session->attempt.result);
}

static SmtpResult *result_new(const SmtpSession *session)
{
	const SmtpAttempt *attempt = &session->attempt;
	SmtpResult *result = g_new0(SmtpResult, 1);
	result->class = smtp_attempt_class(attempt);
	result->code = attempt->code;
	result->reply = reply_clean(session->reply->str);
	const char *last = strrchr(result->reply, '\n');
	last = last == NULL ? result->reply : last + 1;
	if (strlen(last) > 4) {
		smtp_status_parse(last + 4, result->enhanced, sizeof result->enhanced);
	}
	result->cause = smtp_status_cause(result->code, result->enhanced);
	result->problem = g_strdup(result->class == SMTP_SENT ? "" : attempt_problem(session));
	result->stage = smtp_stage_name(attempt->stage);
	result->encrypted = attempt->encrypted;
	result->server_name = g_strdup(session->server_name->str);
	return result;
}

static SmtpResult *result_new_refused(SmtpClass class, const char *problem)
{
	SmtpResult *result = g_new0(SmtpResult, 1);
	result->class = class;
	result->reply = g_strdup("");
	result->problem = g_strdup(problem);
	result->stage = smtp_stage_name(SMTP_STAGE_CONNECT);
	result->server_name = g_strdup("");
	return result;
}

SmtpResult *smtp_send(SmtpSession *session, const char *envelope_from, const char *envelope_to,
		      GBytes *message)
{
	bool is_null = envelope_from[0] == '\0';
	g_autofree char *from = is_null ? g_strdup("") : mail_address_to_ascii(envelope_from, NULL);
	g_autofree char *to = mail_address_to_ascii(envelope_to, NULL);
	session->message = g_bytes_get_data(message, &session->size);
	if (from == NULL) {
		return result_new_refused(SMTP_CONFIG, "the envelope sender is no address");
	}
	if (to == NULL) {
		return result_new_refused(SMTP_PERMANENT, "the recipient is no address");
	}
	if (!message_is_clean(session->message, session->size)) {
		return result_new_refused(SMTP_PERMANENT, "the message is not fit for the wire");
	}
	message_send(session, from, to);
	return result_new(session);
}

SmtpResult *smtp_check(SmtpSession *session, const char *envelope_from)
{
	g_autofree char *from = mail_address_to_ascii(envelope_from, NULL);
	if (from == NULL) {
		return result_new_refused(SMTP_CONFIG, "the envelope sender is no address");
	}
	g_autofree char *command = g_strdup_printf("MAIL FROM:<%s>", from);
	curl_easy_setopt(session->curl, CURLOPT_CUSTOMREQUEST, command);
	session->deadline =
		g_get_monotonic_time() + (int64_t)session->total_timeout * G_USEC_PER_SEC;
	attempt_run(session, true);
	SmtpResult *result = result_new(session);
	if (session->attempt.result == CURLE_OK && !session->attempt.login_missing) {
		result->class = SMTP_SENT;
		g_free(result->problem);
		result->problem = g_strdup("");
	}
	return result;
}
