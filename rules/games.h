/*
 * The table of games. A further game is one source file and one line here.
 */
#ifndef GAMES_H
#define GAMES_H

#include "rules.h"

#define GAMES(X) \
	X(ordo)  \
	X(ordox) \
	X(xo)

#define X(key) extern const GameRules rules_##key;
GAMES(X)
#undef X

#endif
