#include "service/web/settings_page.h"

#include "db/player.h"
#include "service/account.h"
#include "service/text.h"
#include "service/web/cookie.h"
#include "service/web/form.h"
#include "service/web/login_page.h"
#include "service/web/pages.h"

#include <string.h>

static void profile_write(Page *page, const Player *player, const GError *fault)
{
	page_say(page, "h2", "page.settings.profile");
	form_begin(page, "/settings/profile", NULL);
	const char *typed = request_form(page->request, "language") == NULL ? player->name : NULL;
	form_field(page, &(FormField){.name = "name",
				      .hint = "page.field.name.hint",
				      .value = typed,
				      .autocomplete = "nickname",
				      .max = NAME_LENGTH_MAX,
				      .error = fault});
	form_languages(page, player->language);
	form_time_zones(page, player->time_zone);
	form_button(page, &(FormButton){.key = "page.save"});
	form_end(page);
}

static void mail_write(Page *page, const Player *player)
{
	page_say(page, "h2", "page.settings.mail");
	page_say(page, "p", player->mail ? "page.settings.mail.on" : "page.settings.mail.off");
	form_begin(page, "/settings/mail", NULL);
	form_hidden(page, "mail", player->mail ? "no" : "yes");
	form_button(page, &(FormButton){.key = player->mail ? "page.unsubscribe.stop"
							    : "page.unsubscribe.start",
					.css_class = "quiet"});
	form_end(page);
}

static void remarks_write(Page *page, const Player *player)
{
	page_say(page, "h2", "page.settings.remarks");
	page_say(page, "p",
		 player->remarks ? "page.settings.remarks.on" : "page.settings.remarks.off");
	form_begin(page, "/settings/remarks", NULL);
	form_hidden(page, "remarks", player->remarks ? "no" : "yes");
	form_button(page, &(FormButton){.key = player->remarks ? "page.settings.remarks.stop"
							       : "page.settings.remarks.start",
					.css_class = "quiet"});
	form_end(page);
}

static void sessions_write(Page *page)
{
	page_say(page, "h2", "page.settings.sessions");
	page_say(page, "p", "page.settings.sessions.how");
	form_begin(page, "/settings/sessions", NULL);
	form_button(page,
		    &(FormButton){.key = "page.settings.sessions.end", .css_class = "danger"});
	form_end(page);
}

Response *settings_page_show(Request *request, const GError *fault, const char *new_token,
			     GError **error)
{
	g_autoptr(Player) player = NULL;
	if (!player_find(request_db(request), request_player(request), &player, error))
		return NULL;
	Page *page = page_open_key(request, "page.nav.settings");
	page_error(page, fault);
	if (new_token != NULL)
		settings_token_new(page, new_token);
	profile_write(page, player, fault);
	mail_write(page, player);
	remarks_write(page, player);
	const bool written = settings_address_write(page, fault, error) &&
			     settings_token_write(page, fault, error);
	sessions_write(page);
	Response *response =
		page_close(page, fault == NULL ? 200 : problem_status(problem_code(fault)));
	if (written)
		return response;
	response_free(response);
	return NULL;
}

Response *settings_page_refused(Request *request, GError *fault, GError **error)
{
	if (!form_mendable(fault)) {
		g_propagate_error(error, fault);
		return NULL;
	}
	Response *response = settings_page_show(request, fault, NULL, error);
	g_error_free(fault);
	return response;
}

Response *settings_page_done(const char *word)
{
	return page_redirect("/settings", word);
}

Response *settings_page_get(Request *request, GError **error)
{
	return settings_page_show(request, NULL, NULL, error);
}

static Response *update(Request *request, const AccountChange *change, GError **error)
{
	g_autoptr(GError) fault = NULL;
	if (account_update(request_db(request), request_player(request), change, &fault))
		return settings_page_done("saved");
	return settings_page_refused(request, g_steal_pointer(&fault), error);
}

Response *settings_page_profile(Request *request, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	const AccountChange change = {.name = request_form(request, "name"),
				      .language = request_form(request, "language"),
				      .time_zone = request_form(request, "time_zone")};
	return update(request, &change, error);
}

Response *settings_page_mail(Request *request, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	const bool mail = g_strcmp0(request_form(request, "mail"), "yes") == 0;
	const AccountChange change = {.mail = &mail};
	return update(request, &change, error);
}

Response *settings_page_remarks(Request *request, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	const bool remarks = g_strcmp0(request_form(request, "remarks"), "yes") == 0;
	const AccountChange change = {.remarks = &remarks};
	return update(request, &change, error);
}

/* From the foot of any page, and back to it. */
Response *settings_page_language(Request *request, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	const AccountChange change = {.language = request_form(request, "language")};
	const char *next = request_form(request, "next");
	Response *response = update(request, &change, error);
	if (response == NULL || response_status(response) != 303 || !login_page_is_own(next))
		return response;
	response_free(response);
	return response_redirect(next);
}

Response *settings_page_sessions(Request *request, GError **error)
{
	if (!form_read(request, error) ||
	    !account_log_out(request_db(request), request_actor(request), true, error))
		return NULL;
	Response *response = page_redirect("/", "logged-out-everywhere");
	cookie_session_clear(response, request_config(request));
	return response;
}
