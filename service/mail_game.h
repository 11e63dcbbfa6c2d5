/* What a mail about a game says: players, board, last turn, result. */
#ifndef SERVICE_MAIL_GAME_H
#define SERVICE_MAIL_GAME_H

#include "service/mail_words.h"

/* Adds everything that templates about games ask for. picture_r gets the board as the reader's side
 * sees it; its png, content_id and alt, and the pictures after it, belong to the caller
 * (mail_game_picture_clear). False with an error when rules or positions cannot be read. */
bool mail_game_words(MailWords *words, const Config *config, const Letter *letter,
		     MailPicture *picture_r, GError **error);
void mail_game_picture_clear(MailPicture *picture);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MailPicture, mail_game_picture_clear)

#endif
