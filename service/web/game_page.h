/* The page of one game, also as the answer to a turn that was refused. */
#ifndef SERVICE_WEB_GAME_PAGE_H
#define SERVICE_WEB_GAME_PAGE_H

#include "db/game.h"
#include "rules/rules.h"
#include "service/play.h"
#include "service/setup.h"
#include "service/web/page.h"

/* What came of a form on the page. */
typedef struct {
	const GError *fault;      /* NULL: nothing was wrong */
	const PlayAnswer *answer; /* what the referee said; NULL: it was not asked */
	const Layout *layout;     /* as it was understood, if one was sent; NULL: none */
	bool resigning;           /* the fault belongs to the form for resigning */
} GamePageFault;

/* One game as it is shown. */
typedef struct {
	Page *page;
	const Game *game;
	const GameRules *rules;
	int ply;    /* the board shown is the one after it */
	Seat seat;  /* the viewer's; 0: none */
	Seat below; /* whose side is at the bottom */
	int first;  /* the ply before the first turn of the list */
	int from;   /* turns of the list before this one are only there for their boards */
	TurnList *turns;
	const SetupView *setup; /* NULL when the armies are not being laid out */
	const GamePageFault *fault;
} GameView;

/* The game as it stands after ply, with what was wrong with the form just sent. */
Response *game_page_show(Request *request, const Game *game, int ply, const GamePageFault *fault,
			 GError **error);

/* ---- pieces ---- */

/* game_board.c: the board with its caption, the way through the plies, the pieces in words. */
void game_board_write(const GameView *view);
/* The pieces of a picture in words, folded away. */
void game_board_spoken(const GameView *view, const Picture *picture);
/* The list of turns, in words and notation. */
void game_board_turns(const GameView *view);

/* game_form.c: what the viewer can do: play a turn, resign, in a set-up what stands there. */
void game_form_write(const GameView *view);

/* game_steps.c: the steps that can follow what stands in the field, as links that put them there.
 * Nothing for games whose turns are one step. */
void game_steps_write(const GameView *view);

/* game_setup.c, for games whose armies are being laid out: how it stands, in a sentence (the caller
 * frees); the board as the viewer may see it; the forms, and what was wrong with one; both seats.
 */
char *game_setup_state(const GameView *view);
void game_setup_board(const GameView *view);
void game_setup_forms(const GameView *view);
void game_setup_seats(const GameView *view);

/* game_mail.c: what was sent to the viewer about it. Nothing for strangers. */
bool game_mail_write(const GameView *view, GError **error);
/* Tells the viewer if the opponent's address cannot be reached. */
bool game_mail_unreachable(const GameView *view, GError **error);

#endif
