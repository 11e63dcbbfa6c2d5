#include "service/turn_words.h"

#include "service/text.h"

enum { SQUARE_NAME_SIZE = 4 };

/* A fact about a piece of a kind: "HoVe c3 takes Diago c10". */
static char *piece_words(const TurnFact *fact, Language language)
{
	static const char *const keys[][3] = {
		[FACT_MOVE] = {"turn.piece.move", NULL, "turn.piece.bonus_move"},
		[FACT_CAPTURE] = {"turn.piece.capture", NULL, NULL},
		[FACT_CONFRONTATION] = {"turn.piece.confrontation", NULL, NULL},
		[FACT_ROTATION] = {"turn.piece.rotation", "turn.piece.survivor",
				   "turn.piece.bonus_rotation"},
	};
	g_autofree char *piece = g_strconcat("piece.", rules_piece_name(fact->piece), NULL);
	g_autofree char *taken =
		g_strconcat("piece.", rules_piece_name(fact->taken), "_object", NULL);
	char from[SQUARE_NAME_SIZE] = "";
	char to[SQUARE_NAME_SIZE] = "";

	if (fact->from != SQUARE_NONE)
		rules_square_name(fact->from, from);
	rules_square_name(fact->to, to);
	return text_format(language, keys[fact->kind][fact->part], "piece",
			   text_get(language, piece), "from", from, "to", to, "taken",
			   fact->taken == PIECE_NONE ? "" : text_get(language, taken), NULL);
}

/* One fact; first says that nothing was told before it. */
static char *fact_words(const TurnFact *fact, bool first, Language language)
{
	static const char *const keys[][2] = {
		[FACT_MOVE] = {"turn.move_then", "turn.move"},
		[FACT_CAPTURE] = {"turn.capture_then", "turn.capture"},
		[FACT_ORDO] = {"turn.ordo_then", "turn.ordo"},
	};
	char from[SQUARE_NAME_SIZE] = "";
	char from2[SQUARE_NAME_SIZE] = "";
	char to[SQUARE_NAME_SIZE] = "";
	char to2[SQUARE_NAME_SIZE] = "";
	if (fact->kind == FACT_PASS)
		return g_strdup(text_get(language, "turn.pass"));
	if (fact->piece != PIECE_NONE)
		return piece_words(fact, language);
	rules_square_name(fact->to, to);
	if (fact->kind == FACT_REMOVED)
		return text_plural(language, "turn.removed", fact->count, "square", to, NULL);
	rules_square_name(fact->from, from);
	if (fact->kind == FACT_ORDO) {
		rules_square_name(fact->from2, from2);
		rules_square_name(fact->to2, to2);
	}
	return text_format(language, keys[fact->kind][first], "from", from, "from2", from2, "to",
			   to, "to2", to2, NULL);
}

char *turn_words_explain(const GameRules *rules, const Position *before, const char *turn,
			 Language language)
{
	TurnFact facts[RULES_FACTS_MAX];
	int count = rules->explain(before, turn, facts);
	char *words = NULL;
	for (int i = 0; i < count; i++) {
		g_autofree char *told = words;
		g_autofree char *fact = fact_words(&facts[i], i == 0, language);
		words = told == NULL ? g_steal_pointer(&fact)
				     : text_format(language, "turn.join", "before", told, "after",
						   fact, NULL);
	}
	return words == NULL ? g_strdup(turn) : words;
}

/* The game's own sentence about a refusal if it has one ("refusal.xo.blocked"), else that of all
 * games ("refusal.blocked"); NULL if there is none. */
static const char *refusal_sentence(const GameRules *rules, RefusalCode code, const char *suffix,
				    Language language)
{
	const char *name = rules_refusal_name(code);
	g_autofree char *own = g_strdup_printf("refusal.%s.%s%s", rules->key, name, suffix);
	g_autofree char *common = g_strdup_printf("refusal.%s%s", name, suffix);
	const char *key = text_find(language, own) == NULL ? common : own;
	return text_find(language, key) == NULL ? NULL : g_intern_string(key);
}

/* "In the way: c3, c4." or, for a refusal without a sentence of its own, "Squares concerned: …". */
static char *squares_words(const GameRules *rules, const Refusal *refusal, Language language)
{
	const char *own = refusal_sentence(rules, refusal->code, "_squares", language);
	g_autoptr(GString) names = g_string_new(NULL);
	for (int i = 0; i < refusal->square_count; i++) {
		char name[SQUARE_NAME_SIZE] = "";
		rules_square_name(refusal->squares[i], name);
		g_string_append_printf(names, "%s%s", i == 0 ? "" : ", ", name);
	}
	return text_format(language, own == NULL ? "refusal.squares" : own, "squares", names->str,
			   NULL);
}

char *turn_words_refusal(const GameRules *rules, const Refusal *refusal, Language language)
{
	const char *key = refusal_sentence(rules, refusal->code, "", language);
	g_autofree char *rule = text_format(language, key, "first", refusal->reading[0], "second",
					    refusal->reading[1], NULL);
	if (refusal->square_count == 0)
		return g_steal_pointer(&rule);
	g_autofree char *squares = squares_words(rules, refusal, language);
	return g_strjoin(" ", rule, squares, NULL);
}

char *turn_words_nearest(const char *const *turns, Language language)
{
	if (turns[0] == NULL)
		return NULL;
	g_autoptr(GString) list = g_string_new(turns[0]);
	for (int i = 1; turns[i] != NULL; i++)
		g_string_append_printf(list, ", %s", turns[i]);
	return text_format(language, "refusal.nearest", "turns", list->str, NULL);
}

const char *turn_words_side(const GameRules *rules, Seat seat, Language language)
{
	g_assert(seat == 1 || seat == 2);
	g_autofree char *key = g_strdup_printf("side.%s", rules->seat_names[seat - 1]);
	return text_get(language, key);
}

char *turn_words_outcome(const GameRules *rules, Outcome outcome, const char *winner,
			 Language language)
{
	g_assert(outcome.over);
	g_autofree char *key = g_strdup_printf("reason.%s%s", rules_reason_name(outcome.reason),
					       outcome.winner == 0 ? "_draw" : "");
	if (outcome.winner != 0 && winner == NULL)
		winner = turn_words_side(rules, outcome.winner, language);
	return text_format(language, key, "winner", winner == NULL ? "" : winner, NULL);
}
