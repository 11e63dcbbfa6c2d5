#include "incoming.h"

#include <string.h>

#include <gmime/gmime.h>

#include "address.h"
#include "decode.h"
#include "hypertext.h"
#include "library.h"

enum {
	RAW_MAX = 393216,      /* bytes of a part as they came */
	HTML_MAX = 262144,     /* bytes of decoded HTML: styles may stand before the text */
	REPORT_MAX = 16384,    /* bytes of a report's machine part, and of a header reported on */
	BOUNDARIES_MAX = 200,  /* times that a boundary is declared in the whole message */
	DELIMITERS_MAX = 1000, /* lines that may part two parts, those of enclosed messages too */
	PLACEHOLDER_MAX = 300  /* bytes of a text that only says that there is HTML */
};

/* The walk through the parts. */
typedef struct Walk {
	IncomingMail *mail;
	GMimePart *plain; /* borrowed: the first plain text that is not empty */
	GMimePart *html;
	char *plain_text;
	char *html_text;
	int parts;
	bool plain_has_html; /* both stand for the same text */
} Walk;

static GByteArray *part_raw(GMimePart *part)
{
	GByteArray *raw = g_byte_array_new();
	GMimeDataWrapper *content = g_mime_part_get_content(part);
	GMimeStream *stream = content == NULL ? NULL : g_mime_data_wrapper_get_stream(content);
	if (stream == NULL) {
		return raw;
	}
	g_mime_stream_reset(stream);
	g_byte_array_set_size(raw, RAW_MAX);
	ssize_t total = 0, length = 1;
	while (length > 0 && total < RAW_MAX) {
		length = g_mime_stream_read(stream, (char *)raw->data + total,
					    (size_t)(RAW_MAX - total));
		total += MAX(length, 0);
	}
	g_byte_array_set_size(raw, (unsigned)total);
	return raw;
}

static const char *part_parameter(GMimePart *part, const char *name)
{
	GMimeContentType *type = g_mime_object_get_content_type(GMIME_OBJECT(part));
	return type == NULL ? NULL : g_mime_content_type_get_parameter(type, name);
}

/* The charset that an HTML text names itself, as it may where its part names none. */
static char *html_charset(const GByteArray *bytes)
{
	static const char label[] = "charset=";
	size_t looked_at = MIN(bytes->len, 2048);
	const uint8_t *at =
		looked_at == 0 ? NULL : memmem(bytes->data, looked_at, label, strlen(label));
	if (at == NULL) {
		return NULL;
	}
	at += strlen(label);
	return g_strndup((const char *)at, MIN((size_t)(bytes->data + looked_at - at), 40));
}

static char *part_text(Walk *walk, GMimePart *part, size_t max)
{
	DecodeFaults faults = {false, false, false};
	g_autoptr(GByteArray) raw = part_raw(part);
	g_autoptr(GByteArray) bytes =
		decode_transfer(raw, g_mime_part_get_content_encoding(part), max, &faults);
	const char *declared = part_parameter(part, "charset");
	g_autofree char *named = declared == NULL && max == HTML_MAX ? html_charset(bytes) : NULL;
	char *text = decode_charset(bytes, declared == NULL ? named : declared, &faults);
	walk->mail->base64_tail = walk->mail->base64_tail || faults.base64_tail;
	walk->mail->lossy = walk->mail->lossy || faults.lossy;
	walk->mail->is_cut = walk->mail->is_cut || faults.cut;
	return text;
}

static bool text_is_empty(const char *text)
{
	g_autofree char *key = line_key(text);
	return key[0] == '\0' && strlen(text) < 2000;
}

/* Whether the part is sent along rather than written: the message's own part is written whatever
 * name it has. */
static bool part_is_attached(GMimePart *part, bool is_root)
{
	const char *disposition = g_mime_object_get_disposition(GMIME_OBJECT(part));
	if (disposition != NULL && g_ascii_strcasecmp(disposition, "attachment") == 0) {
		return true;
	}
	return !is_root && g_mime_part_get_filename(part) != NULL;
}

static void text_part_visit(Walk *walk, GMimePart *part, bool is_plain, bool is_root)
{
	walk->mail->has_text = true;
	if (part_is_attached(part, is_root)) {
		return;
	}
	if (is_plain && walk->plain == NULL) {
		g_autofree char *text = part_text(walk, part, INCOMING_TEXT_MAX);
		if (!text_is_empty(text)) {
			walk->plain = part;
			walk->plain_text = g_steal_pointer(&text);
		}
	} else if (!is_plain && walk->html == NULL) {
		walk->html = part;
	}
}

static Fields *report_fields(const GByteArray *bytes)
{
	size_t body;
	return fields_read(bytes->data, MIN(bytes->len, REPORT_MAX), &body);
}

