#include "service/board.h"
#include "service/board_draw.h"
#include "service/rule_book.h"
#include "service/text.h"
#include "service/web/page.h"
#include "service/web/pages.h"

static const GameRules *rules_named(const Request *request, GError **error)
{
	const GameRules *rules = rules_find(request_path_text(request, "key"));
	if (rules == NULL)
		problem_set(error, PROBLEM_NOT_FOUND, NULL);
	return rules;
}

static void start_picture(const GameRules *rules, Picture *picture_r)
{
	Position position;
	Refusal refusal;
	const bool started = rules->start("", &position, &refusal);
	g_assert(started);
	rules->picture(&position, 0, NULL, NULL, picture_r);
}

Response *rules_page_list(Request *request, GError **error)
{
	(void)error;
	Page *page = page_open_key(request, "page.nav.rules");
	const GameRules *rules;
	for (size_t i = 0; (rules = rules_at(i)) != NULL; i++) {
		g_autofree char *url = g_strconcat("/rules/", rules->key, NULL);
		markup_begin(page->markup, "h2", NULL);
		markup_line(page->markup, "a", rules->name, "href", url, NULL);
		markup_end(page->markup);
		markup_line(page->markup, "p", rule_book_summary(rules, page->language), NULL);
	}
	return page_close(page, 200);
}

/* Statements stand in lists between their headings. Takes statements over. */
static void statements_write(Page *page, const char *heading, GArray *statements)
{
	bool listed = false;
	for (unsigned i = 0; i < statements->len; i++) {
		const RuleStatement *statement = &g_array_index(statements, RuleStatement, i);
		if (listed == statement->heading) {
			if (listed)
				markup_end(page->markup);
			else
				markup_begin(page->markup, "ul", "class", "statements", NULL);
			listed = !listed;
		}
		if (statement->heading) {
			markup_line(page->markup, heading, statement->text, NULL);
			continue;
		}
		markup_begin(page->markup, "li", NULL);
		markup_text(page->markup, statement->text);
		if (*statement->ground != '\0') {
			markup_text(page->markup, " ");
			markup_line(page->markup, "span", statement->ground, "class", "ground",
				    NULL);
		}
		markup_end(page->markup);
	}
	if (listed)
		markup_end(page->markup);
	g_array_unref(statements);
}

static void board_write(Page *page, const GameRules *rules)
{
	Picture picture;
	start_picture(rules, &picture);
	g_autofree char *alt = board_alt(rules, &picture, page->language);
	g_autofree char *url = g_strdup_printf("/rules/%s/board.svg", rules->key);
	markup_begin(page->markup, "figure", NULL);
	g_autofree char *width = g_strdup_printf("%.0f", board_width(&picture));
	g_autofree char *height = g_strdup_printf("%.0f", board_height(&picture));
	markup_empty(page->markup, "img", "class", "board", "src", url, "alt", alt, "width", width,
		     "height", height, NULL);
	page_say(page, "figcaption", "page.game.start");
	markup_end(page->markup);
}

static void grounds_write(Page *page)
{
	page_say(page, "h2", "page.rules.grounds");
	markup_begin(page->markup, "dl", "class", "grounds", NULL);
	for (const char *letter = RULE_GROUNDS; *letter != '\0'; letter++) {
		const char name[] = {*letter, '\0'};
		markup_line(page->markup, "dt", name, NULL);
		markup_line(page->markup, "dd", rule_book_ground(*letter, page->language), NULL);
	}
	markup_end(page->markup);
}

Response *rules_page_get(Request *request, GError **error)
{
	const GameRules *rules = rules_named(request, error);
	if (rules == NULL)
		return NULL;
	const Language language = page_language(request);
	g_autofree char *title =
		text_format(language, "page.rules.title", "rules", rules->name, NULL);
	Page *page = page_open(request, title);
	markup_line(page->markup, "p", rule_book_summary(rules, language), NULL);
	board_write(page, rules);
	statements_write(page, "h2", rule_book_rules(rules, language));
	page_say(page, "h2", "page.rules.notation");
	statements_write(page, "h3", rule_book_notation(rules, language));
	grounds_write(page);
	return page_close(page, 200);
}

Response *rules_page_board(Request *request, GError **error)
{
	const GameRules *rules = rules_named(request, error);
	if (rules == NULL)
		return NULL;
	Picture picture;
	start_picture(rules, &picture);
	const Language language = page_language(request);
	g_autofree char *title = board_alt(rules, &picture, language);
	const BoardStyle style = {.below = 1, .title = title};
	g_autofree char *svg = board_svg(&picture, &style);
	g_autofree char *etag = g_strdup_printf("%s-%s", rules->key, language_code(language));
	Response *response = response_text(200, "image/svg+xml", g_string_new(svg));
	response_etag(response, etag);
	response_header(response, "Vary", "Cookie, Accept-Language");
	response_cache(response, "private, max-age=3600");
	return response;
}
