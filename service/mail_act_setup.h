/* The set-up of a game by mail. */
#ifndef SERVICE_MAIL_ACT_SETUP_H
#define SERVICE_MAIL_ACT_SETUP_H

#include "service/mail_act.h"

/* Whether the act's game is in its set-up. */
bool mail_act_in_setup(const MailAct *act);

/* Accepts the pair of layouts that lies open. As a handler; needs a game of the writer's in
 * set-up. */
MailActFn mail_act_setup_accept;

/* *shows_r: whether words of the mail, which would go to somebody, show a part of a layout while
 * one of the writer's is sealed in any of his games, or before a game in which it will be. */
bool mail_act_shows_sealed(MailAct *act, bool *shows_r, GError **error);

#endif