/* The header of the message that a report is about. */
static void report_message_keep(IncomingMail *mail, GMimeObject *object)
{
	g_autofree char *headers = NULL;
	if (mail->report_message != NULL) {
		return;
	}
	if (GMIME_IS_MESSAGE_PART(object)) {
		GMimeMessage *message = g_mime_message_part_get_message(GMIME_MESSAGE_PART(object));
		headers = message == NULL ? NULL
					  : g_mime_object_get_headers(GMIME_OBJECT(message), NULL);
	}
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	if (headers != NULL) {
		g_byte_array_append(bytes, (const uint8_t *)headers, (unsigned)strlen(headers));
	} else if (GMIME_IS_PART(object)) {
		g_byte_array_unref(bytes);
		bytes = part_raw(GMIME_PART(object));
	}
	mail->report_message = report_fields(bytes);
}

static void report_part_visit(Walk *walk, GMimeObject *object, GMimeContentType *type)
{
	static const struct {
		const char *subtype;
		IncomingReport report;
	} reports[] = {
		{"delivery-status", INCOMING_REPORT_DELIVERY},
		{"global-delivery-status", INCOMING_REPORT_DELIVERY},
		{"disposition-notification", INCOMING_REPORT_DISPOSITION},
		{"global-disposition-notification", INCOMING_REPORT_DISPOSITION},
		{"feedback-report", INCOMING_REPORT_FEEDBACK},
	};
	IncomingMail *mail = walk->mail;
	for (size_t i = 0; i < G_N_ELEMENTS(reports); i++) {
		if (g_mime_content_type_is_type(type, "message", reports[i].subtype) &&
		    mail->report_text == NULL && GMIME_IS_PART(object)) {
			mail->report = reports[i].report;
			mail->report_text = part_text(walk, GMIME_PART(object), REPORT_MAX);
			return;
		}
	}
	if (GMIME_IS_MESSAGE_PART(object) ||
	    g_mime_content_type_is_type(type, "text", "rfc822-headers") ||
	    g_mime_content_type_is_type(type, "message", "rfc822")) {
		report_message_keep(mail, object);
	}
}

/* A type that is none means plain text (RFC 2045 section 5.2). */
static bool type_is_broken(GMimeObject *object)
{
	const char *declared = g_mime_object_get_header(object, "Content-Type");
	return declared != NULL && strchr(declared, '/') == NULL;
}

static void leaf_visit(Walk *walk, GMimeObject *object, bool is_root)
{
	GMimeContentType *type = g_mime_object_get_content_type(object);
	if (g_mime_content_type_is_type(type, "message", "*") ||
	    g_mime_content_type_is_type(type, "text", "rfc822-headers")) {
		report_part_visit(walk, object, type);
		return;
	}
	if (!GMIME_IS_PART(object)) {
		return;
	}
	bool is_html = g_mime_content_type_is_type(type, "text", "html");
	bool is_plain =
		g_mime_content_type_is_type(type, "text", "plain") || type_is_broken(object);
	if (is_html || is_plain) {
		text_part_visit(walk, GMIME_PART(object), is_plain, is_root);
	}
}

static IncomingReport report_declared(GMimeContentType *type)
{
	static const struct {
		const char *name;
		IncomingReport report;
	} names[] = {
		{"delivery-status", INCOMING_REPORT_DELIVERY},
		{"disposition-notification", INCOMING_REPORT_DISPOSITION},
		{"feedback-report", INCOMING_REPORT_FEEDBACK},
	};
	const char *declared = g_mime_content_type_get_parameter(type, "report-type");
	for (size_t i = 0; declared != NULL && i < G_N_ELEMENTS(names); i++) {
		if (g_ascii_strcasecmp(declared, names[i].name) == 0) {
			return names[i].report;
		}
	}
	return INCOMING_REPORT_OTHER;
}

/* How many of a multipart's children are read: of some only the first is what was written. */
static int children_read(GMimeObject *object, GMimeContentType *type)
{
	if (g_mime_content_type_is_type(type, "multipart", "encrypted")) {
		return 0;
	}
	int count = g_mime_multipart_get_count(GMIME_MULTIPART(object));
	bool is_first_only = g_mime_content_type_is_type(type, "multipart", "signed") ||
			     g_mime_content_type_is_type(type, "multipart", "related");
	return is_first_only ? MIN(count, 1) : count;
}

static void object_visit(Walk *walk, GMimeObject *object, int depth);

