#include "service/mail_command.h"

#include "service/layout_form.h"
#include "service/mail_challenge.h"
#include "service/mail_command_words.h"
#include "service/mail_layout.h"
#include "service/mail_start.h"
#include "service/notation.h"

#include <string.h>

enum { LINE_LENGTH_MAX = 400, BLOCK_LENGTH_MAX = 2000, DATE_LENGTH = 10, NUMBER_LENGTH_MAX = 18 };

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

static bool are_ranks(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	if (lines[0] != NULL && lines[1] == NULL)
		return mail_layout_is(text);
	for (int i = 0; lines[i] != NULL; i++) {
		if (!mail_layout_is_within(lines[i]))
			return false;
	}
	return lines[0] != NULL;
}

/* The one form of what follows a word for "layout"; NULL if it is none of it. The caller frees. */
static char *layout_spell(const char *text)
{
	const char *like = mail_command_words_like(text), *end = "";
	const int64_t game_id = like == NULL ? 0 : number_read(like, &end);

	if (mail_command_words_random(text))
		return g_strdup("random");
	if (game_id != 0 && *end == '\0')
		return g_strdup_printf("like %" G_GINT64_FORMAT, game_id);
	return are_ranks(text) ? layout_form_spell(text) : NULL;
}

static bool is_layout(const char *text)
{
	g_autofree char *spelt = layout_spell(text);

	return spelt != NULL;
}

/* A turn that is a word, in some game. "--" begins a signature in mails. */
static bool is_turn_word(const char *text)
{
	const GameRules *rules;
	char written[RULES_TURN_MAX];
	Refusal refusal;

	for (size_t i = 0; (rules = rules_at(i)) != NULL; i++) {
		if (g_ascii_islower(text[0]) && rules->read(text, written, &refusal))
			return true;
	}
	return false;
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
		return (is_turn_start(text) || is_turn_word(text)) &&
		       place->place == MAIL_PLACE_PLAY;
	case MAIL_ARGUMENTS_TURN_START:
		return none || mail_start_is(text);
	case MAIL_ARGUMENTS_LAYOUT:
		/* The word alone is one like any other where nothing is laid out. */
		return none ? place->rules == NULL || place->rules->setup != NULL : is_layout(text);
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
	char *arguments =
		row->arguments == MAIL_ARGUMENTS_LAYOUT ? layout_spell(rest) : g_strdup(rest);
	reader->command->arguments = arguments;
	reader->command->text = row->id == MAIL_MOVE ? g_strdup(arguments)
						     : g_strconcat(row->word, " ", arguments, NULL);
	return true;
}

/* All words of a row, in whatever language; NULL where there are fewer. */
enum { ROW_WORDS = LANGUAGE_COUNT * MAIL_COMMAND_WORDS };

static const char *word_at(const MailCommandRow *row, int number)
{
	return row->words[number / MAIL_COMMAND_WORDS][number % MAIL_COMMAND_WORDS];
}

/* The row of a command that there is. */
static const MailCommandRow *row_of(MailCommandId id)
{
	const MailCommandRow *row = mail_command_row(id);

	g_assert(row != NULL);
	return row;
}

/* Whether a line means "accept" because something waits for a yes. */
static bool means_yes(const Reader *reader, const char *line)
{
	const MailCommandRow *row = row_of(MAIL_YES);

	for (int i = 0; reader->place->asked && i < ROW_WORDS; i++) {
		if (g_strcmp0(line, word_at(row, i)) == 0)
			return true;
	}
	return false;
}

/* Whether a line is a row's command with this word for it. */
static bool word_try(const Reader *reader, const MailCommandRow *row, const char *line,
		     const char *word)
{
	if (row->arguments != MAIL_ARGUMENTS_TURN_START)
		return row_try(reader, row, word_skip(line, word));
	g_autofree char *start = mail_start_read(line, word);

	return row_try(reader, row, start);
}

static bool words_read(const Reader *reader, const char *line)
{
	if (means_yes(reader, line) && row_try(reader, row_of(MAIL_ACCEPT), ""))
		return true;
	for (const MailCommandRow *row = mail_commands; row->id != MAIL_COMMAND_NONE; row++) {
		for (int i = 0; i < ROW_WORDS; i++) {
			const char *word = word_at(row, i);

			if (word != NULL && word_try(reader, row, line, word))
				return true;
		}
	}
	return false;
}

