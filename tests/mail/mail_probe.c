/* Lets the tests in Python reach mail/: each line of standard input is a JSON object with the
 * command in "do", answered by one line of JSON.
 *   open    the settings of smtp.h        → {"open": true} or {"error": …}
 *   send    from, to, message (base64)    → the SmtpResult
 *   interrupt                             → the session gives up
 *   compose the fields of MailMessage     → {"message": base64} or {"error": …}
 *   render  language, name, values, parts → subject, body, html
 *   address address                       → {"valid": …, "ascii": …}
 *   guard   text                          → {"commands": [lines that would be commands]} */
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "mail/address.h"
#include "mail/compose.h"
#include "mail/smtp.h"
#include "mail/template.h"
#include "service/mail_guard.h"

enum { LIST_MAX = 80 };

static SmtpSession *probe_session = NULL;

static const char *text_of(json_t *order, const char *key)
{
	return json_string_value(json_object_get(order, key));
}

static unsigned number_of(json_t *order, const char *key)
{
	return (unsigned)json_integer_value(json_object_get(order, key));
}

static json_t *error_answer(const GError *error)
{
	return json_pack("{s:s, s:i}", "error", error->message, "code", error->code);
}

static json_t *do_open(json_t *order)
{
	static const char *const modes[] = {"auto", "required", "none"};
	SmtpSettings settings = {
		.url = text_of(order, "url"),
		.ca_file = text_of(order, "ca_file"),
		.user = text_of(order, "user"),
		.password = text_of(order, "password"),
		.hello_name = text_of(order, "hello_name"),
		.connect_timeout = number_of(order, "connect_timeout"),
		.response_timeout = number_of(order, "response_timeout"),
		.total_timeout = number_of(order, "total_timeout"),
	};
	for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
		if (g_strcmp0(text_of(order, "tls"), modes[i]) == 0) {
			settings.tls = (SmtpTls)i;
		}
	}
	g_autoptr(GError) error = NULL;
	g_clear_pointer(&probe_session, smtp_session_free);
	probe_session = smtp_session_new(&settings, &error);
	return probe_session == NULL ? error_answer(error) : json_pack("{s:b}", "open", 1);
}

static json_t *do_send(json_t *order)
{
	size_t size = 0;
	unsigned char *bytes = g_base64_decode(text_of(order, "message"), &size);
	g_autoptr(GBytes) message = g_bytes_new_take(bytes, size);
	g_autoptr(SmtpResult) result =
		smtp_send(probe_session, text_of(order, "from"), text_of(order, "to"), message);
	return json_pack("{s:s, s:i, s:s, s:s, s:s, s:s}", "class", smtp_class_name(result->class),
			 "code", result->code, "enhanced", result->enhanced, "cause",
			 smtp_cause_name(result->cause), "reply", result->reply, "problem",
			 result->problem);
}

static json_t *do_interrupt(json_t *order)
{
	(void)order;
	smtp_session_interrupt(probe_session);
	return json_pack("{s:b}", "interrupted", 1);
}

static json_t *message_answer(const MailMessage *message)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) bytes = mail_compose(message, &error);
	if (bytes == NULL) {
		return error_answer(error);
	}
	size_t size = 0;
	const unsigned char *data = g_bytes_get_data(bytes, &size);
	g_autofree char *base64 = g_base64_encode(data, size);
	return json_pack("{s:s}", "message", base64);
}

