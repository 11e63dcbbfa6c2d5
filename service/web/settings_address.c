#include "db/address.h"
#include "service/api_account.h"
#include "service/text.h"
#include "service/web/form.h"
#include "service/web/pages.h"
#include "service/web/settings_page.h"

enum { EMAIL_MAX = 254 };
/* Columns of address_list. */
enum { ADDRESS_ID, ADDRESS_EMAIL, ADDRESS_STATE, ADDRESS_PRIMARY };

static void address_form(Page *page, int64_t id, const char *what, const FormButton *button)
{
	g_autofree char *url =
		g_strdup_printf("/settings/addresses/%" G_GINT64_FORMAT "/%s", id, what);
	form_begin(page, url, "inline");
	form_button(page, button);
	form_end(page);
}

static void address_item(Page *page, const DbResult *rows, int row)
{
	const char *email = db_text(rows, row, ADDRESS_EMAIL);
	const int64_t id = db_int(rows, row, ADDRESS_ID);
	const bool primary = db_bool(rows, row, ADDRESS_PRIMARY);
	g_autofree char *state =
		g_strconcat("page.address.", db_text(rows, row, ADDRESS_STATE), NULL);
	markup_begin(page->markup, "li", NULL);
	markup_line(page->markup, "strong", email, NULL);
	markup_text(page->markup, " ");
	if (primary)
		markup_line(page->markup, "span", text_get(page->language, "page.address.primary"),
			    "class", "badge", NULL);
	markup_text(page->markup, " ");
	markup_line(page->markup, "span", text_get(page->language, state), "class", "quiet", NULL);
	if (!primary) {
		address_form(page, id, "primary",
			     &(FormButton){.key = "page.address.make-primary",
					   .css_class = "quiet",
					   .about = email});
		address_form(
			page, id, "remove",
			&(FormButton){.key = "page.remove", .css_class = "danger", .about = email});
	}
	markup_end(page->markup);
}

bool settings_address_write(Page *page, const GError *fault, GError **error)
{
	g_autoptr(DbResult) rows =
		address_list(request_db(page->request), request_player(page->request), error);
	if (rows == NULL)
		return false;
	page_say(page, "h2", "page.settings.addresses");
	markup_begin(page->markup, "ul", "class", "list", NULL);
	for (int row = 0; row < db_rows(rows); row++)
		address_item(page, rows, row);
	markup_end(page->markup);
	page_say(page, "p", "page.settings.addresses.how");
	form_begin(page, "/settings/addresses", NULL);
	form_field(page, &(FormField){.name = "email",
				      .type = "email",
				      .label = "page.settings.address.new",
				      .autocomplete = "email",
				      .max = EMAIL_MAX,
				      .error = fault});
	form_check(page, "primary", text_get(page->language, "page.settings.address.primary"),
		   request_form(page->request, "primary") != NULL, false);
	form_button(page, &(FormButton){.key = "page.settings.address.add"});
	form_end(page);
	return true;
}

Response *settings_address_add(Request *request, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	const AccountAccess access = api_account_access(request);
	g_autoptr(GError) fault = NULL;
	if (account_address_add(&access, request_player(request), request_form(request, "email"),
				request_form(request, "primary") != NULL, &fault))
		return settings_page_done("address-mailed");
	return settings_page_refused(request, g_steal_pointer(&fault), error);
}

typedef bool AddressFn(const AccountAccess *access, int64_t player_id, int64_t address_id,
		       GError **error);

static Response *address_answer(Request *request, AddressFn *change, const char *done,
				GError **error)
{
	if (!form_read(request, error))
		return NULL;
	const AccountAccess access = api_account_access(request);
	g_autoptr(GError) fault = NULL;
	if (change(&access, request_player(request), request_path_id(request, "id"), &fault))
		return settings_page_done(done);
	return settings_page_refused(request, g_steal_pointer(&fault), error);
}

Response *settings_address_primary(Request *request, GError **error)
{
	return address_answer(request, account_address_primary, "address-primary", error);
}

Response *settings_address_remove(Request *request, GError **error)
{
	return address_answer(request, account_address_remove, "address-removed", error);
}
