#include "service/mail_in_text.h"

#include "service/mail_help.h"
#include "service/mail_steps.h"
#include "service/notation.h"

#include <string.h>

void mail_text_clear(MailText *text)
{
	mail_command_clear(&text->command);
	g_clear_pointer(&text->written, g_free);
	if (text->candidates != NULL)
		g_ptr_array_unref(text->candidates);
	text->candidates = NULL;
	g_clear_pointer(&text->chat, g_free);
}

typedef struct {
	const MailPlace *place;
	const Position *position;
	MailText *text;
	GPtrArray *found;   /* the different commands, as texts */
	GString *turns;     /* the lines of different turns as written, parted by "\n" */
	GString *steps;     /* all turns, also those written twice, parted by "," */
	GString *chat;      /* the remark */
	GString *sayings;   /* the same where nothing but words for "say" was found */
	GPtrArray *remarks; /* the lines of the remark, without what "say" says */
	MailStepsRun run;   /* the lines with turns, where lines are steps */
	const char *above;  /* the line before this one; "" at first */
	bool turns_only;    /* no other command was found */
} Reader;

/* Where most steps are turns by themselves, each line is a step, whether they make a legal turn or
 * not: what is wrong with it can be told. */
static bool lines_are_steps(const Reader *reader)
{
	return reader->place->rules != NULL && reader->place->rules->whole_turn_goes_on;
}

/* Whether a character is no part of a remark: control characters, and what turns the direction of
 * text for the rest of a page. */
static bool is_unwanted(gunichar c)
{
	return g_unichar_iscntrl(c) || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0xfeff || c == 0xfffc;
}

/* The text without what is unwanted, each blank a plain one, from the first to the last character
 * that can be seen. The caller frees. */
static char *line_clean(const char *line)
{
	GString *clean = g_string_new(NULL);
	size_t end = 0;

	for (const char *at = line; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);

		bool is_seen = !g_unichar_isspace(c) && g_unichar_type(c) != G_UNICODE_FORMAT;

		if (is_unwanted(c) && !g_unichar_isspace(c))
			continue;
		if (is_seen || end > 0)
			g_string_append_unichar(clean, g_unichar_isspace(c) ? ' ' : c);
		end = is_seen ? clean->len : end;
	}
	g_string_truncate(clean, end);
	return g_string_free(clean, FALSE);
}

static void chat_add(GString *chat, const char *line)
{
	g_autofree char *clean = line_clean(line);

	if (chat->len > 0)
		g_string_append_c(chat, '\n');
	g_string_append(chat, clean);
}

/* "say …": what is said, in the case it was written in. */
static const char *said(const char *line)
{
	line += strspn(line, " \t");
	const char *blank = strpbrk(line, " \t");
	return blank == NULL ? "" : blank + strspn(blank, " \t");
}

/* A sentence can begin with "Sage", "dire" or "digo"; with "say", hardly. */
static bool begins_with_say(const char *line)
{
	const char *say = mail_help_word(MAIL_SAY, LANGUAGE_EN);
	line += strspn(line, " \t");
	return strlen(say) == strcspn(line, " \t") &&
	       g_ascii_strncasecmp(line, say, strlen(say)) == 0;
}

/* Beside a command nobody needs a word for "say": it may be one of the sentence. */
static void saying_keep(Reader *reader, const char *line)
{
	chat_add(reader->chat, begins_with_say(line) ? said(line) : line);
	chat_add(reader->sayings, said(line));
}

static bool is_known(const GPtrArray *found, const char *text)
{
	for (unsigned i = 0; i < found->len; i++) {
		if (strcmp(g_ptr_array_index(found, i), text) == 0)
			return true;
	}
	return false;
}

static void command_keep(Reader *reader, const char *line, MailCommand *command)
{
	MailText *text = reader->text;

	reader->turns_only = reader->turns_only && command->id == MAIL_MOVE;
	g_string_append_printf(reader->steps, "%s%s", reader->steps->len > 0 ? "," : "",
			       command->text);
	if (is_known(reader->found, command->text))
		return;
	g_ptr_array_add(reader->found, g_strdup(command->text));
	if (reader->turns->len > 0)
		g_string_append_c(reader->turns, '\n');
	g_string_append(reader->turns, line);
	if (text->written != NULL)
		return;
	text->written = g_strdup(line);
	text->command = *command;
	*command = (MailCommand){.id = MAIL_COMMAND_NONE};
}

