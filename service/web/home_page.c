#include "service/web/pages.h"

#include "db/challenge.h"
#include "service/text.h"
#include "service/web/game_words.h"
#include "service/web/login_page.h"

enum { LIST_LIMIT = 10 };

static void door_write(Page *page)
{
	if (request_actor(page->request) != NULL) {
		page_link_line(page, "/games", "page.nav.games");
		page_link_line(page, "/challenges/new", "page.home.challenge");
		return;
	}
	markup_begin(page->markup, "div", "class", "doors", NULL);
	markup_begin(page->markup, "section", NULL);
	page_say(page, "h2", "page.sign-up.title");
	page_say(page, "p", "page.sign-up.how");
	login_page_sign_up_form(page, NULL);
	markup_end(page->markup);
	markup_begin(page->markup, "section", NULL);
	page_say(page, "h2", "page.login.title");
	page_say(page, "p", "page.login.how");
	login_page_form(page, NULL, NULL);
	markup_end(page->markup);
	markup_end(page->markup);
}

static void challenges_write(Page *page, const ChallengeList *list)
{
	page_say(page, "h2", "page.home.challenges");
	if (list->count == 0) {
		page_say(page, "p", "page.home.no-challenges");
		return;
	}
	markup_begin(page->markup, "ul", "class", "list", NULL);
	for (int i = 0; i < list->count; i++)
		game_words_challenge_item(page, &list->challenges[i]);
	markup_end(page->markup);
}

static void about_write(Page *page)
{
	page_say(page, "p", "page.home.about");
	markup_begin(page->markup, "ul", NULL);
	page_say(page, "li", "page.home.mail");
	page_say(page, "li", "page.home.web");
	markup_begin(page->markup, "li", NULL);
	markup_text(page->markup, text_get(page->language, "page.home.rest"));
	markup_text(page->markup, " ");
	page_link(page, "/openapi.json", "page.home.openapi");
	markup_end(page->markup);
	markup_end(page->markup);
	page_link_line(page, "/rules", "page.home.rules");
}

Response *home_page_get(Request *request, GError **error)
{
	const ChallengeFilter wanted = {
		.side = CHALLENGES_OPEN, .state = "open", .limit = LIST_LIMIT};
	const GameFilter filter = {.limit = LIST_LIMIT};
	g_autoptr(ChallengeList) challenges = challenge_list(request_db(request), &wanted, error);
	if (challenges == NULL)
		return NULL;
	g_autoptr(GameList) games = game_list(request_db(request), &filter, error);
	if (games == NULL)
		return NULL;
	Page *page = page_open_key(request, "page.home.title");
	about_write(page);
	door_write(page);
	challenges_write(page, challenges);
	page_say(page, "h2", "page.home.games");
	game_words_list(page, games);
	return page_close(page, 200);
}
