/* The mail with the rules of a game: text, notation, grounds, and pictures of examples. */
#ifndef SERVICE_MAIL_RULES_H
#define SERVICE_MAIL_RULES_H

#include "service/mail_words.h"

/* Adds everything that the template "rules" asks for, of the rules that the letter's answer names.
 * picture_r gets the pictures; clear it with mail_game_picture_clear. False with an error when the
 * rules are unknown. */
bool mail_rules_words(MailWords *words, const Config *config, const Letter *letter,
		      MailPicture *picture_r, GError **error);

/* The n-th example of the rules: a board (NULL: the start) and a turn on it that shows something;
 * false after the last. */
bool mail_rules_example(const GameRules *rules, int n, const char **board_r, const char **turn_r);

#endif
