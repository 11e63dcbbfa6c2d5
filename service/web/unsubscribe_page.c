/* Stopping mails about games from a link in one of them (RFC 8058), and starting them again. */
#include "db/player.h"
#include "service/account.h"
#include "service/secret.h"
#include "service/text.h"
#include "service/web/form.h"
#include "service/web/pages.h"

#include <string.h>

static Player *player_load(Request *request, GError **error)
{
	const int64_t id = request_path_id(request, "player_id");
	Player *player = NULL;
	if (secret_check(request_config(request), request_path_text(request, "secret"),
			 SECRET_UNSUBSCRIBE, SECRET_FIELDS(id)) &&
	    !player_find(request_db(request), id, &player, error))
		return NULL;
	if (player == NULL)
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
	return player;
}

static Response *show(Request *request, const Player *player, bool mail)
{
	const Language language = page_language_or(request, player->language);
	const char *state = mail ? "page.unsubscribe.on" : "page.unsubscribe.off";
	g_autofree char *action = g_strdup_printf("/unsubscribe/%" G_GINT64_FORMAT "/%s",
						  player->id, request_path_text(request, "secret"));
	Page *page = page_open_in(request, language, text_get(language, "page.unsubscribe.title"));
	page_say_with(page, "p", state, "player", player->name, NULL);
	page_say(page, "p", "page.unsubscribe.codes");
	form_begin(page, action, NULL);
	form_hidden(page, "mail", mail ? "no" : "yes");
	form_button(page, &(FormButton){.key = mail ? "page.unsubscribe.stop"
						    : "page.unsubscribe.start"});
	form_end(page);
	page_link_line(page, "/settings", "page.nav.settings");
	return page_close(page, 200);
}

Response *unsubscribe_page_get(Request *request, GError **error)
{
	g_autoptr(Player) player = player_load(request, error);
	return player == NULL ? NULL : show(request, player, player->mail);
}

static bool is_multipart(const Request *request)
{
	static const char type[] = "multipart/form-data";
	const char *given = request_header(request, "Content-Type");
	return given != NULL && g_ascii_strncasecmp(given, type, strlen(type)) == 0;
}

/* A mail program's own button sends "List-Unsubscribe=One-Click", as a form of either kind, and
 * has no cookie; every other form must prove itself. */
static bool order_read(Request *request, bool *one_click_r, GError **error)
{
	size_t size = 0;
	const char *body = request_body(request, &size);
	if (body != NULL && is_multipart(request)) {
		*one_click_r = g_strstr_len(body, (ssize_t)size, "List-Unsubscribe") != NULL &&
			       g_strstr_len(body, (ssize_t)size, "One-Click") != NULL;
	} else {
		if (!form_read_unproven(request, error))
			return false;
		*one_click_r =
			g_strcmp0(request_form(request, "List-Unsubscribe"), "One-Click") == 0;
	}
	if (*one_click_r || form_is_proven(request))
		return true;
	problem_set(error, PROBLEM_FORM_STALE, NULL);
	return false;
}

Response *unsubscribe_page_post(Request *request, GError **error)
{
	bool one_click = false;
	if (!order_read(request, &one_click, error))
		return NULL;
	g_autoptr(Player) player = player_load(request, error);
	if (player == NULL)
		return NULL;
	const bool mail = !one_click && g_strcmp0(request_form(request, "mail"), "yes") == 0;
	const AccountChange change = {.mail = &mail};
	return account_update(request_db(request), player->id, &change, error)
		       ? show(request, player, mail)
		       : NULL;
}
