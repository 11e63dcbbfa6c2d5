#include "service/notation.h"

#include <glib.h>
#include <string.h>
#include <unicode/uchar.h>

/* No turn needs more; what is longer is not looked at. */
enum { RAW_MAX = 2000 };

typedef struct {
	gunichar from;
	char to;
} Mapping;

/* Before NFKC, which takes some of them apart. */
static const Mapping apart[] = {{0x223c, '~'}, {0x02dc, '~'}, {0x2053, '~'}, {0x00b4, '\''}};

/* Signs that are dashes to the reader though Unicode does not call them so, and others. */
static const Mapping signs[] = {
	{0x2212, '-'}, {0x02d7, '-'}, {0x2043, '-'}, {0x2796, '-'},
	{0x2192, '-'}, {0x00d7, 'x'}, {0x30fc, '-'}, {0x2217, '*'},
};

/* Letters that look like Latin ones, in the case in which they do. */
static const Mapping look_alikes[] = {
	{0x0430, 'a'}, {0x0441, 'c'}, {0x0435, 'e'}, {0x0445, 'x'}, {0x0456, 'i'},
	{0x0458, 'j'}, {0x0410, 'a'}, {0x0412, 'b'}, {0x0421, 'c'}, {0x0415, 'e'},
	{0x041d, 'h'}, {0x0425, 'x'}, {0x0406, 'i'}, {0x0408, 'j'}, {0x0391, 'a'},
	{0x0392, 'b'}, {0x0395, 'e'}, {0x0397, 'h'}, {0x0399, 'i'}, {0x03a7, 'x'},
};

static char mapping_find(const Mapping *mappings, size_t count, gunichar c)
{
	for (size_t i = 0; i < count; i++) {
		if (mappings[i].from == c)
			return mappings[i].to;
	}
	return '\0';
}

static bool is_invisible(gunichar c)
{
	return g_unichar_type(c) == G_UNICODE_FORMAT ||
	       u_hasBinaryProperty((UChar32)c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

static bool is_new_line(gunichar c)
{
	return c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

/* Valid UTF-8 in NFKC, tildes and acute accents that stand alone plain. The caller frees. */
static char *text_compose(const char *raw)
{
	g_autofree char *valid = g_utf8_make_valid(raw, (ssize_t)strnlen(raw, RAW_MAX + 1));
	g_autoptr(GString) text = g_string_new(NULL);

	for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);
		char sign = mapping_find(apart, G_N_ELEMENTS(apart), c);

		g_string_append_unichar(text, sign != '\0' ? (gunichar)sign : c);
	}
	return g_utf8_normalize(text->str, -1, G_NORMALIZE_NFKC);
}

static void sign_append(GString *text, gunichar c)
{
	char sign = mapping_find(signs, G_N_ELEMENTS(signs), c);

	if (sign != '\0')
		g_string_append_c(text, sign);
	else if (is_new_line(c))
		g_string_append_c(text, '\n');
	else if (g_unichar_isspace(c))
		g_string_append_c(text, ' ');
	else if (g_unichar_type(c) == G_UNICODE_DASH_PUNCTUATION)
		g_string_append_c(text, '-');
	else if (!is_invisible(c))
		g_string_append_unichar(text, c);
}

/* The text with plain signs, in its own case. The caller frees. */
static char *text_clean(const char *raw)
{
	g_autofree char *composed = text_compose(raw);
	GString *text = g_string_new(NULL);

	for (const char *at = composed; *at != '\0'; at = g_utf8_next_char(at))
		sign_append(text, g_utf8_get_char(at));
	return g_string_free(text, FALSE);
}

/* Small letters; no other letter becomes an ASCII one by it (U+0130). The caller frees. */
static char *line_lower(const char *line)
{
	GString *text = g_string_new(NULL);

	for (; *line != '\0'; line = g_utf8_next_char(line)) {
		gunichar c = g_utf8_get_char(line), lower = g_unichar_tolower(c);

		g_string_append_unichar(text, (c < 0x80) == (lower < 0x80) ? lower : c);
	}
	return g_string_free(text, FALSE);
}

/* With all look-alikes replaced, in small letters. The caller frees. */
static char *line_map(const char *line)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (; *line != '\0'; line = g_utf8_next_char(line)) {
		gunichar c = g_utf8_get_char(line);
		char letter = mapping_find(look_alikes, G_N_ELEMENTS(look_alikes), c);

		g_string_append_unichar(text, letter != '\0' ? (gunichar)letter : c);
	}
	return line_lower(text->str);
}

