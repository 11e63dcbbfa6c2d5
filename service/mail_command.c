#include "service/mail_command.h"

#include "service/mail_challenge.h"
#include "service/mail_command_words.h"
#include "service/notation.h"

#include <string.h>

enum { LINE_LENGTH_MAX = 400, DATE_LENGTH = 10, NUMBER_LENGTH_MAX = 18 };

const MailCommandRow *mail_command_row(MailCommandId id)
{
	for (const MailCommandRow *row = mail_commands; row->id != MAIL_COMMAND_NONE; row++) {
		if (row->id == id)
			return row;
	}
	return NULL;
}

const char *mail_command_name(MailCommandId id)
{
	const MailCommandRow *row = mail_command_row(id);

	return row == NULL ? "" : row->word;
}

void mail_command_clear(MailCommand *command)
{
	g_clear_pointer(&command->text, g_free);
	g_clear_pointer(&command->arguments, g_free);
	*command = (MailCommand){.id = MAIL_COMMAND_NONE};
}

/* A normalised line without its final full stop, blanks single, apostrophes plain. The caller
 * frees. */
static char *line_tidy(const char *line)
{
	static const gunichar apostrophes[] = {0x2019, 0x2018, 0x02bc, 0x00b4, 0x0060, 0x2032};
	static const char *const stops[] = {".", "\u3002"};
	GString *tidy = g_string_new(NULL);

	for (const char *at = line; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);

		for (size_t i = 0; i < G_N_ELEMENTS(apostrophes); i++)
			c = c == apostrophes[i] ? '\'' : c;
		if (c != ' ' || (tidy->len > 0 && tidy->str[tidy->len - 1] != ' '))
			g_string_append_unichar(tidy, c);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(stops); i++) {
		if (g_str_has_suffix(tidy->str, stops[i])) {
			g_string_truncate(tidy, tidy->len - strlen(stops[i]));
			break;
		}
	}
	return g_strchomp(g_string_free(tidy, FALSE));
}

/* The whole number a text consists of up to a blank, 0 if it is none. */
static int64_t number_read(const char *text, const char **end_r)
{
	size_t length = strspn(text, "0123456789");

	if (length == 0 || length > NUMBER_LENGTH_MAX ||
	    (text[length] != ' ' && text[length] != '\0'))
		return 0;
	*end_r = text + length + (text[length] == ' ' ? 1 : 0);
	return g_ascii_strtoll(text, NULL, 10);
}

static bool is_date(const char *text)
{
	GDate date;
	bool shaped = strspn(text, "0123456789") == 4 && text[4] == '-' &&
		      strspn(text + 5, "0123456789") == 2 && text[7] == '-' &&
		      strspn(text + 8, "0123456789") == 2;

	if (!shaped)
		return false;
	g_date_clear(&date, 1);
	int month = (int)g_ascii_strtoll(text + 5, NULL, 10);
	int day = (int)g_ascii_strtoll(text + 8, NULL, 10);
	int year = (int)g_ascii_strtoll(text, NULL, 10);
	return month >= 1 && month <= 12 && day >= 1 && year >= 1 &&
	       g_date_valid_dmy((GDateDay)day, (GDateMonth)month, (GDateYear)year);
}

static bool are_dates(const char *text)
{
	return strlen(text) == DATE_LENGTH * 2 + 1 && text[DATE_LENGTH] == ' ' && is_date(text) &&
	       is_date(text + DATE_LENGTH + 1);
}

/* The beginning of a turn: squares and signs, with a square first. */
static bool is_turn_start(const char *text)
{
	return g_ascii_islower(text[0]) && g_ascii_isdigit(text[1]) &&
	       text[strspn(text, "abcdefghijklmnop0123456789-x:=,;+~* ")] == '\0';
}

static bool is_game_rhythm(const char *text)
{
	const char *end = "";

	return number_read(text, &end) > 0 && (*end == '\0' || mail_command_words_day(end));
}

static bool is_game(const char *text)
{
	const char *end = "";

	return number_read(text, &end) > 0 && *end == '\0';
}

static bool arguments_fit(MailArguments kind, const char *text, const MailPlace *place)
{
	bool none = text[0] == '\0';

	switch (kind) {
	case MAIL_ARGUMENTS_NONE:
		return none;
	case MAIL_ARGUMENTS_TURN:
		return is_turn_start(text) && place->place == MAIL_PLACE_PLAY;
	case MAIL_ARGUMENTS_TURN_START:
		return none || is_turn_start(text);
	case MAIL_ARGUMENTS_TEXT:
		return !none;
	case MAIL_ARGUMENTS_CHALLENGE:
		return mail_challenge_is(text);
	case MAIL_ARGUMENTS_LANGUAGE:
		return mail_command_words_language(text) != NULL;
	case MAIL_ARGUMENTS_DATES:
		return are_dates(text);
	case MAIL_ARGUMENTS_GAME_RHYTHM:
		return is_game_rhythm(text);
	case MAIL_ARGUMENTS_GAME:
		return is_game(text);
	case MAIL_ARGUMENTS_RULES:
		return none || rules_find(text) != NULL;
	case MAIL_ARGUMENTS_ALL:
		return none || mail_command_words_all(text);
	}
	return false;
}