static void multipart_visit(Walk *walk, GMimeObject *object, int depth)
{
	GMimeContentType *type = g_mime_object_get_content_type(object);
	if (g_mime_content_type_is_type(type, "multipart", "report") && depth == 0 &&
	    walk->mail->report == INCOMING_REPORT_NONE) {
		walk->mail->report = report_declared(type);
	}
	int total = g_mime_multipart_get_count(GMIME_MULTIPART(object));
	int count = children_read(object, type);
	walk->parts += total - count;
	bool had_plain = walk->plain != NULL, had_html = walk->html != NULL;
	for (int i = 0; i < count; i++) {
		object_visit(walk, g_mime_multipart_get_part(GMIME_MULTIPART(object), i),
			     depth + 1);
	}
	bool is_alternative = g_mime_content_type_is_type(type, "multipart", "alternative");
	if (is_alternative && walk->plain != NULL && walk->html != NULL && !had_plain &&
	    !had_html) {
		walk->plain_has_html = true;
	}
}

static void object_visit(Walk *walk, GMimeObject *object, int depth)
{
	IncomingMail *mail = walk->mail;
	if (depth > INCOMING_DEPTH_MAX) {
		mail->fault = INCOMING_TOO_DEEP;
	} else if (++walk->parts > INCOMING_PARTS_MAX && mail->fault == INCOMING_GOOD) {
		mail->fault = INCOMING_TOO_MANY_PARTS;
	}
	if (mail->fault != INCOMING_GOOD) {
		return;
	}
	if (GMIME_IS_MULTIPART(object)) {
		multipart_visit(walk, object, depth);
	} else {
		leaf_visit(walk, object, depth == 0);
	}
}

/* Whether a plain text only says that the mail is to be read as HTML. */
static bool is_placeholder(const char *text)
{
	g_autofree char *key = line_key(text);
	return strlen(text) <= PLACEHOLDER_MAX && strstr(key, "html") != NULL;
}

static LinesFlow part_flow(GMimePart *part)
{
	const char *format = part_parameter(part, "format");
	const char *delete_space = part_parameter(part, "delsp");
	return (LinesFlow){
		.flowed = format != NULL && g_ascii_strcasecmp(format, "flowed") == 0,
		.delete_space =
			delete_space != NULL && g_ascii_strcasecmp(delete_space, "yes") == 0,
	};
}

static void lines_choose(Walk *walk)
{
	IncomingMail *mail = walk->mail;
	bool is_plain =
		walk->plain != NULL && !(walk->plain_has_html && is_placeholder(walk->plain_text));
	if (is_plain) {
		mail->lines = lines_of_plain(walk->plain_text, part_flow(walk->plain));
	} else if (walk->html != NULL) {
		walk->html_text = part_text(walk, walk->html, HTML_MAX);
		mail->lines = hypertext_lines(walk->html_text);
		mail->from_html = true;
	}
}

static size_t boundaries_count(const uint8_t *bytes, size_t size)
{
	static const char word[] = "boundary";
	size_t count = 0, length = strlen(word);
	for (size_t i = 0; i + length < size && count <= BOUNDARIES_MAX; i++) {
		bool is_word = (bytes[i] == 'b' || bytes[i] == 'B') &&
			       g_ascii_strncasecmp((const char *)bytes + i, word, length) == 0;
		count += is_word && strchr("= *\t\r", bytes[i + length]) != NULL;
	}
	return count;
}

/* Lines that begin with "--" and something else. */
static size_t delimiters_count(const uint8_t *bytes, size_t size)
{
	size_t count = 0;
	const uint8_t *at = bytes, *end = bytes + size;
	while (at < end) {
		const uint8_t *line = at;
		const uint8_t *next = memchr(at, '\n', (size_t)(end - at));
		at = next == NULL ? end : next + 1;
		if (at - line < 3 || line[0] != '-' || line[1] != '-') {
			continue;
		}
		while (line < at && strchr("- \t\r\n", *line) != NULL) {
			line++;
		}
		count += line < at;
	}
	return count;
}

/* Looks at the raw message before the parser does, which would build the whole of any tree. */
static IncomingFault shape_check(const uint8_t *bytes, size_t size)
{
	size_t boundaries = boundaries_count(bytes, size);
	if (boundaries > BOUNDARIES_MAX) {
		return INCOMING_TOO_DEEP;
	}
	bool is_multipart = boundaries > 0;
	return is_multipart && delimiters_count(bytes, size) > DELIMITERS_MAX
		       ? INCOMING_TOO_MANY_PARTS
		       : INCOMING_GOOD;
}

