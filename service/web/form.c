#include "service/web/form.h"

#include "service/secret.h"
#include "service/text.h"
#include "service/time_zone.h"
#include "service/web/cookie.h"

#include <string.h>
#include <unicode/ucal.h>

enum { COOKIE_LETTERS_MAX = 64, ID_SIZE = 80 };

/* ---- the proof --------------------------------------------------------------------------- */

/* What a stranger's token is made of: session 0 and a number of the cookie. */
static void visitor_fields(const char *cookie, int64_t fields_r[SECRET_FIELDS_MAX])
{
	uint8_t hash[SECRET_HASH_SIZE];
	secret_hash(cookie, hash);
	memset(fields_r, 0, SECRET_FIELDS_MAX * sizeof(fields_r[0]));
	memcpy(&fields_r[1], hash, sizeof(fields_r[1]));
}

static const char *visitor_cookie(const Request *request)
{
	const char *cookie = request_cookie(request, COOKIE_VISITOR);
	if (cookie == NULL || *cookie == '\0' || strlen(cookie) > COOKIE_LETTERS_MAX)
		return NULL;
	return cookie;
}

static char *token_make(Page *page)
{
	const Config *config = request_config(page->request);
	const Actor *actor = request_actor(page->request);
	if (actor != NULL)
		return secret_make(config, config_newest_key(config), SECRET_CSRF,
				   SECRET_FIELDS(actor->session_id));
	if (page->visitor == NULL) {
		const char *cookie = visitor_cookie(page->request);
		page->visitor_new = cookie == NULL;
		page->visitor = cookie == NULL ? secret_cookie_new() : g_strdup(cookie);
	}
	int64_t fields[SECRET_FIELDS_MAX];
	visitor_fields(page->visitor, fields);
	return secret_make(config, config_newest_key(config), SECRET_CSRF, fields);
}

/* A form that was opened by a stranger stays good after the login: of a click done twice, the first
 * may have logged in. */
bool form_is_proven(const Request *request)
{
	const Config *config = request_config(request);
	const Actor *actor = request_actor(request);
	const char *token = request_form(request, "csrf");
	if (actor != NULL &&
	    secret_check(config, token, SECRET_CSRF, SECRET_FIELDS(actor->session_id)))
		return true;
	const char *cookie = visitor_cookie(request);
	if (cookie == NULL)
		return false;
	int64_t fields[SECRET_FIELDS_MAX];
	visitor_fields(cookie, fields);
	return secret_check(config, token, SECRET_CSRF, fields);
}

bool form_read_unproven(Request *request, GError **error)
{
	return request_form_read(request, error);
}

bool form_read(Request *request, GError **error)
{
	if (!request_form_read(request, error))
		return false;
	if (form_is_proven(request))
		return true;
	problem_set(error, PROBLEM_FORM_STALE, NULL);
	return false;
}

json_t *form_json(const Request *request, const char *const *names)
{
	json_t *object = json_object();
	for (int i = 0; names[i] != NULL; i++) {
		const char *text = request_form(request, names[i]);
		if (text != NULL && *text != '\0')
			json_object_set_new(object, names[i], json_string(text));
	}
	return object;
}

bool form_mendable(const GError *fault)
{
	const ProblemCode code = problem_code(fault);
	return code != PROBLEM_INTERNAL && code != PROBLEM_UNAVAILABLE &&
	       code != PROBLEM_RATE_LIMITED && code != PROBLEM_NOT_FOUND;
}

Response *form_answer(Request *request, FormPageFn *form, GError *fault, GError **error)
{
	if (!form_mendable(fault)) {
		g_propagate_error(error, fault);
		return NULL;
	}
	Response *response = form(request, problem_status(problem_code(fault)), fault);
	g_error_free(fault);
	return response;
}

void form_begin(Page *page, const char *action, const char *css_class)
{
	g_autofree char *token = token_make(page);
	markup_begin(page->markup, "form", "method", "post", "action", action, "class", css_class,
		     NULL);
	form_hidden(page, "csrf", token);
}

void form_once(Page *page)
{
	g_autofree char *key = secret_cookie_new();
	form_hidden(page, "once", key);
}

void form_end(Page *page)
{
	markup_end(page->markup);
}

/* ---- fields ------------------------------------------------------------------------------ */

