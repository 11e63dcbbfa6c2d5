#include "service/mail_setup.h"

#include "service/mail_guard.h"
#include "service/mail_help.h"
#include "service/setup.h"
#include "service/text.h"
#include "service/turn_words.h"

#include <string.h>

bool mail_setup_state(const Letter *letter, SetupState *state_r)
{
	const GameRules *rules = letter->has_game ? rules_find(letter->game.rules) : NULL;
	Position position;
	Refusal refusal;
	return rules != NULL && rules->setup != NULL &&
	       g_strcmp0(letter->game.phase, "setup") == 0 &&
	       rules->parse(letter->game.board, &position, &refusal) &&
	       rules->setup->state(&position, state_r);
}

int mail_setup_ply(const Letter *letter)
{
	SetupState state;
	if (!mail_setup_state(letter, &state))
		return letter->ply + 1;
	return state.sealed ? 0 : -state.round;
}

static Seat reader_seat(const MailSetup *setup)
{
	return setup->letter->game.seat;
}

static Seat other_seat(const MailSetup *setup)
{
	return reader_seat(setup) == 1 ? 2 : 1;
}

static const char *opponent(const MailSetup *setup)
{
	return setup->letter->game.names[other_seat(setup) - 1];
}

static bool is_awaited(const MailSetup *setup)
{
	return (setup->letter->game.awaiting & (int)SEATS_OF(reader_seat(setup))) != 0;
}

static int changes_left(const MailSetup *setup)
{
	return setup->state.changes_left[reader_seat(setup) - 1];
}

/* ---- layouts ---- */

/* A rank with a blank between its signs, which is read all the same. */
static void rank_spread(GString *lines, const char *rank)
{
	for (const char *sign = rank; *sign != '\0'; sign++) {
		const bool goes_on =
			sign > rank &&
			(sign[-1] == '+' || (g_ascii_isdigit(*sign) && g_ascii_isdigit(sign[-1])));
		g_string_append_printf(lines, "%s%c", sign == rank || goes_on ? "" : " ", *sign);
	}
}

/* A layout with a line for each rank, none of which is a command by itself ("g2h3" could be a
 * turn). The caller frees. */
static char *ranks_lines(const char *layout)
{
	g_auto(GStrv) ranks = g_strsplit(layout, "/", -1);
	GString *lines = g_string_new(NULL);
	for (int i = 0; ranks[i] != NULL; i++) {
		if (mail_guard_is_command(ranks[i]))
			rank_spread(lines, ranks[i]);
		else
			g_string_append(lines, ranks[i]);
		g_string_append_c(lines, '\n');
	}
	return g_string_free(lines, FALSE);
}

static void ranks_add(MailWords *words, const char *name, const MailSetup *setup, Seat seat)
{
	char layout[RULES_LAYOUT_MAX];
	const bool laid =
		!setup->state.sealed && setup->rules->setup->layout(setup->position, seat, layout);
	mail_words_take(words, name, laid ? ranks_lines(layout) : NULL);
}

/* One layout as good as any on this board. */
static void example_add(MailWords *words, const MailSetup *setup)
{
	char layout[RULES_LAYOUT_MAX];
	setup_layout_usual(setup->rules, setup->letter->game.options, reader_seat(setup), layout);
	mail_words_take(words, "ranks_example", ranks_lines(layout));
	mail_words_add(words, "layout_line", layout);
	mail_words_add(words, "file", "a");
	mail_words_add(words, "layout_signs", text_get(setup->language, "fault.signs"));
	const char *word = mail_help_word(MAIL_LAYOUT, setup->language);
	mail_words_add(words, "layout_word", word);
	/* The blank does not break, so that the command stays in one line. */
	mail_words_take(words, "layout_whole", g_strdup_printf("%s\u00a0%s", word, layout));
	mail_words_take(words, "layout_forms",
			text_format(setup->language, "mail.setup_forms", "random", "random", "like",
				    "like 41", NULL));
	mail_words_add(words, "accept_word", mail_help_word(MAIL_ACCEPT, setup->language));
}

