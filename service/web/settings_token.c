#include "db/token.h"
#include "service/account.h"
#include "service/api_account.h"
#include "service/text.h"
#include "service/web/form.h"
#include "service/web/pages.h"
#include "service/web/settings_page.h"

enum { TOKEN_NAME_MAX = 60 };
/* Columns of token_list. */
enum { TOKEN_ID, TOKEN_NAME, TOKEN_PREFIX, TOKEN_SCOPES, TOKEN_CREATED, TOKEN_EXPIRES, TOKEN_USED };

void settings_token_new(Page *page, const char *secret)
{
	markup_begin(page->markup, "div", "class", "notice", "role", "status", NULL);
	page_say(page, "p", "page.token.new");
	markup_begin(page->markup, "p", NULL);
	markup_line(page->markup, "code", secret, "class", "secret", NULL);
	markup_end(page->markup);
	markup_end(page->markup);
}

/* "last used on 3 March" where there is such a day; it is UTC's. */
static void day_write(Page *page, const char *key, const char *instant)
{
	if (instant == NULL)
		return;
	g_autofree char *noon = g_strdup_printf("%.10sT12:00:00Z", instant);
	g_autofree char *date = text_date(page->language, noon, "UTC");
	markup_text(page->markup, " · ");
	page_say_with(page, "span", key, "date", date, NULL);
}

static void token_item(Page *page, const DbResult *rows, int row)
{
	const char *name = db_text(rows, row, TOKEN_NAME);
	g_autofree char *url = g_strdup_printf("/settings/tokens/%" G_GINT64_FORMAT "/revoke",
					       db_int(rows, row, TOKEN_ID));
	markup_begin(page->markup, "li", NULL);
	markup_line(page->markup, "strong", name, NULL);
	markup_text(page->markup, " ");
	g_autofree char *prefix = g_strconcat(db_text(rows, row, TOKEN_PREFIX), "…", NULL);
	markup_line(page->markup, "code", prefix, NULL);
	markup_begin(page->markup, "div", "class", "quiet", NULL);
	markup_text(page->markup, db_text(rows, row, TOKEN_SCOPES));
	day_write(page, "page.token.created", db_text(rows, row, TOKEN_CREATED));
	day_write(page, "page.token.expires", db_text(rows, row, TOKEN_EXPIRES));
	day_write(page, "page.token.used", db_text(rows, row, TOKEN_USED));
	markup_end(page->markup);
	form_begin(page, url, "inline");
	form_button(
		page,
		&(FormButton){.key = "page.token.revoke", .css_class = "danger", .about = name});
	form_end(page);
	markup_end(page->markup);
}

static void token_form(Page *page, const GError *fault)
{
	page_say(page, "h3", "page.token.make");
	form_begin(page, "/settings/tokens", NULL);
	form_field(page, &(FormField){.name = "token_name",
				      .hint = "page.field.token_name.hint",
				      .max = TOKEN_NAME_MAX,
				      .error = fault});
	markup_begin(page->markup, "fieldset", NULL);
	page_say(page, "legend", "page.token.scopes");
	const bool sent = request_form(page->request, "token_name") != NULL;
	for (unsigned i = 0; i < SCOPE_COUNT; i++) {
		if ((SCOPE_ALL & (1u << i)) == 0)
			continue; /* no player gives it */
		const char *scope = scope_name((ScopeIndex)i);
		g_autofree char *name = g_strconcat("scope_", scope, NULL);
		g_autofree char *key = g_strconcat("page.scope.", scope, NULL);
		g_autofree char *text =
			g_strdup_printf("%s – %s", scope, text_get(page->language, key));
		form_check(page, name, text,
			   sent ? request_form(page->request, name) != NULL
				: i <= SCOPE_INDEX_CHALLENGE,
			   false);
	}
	markup_end(page->markup);
	form_field(page, &(FormField){.name = "expires_on",
				      .type = "date",
				      .hint = "page.field.expires_on.hint",
				      .optional = true});
	form_button(page, &(FormButton){.key = "page.token.make"});
	form_end(page);
}

bool settings_token_write(Page *page, const GError *fault, GError **error)
{
	g_autoptr(DbResult) rows =
		token_list(request_db(page->request), request_player(page->request), 0, error);
	if (rows == NULL)
		return false;
	page_say(page, "h2", "page.settings.tokens");
	page_say(page, "p", "page.settings.tokens.how");
	markup_begin(page->markup, "ul", "class", "list", NULL);
	for (int row = 0; row < db_rows(rows); row++)
		token_item(page, rows, row);
	markup_end(page->markup);
	token_form(page, fault);
	return true;
}

static Scopes scopes_chosen(const Request *request)
{
	Scopes scopes = SCOPE_NONE;
	for (unsigned i = 0; i < SCOPE_COUNT; i++) {
		g_autofree char *name = g_strconcat("scope_", scope_name((ScopeIndex)i), NULL);
		if (request_form(request, name) != NULL)
			scopes |= 1u << i;
	}
	return scopes & SCOPE_ALL;
}

Response *settings_token_make(Request *request, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	const char *day = request_form(request, "expires_on");
	g_autofree char *expires =
		day == NULL || *day == '\0' ? NULL : g_strconcat(day, "T23:59:59Z", NULL);
	const AccountToken token = {.name = request_form(request, "token_name"),
				    .scopes = scopes_chosen(request),
				    .expires_at = expires};
	g_autoptr(GError) fault = NULL;
	const AccountAccess access = api_account_access(request);
	int64_t id;
	g_autofree char *secret =
		account_token_new(&access, request_actor(request), &token, &id, &fault);
	return secret != NULL ? settings_page_show(request, NULL, secret, error)
			      : settings_page_refused(request, g_steal_pointer(&fault), error);
}

Response *settings_token_revoke(Request *request, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	g_autoptr(GError) fault = NULL;
	if (account_token_revoke(request_db(request), request_actor(request),
				 request_path_id(request, "id"), &fault))
		return settings_page_done("token-revoked");
	return settings_page_refused(request, g_steal_pointer(&fault), error);
}