static const char *label_text(const Page *page, const char *label, const char *name)
{
	g_autofree char *key = g_strconcat("page.field.", name, NULL);
	return text_get(page->language, label == NULL ? key : label);
}

/* "Name: must have at least 2 characters" in the words the form uses. */
char *form_fault(const Page *page, const GError *error)
{
	if (problem_code(error) != PROBLEM_FIELD_INVALID)
		return problem_detail(error, page->language);
	GString *text = g_string_new(NULL);
	const char *name = NULL;
	for (unsigned i = 0; (name = problem_fault_field(error, i)) != NULL; i++) {
		g_autofree char *key = g_strconcat("page.field.", name, NULL);
		g_autofree char *words = problem_fault_words(error, i, page->language);
		const char *label = text_find(page->language, key);
		g_string_append_printf(text, "%s%s: %s", i > 0 ? "; " : "",
				       label == NULL ? name : label, words);
	}
	return g_string_free(text, FALSE);
}

static bool is_at_fault(const FormField *field)
{
	if (field->wrong)
		return true;
	return field->error != NULL && problem_fault_of(field->error, field->name);
}

/* The cursor stands in the first field at fault only. */
static bool is_focused(const FormField *field)
{
	if (field->wrong || field->error == NULL)
		return field->wrong;
	return g_strcmp0(problem_fault_field(field->error, 0), field->name) == 0;
}

/* The label and the hint before a field, whose id it makes. */
static void field_head(Page *page, const char *name, const char *label, const char *hint,
		       char id_r[ID_SIZE])
{
	g_snprintf(id_r, ID_SIZE, "field-%d-%s", ++page->fields, name);
	markup_begin(page->markup, "div", "class", "field", NULL);
	markup_line(page->markup, "label", label_text(page, label, name), "for", id_r, NULL);
	if (hint == NULL)
		return;
	g_autofree char *hint_id = g_strconcat(id_r, "-hint", NULL);
	markup_line(page->markup, "p", text_get(page->language, hint), "class", "hint", "id",
		    hint_id, NULL);
}

static char *described_by(const char *id, const char *hint)
{
	return hint == NULL ? NULL : g_strconcat(id, "-hint", NULL);
}

static const char *typed(const Page *page, const char *name, const char *value)
{
	const char *before = request_form(page->request, name);
	return value != NULL ? value : before;
}

static char *limit_text(const FormField *field)
{
	return field->max == 0 ? NULL : g_strdup_printf("%d", field->max);
}

void form_field(Page *page, const FormField *field)
{
	char id[ID_SIZE];
	field_head(page, field->name, field->label, field->hint, id);
	g_autofree char *hint = described_by(id, field->hint);
	g_autofree char *limit = limit_text(field);
	const char *off = field->monospace ? "off" : NULL;
	markup_empty(page->markup, "input", "id", id, "name", field->name, "type",
		     field->type == NULL ? "text" : field->type, "value",
		     typed(page, field->name, field->value), "maxlength", limit, "autocomplete",
		     field->autocomplete == NULL ? off : field->autocomplete, "autocapitalize", off,
		     "spellcheck", field->monospace ? "false" : NULL, "class",
		     field->monospace ? "code" : NULL, "aria-describedby", hint, "aria-invalid",
		     is_at_fault(field) ? "true" : NULL, "autofocus", is_focused(field) ? "" : NULL,
		     "required", field->optional ? NULL : "", NULL);
	markup_end(page->markup);
}

void form_lines(Page *page, const FormField *field)
{
	char id[ID_SIZE];
	field_head(page, field->name, field->label, field->hint, id);
	g_autofree char *hint = described_by(id, field->hint);
	g_autofree char *limit = limit_text(field);
	const char *off = field->monospace ? "off" : NULL;
	markup_begin(page->markup, "textarea", "id", id, "name", field->name, "rows", "4",
		     "maxlength", limit, "autocomplete", off, "autocapitalize", off, "spellcheck",
		     field->monospace ? "false" : NULL, "class", field->monospace ? "code" : NULL,
		     "aria-describedby", hint, "aria-invalid", is_at_fault(field) ? "true" : NULL,
		     "autofocus", is_focused(field) ? "" : NULL, "required",
		     field->optional ? NULL : "", NULL);
	markup_text(page->markup, typed(page, field->name, field->value));
	markup_end(page->markup);
	markup_end(page->markup);
}

