/* Between the files of mail_answer.h: the functions of its table, and what they share. */
#ifndef SERVICE_MAIL_ANSWER_KINDS_H
#define SERVICE_MAIL_ANSWER_KINDS_H

#include "service/mail_answer.h"
#include "service/mail_command.h"

/* What the answer says under a name; NULL: nothing. Belongs to the data. */
const char *mail_answer_data(const MailAnswer *answer, const char *name);
bool mail_answer_is(const MailAnswer *answer, const char *name);
int64_t mail_answer_number(const MailAnswer *answer, const char *name);

/* The name of a player whom the answer mentions by number, "" if he is unknown. Belongs to the
 * answer. */
const char *mail_answer_player(const MailAnswer *answer, int64_t player_id);

/* Texts of the catalogue ("answer.<key>"), each a paragraph, filled with what is known: opponent,
 * rules, game, challenge, address (where commands without a game go), settings (the page), word
 * (the answered command), written, and every text and number of the data. keys end with NULL. The
 * caller frees. */
char *mail_answer_say(const MailAnswer *answer, const char *const *keys);

/* A line of a list, which no reader can take for a command. The caller frees. */
char *mail_answer_item(const MailAnswer *answer, const char *text);

/* The challenges of the data ("challenges"), a line each. The caller frees. */
char *mail_answer_challenges(const MailAnswer *answer);

/* How an army is laid out in the game, with an example. The caller frees. */
char *mail_answer_how_to_lay_out(const MailAnswer *answer, const GameRules *rules);
/* Whether the board of the answer is one on which armies are laid out. */
bool mail_answer_in_setup(const MailAnswer *answer);
/* Then the layouts that the reader may see, a line each; NULL: none. The caller frees. */
char *mail_answer_layouts(const MailAnswer *answer);

/* mail_answer_setup.c */
MailAnswerFn mail_answer_setup, mail_answer_layout_faulty;
/* mail_answer_refused.c */
MailAnswerFn mail_answer_refused;
/* mail_answer_game.c */
MailAnswerFn mail_answer_turn_played, mail_answer_words_passed, mail_answer_legal,
	mail_answer_history, mail_answer_record, mail_answer_clock, mail_answer_choose;
/* mail_answer_player.c */
MailAnswerFn mail_answer_games, mail_answer_challenged, mail_answer_challenge_fault,
	mail_answer_player_unknown, mail_answer_away, mail_answer_rules_which, mail_answer_example,
	mail_answer_help, mail_answer_stopped_game;

#endif
