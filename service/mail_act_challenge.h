/* Between the files of mail_act.h: challenges that are open to whoever writes. */
#ifndef SERVICE_MAIL_ACT_CHALLENGE_H
#define SERVICE_MAIL_ACT_CHALLENGE_H

#include "db/challenge.h"
#include "service/mail_act.h"

/* Which of the writer's open challenges. */
typedef struct {
	bool outgoing;    /* made by the writer, else made to him */
	int64_t other_id; /* the other one's; 0: anybody's */
} MailChallengesWish;

/* The writer's open challenges of that direction, newest first; mail_act_challenge_fits tells
 * whether one is the other's. NULL with DB_ERROR. */
ChallengeList *mail_act_challenges(MailAct *act, const MailChallengesWish *wish, GError **error);
bool mail_act_challenge_fits(const Challenge *challenge, const MailChallengesWish *wish);

/* Tells challenges as a list: number, rules, who made it. */
void mail_act_challenges_tell(MailAct *act, const ChallengeList *list,
			      const MailChallengesWish *wish);

/* Accepts one. The mail about the beginning of the game is the answer, unless the writer stopped
 * such mails: then it is of the kind. What lobby_accept raises. */
bool mail_act_challenge_accept(MailAct *act, int64_t challenge_id, const char *kind,
			       GError **error);

/* Declines one: "declined". What lobby_decline raises. */
bool mail_act_challenge_decline(MailAct *act, int64_t challenge_id, GError **error);

/* The words beside the command, as a challenge's message: not too long; NULL: none. The caller
 * frees. */
char *mail_act_message(const MailAct *act);

#endif
