#include "service/mail_true.h"

#include "rules/rules.h"
#include "service/mail_setup.h"

#include <string.h>

static bool is(const char *text, const char *wanted)
{
	return g_strcmp0(text, wanted) == 0;
}

/* What a person did with the account is told in any case, whatever was stopped before. */
static const char *reader_hindrance(const Letter *letter)
{
	if (is(letter->address_state, "never"))
		return "this address asked never to be written to";
	if (g_str_has_prefix(letter->kind, "mail.") &&
	    !g_str_has_prefix(letter->kind, "mail.news."))
		return NULL;
	if (is(letter->address_state, "dead"))
		return "address cannot be reached";
	if (letter->reader_id != 0 && letter->reader_id != letter->address_player_id)
		return "the address is no longer the reader's";
	return letter->mail_stopped ? "mails are stopped by the reader" : NULL;
}

/* A pair of layouts is told while it lies open for the reader. */
static const char *setup_hindrance(const Letter *letter)
{
	SetupState state;
	if (!mail_setup_state(letter, &state))
		return "the set-up is over";
	if (state.sealed || state.round != letter->round)
		return "another pair of layouts lies open";
	const Seats reader = SEATS_OF(letter->game.seat);
	return (letter->game.awaiting & (int)reader) == 0 ? "nothing is awaited" : NULL;
}

static const char *game_hindrance(const Letter *letter)
{
	const LetterGame *game = &letter->game;
	const bool over = is(game->phase, "over");
	if (is(letter->template, "watch") || is(letter->template, "watch-day"))
		return game->followed ? NULL : "the reader no longer follows this game";
	if (game->seat == 0)
		return "the reader no longer plays this game";
	if (game->mail_stopped)
		return "mails about this game are stopped by the reader";
	if (is(letter->template, "game-started"))
		return over ? "the game is over" : NULL;
	if (is(letter->template, "setup-round"))
		return over ? "the game is over" : setup_hindrance(letter);
	if (!is(letter->template, "your-turn"))
		return NULL;
	if (over)
		return "the game is over";
	if (game->ply != letter->ply)
		return "the turn was already played";
	return (game->awaiting & (int)SEATS_OF(game->seat)) == 0 ? "nothing is awaited" : NULL;
}

static const char *challenge_hindrance(const Letter *letter)
{
	const bool asks = is(letter->template, "challenge") || is(letter->template, "invitation");
	return asks && !is(letter->challenge.state, "open") ? "the challenge is closed" : NULL;
}

const char *mail_true_hindrance(const Letter *letter)
{
	const char *hindrance = reader_hindrance(letter);
	if (hindrance != NULL)
		return hindrance;
	if (is(letter->kind, "mail.answer"))
		return NULL;
	if (letter->has_game)
		return game_hindrance(letter);
	if (letter->has_code)
		return letter->code.valid ? NULL : "the code was used or is too old";
	return letter->has_challenge ? challenge_hindrance(letter) : NULL;
}
