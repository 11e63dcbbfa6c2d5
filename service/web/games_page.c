#include "service/web/pages.h"

#include "db/challenge.h"
#include "service/web/game_words.h"

enum { GAMES_LIMIT = 50, OVER_LIMIT = 20, CHALLENGES_LIMIT = 50 };

static bool games_part(Page *page, const char *heading, const GameFilter *filter, GError **error)
{
	g_autoptr(GameList) list = game_list(request_db(page->request), filter, error);
	if (list == NULL)
		return false;
	page_say(page, "h2", heading);
	game_words_list(page, list);
	return true;
}

static bool challenges_part(Page *page, const char *heading, ChallengeSide side, GError **error)
{
	const ChallengeFilter filter = {.player_id = request_player(page->request),
					.side = side,
					.state = "open",
					.limit = CHALLENGES_LIMIT};
	g_autoptr(ChallengeList) list = challenge_list(request_db(page->request), &filter, error);
	if (list == NULL)
		return false;
	if (list->count == 0)
		return true;
	page_say(page, "h2", heading);
	markup_begin(page->markup, "ul", "class", "list", NULL);
	for (int i = 0; i < list->count; i++)
		game_words_challenge_item(page, &list->challenges[i]);
	markup_end(page->markup);
	return true;
}

Response *games_page_get(Request *request, GError **error)
{
	const int64_t player = request_player(request);
	const GameFilter mine = {.player_id = player, .viewer_id = player, .limit = GAMES_LIMIT};
	GameFilter awaiting = mine, playing = mine, over = mine;
	awaiting.awaiting = true;
	playing.phase = "play";
	over.phase = "over";
	over.limit = OVER_LIMIT;
	Page *page = page_open_key(request, "page.nav.games");
	page_link_line(page, "/challenges/new", "page.home.challenge");
	const bool read =
		games_part(page, "page.games.awaiting", &awaiting, error) &&
		challenges_part(page, "page.games.incoming", CHALLENGES_INCOMING, error) &&
		games_part(page, "page.games.playing", &playing, error) &&
		challenges_part(page, "page.games.outgoing", CHALLENGES_OUTGOING, error) &&
		games_part(page, "page.games.over", &over, error);
	Response *response = page_close(page, 200);
	if (read)
		return response;
	response_free(response);
	return NULL;
}