/* A line that names several turns: each of them is a candidate. */
static void several_keep(Reader *reader, const char *text)
{
	g_auto(GStrv) turns = g_strsplit_set(text, ",;+ ", -1);

	for (size_t i = 0; turns[i] != NULL; i++) {
		if (turns[i][0] != '\0')
			g_ptr_array_add(reader->found, g_strdup(turns[i]));
	}
	g_ptr_array_add(reader->found, g_strdup(text));
	reader->turns_only = false;
}

static void remark_keep(Reader *reader, const char *line)
{
	char *clean = line_clean(line);

	chat_add(reader->chat, line);
	chat_add(reader->sayings, line);
	g_ptr_array_add(reader->remarks, clean);
	reader->run.words = reader->run.words || clean[0] != '\0';
}

/* Reads a line with steps that may have the mark of a list and separators around it. */
static bool steps_read(Reader *reader, const char *line)
{
	g_auto(MailCommand) command = {.id = MAIL_COMMAND_NONE};
	MailStepsMarks marks;

	if (!lines_are_steps(reader) || strchr(line, '\n') != NULL)
		return false;
	g_autofree char *steps = mail_steps_strip(line, &marks);
	if (mail_command_read(steps, reader->place, &command) != MAIL_READING_COMMAND ||
	    command.id != MAIL_MOVE)
		return false;
	if (marks.number != 0 && marks.number != reader->run.lines + 1)
		return false;
	mail_steps_run_add(&reader->run, command.text, &marks);
	command_keep(reader, steps, &command);
	return true;
}

/* Whether a sentence in the line above goes on in this one: who writes by hand, or by a program
 * that wraps, may have its last word alone in a line. */
static bool sentence_goes_on(const Reader *reader)
{
	enum { WRAPPED_LEAST = 40 };
	g_autofree char *above = line_clean(reader->above);
	const size_t length = strlen(above);

	return g_utf8_strlen(above, -1) >= WRAPPED_LEAST &&
	       strchr(".!?:;,)", above[length - 1]) == NULL;
}

static void line_read(Reader *reader, const char *line)
{
	g_auto(MailCommand) command = {.id = MAIL_COMMAND_NONE};

	if (steps_read(reader, line))
		return;
	MailReading reading = mail_command_read(line, reader->place, &command);

	if (reading == MAIL_READING_REMARK) {
		remark_keep(reader, line);
	} else if (reading == MAIL_READING_SEVERAL) {
		several_keep(reader, command.text);
	} else if (command.id == MAIL_SAY && command.game_id == 0) {
		saying_keep(reader, line);
	} else {
		/* What cannot be taken back is not taken from the end of a sentence. */
		if (command.id == MAIL_RESIGN && sentence_goes_on(reader))
			g_ptr_array_add(reader->found, line_clean(reader->above));
		command_keep(reader, line, &command);
	}
}

static char *steps_join(const Reader *reader)
{
	const GameRules *rules = reader->place->rules;
	char written[RULES_TURN_MAX];
	Refusal refusal;

	if (!mail_steps_run_is_turn(&reader->run))
		return NULL;
	return rules->read(reader->steps->str, written, &refusal) ? g_strdup(written) : NULL;
}

/* The one turn that the lines with turns are together (RULES.md section 4), NULL if they are none.
 * The caller frees. */
static char *turns_join(const Reader *reader)
{
	const GameRules *rules = reader->place->rules;
	Position next;
	Refusal refusal;
	char canonical[RULES_TURN_MAX];

	if (!reader->turns_only || rules == NULL || !rules->turn_has_steps)
		return NULL;
	if (lines_are_steps(reader))
		return steps_join(reader);
	if (reader->position == NULL ||
	    !notation_read_turn(rules, reader->position, reader->turns->str, &next, canonical,
				&refusal))
		return NULL;
	return g_strdup(canonical);
}

