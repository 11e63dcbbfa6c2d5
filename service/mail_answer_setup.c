#include "service/mail_answer_kinds.h"

#include "service/layout_words.h"
#include "service/mail_help.h"
#include "service/setup.h"
#include "service/text.h"

#include <string.h>

/* ---- how to lay out ---- */

/* A layout as lines that nobody's mail can give back as a command. */
static char *layout_lines(const MailAnswer *answer, const char *layout)
{
	g_auto(GStrv) ranks = g_strsplit(layout, "/", -1);
	GString *lines = g_string_new(NULL);
	g_string_append_printf(lines, "→ %s", mail_help_word(MAIL_LAYOUT, answer->language));
	for (int i = 0; ranks[i] != NULL; i++)
		g_string_append_printf(lines, "\n→ %s", ranks[i]);
	return g_string_free(lines, FALSE);
}

/* One layout as good as any, for the reader's side of the game at hand. */
static void layout_usual(const MailAnswer *answer, const GameRules *rules, char *layout_r)
{
	const Letter *letter = answer->letter;
	const bool here = letter->has_game && rules == answer->rules;
	setup_layout_usual(rules, here ? letter->game.options : "",
			   here && letter->game.seat == 2 ? 2 : 1, layout_r);
}

char *mail_answer_how_to_lay_out(const MailAnswer *answer, const GameRules *rules)
{
	char usual[RULES_LAYOUT_MAX];
	const Language language = answer->language;
	layout_usual(answer, rules, usual);
	g_autofree char *lines = layout_lines(answer, usual);
	g_autofree char *random =
		g_strdup_printf("%s\u00a0%s", mail_help_word(MAIL_LAYOUT, language),
				text_get(language, "words.random"));
	g_autofree char *like =
		g_strdup_printf("%s\u00a0%s\u00a041", mail_help_word(MAIL_LAYOUT, language),
				text_get(language, "words.like"));
	g_autofree char *how = text_format(language, "answer.setup_how", "word",
					   mail_help_word(MAIL_LAYOUT, language), NULL);
	g_autofree char *other = text_format(language, "answer.setup_how_other", "random", random,
					     "like", like, NULL);
	return g_strdup_printf("%s\n%s\n\n%s\n\n%s", how, lines, text_get(language, "fault.signs"),
			       other);
}

/* ---- both layouts ---- */

bool mail_answer_in_setup(const MailAnswer *answer)
{
	SetupState state;
	return answer->rules != NULL && answer->rules->setup != NULL && answer->position != NULL &&
	       answer->rules->setup->state(answer->position, &state);
}

static void layout_append(GString *text, const MailAnswer *answer, const char *key, Seat seat)
{
	const char *name = answer->letter->game.names[seat - 1];
	char layout[RULES_LAYOUT_MAX];
	if (!answer->rules->setup->layout(answer->position, seat, layout))
		return;
	g_autofree char *line = text_format(answer->language, key, "layout", layout, "opponent",
					    name == NULL ? "" : name, NULL);
	g_string_append_printf(text, "%s%s", text->len > 0 ? "\n" : "", line);
}

char *mail_answer_layouts(const MailAnswer *answer)
{
	const Seat seat = answer->letter->game.seat;
	if (!mail_answer_in_setup(answer) || seat == 0)
		return NULL;
	GString *text = g_string_new(NULL);
	layout_append(text, answer, "answer.setup_own", seat);
	layout_append(text, answer, "answer.setup_other", seat == 1 ? 2 : 1);
	return g_string_free(text, text->len == 0);
}

/* ---- what came of a layout or an acceptance ---- */

/* What became of the words around it; NULL: there were none. */
static const char *remark_key(const MailAnswer *answer)
{
	if (json_object_get(answer->data, "remark") == NULL)
		return NULL;
	if (mail_answer_is(answer, "remark_withheld"))
		return "remark_sealed";
	return mail_answer_is(answer, "remark") ? "remark" : "remark_off";
}

char *mail_answer_setup(const MailAnswer *answer)
{
	const char *keys[] = {mail_answer_data(answer, "kind"), remark_key(answer), NULL};
	return mail_answer_say(answer, keys);
}

/* ---- a layout that cannot be taken ---- */

/* Reads again what was written, as it is not stored but there; false if it is no layout. */
static bool layout_read(const MailAnswer *answer, Layout *layout_r)
{
	const unsigned places[] = {MAIL_PLACE_GAME, MAIL_PLACE_PLAY};
	const char *written = answer->letter->inbox.written;
	for (size_t i = 0; written != NULL && i < G_N_ELEMENTS(places); i++) {
		const MailPlace place = {places[i], answer->rules, false};
		g_auto(MailCommand) command = {.id = MAIL_COMMAND_NONE};
		mail_command_read(written, &place, &command);
		if (command.id != MAIL_LAYOUT || command.arguments == NULL)
			continue;
		const Seat seat = answer->letter->game.seat;
		answer->rules->setup->parse(answer->position, seat, command.arguments, layout_r);
		return !answer->rules->setup->check(answer->position, seat, layout_r);
	}
	return false;
}

/* All faults as a list. */
static char *faults_list(const MailAnswer *answer, const Layout *layout)
{
	g_autofree char *faults = layout_words_faults(answer->rules, layout, answer->language);
	g_auto(GStrv) rows = g_strsplit(faults, "\n", -1);
	GString *list = g_string_new(NULL);
	for (int i = 0; rows[i] != NULL; i++) {
		if (rows[i][0] == '\0')
			continue;
		g_autofree char *item = mail_answer_item(answer, rows[i]);
		g_string_append_printf(list, "\n%s", item);
	}
	return g_string_free(list, FALSE);
}

/* Why words that look like a layout were not passed on. */
static char *unread_words(const MailAnswer *answer)
{
	const char *command = answer->letter->inbox.command;
	const bool asks = g_strcmp0(command, mail_command_name(MAIL_CHALLENGE)) == 0 ||
			  g_strcmp0(command, mail_command_name(MAIL_REMATCH)) == 0;
	const char *here = mail_answer_in_setup(answer) ? "layout-unread" : "layout-elsewhere";
	const char *const keys[] = {asks ? "layout-early" : here, NULL};
	return mail_answer_say(answer, keys);
}

char *mail_answer_layout_faulty(const MailAnswer *answer)
{
	const Language language = answer->language;
	Layout layout;
	if (!mail_answer_in_setup(answer) || !layout_read(answer, &layout))
		return unread_words(answer);
	g_autofree char *list = faults_list(answer, &layout);
	g_autofree char *drawing = layout_words_drawing(answer->rules, &layout,
							answer->letter->game.seat, language, true);
	return g_strdup_printf("%s%s\n\n%s\n%s", text_get(language, "answer.layout_faulty"), list,
			       text_get(language, "answer.layout_understood"), g_strchomp(drawing));
}
