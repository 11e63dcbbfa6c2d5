#include "compose.h"

#include <string.h>

#include <gmime/gmime.h>

#include "address.h"
#include "error.h"
#include "header.h"
#include "library.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeStream, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeDataWrapper, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeObject, g_object_unref)

/* ---- headers ---- */

static bool address_append(GString *headers, const char *name, const char *phrase,
			   const char *address, GError **error)
{
	g_autofree char *ascii = mail_address_to_ascii(address, error);
	if (ascii == NULL) {
		g_prefix_error(error, "header %s: ", name);
		return false;
	}
	if (phrase == NULL) {
		return header_append(headers, name, ascii, error);
	}
	return header_append_mailbox(headers, name, phrase, ascii, error);
}

/* An id is not folded away from its header's name: some readers then find none. */
static bool message_id_append(GString *headers, const char *id, GError **error)
{
	const char *const ids[] = {id, NULL};
	g_autoptr(GString) folded = g_string_new(NULL);
	if (!header_append_ids(folded, "Message-ID", ids, error)) {
		return false;
	}
	g_string_append_printf(headers, "Message-ID: <%s>\r\n", id);
	return true;
}

static bool date_append(GString *headers, int64_t seconds, GError **error)
{
	g_autoptr(GDateTime) date = g_date_time_new_from_unix_utc(seconds);
	g_assert(date != NULL);
	g_autofree char *text = g_mime_utils_header_format_date(date);
	return header_append(headers, "Date", text, error);
}

static bool references_append(GString *headers, const MailMessage *message, GError **error)
{
	const char *const *references = message->references;
	if (references == NULL || references[0] == NULL) {
		return true;
	}
	size_t count = 0;
	while (references[count] != NULL) {
		count++;
	}
	return header_append_ids(headers, "In-Reply-To", &references[count - 1], error) &&
	       header_append_ids(headers, "References", references, error);
}

/* RFC 2369 wants the preferred way first. A URL that would end its brackets is refused. */
static bool unsubscribe_append(GString *headers, const MailMessage *message, GError **error)
{
	g_autoptr(GString) value = g_string_new(NULL);
	if (message->unsubscribe_url != NULL) {
		if (strpbrk(message->unsubscribe_url, "<> ,") != NULL) {
			g_set_error_literal(error, MAIL_ERROR, MAIL_ERROR_HEADER,
					    "header List-Unsubscribe: this is no URL");
			return false;
		}
		g_string_append_printf(value, "<%s>", message->unsubscribe_url);
	}
	if (message->unsubscribe_address != NULL) {
		g_autofree char *ascii = mail_address_to_ascii(message->unsubscribe_address, error);
		if (ascii == NULL) {
			return false;
		}
		g_string_append_printf(value, "%s<mailto:%s>", value->len == 0 ? "" : ", ", ascii);
	}
	if (value->len == 0) {
		return true;
	}
	return header_append(headers, "List-Unsubscribe", value->str, error) &&
	       (message->unsubscribe_url == NULL ||
		header_append(headers, "List-Unsubscribe-Post", "List-Unsubscribe=One-Click",
			      error));
}

static bool list_append(GString *headers, const MailMessage *message, GError **error)
{
	if (message->list_id == NULL) {
		return true;
	}
	if (!mail_domain_valid(message->list_id)) {
		g_set_error_literal(error, MAIL_ERROR, MAIL_ERROR_HEADER,
				    "header List-Id: the id is no domain name");
		return false;
	}
	return header_append_mailbox(headers, "List-Id", message->list_name, message->list_id,
				     error);
}

static bool optional_append(GString *headers, const char *name, const char *value, GError **error)
{
	return value == NULL || header_append(headers, name, value, error);
}

static bool headers_append(GString *headers, const MailMessage *message, GError **error)
{
	const char *cause = message->cause == MAIL_AUTO_REPLIED ? "auto-replied" : "auto-generated";
	return address_append(headers, "From", message->from_name, message->from_address, error) &&
	       address_append(headers, "To", NULL, message->to_address, error) &&
	       (message->reply_to == NULL ||
		address_append(headers, "Reply-To", NULL, message->reply_to, error)) &&
	       header_append_text(headers, "Subject", message->subject, error) &&
	       date_append(headers, message->date, error) &&
	       message_id_append(headers, message->message_id, error) &&
	       references_append(headers, message, error) &&
	       header_append(headers, "Auto-Submitted", cause, error) &&
	       header_append(headers, "X-Auto-Response-Suppress", "All", error) &&
	       list_append(headers, message, error) &&
	       unsubscribe_append(headers, message, error) &&
	       optional_append(headers, "Feedback-ID", message->feedback_id, error) &&
	       optional_append(headers, "X-Board-Loop", message->loop_domain, error) &&
	       header_append(headers, "MIME-Version", "1.0", error);
}

/* ---- parts ---- */

/* Line ends as LF, one at the end. */
static char *lines_normalize(const char *text)
{
	g_autoptr(GString) lines = g_string_new(text);
	g_string_replace(lines, "\r\n", "\n", 0);
	g_string_replace(lines, "\r", "\n", 0);
	if (lines->len == 0 || lines->str[lines->len - 1] != '\n') {
		g_string_append_c(lines, '\n');
	}
	return g_string_free(g_steal_pointer(&lines), FALSE);
}

