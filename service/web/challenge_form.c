/* Making a challenge. */
#include "rules/rules.h"
#include "service/field.h"
#include "service/game_option.h"
#include "service/idempotency.h"
#include "service/lobby.h"
#include "service/text.h"
#include "service/web/form.h"
#include "service/web/pages.h"

#include <string.h>

enum { OPPONENT_MAX = 254, MESSAGE_MAX = 500, RULES_KEY_MAX = 40, OPTION_MAX = 16 };

static const char *const seats[] = {"random", "first", "second", NULL};
static const char *const visibilities[] = {"public", "private", NULL};

static void choice_write(Page *page, const FormChoice *choice, const char *prefix,
			 const char *const *values)
{
	form_choice_begin(page, choice);
	for (int i = 0; values[i] != NULL; i++) {
		g_autofree char *key = g_strconcat(prefix, values[i], NULL);
		form_choice_option(page, choice, values[i], text_get(page->language, key));
	}
	form_choice_end(page);
}

static void rules_write(Page *page)
{
	const FormChoice choice = {.name = "rules"};
	const GameRules *rules;
	form_choice_begin(page, &choice);
	for (size_t i = 0; (rules = rules_at(i)) != NULL; i++)
		form_choice_option(page, &choice, rules->key, rules->name);
	form_choice_end(page);
}

/* What the field of an option is called: "xo-board". The caller frees. */
static char *option_name(const GameRules *rules, int number)
{
	return g_strconcat(rules->key, "-", rules->options[number].name, NULL);
}

static void option_write(Page *page, const GameRules *rules, int number, bool wrong)
{
	g_autofree char *name = option_name(rules, number);
	g_autofree char *label =
		g_strconcat("option.", rules->key, ".", rules->options[number].name, NULL);
	g_autofree char *hint = g_strconcat(label, ".hint", NULL);
	const bool sent = request_form(page->request, name) != NULL;
	form_field(page, &(FormField){.name = name,
				      .label = label,
				      .hint = hint,
				      .value = sent ? NULL : rules->options[number].usual,
				      .autocomplete = "off",
				      .max = OPTION_MAX,
				      .wrong = wrong,
				      .optional = true});
}

/* What can be chosen about each game that has something to choose. */
static void options_write(Page *page, const GError *fault)
{
	const bool wrong = fault != NULL && problem_fault_of(fault, "options");
	const GameRules *rules;
	for (size_t i = 0; (rules = rules_at(i)) != NULL; i++) {
		const bool chosen =
			g_strcmp0(request_form(page->request, "rules"), rules->key) == 0;
		if (game_option_count(rules) == 0)
			continue;
		g_autofree char *legend = text_format(page->language, "page.challenge.only",
						      "rules", rules->name, NULL);
		markup_begin(page->markup, "fieldset", NULL);
		markup_line(page->markup, "legend", legend, NULL);
		for (int k = 0; k < game_option_count(rules); k++)
			option_write(page, rules, k, wrong && chosen && k == 0);
		markup_end(page->markup);
	}
}

static Response *show(Request *request, int status, const GError *fault)
{
	Page *page = page_open_key(request, "page.challenge.new");
	page_error(page, fault);
	form_begin(page, "/challenges", NULL);
	form_once(page);
	form_field(page, &(FormField){.name = "opponent",
				      .hint = "page.field.opponent.hint",
				      .autocomplete = "off",
				      .max = OPPONENT_MAX,
				      .optional = true,
				      .error = fault});
	rules_write(page);
	options_write(page, fault);
	choice_write(page, &(FormChoice){.name = "seat"}, "page.seat.", seats);
	choice_write(page, &(FormChoice){.name = "visibility"}, "page.visibility.", visibilities);
	form_lines(page, &(FormField){.name = "message", .max = MESSAGE_MAX, .optional = true});
	form_language_choice(page, "page.field.invitation_language", language_code(page->language));
	form_button(page, &(FormButton){.key = "page.challenge.make"});
	form_end(page);
	return page_close(page, status);
}

Response *challenge_form_get(Request *request, GError **error)
{
	(void)error;
	return show(request, 200, NULL);
}

/* The order and the texts it borrows. */
typedef struct {
	ChallengeOrder order;
	char *opponent, *rules, *options, *clock, *message;
} Wish;

static void wish_clear(Wish *wish)
{
	g_clear_pointer(&wish->opponent, g_free);
	g_clear_pointer(&wish->rules, g_free);
	g_clear_pointer(&wish->options, g_free);
	g_clear_pointer(&wish->clock, g_free);
	g_clear_pointer(&wish->message, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Wish, wish_clear)

static bool texts_read(const json_t *form, Wish *wish, GError **error)
{
	int seat = 0, visibility = 0;
	bool good = field_text_optional(form, "opponent", 1, OPPONENT_MAX, &wish->opponent, error);
	good = field_text(form, "rules", 1, RULES_KEY_MAX, &wish->rules, error) && good;
	good = field_choice_optional(form, "seat", seats, &seat, error) && good;
	good = field_choice_optional(form, "visibility", visibilities, &visibility, error) && good;
	good = field_lines_optional(form, "message", 1, MESSAGE_MAX, &wish->message, error) && good;
	if (!good)
		return false;
	wish->order.seat = seats[seat];
	wish->order.visibility = visibilities[visibility];
	return true;
}

/* The options of the game that was chosen; those of others do not matter. Of rules that are none
 * lobby_challenge tells. */
static bool options_read(const Request *request, Wish *wish, GError **error)
{
	const GameRules *rules = rules_find(wish->rules);
	const char *values[GAME_OPTIONS_MAX] = {NULL};
	for (int i = 0; rules != NULL && i < game_option_count(rules); i++) {
		g_autofree char *name = option_name(rules, i);
		values[i] = request_form(request, name);
	}
	wish->options = rules == NULL ? g_strdup("") : game_option_join(rules, values, error);
	return wish->options != NULL;
}

static bool wish_read(const Request *request, Wish *wish, GError **error)
{
	static const char *const names[] = {"opponent",   "rules",   "seat",
					    "visibility", "message", NULL};
	json_t *form = form_json(request, names);
	const bool read = texts_read(form, wish, error) && options_read(request, wish, error);
	json_decref(form);
	wish->clock = read ? lobby_clock(NULL, error) : NULL;
	if (wish->clock == NULL)
		return false;
	const bool by_mail = wish->opponent != NULL && strchr(wish->opponent, '@') != NULL;
	ChallengeOrder *order = &wish->order;
	order->challenger_id = request_player(request);
	order->opponent_name = by_mail ? NULL : wish->opponent;
	order->email = by_mail ? wish->opponent : NULL;
	order->language = form_language(request);
	order->rules = wish->rules;
	order->options = wish->options;
	order->clock = wish->clock;
	order->message = wish->message;
	return true;
}

static Response *made_answer(Request *request, GError **error)
{
	int64_t id;
	g_auto(Wish) wish = {0};
	if (!wish_read(request, &wish, error) ||
	    !lobby_challenge(request_db(request), request_config(request), &wish.order, &id, error))
		return NULL;
	g_autofree char *url = g_strdup_printf("/challenges/%" G_GINT64_FORMAT, id);
	return page_redirect(url, "challenge-made");
}

Response *challenge_form_post(Request *request, GError **error)
{
	if (!form_read(request, error))
		return NULL;
	g_autoptr(GError) fault = NULL;
	Response *response = idempotency_run_form(request, made_answer, &fault);
	return response != NULL ? response
				: form_answer(request, show, g_steal_pointer(&fault), error);
}
