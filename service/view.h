/* What the service shows, as JSON: the only place that says which members a thing has. Each appends
 * one object to out. */
#ifndef SERVICE_VIEW_H
#define SERVICE_VIEW_H

#include "db/challenge.h"
#include "db/game.h"
#include "rules/rules.h"
#include "service/config.h"
#include "service/language.h"
#include "service/play.h"
#include "service/setup.h"

#include <jansson.h>

/* "g7-v12": the strong entity tag of a game as it is with this version; "g7-v12-u2" while the
 * player of seat 2 cannot be reached. The caller frees. */
char *view_game_etag(const Game *game, int version);
/* ,"options":{…} of a challenge or a game: all of its option text, the usual ones too. */
void view_options(GString *out, const GameRules *rules, const char *options);
/* ,"awaiting":[1,2] and ,"player":{…} of any object. */
void view_awaiting(GString *out, unsigned awaiting);
void view_player_member(GString *out, int64_t id, const char *name);
/* A game with everything a client needs. */
void view_game(GString *out, const Config *config, const Game *game);
/* The same for a member of a problem. */
json_t *view_game_json(const Config *config, const Game *game);
/* One turn of a game. */
void view_turn(GString *out, const Turn *turn);
/* A turn as the answer to who played it: with what followed from it, and nothing that a later turn
 * could change. */
void view_turn_played(GString *out, const Config *config, const PlayAnswer *answer);
/* The set-up of a game as one viewer may see it, and its strong entity tag: the game's, and while
 * something is sealed also whose eyes it is for. The caller frees the tag. */
void view_setup(GString *out, const Config *config, const Game *game, const SetupView *view);
char *view_setup_etag(const Game *game, const SetupView *view);
/* The same tag for a seat whose set-up is sealed. */
char *view_setup_etag_sealed(const Game *game, Seat seat);
/* A row of delivery_list as its reader may see it. */
void view_delivery(GString *out, const DbResult *rows, int row);
/* A challenge as one player may see it. */
void view_challenge(GString *out, const Config *config, const Challenge *challenge,
		    int64_t viewer_id);
/* A rule set: rules and rulings in the language, notation, start board. */
void view_rules(GString *out, const Config *config, const GameRules *rules, Language language);
/* Its line in the list of all. */
void view_rules_line(GString *out, const Config *config, const GameRules *rules, Language language);

#endif
