/*
 * What our mails are called and where answers to them go. All at mail_domain; the caller frees.
 *
 *   <g7.t13.d4711@…>            Message-ID of delivery 4711, made when turn 13 of game 7 was played
 *   <d4711@…>                   the same of a mail without a game
 *   <g7@…>                      the thread's root, which no mail ever has
 *   move+g7.t14.<secret>@…      Reply-To of a mail about a game: 14 is the turn awaited
 *   move+g7.t0.<secret>@…       the same during set-up; the secret knows which pair of layouts
 *   invite+c3.<secret>@…        Reply-To of an invitation
 *   bounce+g7.t14.<secret>@…    envelope sender of a mail about a game
 *   bounce+d4711.<secret>@…     envelope sender of all others
 *   unsubscribe+u5.<secret>@…
 */
#ifndef SERVICE_MAIL_NAME_H
#define SERVICE_MAIL_NAME_H

#include "service/config.h"

#include <stdint.h>

/* game_id 0: a mail without a game. Without angle brackets. */
char *mail_name_message(const Config *config, int64_t game_id, int ply, int64_t delivery_id);
char *mail_name_thread(const Config *config, int64_t game_id);
/* Content-ID of the picture in a mail. */
char *mail_name_picture(const Config *config, int64_t delivery_id);

enum { MAIL_NAME_STAGES = 11 }; /* no pair of layouts has a higher number */

/* seat: the reader's; ply: of the turn awaited. During set-up it is 0 while the layouts are sealed,
 * then minus the number of the pair that lies open: t0 in the address, the number in the secret. */
char *mail_name_move(const Config *config, int64_t game_id, int seat, int ply);
char *mail_name_invite(const Config *config, int64_t challenge_id);
char *mail_name_bounce_game(const Config *config, int64_t game_id, int seat, int ply);
char *mail_name_bounce(const Config *config, int64_t delivery_id);
char *mail_name_unsubscribe(const Config *config, int64_t player_id);

#endif
