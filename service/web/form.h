/* Forms of pages: fields with labels, hints and what was typed before; and the proof that a POST
 * comes from our own form. */
#ifndef SERVICE_WEB_FORM_H
#define SERVICE_WEB_FORM_H

#include "service/web/page.h"

/* Opens a form that is POSTed, with its CSRF token: made of the session, or of a cookie that a
 * stranger gets with the form. Close it by form_end. */
void form_begin(Page *page, const char *action, const char *css_class);
void form_end(Page *page);
/* Gives the form a key of its own: sent twice, it acts once. See idempotency_run_form and
 * AccountAccess.once. */
void form_once(Page *page);
/* Reads the body of a POST and refuses one that does not come from our form. FORM_STALE,
 * UNSUPPORTED_MEDIA_TYPE, FORM_INVALID. */
bool form_read(Request *request, GError **error);
/* The same without the proof, for what needs none (RFC 8058). */
bool form_read_unproven(Request *request, GError **error);
bool form_is_proven(const Request *request);
/* What is wrong, in the words of the form: fields by their labels. The caller frees. */
char *form_fault(const Page *page, const GError *error);

/* A form with what was sent before and what is wrong with it. */
typedef Response *FormPageFn(Request *request, int status, const GError *fault);
/* Fields of the form that were filled in, as a JSON object for field.h; names ends with NULL. The
 * caller drops it. */
json_t *form_json(const Request *request, const char *const *names);
/* Whether people can mend it by changing what they entered, so that the form is shown again. */
bool form_mendable(const GError *fault);
/* The answer to a form that was refused: the form again for what people can mend (field, name,
 * limit …), else the error. Takes fault over. */
Response *form_answer(Request *request, FormPageFn *form, GError *fault, GError **error);

/* One field; label and hint are keys of the catalogue, "page.field.<name>" where NULL. */
typedef struct {
	const char *name;
	const char *type; /* NULL: text */
	const char *label;
	const char *hint;  /* NULL: none */
	const char *value; /* NULL: what was typed before */
	const char *autocomplete;
	int max; /* characters; 0: no limit said */
	bool optional;
	bool monospace;      /* codes and turns: no spelling, no capitals */
	bool wrong;          /* what was typed was refused: the cursor stands there */
	const GError *error; /* FIELD_INVALID of this field is shown beside it; NULL: none */
} FormField;
void form_field(Page *page, const FormField *field);
/* Several lines of text. */
void form_lines(Page *page, const FormField *field);
/* A checkbox whose label is a text (not a key). */
void form_check(Page *page, const char *name, const char *text, bool checked, bool required);
void form_hidden(Page *page, const char *name, const char *value);
/* css_class: NULL, "quiet", "danger". name and value: NULL, or what is sent with it. */
typedef struct {
	const char *key;
	const char *css_class;
	const char *name, *value;
	const char *about; /* said by screen readers after the text, where it alone is not clear */
} FormButton;
void form_button(Page *page, const FormButton *button);

/* A list to choose from: pairs of value and text. chosen: NULL: what was chosen before. */
typedef struct {
	const char *name;
	const char *label; /* NULL: "page.field.<name>" */
	const char *hint;
	const char *chosen;
} FormChoice;
void form_choice_begin(Page *page, const FormChoice *choice);
void form_choice_option(Page *page, const FormChoice *choice, const char *value, const char *text);
void form_choice_end(Page *page);
/* The language of the field "language" by its own name; label as above. */
void form_language_choice(Page *page, const char *label, const char *chosen);
/* The same for a player; the IANA zones. */
void form_languages(Page *page, const char *chosen);
void form_time_zones(Page *page, const char *chosen);
/* The language that was chosen in a form; the page's, if there was no such list. */
Language form_language(const Request *request);

#endif
