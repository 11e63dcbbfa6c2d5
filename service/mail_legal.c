#include "service/mail_legal.h"

#include "service/notation.h"
#include "service/text.h"

#include <string.h>

/* A line of these fits the screen of a telephone. */
enum { LINE_WIDTH = 36 };

enum { PARTS = PART_BONUS + 1 };

static const char *const part_keys[PARTS] = {
	[PART_MAIN] = "answer.legal_main",
	[PART_SURVIVOR] = "answer.legal_survivor",
	[PART_BONUS] = "answer.legal_bonus",
};

static const char ends_of_from[] = "-x~*";
static const char separators[] = ",;+ \n";

void mail_legal_clear(MailLegal *legal)
{
	g_clear_pointer(&legal->start, g_free);
	g_clear_pointer(&legal->example, g_free);
	g_clear_pointer(&legal->lines, g_free);
}

typedef struct {
	const GameRules *rules;
	const Position *position;
	const char *before; /* the steps before, "" or with their comma at the end */
	const char *wanted; /* what a step must begin with, or a square it must come from */
	bool square;
	bool parts;              /* what follows is told by parts of the turn */
	bool may_end;            /* the turn may, after the steps before */
	char *whole;             /* the steps before, if that is all; NULL else */
	GPtrArray *found[PARTS]; /* all in the first unless told by parts */
	MailLegal *legal;
} Search;

/* Whether a step's stones come from the square: "c2" of "c2-c4", of "b2:c2-b4". */
static bool comes_from(const char *step, const char *square)
{
	g_autofree char *from = g_strndup(step, strcspn(step, ends_of_from));
	g_auto(GStrv) ends = g_strsplit(from, ":", -1);
	return g_strv_contains((const char *const *)ends, square);
}

static bool is_sign(char c)
{
	return c != '\0' && strchr("-:x*", c) != NULL;
}

/* Whether a step begins as it was typed: signs may be left out, but not those of attacks, and an
 * "x" may be typed for a "*". "c1" is no beginning of "c10-c11". */
static bool begins_with(const char *step, const char *wanted)
{
	const bool digit = wanted[0] != '\0' && g_ascii_isdigit(wanted[strlen(wanted) - 1]);

	for (; *wanted != '\0'; wanted++, step++) {
		if ((*step == '-' || *step == ':') && !is_sign(*wanted))
			step++;
		if (*wanted != *step && (*wanted != 'x' || *step != '*'))
			return false;
	}
	return !digit || !g_ascii_isdigit(*step);
}

static TurnPart part_of(const Search *search, const char *step)
{
	if (!search->parts)
		return PART_MAIN;
	g_autofree char *prefix = g_strndup(search->before, strlen(search->before) - 1);
	return notation_step_fact(search->rules, search->position, prefix, step).part;
}

