#include "service/mail_layout.h"

#include "service/mail_command.h"
#include "service/notation.h"

#include <string.h>

enum {
	HEADING_LENGTH = 200,
	APART_LEAST = 3,  /* pieces of a rank that stands apart */
	NEARLY_LEAST = 4, /* signs of a line that is nearly a rank */
	NEARLY_MOST = 200,
	APART_LENGTH = 2,   /* of a sign that stands apart, and perhaps a comma */
	EMPTIES_LENGTH = 2, /* of a rank of nothing but empty squares */
};

LayoutSigns mail_layout_signs(const char *line)
{
	LayoutSigns best = {.unknown = G_MAXINT};
	const GameRules *rules;
	for (size_t i = 0; (rules = rules_at(i)) != NULL; i++) {
		LayoutSigns signs;
		if (rules->setup == NULL)
			continue;
		rules->setup->signs(line, &signs);
		if (signs.unknown < best.unknown)
			best = signs;
	}
	return best;
}

/* The line without blanks around signs of chiefs and what parts ranks: "n + v" is "n+v". The caller
 * frees. */
static char *words_join(const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	GString *joined = g_string_new(NULL);
	for (int i = 0; words[i] != NULL; i++) {
		const char last = joined->len == 0 ? '+' : joined->str[joined->len - 1];
		if (strchr("+/", last) == NULL && words[i][0] != '+' && words[i][0] != '/')
			g_string_append_c(joined, ' ');
		g_string_append(joined, words[i]);
	}
	return g_string_free(joined, FALSE);
}

static bool is_rank(const char *line)
{
	g_autofree char *joined = words_join(line);
	const LayoutSigns signs = mail_layout_signs(joined);
	return signs.unknown == 0 && signs.pieces + signs.empties > 0;
}

bool mail_layout_has_vowel(const char *line)
{
	return !g_str_is_ascii(line) || line[strcspn(line, "aeiouy")] != '\0';
}

/* One word, or signs that stand apart. */
static bool is_close(const char *line)
{
	g_autofree char *word = words_join(line);
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	bool apart = true;
	for (int i = 0; words[i] != NULL; i++)
		apart = apart && g_utf8_strlen(words[i], -1) - (words[i][0] == '+') <= APART_LENGTH;
	return apart || strchr(word, ' ') == NULL;
}

/* A rank with a slip in it, or perhaps a word. */
static bool is_nearly_rank(const char *line)
{
	const LayoutSigns signs = mail_layout_signs(line);
	const int known = signs.pieces + signs.empties;
	return signs.unknown > 0 && signs.unknown * 2 <= known && signs.pieces > 0 &&
	       known + signs.unknown >= NEARLY_LEAST && known + signs.unknown <= NEARLY_MOST &&
	       is_close(line);
}

/* A rank with slips in it that is no word. */
static bool is_slip(const char *line)
{
	return g_utf8_strlen(line, -1) <= NEARLY_MOST && is_close(line) &&
	       mail_layout_is_slip(line);
}

bool mail_layout_is(const char *line)
{
	const bool several = strchr(line, '/') != NULL;
	return is_rank(line) || is_slip(line) ||
	       (is_nearly_rank(line) && (several || !mail_layout_has_vowel(line)));
}

bool mail_layout_is_within(const char *line)
{
	return is_rank(line) || is_nearly_rank(line) || is_slip(line);
}

static bool is_whole(const char *line, void *user_data)
{
	(void)user_data;
	return is_rank(line);
}

/* ---- blocks ---- */

static bool block_begins(const char *line)
{
	return strlen(line) <= HEADING_LENGTH && mail_command_begins_layout(line);
}

/* "--" and the like: a signature or a foot, unless more of the layout follows. */
static bool is_dashes(const char *line)
{
	return line[strspn(line, "- ")] == '\0';
}

static bool goes_on_apart(const char *line)
{
	const LayoutSigns signs = mail_layout_signs(line);
	if (is_dashes(line))
		return false;
	return signs.pieces >= APART_LEAST || (signs.pieces == 0 && strlen(line) <= EMPTIES_LENGTH);
}

static bool block_goes_on(const char *raw, const char *raw_next, bool apart)
{
	g_autofree char *line = notation_normalise(raw, is_whole, NULL);
	g_autofree char *next = notation_normalise(raw_next, is_whole, NULL);
	const bool followed = mail_layout_is(next) && !is_dashes(next);
	if (line[0] == '\0' || strchr(line, '\n') != NULL)
		return false;
	if (is_dashes(line) && strlen(line) <= 2)
		return followed;
	if (is_rank(line))
		return !apart || followed || goes_on_apart(line);
	return is_slip(line) ||
	       (is_nearly_rank(line) && (followed || !mail_layout_has_vowel(line)));
}

const StripBlocks *mail_layout_blocks(void)
{
	static const StripBlocks blocks = {block_begins, block_goes_on};
	return &blocks;
}