static GMimePart *part_new(const char *subtype, const void *bytes, size_t size,
			   GMimeContentEncoding encoding)
{
	bool is_picture = strcmp(subtype, "png") == 0;
	GMimePart *part = g_mime_part_new_with_type(is_picture ? "image" : "text", subtype);
	g_autoptr(GMimeStream) stream = g_mime_stream_mem_new_with_buffer(bytes, size);
	g_autoptr(GMimeDataWrapper) content =
		g_mime_data_wrapper_new_with_stream(stream, GMIME_CONTENT_ENCODING_DEFAULT);
	g_mime_part_set_content(part, content);
	g_mime_part_set_content_encoding(part, encoding);
	return part;
}

/* Quoted-printable keeps what is mostly ASCII readable; base64 is shorter for the rest, and carries
 * the line ends that text has on the wire. */
static GMimeObject *text_part_new(const char *subtype, const char *text)
{
	g_autofree char *lines = lines_normalize(text);
	size_t size = strlen(lines);
	size_t foreign = 0;
	for (size_t i = 0; i < size; i++) {
		foreign += (unsigned char)lines[i] >= 0x80;
	}
	GMimePart *part = NULL;
	if (foreign > size / 6) {
		g_autoptr(GString) canonical = g_string_new(lines);
		g_string_replace(canonical, "\n", "\r\n", 0);
		part = part_new(subtype, canonical->str, canonical->len,
				GMIME_CONTENT_ENCODING_BASE64);
	} else {
		part = part_new(subtype, lines, size, GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE);
	}
	g_mime_object_set_content_type_parameter(GMIME_OBJECT(part), "charset", "utf-8");
	return GMIME_OBJECT(part);
}

static GMimeObject *picture_part_new(const MailPicture *picture)
{
	size_t size = 0;
	const void *bytes = g_bytes_get_data(picture->png, &size);
	GMimePart *part = part_new("png", bytes, size, GMIME_CONTENT_ENCODING_BASE64);
	g_mime_object_set_disposition(GMIME_OBJECT(part), "inline");
	g_autofree char *name =
		g_strconcat(picture->name == NULL ? "board" : picture->name, ".png", NULL);
	g_mime_part_set_filename(part, name);
	g_mime_part_set_content_id(part, picture->content_id);
	return GMIME_OBJECT(part);
}

/* A boundary that no body of ours can hold (quoted-printable and base64 never write "=_") and that
 * is the same whenever this mail is made. */
static GMimeMultipart *multipart_new(const char *subtype, const char *message_id)
{
	g_autofree char *seed = g_strdup_printf("%s %s", subtype, message_id);
	g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, seed, -1);
	g_autofree char *boundary = g_strdup_printf("=_%.24s", hash);
	GMimeMultipart *multipart = g_mime_multipart_new_with_subtype(subtype);
	g_mime_multipart_set_boundary(multipart, boundary);
	return multipart;
}

static void multipart_add(GMimeMultipart *multipart, GMimeObject *part)
{
	g_mime_multipart_add(multipart, part);
	g_object_unref(part);
}

static GMimeObject *html_part_new(const MailMessage *message)
{
	GMimeObject *html = text_part_new("html", message->html);
	if (message->picture == NULL) {
		return html;
	}
	GMimeMultipart *related = multipart_new("related", message->message_id);
	g_mime_object_set_content_type_parameter(GMIME_OBJECT(related), "type", "text/html");
	multipart_add(related, html);
	for (const MailPicture *picture = message->picture; picture != NULL;
	     picture = picture->next) {
		multipart_add(related, picture_part_new(picture));
	}
	return GMIME_OBJECT(related);
}

static GMimeObject *body_new(const MailMessage *message)
{
	GMimeObject *text = text_part_new("plain", message->text);
	if (message->html == NULL) {
		return text;
	}
	GMimeMultipart *alternative = multipart_new("alternative", message->message_id);
	multipart_add(alternative, text);
	multipart_add(alternative, html_part_new(message));
	return GMIME_OBJECT(alternative);
}

/* ---- the whole ---- */

static bool content_id_check(const MailPicture *picture, GError **error)
{
	const char *const ids[] = {picture->content_id, NULL};
	g_autoptr(GString) unused = g_string_new(NULL);
	return header_append_ids(unused, "Content-ID", ids, error);
}

static bool body_check(const MailMessage *message, GError **error)
{
	g_assert(message->picture == NULL || message->html != NULL);
	if (!g_utf8_validate(message->text, -1, NULL) ||
	    (message->html != NULL && !g_utf8_validate(message->html, -1, NULL))) {
		g_set_error_literal(error, MAIL_ERROR, MAIL_ERROR_BODY, "a body is no UTF-8");
		return false;
	}
	for (const MailPicture *picture = message->picture; picture != NULL;
	     picture = picture->next) {
		if (!content_id_check(picture, error)) {
			return false;
		}
	}
	return true;
}

static GBytes *message_write(const GString *headers, GMimeObject *body)
{
	g_autoptr(GMimeStream) stream = g_mime_stream_mem_new();
	g_mime_stream_write(stream, headers->str, headers->len);
	GMimeFormatOptions *options = g_mime_format_options_new();
	g_mime_format_options_set_newline_format(options, GMIME_NEWLINE_FORMAT_DOS);
	g_mime_object_write_to_stream(body, options, stream);
	g_mime_format_options_free(options);
	const GByteArray *bytes = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(stream));
	return g_bytes_new(bytes->data, bytes->len);
}

GBytes *mail_compose(const MailMessage *message, GError **error)
{
	library_prepare();
	g_autoptr(GString) headers = g_string_new(NULL);
	if (!headers_append(headers, message, error) || !body_check(message, error)) {
		return NULL;
	}
	g_autoptr(GMimeObject) body = body_new(message);
	return message_write(headers, body);
}