static bool step_keep(const char *step, bool may_end, void *user_data)
{
	Search *search = user_data;
	if (!(search->square ? comes_from(step, search->wanted)
			     : begins_with(step, search->wanted)))
		return true;
	search->legal->count++;
	g_ptr_array_add(search->found[part_of(search, step)],
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

/* The beginning is whole steps, and may be a turn itself. */
static void whole_keep(Search *search, const char *steps)
{
	search->legal->count += search->may_end;
	if (search->parts)
		search->whole = g_strdup(steps);
	else if (search->may_end)
		g_ptr_array_insert(search->found[PART_MAIN], 0, g_strdup(steps));
}

/* The steps after a beginning that is whole steps; false if it is not the beginning of a turn. */
static bool search_after(Search *search, const char *steps, Refusal *refusal_r)
{
	g_autofree char *canonical =
		notation_prefix_canonical(search->rules, search->position, steps);
	g_autofree char *before = *steps == '\0' ? g_strdup("") : g_strconcat(canonical, ",", NULL);
	search->before = before;
	search->parts = search->legal->open && *steps != '\0';
	if (!search->rules->steps(search->position, steps, &search->may_end, step_keep, search,
				  refusal_r))
		return false;
	if (*steps != '\0' && *search->wanted == '\0')
		whole_keep(search, canonical);
	if (search->legal->count > 0)
		search->legal->start = *search->wanted == '\0'
					       ? g_steal_pointer(&canonical)
					       : g_strconcat(before, search->wanted, NULL);
	return true;
}

/* Without the separators around it. The caller frees. */
static char *separators_strip(const char *text, size_t length)
{
	while (length > 0 && strchr(separators, *text) != NULL) {
		text++;
		length--;
	}
	while (length > 0 && strchr(separators, text[length - 1]) != NULL)
		length--;
	return g_strndup(text, length);
}

/* The steps before the last one, which is only begun at this place of the text. */
static void search_begun(Search *search, const char *start, size_t place, Refusal *refusal_r)
{
	g_autofree char *steps = separators_strip(start, place);
	g_autofree char *wanted = separators_strip(start + place, strlen(start + place));
	g_auto(GStrv) parts = g_strsplit(wanted, " ", -1);
	g_autofree char *joined = g_strjoinv("", parts);

	search->wanted = joined;
	search->square = is_square(joined);
	search_after(search, steps, refusal_r);
}

/* A refusal for what is only begun tells less than one for the steps before. */
static void refusal_choose(const Refusal *other, Refusal *refusal)
{
	if (rules_refusal_unreadable(refusal->code) && other->code != REFUSAL_NONE &&
	    !rules_refusal_unreadable(other->code))
		*refusal = *other;
}

/* What was typed is whole steps, as the referee reads them; or its last step is only begun, and
 * begins behind some separator: the later ones are tried first. */
static void search_do(Search *search, const char *start)
{
	Refusal refusal = {.code = REFUSAL_NONE};
	search->wanted = "";
	if (search_after(search, start, &refusal))
		return;
	for (size_t place = strlen(start); place-- > 0 && search->legal->count == 0;) {
		Refusal other = {.code = REFUSAL_NONE};
		if (place > 0 && strchr(separators, start[place]) == NULL)
			continue;
		search_begun(search, start, place, &other);
		refusal_choose(&other, &refusal);
	}
	if (search->legal->count == 0 && refusal.code != REFUSAL_DESTINATION_MISSING)
		search->legal->refusal = refusal;
}

/* The beginning itself, and whether the turn may end with it. */
static void whole_append(GString *text, const Search *search, Language language)
{
	g_autofree char *line = text_format(language, "answer.bullet", "item", search->whole, NULL);
	g_string_append_printf(text, "%s\n\n%s", line,
			       text_get(language, search->may_end ? "answer.legal_may_end"
								  : "answer.legal_must_go_on"));
}

static void part_append(GString *text, const Search *search, int part, Language language)
{
	const char *key = search->may_end ? "answer.legal_part_optional" : "answer.legal_part";
	g_autofree char *heading =
		text_format(language, key, "part", text_get(language, part_keys[part]), NULL);
	g_autofree char *lines = mail_legal_lines(search->found[part], language);
	g_string_append_printf(text, "%s%s\n%s", text->len > 0 ? "\n\n" : "", heading, lines);
}

/* What was found, each part of the turn under its heading. */
static char *found_lines(const Search *search, Language language)
{
	if (!search->parts)
		return mail_legal_lines(search->found[PART_MAIN], language);
	GString *text = g_string_new(NULL);
	if (search->whole != NULL)
		whole_append(text, search, language);
	for (int part = 0; part < PARTS; part++)
		if (search->found[part]->len > 0)
			part_append(text, search, part, language);
	return g_string_free(text, FALSE);
}

void mail_legal_find(const GameRules *rules, const Position *position, const char *start,
		     Language language, MailLegal *legal_r)
{
	*legal_r = (MailLegal){.open = rules->whole_turn_goes_on};
	g_autofree char *normal = notation_prefix(rules, position, start);
	g_autofree char *plain = separators_strip(normal, strlen(normal));
	Search search = {.rules = rules, .position = position, .legal = legal_r};
	for (int part = 0; part < PARTS; part++)
		search.found[part] = g_ptr_array_new_with_free_func(g_free);
	search_do(&search, plain);
	legal_r->lines = found_lines(&search, language);
	for (int part = 0; part < PARTS; part++)
		g_ptr_array_unref(search.found[part]);
	g_free(search.whole);
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
