/*
 * The board of XO (RULES.md section 5): its size and territories, the pieces of both sides, whose
 * turn it is, and the counters that end a game.
 */
#ifndef XO_BOARD_H
#define XO_BOARD_H

#include "bits.h"
#include "refusal.h"

/* The options of the usual game. */
#define XO_USUAL_SIZE "7x12"
#define XO_USUAL_TERRITORY "3"

enum {
	XO_FILES_MAX = 16,
	XO_RANKS_MAX = 16,
	XO_SUBJECTS = 9, /* HoVes of one side, Diagos of one side */
	XO_PIECES = 21,  /* of one side */
	XO_QUIET_MAX = 100,
	XO_PASSES_MAX = 4,
	XO_CELL_NONE = -1,
};

/* A cell is a square as it is numbered inside: rank * files + file, so that 84 squares and any
 * other board of at most 128 fit into one set. */
typedef int Cell;

typedef enum { XO_HOVE, XO_DIAGO, XO_GIRO } XoKind;

typedef struct {
	XoKind kind;
	bool chief;
	bool turned; /* on the axis "-" or "\"; else "|" or "/"; false for a Giro chief */
} XoPiece;

/* Every byte counts, so that equal boards are equal bytes. */
typedef struct {
	Bits of[2];  /* Blue, Red */
	Bits hove;   /* of both sides; what is neither HoVe nor Diago is a Giro chief */
	Bits diago;  /* of both sides */
	Bits chief;  /* of both sides, the Giro chiefs too */
	Bits turned; /* of both sides: those on the axis "-" or "\" */
	uint8_t files, ranks, territory;
	uint8_t mover;  /* index into of: seat - 1 */
	uint8_t quiet;  /* turns since the last death */
	uint8_t passes; /* in a row */
	/* Set-up: see xo_setup.c. All zero once it is over. */
	uint8_t setup;      /* it is going on */
	uint8_t round;      /* number of the pair of layouts */
	uint8_t sealed;     /* the first layouts are not both in */
	uint8_t accepted;   /* Seats that have accepted this pair */
	uint8_t changes[2]; /* layouts sent after the sealed one */
	uint8_t unused[4];
} XoBoard;

XoBoard xo_board_load(const Position *position);
void xo_board_store(const XoBoard *board, Position *position_r);

/* An empty board for an option text: "" (7x12:3), "9x10" or "9x10:4". False with BAD_OPTIONS. */
bool xo_board_options(const char *options, XoBoard *board_r);

/* See GameRules. */
bool xo_board_parse(const char *text, Position *position_r, Refusal *refusal_r);
void xo_board_format(const Position *position, Seat viewer, char *text_r);
void xo_board_format_bare(const Position *position, char *text_r);

/* May a viewer see a side's pieces? A sealed layout is seen by its own seat and by the referee. */
bool xo_board_shows(const XoBoard *board, int side, Seat viewer);

/* Appends the ranks from first down to last as they stand in a board string; returns the end.
 * lower: every piece in lower case. */
char *xo_board_ranks_write(char *text, const XoBoard *board, int first, int last, bool lower);

/* Reads one piece ("v", "+Z", "g"), in either case; NULL if it is none. seat_r is 1 for capitals.
 */
const char *xo_board_piece_read(const char *text, XoPiece *piece_r, Seat *seat_r);

/* Puts a piece on an empty cell; takes whatever stands there away. */
void xo_board_put(XoBoard *board, Cell cell, int side, XoPiece piece);
void xo_board_clear(XoBoard *board, Cell cell);

/* The piece of a cell that is not empty. */
XoPiece xo_board_piece(const XoBoard *board, Cell cell);

/* How many pieces of this kind and grade a side has, and how many it begins with. */
int xo_board_count(const XoBoard *board, int side, XoKind kind, bool chief);
int xo_board_army(XoKind kind, bool chief);

static inline bool xo_board_has(const XoBoard *board, int file, int rank)
{
	return file >= 0 && file < board->files && rank >= 0 && rank < board->ranks;
}

static inline Cell xo_cell(const XoBoard *board, int file, int rank)
{
	return rank * board->files + file;
}

static inline Square xo_square(const XoBoard *board, Cell cell)
{
	return SQUARE_OF(cell % board->files, cell / board->files);
}

/* XO_CELL_NONE if the square is not on this board. */
static inline Cell xo_cell_of(const XoBoard *board, Square square)
{
	int file = square % 16, rank = square / 16;

	return xo_board_has(board, file, rank) ? xo_cell(board, file, rank) : XO_CELL_NONE;
}

/* The seat in whose territory a cell lies, 0 for neutral ground. */
static inline Seat xo_territory(const XoBoard *board, Cell cell)
{
	int rank = cell / board->files;

	if (rank < board->territory)
		return 1;
	return rank >= board->ranks - board->territory ? 2 : 0;
}

/* Has this side still its chief of a kind? */
static inline bool xo_has_chief(const XoBoard *board, int side, XoKind kind)
{
	Bits chiefs = board->of[side] & board->chief;

	if (kind == XO_GIRO)
		return (chiefs & ~board->hove & ~board->diago) != 0;
	return (chiefs & (kind == XO_HOVE ? board->hove : board->diago)) != 0;
}

#endif
