#include "service/mail_help.h"

#include "service/mail_challenge.h"
#include "service/text.h"

static const MailCommandRow *row_of(MailCommandId id)
{
	const MailCommandRow *row = mail_commands;
	while (row->id != id && row->id != MAIL_COMMAND_NONE)
		row++;
	g_assert(row->id == id);
	return row;
}

const char *mail_help_word(MailCommandId id, Language language)
{
	return row_of(id)->words[language][0];
}

char *mail_help_address(const Config *config)
{
	return g_strconcat("play@", config->mail_domain, NULL);
}

const char *mail_help_turn(const GameRules *rules, Language language)
{
	g_autofree char *key = g_strconcat("turn_how.", rules->key, NULL);
	return text_find(language, key);
}

/* "legal c2": a word with a sample of what may follow it. */
static char *with_sample(const char *word, const char *name, Language language)
{
	g_autofree char *key = g_strdup_printf("help.%s.sample", name);
	const char *sample = text_find(language, key);
	return sample == NULL ? g_strdup(word) : g_strdup_printf("%s %s", word, sample);
}

/* The other words of a row in the language, "i resign, …"; "" if there are none. */
static char *other_words(const MailCommandRow *row, Language language)
{
	GString *others = g_string_new(NULL);
	for (int i = 1; i < MAIL_COMMAND_WORDS && row->words[language][i] != NULL; i++)
		g_string_append_printf(others, "%s%s", i > 1 ? ", " : "", row->words[language][i]);
	return g_string_free(others, FALSE);
}

static char *does_words(const char *name, Language language)
{
	g_autofree char *key = g_strdup_printf("help.%s", name);
	g_autofree char *options = mail_challenge_options(language);
	g_autofree char *all = g_strdup_printf("%s %s", mail_help_word(MAIL_STOP, language),
					       text_get(language, "words.all"));
	return text_format(language, key, "options", options, "day",
			   text_get(language, "words.day"), "all", all, "like",
			   text_get(language, "words.like"), NULL);
}

/* A line that no reader of mails can take for a command: a mark stands before it, and the blank
 * between does not break. */
static char *line_make(const char *command, const char *others, const char *does, Language language)
{
	g_autofree char *item =
		text_format(language, *others != '\0' ? "help.row_or" : "help.row", "command",
			    command, "others", others, "does", does, NULL);
	return text_format(language, "answer.bullet", "item", item, NULL);
}

char *mail_help_row(MailCommandId id, Language language)
{
	const MailCommandRow *row = row_of(id);
	g_autofree char *command = with_sample(row->words[language][0], row->word, language);
	g_autofree char *others = other_words(row, language);
	g_autofree char *does = does_words(row->word, language);
	return line_make(command, others, does, language);
}

typedef bool RowFn(const MailCommandRow *row);

static bool is_about_a_game(const MailCommandRow *row)
{
	return row->needs_game && (row->places & MAIL_PLACE_GAME) != 0;
}

static bool is_for_anywhere(const MailCommandRow *row)
{
	return !row->needs_game && (row->places & MAIL_PLACE_PLAY) != 0;
}

static bool is_for_invitations(const MailCommandRow *row)
{
	return row->places == MAIL_PLACE_INVITE;
}

static void heading_append(GString *help, const char *key, Language language)
{
	g_string_append_printf(help, "%s%s\n", help->len > 0 ? "\n" : "", text_get(language, key));
}

static void rows_append(GString *help, RowFn *wanted, Language language)
{
	for (const MailCommandRow *row = mail_commands; row->id != MAIL_COMMAND_NONE; row++) {
		if (!wanted(row))
			continue;
		g_autofree char *line = mail_help_row(row->id, language);
		g_string_append_printf(help, "%s\n", line);
	}
}

static void game_append(GString *help, Language language)
{
	heading_append(help, "help.in_game", language);
	g_autofree char *turn = line_make(text_get(language, "help.turn.sample"), "",
					  text_get(language, "help.turn"), language);
	g_string_append_printf(help, "%s\n", turn);
	rows_append(help, is_about_a_game, language);
}

static void invitation_append(GString *help, Language language)
{
	heading_append(help, "help.invitation", language);
	rows_append(help, is_for_invitations, language);
}

/* What is our word and not the author's, of each game that has something of the kind. */
static void rulings_append(GString *help, Language language)
{
	const GameRules *rules;
	for (size_t i = 0; (rules = rules_at(i)) != NULL; i++) {
		g_autofree char *key = g_strconcat("help.", rules->key, NULL);
		if (text_find(language, key) == NULL)
			continue;
		g_autofree char *command = g_strdup_printf(
			"%s\u00a0%s", mail_help_word(MAIL_RULES, language), rules->key);
		g_autofree char *rulings = text_format(language, key, "command", command, NULL);
		g_string_append_printf(help, "%s\n\n", rulings);
	}
}

/* How a game is named where the address names none, then what is good to know beside it all. */
static void rest_append(GString *help, const Config *config, Language language)
{
	g_autofree char *address = mail_help_address(config);
	g_autofree char *example = g_strdup_printf("%s 7", mail_help_word(MAIL_CLOCK, language));
	g_autofree char *play =
		text_format(language, "help.play", "address", address, "example", example, NULL);
	g_autofree char *move = mail_help_row(MAIL_MOVE, language);
	g_string_append_printf(help, "\n%s\n%s\n\n", play, move);
	rulings_append(help, language);
	g_autoptr(GString) names = g_string_new(NULL);
	for (int i = 0; i < LANGUAGE_COUNT; i++)
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "",
				       text_get((Language)i, "language.name"));
	g_autofree char *languages =
		text_format(language, "help.languages", "languages", names->str, NULL);
	g_string_append(help, languages);
}

char *mail_help_text(const Config *config, Language language, unsigned where)
{
	GString *help = g_string_new(NULL);
	g_string_append_printf(help, "%s\n", text_get(language, "help.intro"));
	if (where == MAIL_PLACE_INVITE)
		invitation_append(help, language);
	game_append(help, language);
	heading_append(help, "help.anywhere", language);
	rows_append(help, is_for_anywhere, language);
	if (where != MAIL_PLACE_INVITE)
		invitation_append(help, language);
	rest_append(help, config, language);
	return g_string_free(help, FALSE);
}
