/* Games and challenges as pages speak of them. */
#ifndef SERVICE_WEB_GAME_WORDS_H
#define SERVICE_WEB_GAME_WORDS_H

#include "db/challenge.h"
#include "db/game.h"
#include "rules/rules.h"
#include "service/web/page.h"

/* "Ordo 7: Anna – Bert". The caller frees. */
char *game_words_title(const Game *game);
/* How it stands, one sentence: the result, or whose turn it is. The caller frees. */
char *game_words_state(const Page *page, const Game *game);
/* A list of games with links, or a sentence that there are none. */
void game_words_list(Page *page, const GameList *list);
/* A challenge as an item of a list, with its link. */
void game_words_challenge_item(Page *page, const Challenge *challenge);
/* Whom a challenge of the viewer's own goes to. An address stays an address: who owns it is told
 * when the game begins. The caller frees. */
char *game_words_addressee(const Page *page, const Challenge *challenge);
/* Which side whoever accepts a challenge gets. The caller frees. */
char *game_words_seat(const Page *page, const Challenge *challenge);
/* A row of a description list. */
void game_words_row(Page *page, const char *key, const char *text);
/* Rows for what was chosen about a game: its option text. */
void game_words_options(Page *page, const GameRules *rules, const char *options);
/* What both sides of a challenge agree on: game, side, clock, visibility, message. */
void game_words_terms(Page *page, const Challenge *challenge);

#endif