static void body_read(IncomingMail *mail, const uint8_t *bytes, size_t size)
{
	GMimeStream *stream = g_mime_stream_mem_new_with_buffer((const char *)bytes, size);
	GMimeParser *parser = g_mime_parser_new_with_stream(stream);
	GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
	GMimeObject *root = message == NULL ? NULL : g_mime_message_get_mime_part(message);
	Walk walk = {.mail = mail};
	if (root != NULL) {
		object_visit(&walk, root, 0);
	}
	if (mail->fault == INCOMING_GOOD) {
		lines_choose(&walk);
	}
	g_free(walk.plain_text);
	g_free(walk.html_text);
	if (message != NULL) {
		g_object_unref(message);
	}
	g_object_unref(parser);
	g_object_unref(stream);
}

/* A mailbox "name <address>" without the letters beyond ASCII that stand in the name unencoded. Of
 * some charsets their second bytes, or all of them behind an escape, look like signs that mean
 * something. NULL if there is no such address. The caller frees. */
static char *mailbox_plain(const char *value)
{
	enum { TRAIL_LEAST = 0x40 };
	const char *address = strrchr(value, '<');
	if (address == NULL) {
		return NULL;
	}
	GString *plain = g_string_new(NULL);
	bool is_escaped = false;
	for (const char *at = value; at < address; at++) {
		const uint8_t byte = (uint8_t)*at, next = (uint8_t)at[1];
		if (byte == 0x1b && next != '\0' && at[2] != '\0') {
			is_escaped = next == '$';
			at += 2;
		} else if (byte >= 0x80 && next >= TRAIL_LEAST) {
			at++;
		} else if (byte < 0x80 && !is_escaped) {
			g_string_append_c(plain, *at);
		}
	}
	g_string_append(plain, address);
	return g_string_free(plain, FALSE);
}

/* The one mailbox of a list; NULL if it names none, several or a group. */
static char *mailbox_read(const char *value)
{
	InternetAddressList *list = internet_address_list_parse(NULL, value);
	InternetAddress *first = list != NULL && internet_address_list_length(list) == 1
					 ? internet_address_list_get_address(list, 0)
					 : NULL;
	const char *address =
		INTERNET_ADDRESS_IS_MAILBOX(first)
			? internet_address_mailbox_get_addr(INTERNET_ADDRESS_MAILBOX(first))
			: NULL;
	char *from = mail_address_valid(address) ? g_strdup(address) : NULL;
	if (list != NULL) {
		g_object_unref(list);
	}
	return from;
}

/* The one mailbox of the From field. */
static char *from_read(const Fields *fields)
{
	const char *value = fields_first(fields, "from");
	if (value == NULL || fields_count(fields, "from") != 1) {
		return NULL;
	}
	char *from = mailbox_read(value);
	if (from != NULL) {
		return from;
	}
	g_autofree char *plain = mailbox_plain(value);
	return plain == NULL ? NULL : mailbox_read(plain);
}

static char *message_id_read(const Fields *fields)
{
	const char *value = fields_first(fields, "message-id");
	if (value == NULL) {
		return NULL;
	}
	g_autofree char *trimmed = g_strdup(value);
	g_strdelimit(trimmed, "<>", ' ');
	g_strstrip(trimmed);
	return trimmed[0] == '\0' ? NULL : g_steal_pointer(&trimmed);
}

IncomingMail *incoming_read(const uint8_t *bytes, size_t size)
{
	static const uint8_t nothing[1] = "";
	IncomingMail *mail = g_new0(IncomingMail, 1);
	size_t body = 0;
	library_prepare();
	mail->fields = fields_read(bytes, size, &body);
	if (mail->fields == NULL) {
		mail->fault = INCOMING_HEADER_TOO_LARGE;
		mail->fields = fields_read(nothing, 0, &body);
		return mail;
	}
	mail->from = from_read(mail->fields);
	mail->message_id = message_id_read(mail->fields);
	mail->subject = fields_text(mail->fields, "subject", &mail->subject_sanitised);
	if (size > INCOMING_SIZE_MAX) {
		mail->fault = INCOMING_TOO_LARGE;
		return mail;
	}
	size_t start = fields_start(bytes, size);
	mail->fault = shape_check(bytes + start, size - start);
	if (mail->fault != INCOMING_GOOD) {
		return mail;
	}
	body_read(mail, bytes + start, size - start);
	return mail;
}

void incoming_free(IncomingMail *mail)
{
	if (mail == NULL) {
		return;
	}
	fields_free(mail->fields);
	fields_free(mail->report_message);
	lines_free(mail->lines);
	g_free(mail->from);
	g_free(mail->message_id);
	g_free(mail->subject);
	g_free(mail->report_text);
	g_free(mail);
}

char *incoming_text(const IncomingMail *mail)
{
	GString *text = g_string_new(NULL);
	for (unsigned i = 0; mail->lines != NULL && i < mail->lines->len; i++) {
		g_string_append(text, lines_at(mail->lines, i)->text);
		g_string_append_c(text, '\n');
	}
	return g_string_free(text, FALSE);
}