void form_check(Page *page, const char *name, const char *text, bool checked, bool required)
{
	char id[ID_SIZE];
	g_snprintf(id, sizeof(id), "field-%d-%s", ++page->fields, name);
	markup_begin(page->markup, "div", "class", "check", NULL);
	markup_empty(page->markup, "input", "type", "checkbox", "id", id, "name", name, "value",
		     "yes", "checked", checked ? "" : NULL, "required", required ? "" : NULL, NULL);
	markup_text(page->markup, " ");
	markup_line(page->markup, "label", text, "for", id, NULL);
	markup_end(page->markup);
}

void form_hidden(Page *page, const char *name, const char *value)
{
	markup_empty(page->markup, "input", "type", "hidden", "name", name, "value", value, NULL);
}

void form_button(Page *page, const FormButton *button)
{
	markup_begin(page->markup, "button", "type", "submit", "class", button->css_class, "name",
		     button->name, "value", button->value, NULL);
	markup_text(page->markup, text_get(page->language, button->key));
	if (button->about != NULL) {
		markup_begin(page->markup, "span", "class", "spoken", NULL);
		markup_text(page->markup, " ");
		markup_text(page->markup, button->about);
		markup_end(page->markup);
	}
	markup_end(page->markup);
}

/* ---- lists to choose from ---------------------------------------------------------------- */

void form_choice_begin(Page *page, const FormChoice *choice)
{
	char id[ID_SIZE];
	field_head(page, choice->name, choice->label, choice->hint, id);
	g_autofree char *hint = described_by(id, choice->hint);
	markup_begin(page->markup, "select", "id", id, "name", choice->name, "aria-describedby",
		     hint, NULL);
}

void form_choice_option(Page *page, const FormChoice *choice, const char *value, const char *text)
{
	const char *chosen = typed(page, choice->name, choice->chosen);
	markup_line(page->markup, "option", text, "value", value, "selected",
		    g_strcmp0(chosen, value) == 0 ? "" : NULL, NULL);
}

void form_choice_end(Page *page)
{
	markup_end(page->markup);
	markup_end(page->markup);
}

void form_languages(Page *page, const char *chosen)
{
	form_language_choice(page, NULL, chosen);
}

void form_language_choice(Page *page, const char *label, const char *chosen)
{
	const char *sent = request_form(page->request, "language");
	const FormChoice choice = {
		.name = "language", .label = label, .chosen = sent == NULL ? chosen : sent};
	form_choice_begin(page, &choice);
	for (int i = 0; i < LANGUAGE_COUNT; i++)
		form_choice_option(page, &choice, language_code((Language)i),
				   text_get((Language)i, "language.name"));
	form_choice_end(page);
}

Language form_language(const Request *request)
{
	Language language = page_language(request);
	language_parse(request_form(request, "language"), &language);
	return language;
}

/* The zones that have a place of their own, in the alphabet, "UTC" first. */
static const GPtrArray *zones(void)
{
	static GPtrArray *list;
	if (g_once_init_enter(&list)) {
		GPtrArray *found = g_ptr_array_new();
		UErrorCode status = U_ZERO_ERROR;
		UEnumeration *names = ucal_openTimeZoneIDEnumeration(
			UCAL_ZONE_TYPE_CANONICAL_LOCATION, NULL, NULL, &status);
		g_ptr_array_add(found, g_strdup("UTC"));
		const char *name = NULL;
		while ((name = uenum_next(names, NULL, &status)) != NULL)
			if (time_zone_known(name))
				g_ptr_array_add(found, g_strdup(name));
		uenum_close(names);
		g_once_init_leave(&list, found);
	}
	return list;
}

void form_time_zones(Page *page, const char *chosen)
{
	const char *sent = request_form(page->request, "time_zone");
	const FormChoice choice = {.name = "time_zone",
				   .hint = "page.field.time_zone.hint",
				   .chosen = sent == NULL ? chosen : sent};
	const GPtrArray *list = zones();
	bool listed = choice.chosen == NULL;
	form_choice_begin(page, &choice);
	for (unsigned i = 0; i < list->len; i++) {
		form_choice_option(page, &choice, list->pdata[i], list->pdata[i]);
		listed = listed || strcmp(choice.chosen, list->pdata[i]) == 0;
	}
	if (!listed)
		form_choice_option(page, &choice, choice.chosen, choice.chosen);
	form_choice_end(page);
}
