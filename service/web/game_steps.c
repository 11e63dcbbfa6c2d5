/* A turn of several steps, put together without a script: each legal step is a link to the page
 * with the turn so far and that step in the field. */
#include "service/notation.h"
#include "service/text.h"
#include "service/turn_words.h"
#include "service/web/game_page.h"

#include <string.h>

/* One legal step with the square it begins at. */
typedef struct {
	char text[RULES_TURN_MAX];
	char square[4];
} Step;

typedef struct {
	const GameView *view;
	const char *prefix; /* the turn so far */
	GArray *steps;      /* of Step */
} Steps;

static bool step_keep(const char *text, bool may_end, void *user_data)
{
	Step step = {.square = ""};
	size_t length = 1 + strspn(text + 1, "0123456789");
	(void)may_end;
	g_strlcpy(step.text, text, sizeof step.text);
	if (rules_square_parse(text, length) != SQUARE_NONE)
		g_strlcpy(step.square, text, length + 1);
	g_array_append_val((GArray *)user_data, step);
	return true;
}

static void step_link(const Steps *steps, const Step *step)
{
	const GameView *view = steps->view;
	g_autofree char *turn =
		g_strconcat(steps->prefix, *steps->prefix == '\0' ? "" : ",", step->text, NULL);
	g_autofree char *escaped = g_uri_escape_string(turn, NULL, FALSE);
	g_autofree char *url =
		g_strdup_printf("/games/%" G_GINT64_FORMAT "?turn=%s", view->game->id, escaped);
	markup_begin(view->page->markup, "li", NULL);
	markup_line(view->page->markup, "a", step->text, "href", url, "class", "turn", NULL);
	markup_end(view->page->markup);
}

static bool is_listed_before(const GArray *steps, unsigned place)
{
	for (unsigned i = 0; i < place; i++)
		if (strcmp(g_array_index(steps, Step, i).square,
			   g_array_index(steps, Step, place).square) == 0)
			return true;
	return false;
}

/* The steps from one square, in a list of their own. */
static void square_write(const Steps *steps, const char *square)
{
	Page *page = steps->view->page;
	g_autofree char *label =
		text_format(page->language, "page.game.steps.more", "square", square, NULL);
	markup_begin(page->markup, "ul", "class", "steps", "aria-label",
		     *square == '\0' ? NULL : label, NULL);
	for (unsigned i = 0; i < steps->steps->len; i++) {
		const Step *step = &g_array_index(steps->steps, Step, i);
		if (strcmp(step->square, square) == 0)
			step_link(steps, step);
	}
	markup_end(page->markup);
}

static void steps_list(const Steps *steps)
{
	for (unsigned i = 0; i < steps->steps->len; i++)
		if (!is_listed_before(steps->steps, i))
			square_write(steps, g_array_index(steps->steps, Step, i).square);
}

/* What stands in the field so far, and whether the turn may end there. */
static void prefix_write(const Steps *steps, const Position *position, bool may_end)
{
	Page *page = steps->view->page;
	if (may_end) {
		g_autofree char *words = turn_words_explain(steps->view->rules, position,
							    steps->prefix, page->language);
		page_say_with(page, "p", "page.game.so-far", "words", words, NULL);
	}
	if (steps->steps->len == 0)
		page_say(page, "p", "page.game.steps.none");
	else
		page_say(page, "p", may_end ? "page.game.may-end" : "page.game.must-go-on");
}

static void prefix_refused(const Steps *steps, const Refusal *refusal)
{
	g_autofree char *why =
		turn_words_refusal(steps->view->rules, refusal, steps->view->page->language);
	markup_line(steps->view->page->markup, "p", why, "class", "warning", NULL);
}

void game_steps_write(const GameView *view)
{
	const GameRules *rules = view->rules;
	const char *typed = request_query(view->page->request, "turn");
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(Step));
	Position position;
	Refusal refusal;
	bool may_end;
	if (!rules->turn_has_steps || !rules->parse(view->game->board, &position, &refusal))
		return;
	g_autofree char *prefix = notation_prefix(rules, &position, typed == NULL ? "" : typed);
	g_autofree char *canonical = notation_prefix_canonical(rules, &position, prefix);
	const Steps steps = {view, canonical, list};
	if (!rules->steps(&position, canonical, &may_end, step_keep, list, &refusal)) {
		prefix_refused(&steps, &refusal);
		return;
	}
	markup_begin(view->page->markup, "details", "open", *canonical == '\0' ? NULL : "", NULL);
	page_say(view->page, "summary", "page.game.steps");
	if (*canonical != '\0')
		prefix_write(&steps, &position, may_end);
	page_say(view->page, "p", "page.game.steps.hint");
	steps_list(&steps);
	markup_end(view->page->markup);
}
