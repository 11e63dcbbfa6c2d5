#include "service/json_text.h"
#include "service/link.h"
#include "service/rule_book.h"
#include "service/turn_words.h"
#include "service/view.h"

static void statements_append(GString *out, const char *name, GArray *statements)
{
	g_string_append_printf(out, ",\"%s\":[", name);
	for (unsigned i = 0; i < statements->len; i++) {
		const RuleStatement *statement = &g_array_index(statements, RuleStatement, i);
		g_string_append(out, i ? ",{\"key\":" : "{\"key\":");
		json_text_string(out, statement->key);
		json_text_member(out, "kind", statement->heading ? "heading" : "statement");
		json_text_member(out, "text", statement->text);
		g_string_append(out, ",\"ground\":[");
		for (const char *letter = statement->ground; *letter; letter++)
			g_string_append_printf(out, "%s\"%c\"",
					       letter > statement->ground ? "," : "", *letter);
		g_string_append(out, "]}");
	}
	g_string_append_c(out, ']');
	g_array_unref(statements);
}

static void grounds_append(GString *out, Language language)
{
	static const char letters[] = RULE_GROUNDS;
	g_string_append(out, ",\"grounds\":{");
	for (const char *letter = letters; *letter; letter++) {
		g_string_append_printf(out, "%s\"%c\":", letter > letters ? "," : "", *letter);
		json_text_string(out, rule_book_ground(*letter, language));
	}
	g_string_append_c(out, '}');
}

/* Members of the line and of the whole, without the braces. */
static void line_append(GString *out, const Config *config, const GameRules *rules,
			Language language)
{
	Position position;
	Refusal refusal;
	char board[RULES_BOARD_MAX];
	const bool started = rules->start("", &position, &refusal);
	g_assert(started);
	rules->format(&position, 0, board);
	g_string_append(out, "{\"key\":");
	json_text_string(out, rules->key);
	json_text_member(out, "name", rules->name);
	json_text_member(out, "summary", rule_book_summary(rules, language));
	json_text_member(out, "language", language_code(language));
	g_string_append(out, ",\"seats\":[");
	for (int seat = 1; seat <= GAME_SEATS; seat++) {
		if (seat > 1)
			g_string_append_c(out, ',');
		json_text_first(out, "seat", seat);
		json_text_member(out, "side", rules->seat_names[seat - 1]);
		json_text_member(out, "name", turn_words_side(rules, seat, language));
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
	g_string_append(out, rules->turn_has_steps ? ",\"turn_has_steps\":true"
						   : ",\"turn_has_steps\":false");
	view_options(out, rules, "");
	json_text_member(out, "start_board", board);
	g_autofree char *path = g_strdup_printf("/v1/rules/%s", rules->key);
	g_autofree char *self = link_path(config, path);
	g_autofree char *page = link_rules(config, rules->key);
	g_string_append(out, ",\"links\":{\"self\":");
	json_text_string(out, self);
	json_text_member(out, "page", page);
	g_string_append_c(out, '}');
}

void view_rules_line(GString *out, const Config *config, const GameRules *rules, Language language)
{
	line_append(out, config, rules, language);
	g_string_append_c(out, '}');
}

void view_rules(GString *out, const Config *config, const GameRules *rules, Language language)
{
	line_append(out, config, rules, language);
	statements_append(out, "rules", rule_book_rules(rules, language));
	statements_append(out, "notation", rule_book_notation(rules, language));
	grounds_append(out, language);
	g_string_append_c(out, '}');
}