static char *line_normalise(const char *line, NotationWholeFn *whole, void *user_data)
{
	if (whole != NULL && !g_str_is_ascii(line)) {
		g_autofree char *mapped = line_map(line);

		if (whole(mapped, user_data))
			return g_steal_pointer(&mapped);
	}
	return line_lower(line);
}

char *notation_normalise(const char *raw, NotationWholeFn *whole, void *user_data)
{
	g_autofree char *clean = text_clean(raw);
	g_auto(GStrv) lines = g_strsplit(clean, "\n", -1);
	GString *text = g_string_new(NULL);

	for (int i = 0; lines[i] != NULL; i++) {
		g_autofree char *line = NULL;

		if (g_strstrip(lines[i])[0] == '\0')
			continue;
		line = line_normalise(lines[i], whole, user_data);
		if (text->len > 0)
			g_string_append_c(text, '\n');
		g_string_append(text, line);
	}
	return g_string_free(text, FALSE);
}

char *notation_plain(const char *raw)
{
	g_autofree char *clean = text_clean(raw), *plain = line_map(clean);

	g_strstrip(plain);
	g_strdelimit(plain, ";+\n", ',');
	return g_steal_pointer(&plain);
}

typedef struct {
	const GameRules *rules;
	const Position *position;
} Game;

static bool turn_is_whole(const char *line, void *user_data)
{
	const Game *game = user_data;
	Position next;
	Refusal refusal;
	char canonical[RULES_TURN_MAX];

	return game->rules->play(game->position, line, &next, canonical, &refusal) ||
	       !rules_refusal_unreadable(refusal.code);
}

static bool refusal_plain(Refusal *refusal_r, RefusalCode code)
{
	memset(refusal_r, 0, sizeof *refusal_r);
	refusal_r->code = code;
	return false;
}

static bool refusal_ambiguous(Refusal *refusal_r, const char *first, const char *second)
{
	refusal_plain(refusal_r, REFUSAL_AMBIGUOUS);
	g_strlcpy(refusal_r->reading[0], first, RULES_TURN_MAX);
	g_strlcpy(refusal_r->reading[1], second, RULES_TURN_MAX);
	return false;
}

/* The lines of a text, each as a turn of its own. */
typedef struct {
	int legal;                      /* how many are legal turns */
	char canonical[RULES_TURN_MAX]; /* the first legal one */
	char other[RULES_TURN_MAX];     /* the first legal one that differs from it, or "" */
	Refusal refusal;                /* of the first that is not legal */
	bool refused;
} Lines;

static void line_try(const Game *game, const char *line, Lines *lines)
{
	Position next;
	Refusal refusal;
	char canonical[RULES_TURN_MAX];

	if (!game->rules->play(game->position, line, &next, canonical, &refusal)) {
		if (!lines->refused)
			lines->refusal = refusal;
		lines->refused = true;
		return;
	}
	if (lines->legal++ == 0)
		g_strlcpy(lines->canonical, canonical, RULES_TURN_MAX);
	else if (lines->other[0] == '\0' && strcmp(canonical, lines->canonical) != 0)
		g_strlcpy(lines->other, canonical, RULES_TURN_MAX);
}

static bool lines_refuse(const Lines *lines, Refusal *refusal_r)
{
	if (lines->other[0] != '\0')
		return refusal_ambiguous(refusal_r, lines->canonical, lines->other);
	if (!lines->refused)
		return refusal_plain(refusal_r, REFUSAL_TURN_ALREADY_ENDED);
	*refusal_r = lines->refusal;
	return false;
}

