#include "service/mail_answer.h"

#include "service/mail_words.h"
#include "service/nearest.h"
#include "service/notation.h"
#include "service/problem.h"
#include "service/text.h"
#include "service/turn_words.h"

#include <string.h>

static const char *data_text(const MailAnswer *answer, const char *name)
{
	return json_string_value(json_object_get(answer->data, name));
}

static char *answer_turn_played(const MailAnswer *answer)
{
	const bool remark = json_is_true(json_object_get(answer->data, "remark"));

	return text_format(answer->language,
			   remark ? "answer.turn-played-remark" : "answer.turn-played", "turn",
			   data_text(answer, "turn"), NULL);
}

static char *answer_resigned(const MailAnswer *answer)
{
	return g_strdup(text_get(answer->language, "answer.resigned"));
}

static char *answer_words_passed(const MailAnswer *answer)
{
	const bool passed = json_is_true(json_object_get(answer->data, "passed"));

	return g_strdup(
		text_get(answer->language, passed ? "answer.words-passed" : "answer.words-off"));
}

/* Which rule a turn breaks, and the turns near it. NULL if it breaks none on this board. */
static char *turn_refusal(const MailAnswer *answer, const char *turn)
{
	Position next;
	char canonical[RULES_TURN_MAX];
	Refusal refusal = {.code = REFUSAL_NONE};
	NearestTurns nearest = {0};
	const char *turns[NEAREST_MAX + 1] = {NULL};

	if (answer->rules == NULL ||
	    notation_read_turn(answer->rules, answer->position, turn, &next, canonical, &refusal))
		return NULL;
	nearest_find(answer->rules, answer->position, turn, &refusal, &nearest);
	for (int i = 0; i < nearest.count; i++)
		turns[i] = nearest.turn[i];
	g_autofree char *why = turn_words_refusal(&refusal, answer->language);
	g_autofree char *near = turn_words_nearest(turns, answer->language);
	return near == NULL ? g_steal_pointer(&why) : g_strconcat(why, "\n\n", near, NULL);
}

/* The detail of the problem a command was refused with. */
static char *problem_words(const MailAnswer *answer)
{
	ProblemCode code;
	const char *turn = data_text(answer, "turn");

	if (!problem_find(answer->letter->inbox.problem, &code))
		return NULL;
	if (turn != NULL && (code == PROBLEM_TURN_ILLEGAL || code == PROBLEM_TURN_UNREADABLE))
		return turn_refusal(answer, turn);
	g_autoptr(GError) problem =
		problem_rebuild(code, json_object_get(answer->data, "arguments"));
	return problem_detail(problem, answer->language);
}

static char *candidates_join(const MailAnswer *answer)
{
	const json_t *list = json_object_get(answer->data, "candidates");
	GString *joined = g_string_new(NULL);
	size_t index;
	json_t *each;

	json_array_foreach(list, index, each) g_string_append_printf(
		joined, "%s“%s”", index > 0 ? ", " : "", json_string_value(each));
	return g_string_free(joined, FALSE);
}

/* Why a mail was refused before it came to a command. */
static char *reason_words(const MailAnswer *answer)
{
	g_autofree char *key = g_strconcat("answer.reason-", answer->letter->inbox.reason, NULL);
	g_autofree char *candidates = candidates_join(answer);

	if (text_find(answer->language, key) == NULL)
		return NULL;
	return text_format(answer->language, key, "candidates", candidates, NULL);
}

static char *answer_refused(const MailAnswer *answer)
{
	const LetterInbox *inbox = &answer->letter->inbox;
	g_autofree char *why = NULL;

	if (inbox->problem != NULL)
		why = problem_words(answer);
	else if (inbox->reason != NULL)
		why = reason_words(answer);
	const char *nothing = text_get(answer->language, "answer.nothing-done");
	if (inbox->written == NULL)
		return g_strconcat(nothing, why == NULL ? NULL : "\n\n", why, NULL);
	g_autofree char *written =
		text_format(answer->language, "answer.written", "written", inbox->written, NULL);
	return g_strconcat(nothing, " ", written, why == NULL ? NULL : "\n\n", why, NULL);
}

static const struct {
	const char *kind;
	MailAnswerFn *write;
} kinds[] = {
	{"turn-played", answer_turn_played},
	{"resigned", answer_resigned},
	{"words-passed", answer_words_passed},
	{"refused", answer_refused},
};

char *mail_answer_text(const Config *config, const Letter *letter, const GameRules *rules,
		       const Position *position)
{
	json_t *data =
		json_loads(letter->inbox.answer == NULL ? "{}" : letter->inbox.answer, 0, NULL);
	const MailAnswer answer = {config, letter, mail_words_language(letter),
				   data,   rules,  position};
	const char *kind = data_text(&answer, "kind");
	char *text = NULL;

	for (size_t i = 0; kind != NULL && i < G_N_ELEMENTS(kinds); i++) {
		if (strcmp(kinds[i].kind, kind) == 0)
			text = kinds[i].write(&answer);
	}
	json_decref(data);
	return text == NULL ? g_strdup("") : text;
}