/* What follows the word at the start of a line, NULL if it is not that word. */
static const char *word_skip(const char *line, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(line, word, length) != 0)
		return NULL;
	if (line[length] == '\0')
		return line + length;
	return line[length] == ' ' ? line + length + 1 : NULL;
}

typedef struct {
	const MailPlace *place;
	MailCommand *command;
} Reader;

static bool row_try(const Reader *reader, const MailCommandRow *row, const char *rest)
{
	int64_t game_id = 0;

	if (rest == NULL || (row->places & reader->place->place) == 0)
		return false;
	if (row->needs_game && reader->place->place == MAIL_PLACE_PLAY) {
		game_id = number_read(rest, &rest);
		if (game_id == 0)
			return false;
	}
	if (!arguments_fit(row->arguments, rest, reader->place))
		return false;
	reader->command->id = row->id;
	reader->command->game_id = game_id;
	if (rest[0] == '\0') {
		reader->command->text = g_strdup(row->word);
		return true;
	}
	reader->command->arguments = g_strdup(rest);
	reader->command->text =
		row->id == MAIL_MOVE ? g_strdup(rest) : g_strconcat(row->word, " ", rest, NULL);
	return true;
}

static bool words_read(const Reader *reader, const char *line)
{
	for (const MailCommandRow *row = mail_commands; row->id != MAIL_COMMAND_NONE; row++) {
		for (int language = 0; language < LANGUAGE_COUNT; language++) {
			const char *const *words = row->words[language];

			for (int i = 0; i < MAIL_COMMAND_WORDS && words[i] != NULL; i++) {
				if (row_try(reader, row, word_skip(line, words[i])))
					return true;
			}
		}
	}
	return false;
}

static MailReading turn_read(const Reader *reader, const char *line)
{
	const GameRules *rules = reader->place->rules;
	char written[RULES_TURN_MAX];
	Refusal refusal = {.code = REFUSAL_NONE};

	if (rules == NULL || reader->place->place != MAIL_PLACE_GAME)
		return MAIL_READING_REMARK;
	if (rules->read(line, written, &refusal)) {
		reader->command->id = MAIL_MOVE;
		reader->command->text = g_strdup(written);
		return MAIL_READING_COMMAND;
	}
	/* A square that no board has is still meant as a turn if it is written as one. */
	if (rules_refusal_unreadable(refusal.code) &&
	    (refusal.code != REFUSAL_OFF_BOARD || strchr(line, '-') == NULL))
		return MAIL_READING_REMARK;
	reader->command->id = MAIL_MOVE;
	reader->command->text = g_strdup(line);
	return refusal.code == REFUSAL_OFF_BOARD || refusal.code == REFUSAL_AMBIGUOUS
		       ? MAIL_READING_COMMAND
		       : MAIL_READING_SEVERAL;
}

static MailReading tidy_read(const Reader *reader, const char *tidy)
{
	if (tidy[0] == '\0' || strchr(tidy, '\n') != NULL)
		return MAIL_READING_REMARK;
	return words_read(reader, tidy) ? MAIL_READING_COMMAND : turn_read(reader, tidy);
}

/* Is a line with its look-alikes replaced a whole command? */
static bool is_whole(const char *line, void *user_data)
{
	g_auto(MailCommand) command = {.id = MAIL_COMMAND_NONE};
	const Reader reader = {user_data, &command};
	g_autofree char *tidy = line_tidy(line);

	return tidy_read(&reader, tidy) != MAIL_READING_REMARK && command.id != MAIL_SAY;
}

MailReading mail_command_read(const char *line, const MailPlace *place, MailCommand *command_r)
{
	const Reader reader = {place, command_r};
	MailPlace copy = *place;
	g_autofree char *normal = NULL, *unmapped = NULL, *tidy = NULL, *plain = NULL;

	*command_r = (MailCommand){.id = MAIL_COMMAND_NONE};
	if (strlen(line) > LINE_LENGTH_MAX)
		return MAIL_READING_REMARK;
	/* What is a command as it stands keeps its letters: names and options are words. */
	unmapped = notation_normalise(line, NULL, NULL);
	plain = line_tidy(unmapped);
	MailReading reading = tidy_read(&reader, plain);
	if (reading != MAIL_READING_REMARK)
		return reading;
	mail_command_clear(command_r);
	normal = notation_normalise(line, is_whole, &copy);
	tidy = line_tidy(normal);
	reading = tidy_read(&reader, tidy);
	command_r->homoglyph = strcmp(normal, unmapped) != 0;
	return reading;
}
