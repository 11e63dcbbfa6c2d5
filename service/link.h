/* Links to our own pages as they stand in mails and JSON: the one place that knows public_url and
 * the paths. Each is absolute; the caller frees it. */
#ifndef SERVICE_LINK_H
#define SERVICE_LINK_H

#include "service/config.h"

#include <stdint.h>

/* The front page. */
char *link_home(const Config *config);
/* Any path of our own, "/v1/games/7/board.png?ply=3". */
char *link_path(const Config *config, const char *path);
/* The page with a button that confirms a mailed code. */
char *link_confirm(const Config *config, const char *code);
char *link_login(const Config *config);
char *link_settings(const Config *config);
char *link_privacy(const Config *config);
/* The game's page; ply -1: as it stands when the page is opened. */
char *link_game(const Config *config, int64_t game_id, int ply);
char *link_rules(const Config *config, const char *rules_key);
/* The page of a challenge between players. */
char *link_challenge(const Config *config, int64_t challenge_id);
/* The page of an invitation to an address; secret: SECRET_INVITE. */
char *link_invitation(const Config *config, int64_t challenge_id, const char *secret);
/* RFC 8058: GET shows a button, POST acts; secret: SECRET_UNSUBSCRIBE. */
char *link_unsubscribe(const Config *config, int64_t player_id, const char *secret);
/* What a problem's type means; url: problem_url(). */
char *link_problem(const Config *config, const char *url);

#endif
