#include "service/web/game_words.h"

#include "service/game_option.h"
#include "service/mail_words.h"
#include "service/text.h"
#include "service/turn_words.h"

#include <string.h>

char *game_words_title(const Game *game)
{
	return g_strdup_printf("%s %" G_GINT64_FORMAT ": %s – %s", rules_find(game->rules)->name,
			       game->id, game->seat[0].name, game->seat[1].name);
}

static char *result_text(const Page *page, const Game *game)
{
	Outcome outcome = {.over = true, .winner = game->winner};
	const bool known = rules_reason_parse(game->reason, &outcome.reason);
	g_assert(known);
	const char *winner = game->winner > 0 ? game->seat[game->winner - 1].name : NULL;
	return turn_words_outcome(rules_find(game->rules), outcome, winner, page->language);
}

/* Whom the set-up waits for. */
static char *setup_text(const Page *page, const Game *game)
{
	const Seat viewer = game_seat(game, request_player(page->request));
	if (viewer != 0 && (game->awaiting & SEATS_OF(viewer)))
		return g_strdup(text_get(page->language, "page.setup.yours"));
	for (Seat seat = 1; seat <= GAME_SEATS; seat++)
		if (game->awaiting == SEATS_OF(seat))
			return text_format(page->language, "page.setup.theirs", "player",
					   game->seat[seat - 1].name, NULL);
	return g_strdup(text_get(page->language, "page.setup.both"));
}

char *game_words_state(const Page *page, const Game *game)
{
	if (game->reason != NULL)
		return result_text(page, game);
	const int64_t viewer = request_player(page->request);
	if (strcmp(game->phase, "setup") == 0)
		return setup_text(page, game);
	for (int i = 0; i < GAME_SEATS; i++)
		if ((game->awaiting & SEATS_OF(i + 1)) && viewer != 0 &&
		    game->seat[i].player_id == viewer)
			return g_strdup(text_get(page->language, "page.game.your-turn"));
	for (int i = 0; i < GAME_SEATS; i++)
		if (game->awaiting & SEATS_OF(i + 1))
			return text_format(
				page->language, "page.game.their-turn", "player",
				game->seat[i].name, "side",
				turn_words_side(rules_find(game->rules), i + 1, page->language),
				NULL);
	return g_strdup("");
}

void game_words_list(Page *page, const GameList *list)
{
	if (list->count == 0) {
		page_say(page, "p", "page.games.none");
		return;
	}
	markup_begin(page->markup, "ul", "class", "list", NULL);
	for (int i = 0; i < list->count; i++) {
		const Game *game = &list->games[i];
		g_autofree char *title = game_words_title(game);
		g_autofree char *state = game_words_state(page, game);
		g_autofree char *url = g_strdup_printf("/games/%" G_GINT64_FORMAT, game->id);
		markup_begin(page->markup, "li", NULL);
		markup_line(page->markup, "a", title, "href", url, NULL);
		markup_text(page->markup, " ");
		markup_line(page->markup, "span", state, "class", "quiet", NULL);
		markup_end(page->markup);
	}
	markup_end(page->markup);
}

char *game_words_seat(const Page *page, const Challenge *challenge)
{
	return mail_words_seat(rules_find(challenge->rules), challenge->seat, page->language);
}

char *game_words_addressee(const Page *page, const Challenge *challenge)
{
	if (strcmp(challenge->kind, "open") == 0)
		return g_strdup(text_get(page->language, "page.challenge.open"));
	const bool mailed = strcmp(challenge->kind, "address") == 0;
	return text_format(page->language, "page.challenge.to", "player",
			   mailed ? challenge->email : challenge->opponent_name, NULL);
}

void game_words_challenge_item(Page *page, const Challenge *challenge)
{
	const bool own = challenge->challenger_id == request_player(page->request);
	g_autofree char *url = g_strdup_printf("/challenges/%" G_GINT64_FORMAT, challenge->id);
	g_autofree char *title = own ? game_words_addressee(page, challenge)
				     : text_format(page->language, "page.challenge.from", "player",
						   challenge->challenger_name, NULL);
	g_autofree char *seat = game_words_seat(page, challenge);
	g_autofree char *terms =
		own ? g_strdup(rules_find(challenge->rules)->name)
		    : g_strdup_printf("%s · %s", rules_find(challenge->rules)->name, seat);
	markup_begin(page->markup, "li", NULL);
	markup_line(page->markup, "a", title, "href", url, NULL);
	markup_text(page->markup, " ");
	markup_line(page->markup, "span", terms, "class", "quiet", NULL);
	markup_end(page->markup);
}

void game_words_row(Page *page, const char *key, const char *text)
{
	if (text == NULL)
		return;
	page_say(page, "dt", key);
	markup_line(page->markup, "dd", text, NULL);
}

void game_words_options(Page *page, const GameRules *rules, const char *options)
{
	for (int i = 0; i < game_option_count(rules); i++) {
		g_autofree char *value = game_option_value(rules, options, i);
		markup_line(page->markup, "dt", game_option_label(rules, i, page->language), NULL);
		markup_line(page->markup, "dd", value, NULL);
	}
}

void game_words_terms(Page *page, const Challenge *challenge)
{
	const GameRules *rules = rules_find(challenge->rules);
	const bool own = challenge->challenger_id == request_player(page->request);
	const bool private = strcmp(challenge->visibility, "private") == 0;
	g_autofree char *seat = game_words_seat(page, challenge);
	markup_begin(page->markup, "dl", NULL);
	game_words_row(page, "page.challenge.rules", rules->name);
	game_words_options(page, rules, challenge->options);
	game_words_row(page, own ? "page.challenge.their-side" : "page.challenge.your-side", seat);
	game_words_row(page, "page.challenge.clock", text_get(page->language, "mail.clock_none"));
	game_words_row(page, "page.challenge.visibility",
		       text_get(page->language,
				private ? "page.visibility.private" : "page.visibility.public"));
	markup_end(page->markup);
	if (challenge->message != NULL)
		markup_line(page->markup, "blockquote", challenge->message, NULL);
}