static MailReading turn_read(const Reader *reader, const char *line)
{
	const GameRules *rules = reader->place->rules;
	char written[RULES_TURN_MAX];
	Refusal refusal = {.code = REFUSAL_NONE};

	/* "--" begins a signature. */
	if (rules == NULL || reader->place->place != MAIL_PLACE_GAME ||
	    line[strspn(line, "- ")] == '\0')
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

/* ---- the block of a layout ---- */

/* What follows a word for "layout" and perhaps a colon at the start of a tidy line, NULL if none
 * stands there. */
static const char *layout_skip(const char *line)
{
	const MailCommandRow *row = row_of(MAIL_LAYOUT);

	for (int i = 0; i < ROW_WORDS; i++) {
		const char *word = word_at(row, i);
		const char *rest = word == NULL ? NULL : word_skip(line, word);

		if (rest != NULL)
			return rest;
		rest = word != NULL && g_str_has_prefix(line, word) ? line + strlen(word) : "";
		if (*rest == ':')
			return rest[1] == ' ' ? rest + 2 : rest + 1;
	}
	return NULL;
}

/* Whether what follows the word is the beginning of a block: nothing, or a game's number, or
 * ranks. */
static bool is_block_start(const char *rest)
{
	number_read(rest, &rest);
	return rest[0] == '\0' || mail_layout_is(rest);
}

/* Is a line with its look-alikes replaced a line of a block? */
static bool is_whole_in_block(const char *line, void *user_data)
{
	const char *rest = layout_skip(line);

	(void)user_data;
	return rest != NULL ? is_block_start(rest) : mail_layout_is(line);
}

bool mail_command_begins_layout(const char *line)
{
	g_autofree char *normal = notation_normalise(line, is_whole_in_block, NULL);
	g_autofree char *tidy = line_tidy(normal);
	const char *rest = layout_skip(tidy);

	return rest != NULL && is_block_start(rest);
}

/* The lines of a block, each tidy. The caller frees. */
static char **block_lines(const char *block)
{
	g_autofree char *normal = notation_normalise(block, is_whole_in_block, NULL);
	char **lines = g_strsplit(normal, "\n", -1);

	for (int i = 0; lines[i] != NULL; i++) {
		char *tidy = line_tidy(lines[i]);

		g_free(lines[i]);
		lines[i] = tidy;
	}
	return lines;
}

/* What follows the word for "layout" in its line and below it, NULL if there is none. The caller
 * frees. */
static char *layout_rest(const Reader *reader, const char *block)
{
	g_auto(GStrv) lines = block_lines(block);
	const char *rest = lines[0] == NULL ? NULL : layout_skip(lines[0]), *end = "";

	if (rest == NULL)
		return NULL;
	/* A game's number stands before the ranks. */
	const bool is_number = reader->place->place == MAIL_PLACE_PLAY &&
			       number_read(rest, &end) != 0 && *end == '\0';
	g_autofree char *below = g_strjoinv("\n", lines + 1);
	const char *between = rest[0] == '\0' || below[0] == '\0' ? "" : is_number ? " " : "\n";
	return g_strconcat(rest, between, below, NULL);
}

/* Whether the first word is as long as one for "layout": with look-alikes replaced it may be one.
 */
static bool may_begin_layout(const char *plain)
{
	const MailCommandRow *row = row_of(MAIL_LAYOUT);
	const long length = g_utf8_strlen(plain, (ssize_t)strcspn(plain, " :\n"));

	for (int i = 0; i < ROW_WORDS; i++) {
		if (word_at(row, i) != NULL && g_utf8_strlen(word_at(row, i), -1) == length)
			return true;
	}
	return false;
}

/* plain: its lines normalised, without look-alikes replaced. */
static bool layout_read(const Reader *reader, const char *block, const char *plain)
{
	if (!may_begin_layout(plain))
		return false;
	g_autofree char *rest = layout_rest(reader, block);

	return rest != NULL && row_try(reader, row_of(MAIL_LAYOUT), rest);
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
	if (strlen(line) > BLOCK_LENGTH_MAX)
		return MAIL_READING_REMARK;
	/* What is a command as it stands keeps its letters: names and options are words. */
	unmapped = notation_normalise(line, NULL, NULL);
	plain = line_tidy(unmapped);
	if (layout_read(&reader, line, plain))
		return MAIL_READING_COMMAND;
	if (strlen(line) > LINE_LENGTH_MAX)
		return MAIL_READING_REMARK;
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
