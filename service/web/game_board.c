#include "service/board.h"
#include "service/board_draw.h"
#include "service/text.h"
#include "service/turn_words.h"
#include "service/web/game_page.h"

static const Turn *turn_at(const GameView *view, int ply)
{
	const int index = ply - view->first - 1;
	return index >= 0 && index < view->turns->count ? &view->turns->turns[index] : NULL;
}

static Position position_at(const GameView *view, int ply)
{
	const Turn *turn = turn_at(view, ply);
	g_assert(ply == 0 || turn != NULL);
	Position position;
	Refusal refusal;
	const bool read = view->rules->parse(turn == NULL ? view->game->start_board : turn->board,
					     &position, &refusal);
	g_assert(read);
	return position;
}

/* "a3 moves to b3" of the turn with this number. The caller frees. */
static char *turn_told(const GameView *view, int ply)
{
	const Position before = position_at(view, ply - 1);
	return turn_words_explain(view->rules, &before, turn_at(view, ply)->text,
				  view->page->language);
}

static char *ply_url(const GameView *view, int ply)
{
	return g_strdup_printf("/games/%" G_GINT64_FORMAT "?ply=%d", view->game->id, ply);
}

static void caption_write(const GameView *view)
{
	Page *page = view->page;
	if (view->ply == 0) {
		page_say(page, "figcaption", "page.game.start");
		return;
	}
	const Turn *turn = turn_at(view, view->ply);
	g_autofree char *told = turn_told(view, view->ply);
	g_autofree char *ply = g_strdup_printf("%d", view->ply);
	markup_begin(page->markup, "figcaption", NULL);
	page_say_with(page, "strong", "page.game.after", "ply", ply, "turn", turn->text, NULL);
	markup_text(page->markup, " · ");
	g_autofree char *words = text_format(
		page->language, "mail.turn", "player", turn->player_name, "side",
		turn_words_side(view->rules, turn->seat, page->language), "words", told, NULL);
	markup_line(page->markup, "span", words, NULL);
	markup_end(page->markup);
}

/* The picture is a file of its own, so that an old board is fetched once. */
static void figure_write(const GameView *view, const Picture *picture)
{
	Page *page = view->page;
	g_autofree char *alt = board_alt(view->rules, picture, page->language);
	g_autofree char *url =
		g_strdup_printf("/games/%" G_GINT64_FORMAT "/board.svg?ply=%d&orientation=%d",
				view->game->id, view->ply, view->below);
	markup_begin(page->markup, "figure", NULL);
	g_autofree char *width = g_strdup_printf("%.0f", board_width(picture));
	g_autofree char *height = g_strdup_printf("%.0f", board_height(picture));
	markup_empty(page->markup, "img", "class", "board", "src", url, "alt", alt, "width", width,
		     "height", height, NULL);
	caption_write(view);
	markup_end(page->markup);
}

static void way_step(const GameView *view, int ply, const char *key)
{
	markup_begin(view->page->markup, "li", NULL);
	if (ply < 0 || ply > view->game->ply || ply == view->ply) {
		page_say(view->page, "span", key);
	} else {
		g_autofree char *url = ply_url(view, ply);
		page_link(view->page, url, key);
	}
	markup_end(view->page->markup);
}

static void way_write(const GameView *view)
{
	Page *page = view->page;
	markup_begin(page->markup, "nav", "class", "plies", "aria-label",
		     text_get(page->language, "page.game.plies"), NULL);
	markup_begin(page->markup, "ul", NULL);
	way_step(view, 0, "page.game.first");
	way_step(view, view->ply - 1, "page.game.previous");
	way_step(view, view->ply + 1, "page.game.next");
	way_step(view, view->game->ply, "page.game.last");
	markup_end(page->markup);
	markup_end(page->markup);
}

void game_board_spoken(const GameView *view, const Picture *picture)
{
	g_autofree char *spoken = board_spoken(view->rules, picture, view->page->language);
	g_auto(GStrv) lines = g_strsplit(spoken, "\n", -1);
	markup_begin(view->page->markup, "details", NULL);
	page_say(view->page, "summary", "page.game.spoken");
	for (int i = 0; lines[i] != NULL; i++)
		if (*lines[i] != '\0')
			markup_line(view->page->markup, "p", lines[i], NULL);
	markup_end(view->page->markup);
}

void game_board_write(const GameView *view)
{
	Picture picture;
	const Position position = position_at(view, view->ply);
	if (view->ply == 0) {
		view->rules->picture(&position, 0, NULL, NULL, &picture);
	} else {
		const Position before = position_at(view, view->ply - 1);
		view->rules->picture(&position, 0, &before, turn_at(view, view->ply)->text,
				     &picture);
	}
	figure_write(view, &picture);
	way_write(view);
	game_board_spoken(view, &picture);
}

static void turn_row(const GameView *view, const Turn *turn)
{
	Markup *markup = view->page->markup;
	const bool shown = turn->ply == view->ply;
	g_autofree char *told = turn_told(view, turn->ply);
	g_autofree char *url = ply_url(view, turn->ply);
	g_autofree char *ply = g_strdup_printf("%d", turn->ply);
	markup_begin(markup, "tr", "class", shown ? "shown" : NULL, NULL);
	markup_line(markup, "td", ply, NULL);
	markup_begin(markup, "td", NULL);
	markup_line(markup, "a", turn->text, "href", url, "class", "turn", "aria-current",
		    shown ? "true" : NULL, NULL);
	markup_end(markup);
	markup_line(markup, "td", turn_words_side(view->rules, turn->seat, view->page->language),
		    NULL);
	markup_line(markup, "td", told, NULL);
	markup_end(markup);
}

static void part_link(const GameView *view, int ply, const char *key)
{
	if (ply < 1 || ply > view->game->ply)
		return;
	g_autofree char *url = ply_url(view, ply);
	page_link_line(view->page, url, key);
}

void game_board_turns(const GameView *view)
{
	static const char *const heads[] = {"page.game.ply", "page.game.turn", "page.game.side",
					    "page.game.words", NULL};
	Page *page = view->page;
	page_say(page, "h2", "page.game.turns");
	if (view->game->ply == 0) {
		page_say(page, "p", "page.game.no-turns");
		return;
	}
	part_link(view, view->from, "page.game.earlier");
	page_table_begin(page, "page.game.turns", "scroll", heads);
	for (int i = view->from - view->first; i < view->turns->count; i++)
		turn_row(view, &view->turns->turns[i]);
	page_table_end(page);
	part_link(view, view->first + view->turns->count + 1, "page.game.later");
}
