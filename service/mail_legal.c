#include "service/mail_legal.h"

#include "service/notation.h"
#include "service/text.h"

#include <string.h>

/* A line of these fits the screen of a telephone. */
enum { LINE_WIDTH = 36 };

static const char ends_of_from[] = "-x~*";

void mail_legal_clear(MailLegal *legal)
{
	g_clear_pointer(&legal->example, g_free);
	g_clear_pointer(&legal->lines, g_free);
}

typedef struct {
	const char *before; /* the steps before, "" or with their comma at the end */
	const char *wanted; /* what a step must begin with, or a square it must come from */
	bool square;
	GPtrArray *found;
	MailLegal *legal;
} Search;

/* Whether a step's stones come from the square: "c2" of "c2-c4", of "b2:c2-b4". */
static bool comes_from(const char *step, const char *square)
{
	g_autofree char *from = g_strndup(step, strcspn(step, ends_of_from));
	g_auto(GStrv) ends = g_strsplit(from, ":", -1);
	return g_strv_contains((const char *const *)ends, square);
}

/* "c1" is no beginning of "c10-c11". */
static bool begins_with(const char *step, const char *wanted)
{
	const size_t length = strlen(wanted);
	if (!g_str_has_prefix(step, wanted))
		return false;
	return length == 0 || !g_ascii_isdigit(wanted[length - 1]) ||
	       !g_ascii_isdigit(step[length]);
}

static bool step_keep(const char *step, bool may_end, void *user_data)
{
	Search *search = user_data;
	if (!(search->square ? comes_from(step, search->wanted)
			     : begins_with(step, search->wanted)))
		return true;
	search->legal->count++;
	g_ptr_array_add(search->found,
			g_strconcat(search->before, step, may_end ? NULL : ",…", NULL));
	if ((!may_end || search->legal->open) && search->legal->example == NULL)
		search->legal->example = g_strconcat(search->before, step, NULL);
	search->legal->unfinished |= !may_end;
	return true;
}

static bool is_square(const char *text)
{
	return rules_square_parse(text, strlen(text)) != SQUARE_NONE;
}

/* The steps after a beginning that is whole steps; false if it is not the beginning of a turn. */
static bool search_after(Search *search, const GameRules *rules, const Position *position,
			 const char *steps, Refusal *refusal_r)
{
	bool may_end = false;
	g_autofree char *before = *steps == '\0' ? g_strdup("") : g_strconcat(steps, ",", NULL);
	search->before = before;
	if (!rules->steps(position, steps, &may_end, step_keep, search, refusal_r))
		return false;
	if (may_end && *steps != '\0' && *search->wanted == '\0') {
		search->legal->count++;
		g_ptr_array_insert(search->found, 0, g_strdup(steps));
	}
	return true;
}

/* What was typed is whole steps, or its last step is only begun. */
static void search_do(Search *search, const GameRules *rules, const Position *position,
		      const char *start)
{
	Refusal refusal = {.code = REFUSAL_NONE}, unused;
	search->wanted = "";
	if (!is_square(start) && search_after(search, rules, position, start, &refusal))
		return;
	const char *comma = strrchr(start, ',');
	g_autofree char *steps =
		comma == NULL ? g_strdup("") : g_strndup(start, (size_t)(comma - start));
	search->wanted = comma == NULL ? start : comma + 1;
	search->square = is_square(search->wanted);
	search_after(search, rules, position, steps, &unused);
	if (search->legal->count == 0 && !rules_refusal_unreadable(refusal.code))
		search->legal->refusal = refusal;
}

/* One comma between steps, whatever parts them, and none at the end. The caller frees. */
static char *start_spell(const GameRules *rules, const Position *position, const char *start)
{
	g_autofree char *plain = notation_prefix(rules, position, start);
	g_auto(GStrv) parts = g_strsplit_set(plain, ",;+ \n", -1);
	GString *spelt = g_string_new(NULL);
	for (int i = 0; parts[i] != NULL; i++)
		if (parts[i][0] != '\0')
			g_string_append_printf(spelt, "%s%s", spelt->len > 0 ? "," : "", parts[i]);
	return g_string_free(spelt, FALSE);
}

void mail_legal_find(const GameRules *rules, const Position *position, const char *start,
		     Language language, MailLegal *legal_r)
{
	*legal_r = (MailLegal){.open = rules->whole_turn_goes_on};
	g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *spelt = start_spell(rules, position, start);
	Search search = {.found = found, .legal = legal_r};
	search_do(&search, rules, position, spelt);
	legal_r->lines = mail_legal_lines(found, language);
}

/* ---- lines ---- */

static void line_end(GString *lines, GString *line, Language language)
{
	if (line->len == 0)
		return;
	g_autofree char *marked = text_format(language, "answer.bullet", "item", line->str, NULL);
	g_string_append_printf(lines, "%s%s", lines->len > 0 ? "\n" : "", marked);
	g_string_truncate(line, 0);
}

/* Whether turns stand together: those from the same squares, and rotations. */
static bool is_alike(const char *one, const char *other)
{
	if (g_str_has_suffix(one, "~") && g_str_has_suffix(other, "~"))
		return true;
	const size_t length = strcspn(one, ends_of_from);
	return length == strcspn(other, ends_of_from) && strncmp(one, other, length) == 0;
}

char *mail_legal_lines(const GPtrArray *words, Language language)
{
	GString *lines = g_string_new(NULL);
	g_autoptr(GString) line = g_string_new(NULL);
	for (unsigned i = 0; i < words->len; i++) {
		const char *word = words->pdata[i];
		const bool fits = line->len + 1 + strlen(word) <= LINE_WIDTH;
		if (i > 0 && (!fits || !is_alike(word, words->pdata[i - 1])))
			line_end(lines, line, language);
		g_string_append_printf(line, "%s%s", line->len > 0 ? " " : "", word);
	}
	line_end(lines, line, language);
	return g_string_free(lines, FALSE);
}
