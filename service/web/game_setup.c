/* The page of a game whose players lay out their armies: what the viewer may see of it, and the
 * forms for sending a layout and for accepting the pair. */
#include "service/board.h"
#include "service/board_draw.h"
#include "service/layout_words.h"
#include "service/setup.h"
#include "service/text.h"
#include "service/turn_words.h"
#include "service/web/form.h"
#include "service/web/game_page.h"
#include "service/web/game_words.h"

#include <string.h>

enum { LAYOUT_TYPED_MAX = 1000 };

static bool is_awaited(const GameView *view)
{
	return view->seat != 0 && (view->setup->awaited & SEATS_OF(view->seat)) != 0;
}

static bool has_given(const GameView *view, Seat seat)
{
	return (view->setup->state.given & SEATS_OF(seat)) != 0;
}

/* ---- how it stands ----------------------------------------------------------------------- */

char *game_setup_state(const GameView *view)
{
	const Language language = view->page->language;
	const bool sealed = view->setup->state.sealed;
	const Seat other = view->setup->awaited == SEATS_OF(2) ? 2 : 1;
	if (is_awaited(view))
		return g_strdup(text_get(language, sealed ? "page.setup.state.lay"
							  : "page.setup.state.answer"));
	const char *key = !sealed           ? "page.setup.state.theirs"
			  : view->seat != 0 ? "page.setup.state.sent"
					    : "page.setup.state.sealed";
	return text_format(language, key, "player", view->game->seat[other - 1].name, "side",
			   turn_words_side(view->rules, other, language), NULL);
}

/* What is known of a seat's layout. */
static const char *seat_key(const GameView *view, Seat seat)
{
	if (!has_given(view, seat))
		return "page.setup.seat.none";
	if (view->setup->state.sealed)
		return "page.setup.seat.sent";
	return (view->setup->state.accepted & SEATS_OF(seat)) != 0 ? "page.setup.seat.accepted"
								   : "page.setup.seat.open";
}

static void seat_write(const GameView *view, Seat seat)
{
	Page *page = view->page;
	const char *side = turn_words_side(view->rules, seat, page->language);
	const char *state = text_get(page->language, seat_key(view, seat));
	g_autofree char *changes = text_plural(page->language, "page.setup.changes",
					       view->setup->state.changes_left[seat - 1], NULL);
	markup_line(page->markup, "dt", side, NULL);
	markup_begin(page->markup, "dd", NULL);
	markup_line(page->markup, "strong", view->game->seat[seat - 1].name, NULL);
	markup_text(page->markup, " ");
	if (view->setup->awaited & SEATS_OF(seat))
		markup_line(page->markup, "span", text_get(page->language, "page.setup.awaited"),
			    "class", "badge", NULL);
	markup_line(page->markup, "p", state, NULL);
	if (!view->setup->state.sealed)
		markup_line(page->markup, "p", changes, "class", "quiet", NULL);
	markup_end(page->markup);
}

void game_setup_seats(const GameView *view)
{
	markup_begin(view->page->markup, "dl", "class", "seats", NULL);
	for (Seat seat = 1; seat <= GAME_SEATS; seat++)
		seat_write(view, seat);
	markup_end(view->page->markup);
}

/* ---- pictures ---------------------------------------------------------------------------- */

/* The picture stands in the page itself: what a seat alone may see has no address of its own. */
static void picture_write(const GameView *view, const Picture *picture)
{
	Page *page = view->page;
	g_autofree char *alt = board_alt(view->rules, picture, page->language);
	const BoardStyle style = {.below = view->below, .title = alt};
	g_autofree char *svg = board_svg(picture, &style);
	g_autofree char *data = g_base64_encode((const unsigned char *)svg, strlen(svg));
	g_autofree char *url = g_strconcat("data:image/svg+xml;base64,", data, NULL);
	g_autofree char *width = g_strdup_printf("%.0f", board_width(picture));
	g_autofree char *height = g_strdup_printf("%.0f", board_height(picture));
	markup_empty(page->markup, "img", "class", "board", "src", url, "alt", alt, "width", width,
		     "height", height, NULL);
}

static const char *caption_key(const GameView *view)
{
	if (!view->setup->state.sealed)
		return "page.setup.caption.open";
	return view->seat != 0 && has_given(view, view->seat) ? "page.setup.caption.own"
							      : "page.setup.caption.sealed";
}

/* A layout as it was sent, and as the other side would send it. */
static void layout_write(const GameView *view, Seat seat)
{
	Page *page = view->page;
	const char *side = turn_words_side(view->rules, seat, page->language);
	if (*view->setup->layout[seat - 1] == '\0')
		return;
	markup_line(page->markup, "dt", side, NULL);
	markup_begin(page->markup, "dd", NULL);
	markup_line(page->markup, "code", view->setup->layout[seat - 1], "class", "layout", NULL);
	markup_begin(page->markup, "p", "class", "quiet", NULL);
	markup_text(page->markup, text_get(page->language, "page.setup.copy"));
	markup_text(page->markup, " ");
	markup_line(page->markup, "code", view->setup->copy[seat - 1], "class", "layout", NULL);
	markup_end(page->markup);
	markup_end(page->markup);
}

