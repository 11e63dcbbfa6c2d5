#include "service/mail_answer_kinds.h"
#include "service/mail_legal.h"
#include "service/mail_words.h"
#include "service/nearest.h"
#include "service/notation.h"
#include "service/problem.h"
#include "service/text.h"
#include "service/turn_words.h"

#include <string.h>

/* ---- refused before it came to a command ---- */

static const struct {
	const char *reason;
	const char *keys[3];
} reasons[] = {
	{"empty-reply", {"empty-reply"}},
	{"no-text", {"no-text"}},
	{"stale-turn", {"stale-turn", "stale-turn_how"}},
	{"mime-too-deep", {"too-deep"}},
	{"too-many-parts", {"too-deep"}},
	{"header-too-large", {"too-large"}},
	{"message-too-large", {"too-large"}},
};

static char *ambiguous_words(const MailAnswer *answer)
{
	static const char *const before[] = {"ambiguous", NULL};
	static const char *const after[] = {"ambiguous_how", NULL};
	const json_t *candidates = json_object_get(answer->data, "candidates");
	g_autofree char *first = mail_answer_say(answer, before);
	g_autofree char *last = mail_answer_say(answer, after);
	GString *text = g_string_new(first);
	size_t i;
	json_t *candidate;
	json_array_foreach(candidates, i, candidate)
	{
		g_autofree char *item = mail_answer_item(answer, json_string_value(candidate));
		g_string_append_printf(text, "\n%s", item);
	}
	g_string_append_printf(text, "\n\n%s", last);
	return g_string_free(text, FALSE);
}

static char *reason_words(const MailAnswer *answer)
{
	const char *reason = answer->letter->inbox.reason;
	if (g_strcmp0(reason, "ambiguous-command") == 0)
		return ambiguous_words(answer);
	for (size_t i = 0; i < G_N_ELEMENTS(reasons); i++)
		if (g_strcmp0(reasons[i].reason, reason) == 0)
			return mail_answer_say(answer, reasons[i].keys);
	return NULL;
}

/* ---- a turn ---- */

static char *nearest_words(const MailAnswer *answer, const NearestTurns *nearest)
{
	g_autoptr(GPtrArray) turns = g_ptr_array_new();
	for (int i = 0; i < nearest->count; i++)
		g_ptr_array_add(turns, (void *)(uintptr_t)nearest->turn[i]);
	if (turns->len == 0)
		return g_strdup("");
	g_autofree char *lines = mail_legal_lines(turns, answer->language);
	return g_strdup_printf("\n\n%s\n%s", text_get(answer->language, "answer.nearest"), lines);
}

/* Which rule a turn breaks, and the turns near it. NULL if it breaks none on this board. */
static char *turn_words(const MailAnswer *answer, const char *turn)
{
	static const char *const keys[] = {"refused_turn", NULL};
	Position next;
	char canonical[RULES_TURN_MAX];
	Refusal refusal = {.code = REFUSAL_NONE};
	NearestTurns nearest = {0};
	if (answer->rules == NULL ||
	    notation_read_turn(answer->rules, answer->position, turn, &next, canonical, &refusal))
		return NULL;
	nearest_find(answer->rules, answer->position, turn, &refusal, &nearest);
	g_autofree char *refused = mail_answer_say(answer, keys);
	g_autofree char *why = turn_words_refusal(answer->rules, &refusal, answer->language);
	g_autofree char *near = nearest_words(answer, &nearest);
	return g_strconcat(refused, " ", why, near, NULL);
}

/* ---- a command ---- */

/* The game it named, as its writer wrote it; 0: none. */
static int64_t game_named(const MailAnswer *answer)
{
	const char *written = answer->letter->inbox.written;
	const MailPlace place = {MAIL_PLACE_PLAY, NULL, false};
	g_auto(MailCommand) command = {.id = MAIL_COMMAND_NONE};
	if (written == NULL)
		return 0;
	mail_command_read(written, &place, &command);
	return command.game_id;
}

static char *no_game_words(const MailAnswer *answer)
{
	const bool asks = mail_words_asks(answer->letter);
	const char *const keys[] = {"no-command", asks ? "no-command_asked" : "no-command_how",
				    NULL};
	const char *command = answer->letter->inbox.command;
	g_autofree char *game = g_strdup_printf("%" G_GINT64_FORMAT, game_named(answer));
	if (command == NULL)
		return mail_answer_say(answer, keys);
	return text_format(answer->language, "answer.no-game", "game", game, NULL);
}

static char *problem_words(const MailAnswer *answer)
{
	ProblemCode code;
	const char *turn = mail_answer_data(answer, "turn");
	if (!problem_find(answer->letter->inbox.problem, &code))
		return NULL;
	if (turn != NULL && (code == PROBLEM_TURN_ILLEGAL || code == PROBLEM_TURN_UNREADABLE))
		return turn_words(answer, turn);
	if (code == PROBLEM_LAYOUT_FAULTY)
		return mail_answer_layout_faulty(answer);
	if (code == PROBLEM_NOT_FOUND && !answer->letter->has_game)
		return no_game_words(answer);
	if (code == PROBLEM_GAME_OVER)
		return g_strdup(text_get(answer->language, "answer.already-over"));
	if (code == PROBLEM_PLY_PLAYED)
		return g_strdup(text_get(answer->language, "answer.stale-turn"));
	g_autoptr(GError) problem =
		problem_rebuild(code, json_object_get(answer->data, "arguments"));
	g_autofree char *detail = problem_detail(problem, answer->language);
	return text_format(answer->language, "answer.problem", "problem", detail, NULL);
}

char *mail_answer_refused(const MailAnswer *answer)
{
	char *why = answer->letter->inbox.problem != NULL ? problem_words(answer)
							  : reason_words(answer);
	return why != NULL ? why : g_strdup(text_get(answer->language, "answer.nothing-done"));
}
