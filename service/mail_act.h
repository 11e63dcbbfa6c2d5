/*
 * What a mail's command does. Each row of mail_commands[] names its handler; all of them stand
 * here. A handler runs inside the mail's transaction and under the lock of its game; it decides
 * about a refusal before it writes anything, so that the transaction still carries the answer.
 */
#ifndef SERVICE_MAIL_ACT_H
#define SERVICE_MAIL_ACT_H

#include "db/game.h"
#include "db/inbox.h"
#include "service/config.h"
#include "service/language.h"
#include "service/mail_in.h"

#include <jansson.h>

/* One mail that acts. All but the last two is borrowed from who calls. */
struct MailAct {
	Db *db;
	const Config *config;
	const MailDecision *decision;
	const InboxMail *mail;
	int64_t player_id;  /* who writes; 0: somebody invited, without an account */
	int64_t address_id; /* that is answered */
	Language language;  /* of who writes */
	Game *game;         /* locked; NULL: none. A handler that changes it loads it anew */
	int seat;           /* the writer's in it; 0: none */
	int ply;            /* that the address names; of the next turn where it names none */
	int stage;          /* of the set-up, that the address tells (service/mail_source.h) */
	/* What comes of it: the kind of answer (service/mail_answer.h; NULL: none of its own, when
	 * another mail tells it), and what it says beyond that: an object of ids, numbers and
	 * notation, owned by the act; NULL: nothing. */
	const char *answer_kind;
	json_t *answer;
	int64_t challenge_id; /* that the answer tells of; 0: none */
};

/* Runs the command of act->decision: false with DB_ERROR; a refusal by a problem is no error but
 * becomes the answer "refused", *problem_r its type, else NULL (both belong to the tables). */
bool mail_act_run(MailAct *act, const char **problem_r, GError **error);
/* Adds to what the answer says; value is taken over. */
void mail_act_tell(MailAct *act, const char *name, json_t *value);
/* Keeps the remark in act->decision (unless the player switched that off), to be told in the mail
 * about the turn, or the end of the game, that comes of this act. *kept_r: whether there was one.
 */
bool mail_act_remark(MailAct *act, bool *kept_r, GError **error);
/* Tells the opponent at once what was said without a turn. *passed_r: false if the player switched
 * that off, or has said too much in this hour. */
bool mail_act_pass(MailAct *act, const char *text, bool *passed_r, GError **error);
/* PROBLEM_NOT_FOUND if act has no game of the writer's. */
bool mail_act_game(const MailAct *act, GError **error);

/* service/mail_act_play.c. words: a remark without any command. */
MailActFn mail_act_move, mail_act_resign, mail_act_say, mail_act_words;
/* service/mail_act_setup.c */
MailActFn mail_act_layout;
/* service/mail_act_game.c */
MailActFn mail_act_draw, mail_act_accept, mail_act_decline, mail_act_board, mail_act_legal,
	mail_act_history, mail_act_record, mail_act_clock, mail_act_rematch, mail_act_pause;
/* service/mail_act_player.c */
MailActFn mail_act_games, mail_act_challenge, mail_act_language, mail_act_away, mail_act_rules,
	mail_act_example, mail_act_stop, mail_act_help;
/* service/mail_act_follow.c */
MailActFn mail_act_follow, mail_act_unfollow;
/* service/mail_act_invitation.c */
MailActFn mail_act_yes, mail_act_no, mail_act_never;

#endif