static json_t *do_compose(json_t *order)
{
	size_t size = 0;
	const char *base64 = text_of(order, "png");
	unsigned char *png = g_base64_decode(base64 == NULL ? "" : base64, &size);
	g_autoptr(GBytes) bytes = g_bytes_new_take(png, size);
	const MailPicture picture = {.png = bytes,
				     .content_id = text_of(order, "content_id"),
				     .alt = text_of(order, "alt")};
	const char *references[LIST_MAX + 1] = {NULL};
	json_t *list = json_object_get(order, "references");
	for (size_t i = 0; i < json_array_size(list) && i < LIST_MAX; i++) {
		references[i] = json_string_value(json_array_get(list, i));
	}
	const MailMessage message = {
		.from_name = text_of(order, "from_name"),
		.from_address = text_of(order, "from_address"),
		.to_address = text_of(order, "to_address"),
		.reply_to = text_of(order, "reply_to"),
		.subject = text_of(order, "subject"),
		.date = json_integer_value(json_object_get(order, "date")),
		.message_id = text_of(order, "message_id"),
		.references = references,
		.cause = json_is_true(json_object_get(order, "replied")) ? MAIL_AUTO_REPLIED
									 : MAIL_AUTO_GENERATED,
		.loop_domain = text_of(order, "loop_domain"),
		.list_name = text_of(order, "list_name"),
		.list_id = text_of(order, "list_id"),
		.unsubscribe_url = text_of(order, "unsubscribe_url"),
		.unsubscribe_address = text_of(order, "unsubscribe_address"),
		.feedback_id = text_of(order, "feedback_id"),
		.text = text_of(order, "text"),
		.html = text_of(order, "html"),
		.picture = base64 == NULL ? NULL : &picture,
	};
	return message_answer(&message);
}

static json_t *do_render(json_t *order)
{
	MailValue values[LIST_MAX + 1] = {{NULL, NULL, NULL}};
	size_t count = 0;
	const char *name;
	json_t *value;
	json_object_foreach(json_object_get(order, "values"), name, value)
	{
		values[count++] = (MailValue){name, json_string_value(value), NULL};
		g_assert(count < LIST_MAX);
	}
	json_object_foreach(json_object_get(order, "parts"), name, value)
	{
		values[count++] = (MailValue){name, NULL, json_string_value(value)};
		g_assert(count < LIST_MAX);
	}
	const MailPicture picture = {.content_id = text_of(order, "content_id"),
				     .alt = text_of(order, "alt")};
	g_autoptr(MailText) text =
		mail_template_render(text_of(order, "language"), text_of(order, "name"), values,
				     picture.content_id == NULL ? NULL : &picture);
	return json_pack("{s:s, s:s, s:s}", "subject", text->subject, "body", text->body, "html",
			 text->html);
}

static json_t *do_address(json_t *order)
{
	const char *address = text_of(order, "address");
	g_autofree char *ascii = mail_address_to_ascii(address, NULL);
	return json_pack("{s:b, s:s?}", "valid", mail_address_valid(address), "ascii", ascii);
}

static json_t *do_guard(json_t *order)
{
	json_t *commands = json_array();
	g_auto(GStrv) lines = g_strsplit(text_of(order, "text"), "\n", -1);
	for (size_t i = 0; lines[i] != NULL; i++) {
		if (mail_guard_is_command(lines[i])) {
			json_array_append_new(commands, json_string(lines[i]));
		}
	}
	return json_pack("{s:o}", "commands", commands);
}

static json_t *order_do(json_t *order)
{
	static const struct {
		const char *name;
		json_t *(*run)(json_t *order);
	} commands[] = {
		{"interrupt", do_interrupt}, {"open", do_open},     {"send", do_send},
		{"compose", do_compose},     {"render", do_render}, {"address", do_address},
		{"guard", do_guard},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		if (g_strcmp0(text_of(order, "do"), commands[i].name) == 0) {
			return commands[i].run(order);
		}
	}
	g_error("unknown command");
}

int main(void)
{
	smtp_prepare();
	json_t *order;
	while ((order = json_loadf(stdin, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
		json_t *answer = order_do(order);
		json_dumpf(answer, stdout, JSON_COMPACT);
		fputc('\n', stdout);
		fflush(stdout);
		json_decref(answer);
		json_decref(order);
	}
	g_clear_pointer(&probe_session, smtp_session_free);
	return 0;
}
