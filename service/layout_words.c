#include "service/layout_words.h"

#include "service/board.h"
#include "service/text.h"

#include <string.h>

/* "3 HoVes", "1 Diago chief". The caller frees. */
static char *pieces_words(PieceKind piece, int count, Language language)
{
	g_autofree char *key = g_strconcat("piece_count.", rules_piece_name(piece), NULL);
	return text_plural(language, key, count, NULL);
}

/* What somebody typed, without what could spoil the line it stands in. The caller frees. */
static char *signs_words(const char *typed)
{
	g_autofree char *valid = g_utf8_make_valid(typed, -1);
	GString *shown = g_string_new(NULL);
	for (const char *sign = valid; *sign != '\0'; sign = g_utf8_next_char(sign)) {
		gunichar code = g_utf8_get_char(sign);
		g_string_append_unichar(shown, g_unichar_isprint(code) ? code : 0xfffd);
	}
	return g_string_free(shown, FALSE);
}

/* A whole army has one of these, so that there is nothing to count. */
static bool is_only_one_missing(const LayoutFault *fault)
{
	return fault->code == FAULT_MISSING && fault->wanted == 1;
}

static const char *fault_suffix(const LayoutFault *fault)
{
	return fault->code == FAULT_OUTSIDE && fault->text[0] == '\0' ? "_unnamed" : "";
}

char *layout_words_fault(const GameRules *rules, const LayoutFault *fault, Language language)
{
	g_assert(rules->setup != NULL);
	g_autofree char *piece = g_strconcat("piece.", rules_piece_name(fault->piece), NULL);
	if (is_only_one_missing(fault))
		return text_format(language, "fault.missing_only", "piece",
				   text_get(language, piece), NULL);
	g_autofree char *key =
		g_strdup_printf("fault.%s%s", rules_fault_name(fault->code), fault_suffix(fault));
	g_autofree char *line = g_strdup_printf("%d", fault->line);
	g_autofree char *wanted = g_strdup_printf("%d", fault->wanted);
	g_autofree char *signs = signs_words(fault->text);
	g_autofree char *pieces = fault->piece == PIECE_NONE
					  ? g_strdup("")
					  : pieces_words(fault->piece, fault->count, language);
	return text_plural(language, key, fault->count, "line", line, "wanted", wanted, "text",
			   signs, "pieces", pieces, NULL);
}

char *layout_words_faults(const GameRules *rules, const Layout *layout, Language language)
{
	GString *lines = g_string_new(NULL);
	bool unknown = false;
	for (int i = 0; i < layout->fault_count; i++) {
		const LayoutFault *fault = &layout->fault[i];
		g_autofree char *words = layout_words_fault(rules, fault, language);
		g_string_append_printf(lines, "%s\n", words);
		unknown = unknown || fault->code == FAULT_UNKNOWN_SIGN;
	}
	if (unknown)
		g_string_append_printf(lines, "%s\n", text_get(language, "fault.signs"));
	return g_string_free(lines, FALSE);
}

char *layout_words_beyond(const Layout *layout, Language language)
{
	int counts[PIECE_KINDS] = {0};
	g_autoptr(GString) pieces = g_string_new(NULL);
	/* A piece and the same on its other axis are one kind: the first of them counts. */
	for (int kind = PIECE_NONE + 1; kind < PIECE_KINDS; kind++) {
		const char *name = rules_piece_name((PieceKind)kind);
		int first = kind;
		while (strcmp(rules_piece_name((PieceKind)(first - 1)), name) == 0)
			first--;
		counts[first] += layout->beyond[kind];
	}
	for (int kind = PIECE_NONE + 1; kind < PIECE_KINDS; kind++) {
		if (counts[kind] == 0)
			continue;
		g_autofree char *words = pieces_words((PieceKind)kind, counts[kind], language);
		g_string_append_printf(pieces, "%s%s", pieces->len == 0 ? "" : ", ", words);
	}
	if (pieces->len == 0)
		return NULL;
	return text_format(language, "fault.beyond", "pieces", pieces->str, NULL);
}

char *layout_words_drawing(const GameRules *rules, const Layout *layout, Seat seat,
			   Language language, bool wide)
{
	Picture picture;
	rules->picture(&layout->seen, seat, NULL, NULL, &picture);
	g_autofree char *board = wide ? board_text(rules, &picture, language, seat)
				      : board_text_ascii(rules, &picture, language, seat);
	g_autofree char *beyond = layout_words_beyond(layout, language);
	if (beyond == NULL)
		return g_steal_pointer(&board);
	return g_strdup_printf("%s\n%s\n", board, beyond);
}