/* A text of several lines is one turn only if no line alone is. */
static bool lines_play(const Game *game, const char *text, Position *next_r, char *canonical_r,
		       Refusal *refusal_r)
{
	g_auto(GStrv) each = g_strsplit(text, "\n", -1);
	Lines lines = {.legal = 0};
	Position next;
	char canonical[RULES_TURN_MAX];

	/* Where most steps are turns by themselves, lines are steps. */
	if (game->rules->whole_turn_goes_on)
		return game->rules->play(game->position, text, next_r, canonical_r, refusal_r);
	for (int i = 0; each[i] != NULL; i++)
		line_try(game, each[i], &lines);
	if (!game->rules->turn_has_steps)
		return lines_refuse(&lines, refusal_r);
	/* The referee takes a new line for a mark between two steps. */
	if (!game->rules->play(game->position, text, &next, canonical, refusal_r))
		return lines.legal > 0 ? lines_refuse(&lines, refusal_r) : false;
	if (lines.legal > 0)
		return refusal_ambiguous(refusal_r, canonical,
					 strcmp(canonical, lines.canonical) == 0 ? lines.other
										 : lines.canonical);
	*next_r = next;
	memcpy(canonical_r, canonical, sizeof canonical);
	return true;
}

bool notation_read_turn(const GameRules *rules, const Position *position, const char *raw,
			Position *next_r, char *canonical_r, Refusal *refusal_r)
{
	Game game = {rules, position};
	g_autofree char *text = NULL;

	if (strnlen(raw, RAW_MAX + 1) > RAW_MAX)
		return refusal_plain(refusal_r, REFUSAL_TOO_LONG);
	text = notation_normalise(raw, turn_is_whole, &game);
	if (strchr(text, '\n') != NULL)
		return lines_play(&game, text, next_r, canonical_r, refusal_r);
	return rules->play(position, text, next_r, canonical_r, refusal_r);
}

static bool step_ignore(const char *step, bool may_end, void *user_data)
{
	(void)step;
	(void)may_end;
	(void)user_data;
	return false;
}

static bool prefix_is_whole(const char *line, void *user_data)
{
	const Game *game = user_data;
	bool may_end;
	Refusal refusal;

	return game->rules->steps(game->position, line, &may_end, step_ignore, NULL, &refusal) ||
	       !rules_refusal_unreadable(refusal.code);
}

char *notation_prefix(const GameRules *rules, const Position *position, const char *raw)
{
	Game game = {rules, position};

	return notation_normalise(raw, prefix_is_whole, &game);
}

/* The first step that goes on from a prefix. */
typedef struct {
	char step[RULES_TURN_MAX];
	bool found;
} FirstStep;

static bool step_keep(const char *step, bool may_end, void *user_data)
{
	(void)may_end;
	FirstStep *first = user_data;
	g_strlcpy(first->step, step, sizeof(first->step));
	first->found = true;
	return false;
}

/* Cuts the last steps off a turn. */
static void steps_cut(char *turn, int count)
{
	for (; count > 0; count--) {
		char *comma = strrchr(turn, ',');
		*(comma == NULL ? turn : comma) = '\0';
	}
}

/* Only whole turns are canonical: so the prefix is played to some end, and that end cut off. */
char *notation_prefix_canonical(const GameRules *rules, const Position *position,
				const char *prefix)
{
	g_autoptr(GString) text = g_string_new(prefix);
	int added = 0;
	bool may_end = false;
	Refusal refusal;
	while (*prefix != '\0' && text->len < RULES_TURN_MAX) {
		FirstStep first = {.found = false};
		Position next;
		char canonical[RULES_TURN_MAX];
		if (!rules->steps(position, text->str, &may_end, step_keep, &first, &refusal))
			break;
		if (may_end && rules->play(position, text->str, &next, canonical, &refusal)) {
			steps_cut(canonical, added);
			return g_strdup(canonical);
		}
		if (!first.found)
			break;
		g_string_append_printf(text, ",%s", first.step);
		added++;
	}
	return g_strdup(prefix);
}

TurnFact notation_step_fact(const GameRules *rules, const Position *position, const char *prefix,
			    const char *step)
{
	TurnFact facts[RULES_FACTS_MAX];
	g_autofree char *turn = g_strconcat(prefix, *prefix == '\0' ? "" : ",", step, NULL);
	int last = rules->explain(position, turn, facts) - 1;
	/* What is removed is no step of its own. */
	while (facts[last].kind == FACT_REMOVED)
		last--;
	return facts[last];
}