void game_setup_board(const GameView *view)
{
	Page *page = view->page;
	Picture picture;
	g_autofree char *round = g_strdup_printf("%d", view->setup->state.round);
	view->rules->picture(&view->setup->position, view->seat, NULL, NULL, &picture);
	markup_begin(page->markup, "figure", NULL);
	picture_write(view, &picture);
	page_say_with(page, "figcaption", caption_key(view), "round", round, NULL);
	markup_end(page->markup);
	game_board_spoken(view, &picture);
	if (*view->setup->layout[0] == '\0' && *view->setup->layout[1] == '\0')
		return;
	page_say(page, "h2", "page.setup.layouts");
	markup_begin(page->markup, "dl", NULL);
	for (Seat seat = 1; seat <= GAME_SEATS; seat++)
		layout_write(view, seat);
	markup_end(page->markup);
}

/* ---- faults ------------------------------------------------------------------------------ */

static void faults_list(const GameView *view, const Layout *layout)
{
	Page *page = view->page;
	markup_begin(page->markup, "ul", NULL);
	for (int i = 0; i < layout->fault_count; i++) {
		g_autofree char *words =
			layout_words_fault(view->rules, &layout->fault[i], page->language);
		markup_line(page->markup, "li", words, NULL);
	}
	markup_end(page->markup);
}

/* The layout as it was understood. */
static void understood_write(const GameView *view, const Layout *layout)
{
	Page *page = view->page;
	g_autofree char *beyond = layout_words_beyond(layout, page->language);
	Picture picture;
	view->rules->picture(&layout->seen, view->seat, NULL, NULL, &picture);
	markup_begin(page->markup, "figure", "class", "understood", NULL);
	picture_write(view, &picture);
	page_say(page, "figcaption", "page.setup.understood");
	markup_end(page->markup);
	if (beyond != NULL)
		markup_line(page->markup, "p", beyond, NULL);
}

static void fault_write(const GameView *view)
{
	Page *page = view->page;
	const Layout *layout = view->fault->layout;
	if (layout == NULL || layout->fault_count == 0) {
		page_error(page, view->fault->fault);
		return;
	}
	markup_begin(page->markup, "div", "class", "error", "role", "alert", NULL);
	page_say(page, "p", "page.setup.faulty");
	faults_list(view, layout);
	markup_end(page->markup);
	understood_write(view, layout);
}

/* ---- forms ------------------------------------------------------------------------------- */

static void form_open(const GameView *view, const char *css_class)
{
	g_autofree char *url = g_strdup_printf("/games/%" G_GINT64_FORMAT "/setup", view->game->id);
	g_autofree char *round = g_strdup_printf("%d", view->setup->state.round);
	form_begin(view->page, url, css_class);
	form_once(view->page);
	form_hidden(view->page, "round", round);
}

/* What stands in the field: what was typed before, or one's own layout as it is open now. */
static char *layout_typed(const GameView *view)
{
	const char *before = request_form(view->page->request, "layout");
	return before != NULL
		       ? g_strdup(before)
		       : g_strdelimit(g_strdup(view->setup->layout[view->seat - 1]), "/", '\n');
}

/* What a layout looks like as it is typed, for who has none yet. */
static void example_write(const GameView *view)
{
	char layout[RULES_LAYOUT_MAX];
	if (*view->setup->layout[view->seat - 1] != '\0')
		return;
	setup_layout_usual(view->rules, view->game->options, view->seat, layout);
	page_say(view->page, "p", "page.setup.example");
	markup_line(view->page->markup, "pre", g_strdelimit(layout, "/", '\n'), "class", "layout",
		    NULL);
}

static void layout_form(const GameView *view)
{
	Page *page = view->page;
	const bool sealed = view->setup->state.sealed;
	g_autofree char *typed = layout_typed(view);
	form_open(view, "layout-form");
	form_lines(page, &(FormField){.name = "layout",
				      .hint = "page.field.layout.hint",
				      .value = typed,
				      .max = LAYOUT_TYPED_MAX,
				      .optional = true,
				      .monospace = true,
				      .wrong = view->fault != NULL});
	page_say(page, "p", "fault.signs");
	example_write(view);
	markup_begin(page->markup, "div", "class", "answers", NULL);
	form_button(page, &(FormButton){.key = sealed ? "page.setup.send" : "page.setup.change",
					.name = "do",
					.value = "layout"});
	form_button(page, &(FormButton){.key = "page.setup.random",
					.css_class = "quiet",
					.name = "do",
					.value = "random"});
	markup_end(page->markup);
	form_end(page);
}

static void accept_form(const GameView *view)
{
	form_open(view, "inline");
	form_button(view->page,
		    &(FormButton){.key = "page.setup.accept", .name = "do", .value = "accept"});
	form_end(view->page);
}

static void forms_write(const GameView *view)
{
	Page *page = view->page;
	const bool sealed = view->setup->state.sealed;
	page_say(page, "h2", sealed ? "page.setup.lay" : "page.setup.answer");
	if (!sealed)
		accept_form(view);
	if (!sealed && view->setup->state.changes_left[view->seat - 1] == 0) {
		page_say(page, "p", "page.setup.no-changes");
		return;
	}
	page_say(page, "p", sealed ? "page.setup.how.lay" : "page.setup.how.change");
	layout_form(view);
}

void game_setup_forms(const GameView *view)
{
	if (view->fault != NULL && !view->fault->resigning)
		fault_write(view);
	if (is_awaited(view))
		forms_write(view);
}
