/*
 * What can be written in a mail: the one table of commands, and how a line is found to be one. A
 * line is a command only if the whole line is one after normalisation (RULES.md section 4); all
 * languages' words work in every game.
 */
#ifndef SERVICE_MAIL_COMMAND_H
#define SERVICE_MAIL_COMMAND_H

#include "rules/rules.h"
#include "service/language.h"

#include <glib.h>

typedef enum MailCommandId {
	MAIL_COMMAND_NONE,
	MAIL_MOVE,
	MAIL_LAYOUT,
	MAIL_RESIGN,
	MAIL_DRAW,
	MAIL_ACCEPT,
	MAIL_DECLINE,
	MAIL_BOARD,
	MAIL_LEGAL,
	MAIL_HISTORY,
	MAIL_RECORD,
	MAIL_CLOCK,
	MAIL_GAMES,
	MAIL_CHALLENGE,
	MAIL_REMATCH,
	MAIL_SAY,
	MAIL_LANGUAGE,
	MAIL_AWAY,
	MAIL_RULES,
	MAIL_EXAMPLE,
	MAIL_FOLLOW,
	MAIL_UNFOLLOW,
	MAIL_PAUSE,
	MAIL_STOP,
	MAIL_HELP,
	MAIL_YES,
	MAIL_NO,
	MAIL_NEVER,
} MailCommandId;

/* What follows a command's word. */
typedef enum MailArguments {
	MAIL_ARGUMENTS_NONE,
	MAIL_ARGUMENTS_TURN,       /* a turn: where no game is named by the address */
	MAIL_ARGUMENTS_TURN_START, /* nothing, or the beginning of a turn (mail_start.h) */
	MAIL_ARGUMENTS_LAYOUT, /* nothing, ranks, a word for "random", or for "like" and a game */
	MAIL_ARGUMENTS_TEXT,   /* anything */
	MAIL_ARGUMENTS_CHALLENGE,   /* NAME-OR-ADDRESS RULES [options] */
	MAIL_ARGUMENTS_LANGUAGE,    /* a language's code or its name in itself */
	MAIL_ARGUMENTS_DATES,       /* two dates, 2026-12-24 2027-01-02 */
	MAIL_ARGUMENTS_GAME_RHYTHM, /* a game's number, then nothing or a word for "day" */
	MAIL_ARGUMENTS_GAME,        /* a game's number */
	MAIL_ARGUMENTS_RULES,       /* nothing, or the key of a game's rules */
	MAIL_ARGUMENTS_ALL,         /* nothing, or a word for "all" */
} MailArguments;

/* Where a command is understood, as a set. */
enum {
	MAIL_PLACE_GAME = 1,   /* the address names a game */
	MAIL_PLACE_PLAY = 2,   /* it does not: a command that needs a game has its number first */
	MAIL_PLACE_INVITE = 4, /* it names an invitation */
};

enum { MAIL_COMMAND_WORDS = 4 };

/* Does what a command says (service/mail_act.h): false with a PROBLEM, which is answered, or with
 * DB_ERROR. */
typedef struct MailAct MailAct;
typedef bool MailActFn(MailAct *act, GError **error);

typedef struct MailCommandRow {
	MailCommandId id;
	const char *word; /* English, and the name everywhere */
	/* By language, the first of each is the one shown; small letters, "'" for apostrophes. */
	const char *words[LANGUAGE_COUNT][MAIL_COMMAND_WORDS];
	MailArguments arguments;
	bool needs_game;
	unsigned places;
	MailActFn *act;
} MailCommandRow;

/* Ends with a row of MAIL_COMMAND_NONE. */
extern const MailCommandRow mail_commands[];

/* The row of a command; NULL for NONE. */
const MailCommandRow *mail_command_row(MailCommandId id);
/* "resign"; "" for NONE. */
const char *mail_command_name(MailCommandId id);

typedef struct MailCommand {
	MailCommandId id;
	char *text; /* the command in its one form: "c2-c4", "resign", "legal c2"; NULL: none */
	/* What follows the word, as typed but trimmed; of a layout "random", "like 41" or its ranks
	 * in one form (layout_form.h); NULL: nothing. */
	char *arguments;
	int64_t game_id; /* the number after the word where the address names no game, else 0 */
	bool homoglyph;  /* look-alike letters were read as Latin ones */
} MailCommand;

void mail_command_clear(MailCommand *command);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MailCommand, mail_command_clear)

/* Where a line stands: the rules (NULL: unknown or none) tell what is a turn. */
typedef struct MailPlace {
	unsigned place; /* one of MAIL_PLACE_… */
	const GameRules *rules;
	bool asked; /* in the game something waits for a yes, so that it means "accept" */
} MailPlace;

typedef enum MailReading {
	MAIL_READING_REMARK,  /* no command */
	MAIL_READING_COMMAND, /* exactly one */
	MAIL_READING_SEVERAL, /* more turns than one turn has: ambiguous */
} MailReading;

/* Reads one line, or the block of a layout: lines parted by "\n". command_r is filled in unless it
 * is a remark (SEVERAL: id and text); the caller clears it. */
MailReading mail_command_read(const char *line, const MailPlace *place, MailCommand *command_r);

/* Whether a line is a word for "layout", alone or with a game's number or ranks behind it: the
 * lines after it may be (more) ranks. */
bool mail_command_begins_layout(const char *line);

#endif
