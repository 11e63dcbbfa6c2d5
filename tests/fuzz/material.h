/* What stands on a board, by seat and by kind of piece whatever its axis. */
#ifndef TESTS_FUZZ_MATERIAL_H
#define TESTS_FUZZ_MATERIAL_H

#include "rules/rules.h"

#include <glib.h>
#include <string.h>

typedef struct {
	int count[2][PIECE_KINDS];
} Material;

/* The first kind of the table that has this piece's name. */
static inline PieceKind material_kind(uint8_t piece)
{
	PieceKind kind = PIECE_NONE;

	while (strcmp(rules_piece_name(kind), rules_piece_name((PieceKind)piece)) != 0)
		kind = (PieceKind)(kind + 1);
	return kind;
}

static inline Material material_of(const GameRules *rules, const Position *position)
{
	Material material = {.count = {{0}}};
	Picture picture;

	rules->picture(position, VIEWER_REFEREE, NULL, NULL, &picture);
	for (size_t i = 0; i < G_N_ELEMENTS(picture.square); i++) {
		const PictureSquare *square = &picture.square[i];

		if (square->seat != 0)
			material.count[square->seat - 1][material_kind(square->kind)]++;
	}
	return material;
}

/* No step makes material appear. */
static inline void material_check(const Material *before, const Material *after)
{
	for (int seat = 0; seat < 2; seat++)
		for (int kind = 0; kind < PIECE_KINDS; kind++)
			g_assert_cmpint(after->count[seat][kind], <=, before->count[seat][kind]);
}

#endif