/* ---- sentences ---- */

/* "a1–g3": from the lowest to the highest of the reader's marked squares. The caller frees. */
static char *territory_words(const MailSetup *setup)
{
	Picture picture;
	char name[4], first[4] = "", last[4] = "";
	setup->rules->picture(setup->position, reader_seat(setup), NULL, NULL, &picture);
	for (int rank = 0; rank < picture.ranks; rank++) {
		for (int file = 0; file < picture.files; file++) {
			const Square square = SQUARE_OF(file, rank);
			if (picture.square[square].territory != reader_seat(setup))
				continue;
			rules_square_name(square, name);
			memcpy(first[0] == '\0' ? first : last, name, sizeof name);
		}
	}
	return g_strdup_printf("%s–%s", first, last);
}

/* What the players are to do first. The caller frees. */
static char *task_words(const MailSetup *setup)
{
	g_autofree char *key = g_strdup_printf("setup.%s.task", setup->rules->key);
	g_autofree char *territory = territory_words(setup);
	return text_format(setup->language, key, "territory", territory, "side",
			   turn_words_side(setup->rules, 1, setup->language), NULL);
}

/* That the pair lies open for the reader to accept or to change. The caller frees. */
static char *agree_words(const MailSetup *setup)
{
	if (changes_left(setup) == 0)
		return g_strdup(text_get(setup->language, "mail.setup_changes_none"));
	g_autofree char *changes =
		text_plural(setup->language, "mail.setup_changes", changes_left(setup), NULL);
	return g_strdup_printf("%s %s", text_get(setup->language, "mail.setup_agree"), changes);
}

/* What is awaited now, and of whom. The caller frees. */
static char *now_words(const MailSetup *setup)
{
	if (is_awaited(setup) && setup->state.sealed)
		return g_strdup(text_get(setup->language, "mail.setup_lay_out"));
	if (is_awaited(setup))
		return agree_words(setup);
	return text_format(setup->language,
			   setup->state.sealed ? "mail.setup_given" : "mail.setup_wait", "opponent",
			   opponent(setup), NULL);
}

/* What led to the pair that lies open now: only the other's acceptance of the first pair leaves it
 * as it is. The caller frees. */
static char *news_words(const MailSetup *setup)
{
	g_autofree char *round = g_strdup_printf("%d", setup->state.round);
	const char *key = "mail.setup_other";
	if (setup->state.round == 1)
		key = setup->state.accepted == SEATS_NONE ? "mail.setup_both_in"
							  : "mail.setup_accepted";
	return text_format(setup->language, key, "opponent", opponent(setup), "round", round, NULL);
}

static const char *how_part(const MailSetup *setup)
{
	const bool inbound = setup->config->inbound;
	if (!is_awaited(setup))
		return NULL;
	if (setup->state.sealed)
		return inbound ? "how-to-lay-out-mail" : "how-to-lay-out-web";
	if (!inbound)
		return "how-to-agree-web";
	return changes_left(setup) == 0 ? "how-to-accept-mail" : "how-to-agree-mail";
}

void mail_setup_words(MailWords *words, const MailSetup *setup)
{
	const bool begins = is_awaited(setup) && setup->state.sealed;
	mail_words_take(words, "now", now_words(setup));
	mail_words_take(words, "next", begins ? task_words(setup) : now_words(setup));
	mail_words_part(words, "how_to_answer", how_part(setup));
	example_add(words, setup);
	mail_words_take(words, "news", setup->state.sealed ? NULL : news_words(setup));
	mail_words_add(words, "other_seat",
		       turn_words_side(setup->rules, other_seat(setup), setup->language));
	ranks_add(words, "ranks_yours", setup, reader_seat(setup));
	ranks_add(words, "ranks_theirs", setup, other_seat(setup));
}