static void several_refuse(Reader *reader)
{
	MailText *text = reader->text;

	g_clear_pointer(&text->written, g_free);
	mail_command_clear(&text->command);
	text->candidates = g_ptr_array_ref(reader->found);
}

/* Several different commands: one turn over several lines, or nobody knows which was meant. */
static void several_judge(Reader *reader)
{
	MailText *text = reader->text;
	char *joined = turns_join(reader);

	if (joined == NULL) {
		several_refuse(reader);
		return;
	}
	g_free(text->command.text);
	text->command.text = joined;
	g_free(text->written);
	text->written = g_strdup(reader->turns->str);
}

/* Whether a line of the remark may have been meant as steps beside those that were read: the other
 * half of the turn, or another turn. */
static bool is_doubtful(const Reader *reader, const char *line)
{
	const MailPlace *place = reader->place;

	if (lines_are_steps(reader))
		return mail_steps_doubt(line, reader->steps->str);
	const bool may_go_on = place->place == MAIL_PLACE_PLAY ||
			       (place->rules != NULL && place->rules->turn_has_steps);
	return mail_steps_doubt_short(line, reader->steps->str) ||
	       (may_go_on && mail_steps_doubt_bare(line, reader->steps->str));
}

/* Beside turns, a line that may be steps leaves open what was meant. */
static bool doubt_find(Reader *reader)
{
	const unsigned read = reader->found->len;

	for (unsigned i = 0; reader->turns_only && read > 0 && i < reader->remarks->len; i++) {
		const char *line = g_ptr_array_index(reader->remarks, i);

		if (is_doubtful(reader, line) && !is_known(reader->found, line))
			g_ptr_array_add(reader->found, g_strdup(line));
	}
	return reader->found->len > read;
}

/* A turn, or one command, or what it could be. */
static void found_judge(Reader *reader)
{
	if (doubt_find(reader))
		several_refuse(reader);
	else if (reader->found->len > 1 || reader->run.joined > 0)
		several_judge(reader);
}

static void chat_finish(Reader *reader)
{
	MailText *text = reader->text;
	const GString *remark = reader->found->len > 0 ? reader->chat : reader->sayings;
	g_autofree char *chat = g_strstrip(g_strdup(remark->str));

	if (chat[0] == '\0')
		return;
	text->lossy = g_utf8_strlen(chat, -1) > MAIL_CHAT_MAX;
	text->chat = g_steal_pointer(&chat);
}

char *mail_text_cut(const char *chat)
{
	static const char more[] = " …";
	const long room = MAIL_CHAT_MAX - g_utf8_strlen(more, -1);
	g_autofree char *start = g_utf8_substring(chat, 0, MIN(g_utf8_strlen(chat, -1), room));

	return g_strconcat(g_strchomp(start), more, NULL);
}

void mail_text_read(const GPtrArray *lines, const MailPlace *place, const Position *position,
		    MailText *text_r)
{
	Reader reader = {
		.place = place,
		.position = position,
		.text = text_r,
		.found = g_ptr_array_new_with_free_func(g_free),
		.turns = g_string_new(NULL),
		.steps = g_string_new(NULL),
		.chat = g_string_new(NULL),
		.sayings = g_string_new(NULL),
		.remarks = g_ptr_array_new_with_free_func(g_free),
		.turns_only = true,
		.above = "",
	};

	*text_r = (MailText){.command = {.id = MAIL_COMMAND_NONE}};
	for (unsigned i = 0; i < lines->len; i++) {
		line_read(&reader, g_ptr_array_index(lines, i));
		reader.above = g_ptr_array_index(lines, i);
	}
	chat_finish(&reader);
	found_judge(&reader);
	g_ptr_array_unref(reader.found);
	g_ptr_array_unref(reader.remarks);
	g_string_free(reader.turns, TRUE);
	g_string_free(reader.steps, TRUE);
	g_string_free(reader.chat, TRUE);
	g_string_free(reader.sayings, TRUE);
}
