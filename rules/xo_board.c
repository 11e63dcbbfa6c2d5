#include "xo_board.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(XoBoard) <= sizeof(Position), "an XoBoard must fit into a Position");
static_assert(sizeof(XoBoard) == 6 * sizeof(Bits) + 16, "an XoBoard has no padding");

enum { SETUP_ROUND_MAX = 99, SETUP_CHANGES_MAX = 5 };

XoBoard xo_board_load(const Position *position)
{
	XoBoard board;

	memcpy(&board, position, sizeof board);
	return board;
}

void xo_board_store(const XoBoard *board, Position *position_r)
{
	memset(position_r, 0, sizeof *position_r);
	memcpy(position_r, board, sizeof *board);
}

/* Reads a number from 0 to max without needless zeros; NULL if there is none. */
static const char *number_read(const char *text, int max, int *number_r)
{
	const char *begin = text;

	*number_r = 0;
	for (; *text >= '0' && *text <= '9'; text++) {
		if (*number_r <= max)
			*number_r = *number_r * 10 + (*text - '0');
	}
	if (text == begin || (*begin == '0' && text > begin + 1) || *number_r > max)
		return NULL;
	return text;
}

static char *number_write(char *text, int number)
{
	if (number >= 100)
		*text++ = (char)('0' + number / 100);
	if (number >= 10)
		*text++ = (char)('0' + number / 10 % 10);
	*text++ = (char)('0' + number % 10);
	return text;
}

static bool size_fits(int files, int ranks, int territory)
{
	return files > 0 && ranks > 0 && files * ranks <= RULES_SQUARES_MAX &&
	       2 * territory <= ranks && files * territory >= XO_PIECES;
}

/* Reads "7x12:3"; without a territory it is the usual one if that may be. NULL if it is none. */
static const char *size_read(const char *text, bool territory_needed, XoBoard *board_r)
{
	int files, ranks, territory = 3;

	text = number_read(text, XO_FILES_MAX, &files);
	if (text == NULL || *text != 'x')
		return NULL;
	text = number_read(text + 1, XO_RANKS_MAX, &ranks);
	if (text == NULL || (*text != ':' && territory_needed))
		return NULL;
	if (*text == ':')
		text = number_read(text + 1, XO_RANKS_MAX, &territory);
	if (text == NULL || !size_fits(files, ranks, territory))
		return NULL;
	memset(board_r, 0, sizeof *board_r);
	board_r->files = (uint8_t)files;
	board_r->ranks = (uint8_t)ranks;
	board_r->territory = (uint8_t)territory;
	return text;
}

bool xo_board_options(const char *options, XoBoard *board_r)
{
	const char *usual = XO_USUAL_SIZE ":" XO_USUAL_TERRITORY;
	const char *end = size_read(options[0] == '\0' ? usual : options, false, board_r);

	return end != NULL && *end == '\0';
}

static const char piece_letters[] = "vhzng";

const char *xo_board_piece_read(const char *text, XoPiece *piece_r, Seat *seat_r)
{
	bool chief = *text == '+';
	char letter = *(text += chief);
	bool capital = letter >= 'A' && letter <= 'Z';
	const char *found =
		letter == '\0' ? NULL : strchr(piece_letters, capital ? letter + 32 : letter);
	int place;

	if (found == NULL)
		return NULL;
	place = (int)(found - piece_letters);
	*piece_r = (XoPiece){(XoKind)(place / 2), chief, place % 2 != 0};
	*seat_r = capital ? 1 : 2;
	if (piece_r->kind == XO_GIRO) {
		if (chief)
			return NULL;
		piece_r->chief = true;
	}
	return text + 1;
}

void xo_board_put(XoBoard *board, Cell cell, int side, XoPiece piece)
{
	Bits bit = bits_of(cell);

	board->of[side] |= bit;
	board->hove |= piece.kind == XO_HOVE ? bit : 0;
	board->diago |= piece.kind == XO_DIAGO ? bit : 0;
	board->chief |= piece.chief ? bit : 0;
	board->turned |= piece.turned ? bit : 0;
}

void xo_board_clear(XoBoard *board, Cell cell)
{
	Bits keep = ~bits_of(cell);

	board->of[0] &= keep;
	board->of[1] &= keep;
	board->hove &= keep;
	board->diago &= keep;
	board->chief &= keep;
	board->turned &= keep;
}

XoPiece xo_board_piece(const XoBoard *board, Cell cell)
{
	XoKind kind = bits_have(board->hove, cell)    ? XO_HOVE
		      : bits_have(board->diago, cell) ? XO_DIAGO
						      : XO_GIRO;

	return (XoPiece){kind, bits_have(board->chief, cell), bits_have(board->turned, cell)};
}

int xo_board_count(const XoBoard *board, int side, XoKind kind, bool chief)
{
	Bits set = board->of[side] & (chief ? board->chief : ~board->chief);

	if (kind == XO_GIRO)
		return bits_count(set & ~board->hove & ~board->diago);
	return bits_count(set & (kind == XO_HOVE ? board->hove : board->diago));
}

int xo_board_army(XoKind kind, bool chief)
{
	if (chief)
		return 1;
	return kind == XO_GIRO ? 0 : XO_SUBJECTS;
}

/* Reads one rank of exactly as many squares as there are files; NULL if it is none. */
static const char *rank_read(const char *text, int rank, XoBoard *board)
{
	int file = 0;

	while (file < board->files) {
		XoPiece piece;
		Seat seat;
		int empties = 0;

		if (*text >= '0' && *text <= '9') {
			text = number_read(text, board->files, &empties);
			if (text == NULL || empties == 0)
				return NULL;
			file += empties;
			continue;
		}
		text = xo_board_piece_read(text, &piece, &seat);
		if (text == NULL)
			return NULL;
		xo_board_put(board, xo_cell(board, file++, rank), seat - 1, piece);
	}
	return file == board->files ? text : NULL;
}

/* No side has more pieces of a kind than it begins with. */
static bool armies_fit(const XoBoard *board)
{
	for (int side = 0; side < 2; side++) {
		for (int kind = XO_HOVE; kind <= XO_GIRO; kind++) {
			for (int chief = 0; chief < 2; chief++) {
				if (xo_board_count(board, side, (XoKind)kind, chief != 0) >
				    xo_board_army((XoKind)kind, chief != 0))
					return false;
			}
		}
	}
	return true;
}

/* Reads count numbers, each after a blank, up to its most. */
static bool numbers_read(const char *text, int count, const int *most, int *numbers_r)
{
	for (int i = 0; i < count; i++) {
		if (*text++ != ' ')
			return false;
		text = number_read(text, most[i], &numbers_r[i]);
		if (text == NULL)
			return false;
	}
	return *text == '\0';
}

static bool setup_read(const char *text, XoBoard *board)
{
	static const int most[] = {SETUP_ROUND_MAX, 1, 3, SETUP_CHANGES_MAX, SETUP_CHANGES_MAX};
	int numbers[5];

	if (!numbers_read(text, 5, most, numbers) || numbers[0] == 0)
		return false;
	board->setup = 1;
	board->round = (uint8_t)numbers[0];
	board->sealed = (uint8_t)numbers[1];
	board->accepted = (uint8_t)numbers[2];
	board->changes[0] = (uint8_t)numbers[3];
	board->changes[1] = (uint8_t)numbers[4];
	return board->accepted != 3;
}

/* What follows the ranks: the side to move and the counters, or the state of the set-up. */
static bool state_read(const char *text, XoBoard *board)
{
	static const int most[] = {XO_QUIET_MAX, XO_PASSES_MAX};
	int numbers[2];

	if (*text == 's')
		return setup_read(text + 1, board);
	if (*text != 'b' && *text != 'r')
		return false;
	board->mover = *text == 'r';
	if (text[1] == '\0')
		return true;
	if (!numbers_read(text + 1, 2, most, numbers))
		return false;
	board->quiet = (uint8_t)numbers[0];
	board->passes = (uint8_t)numbers[1];
	return true;
}

/* A side in a set-up has nothing on the board yet, or its whole army in its territory. */
static bool side_laid_fits(const XoBoard *board, int side)
{
	for (Bits left = board->of[side]; left != 0;) {
		if (xo_territory(board, bits_take(&left)) != side + 1)
			return false;
	}
	return board->of[side] == 0 || bits_count(board->of[side]) == XO_PIECES;
}

/* Only boards to which a set-up leads: each change makes a new pair, which its sender has accepted;
 * of the first pair only Blue, who speaks first, can have. */
static bool setup_fits(const XoBoard *board)
{
	bool both = board->of[0] != 0 && board->of[1] != 0;

	if (!side_laid_fits(board, 0) || !side_laid_fits(board, 1) || both == board->sealed ||
	    board->round != 1 + board->changes[0] + board->changes[1])
		return false;
	if (board->round > 1)
		return !board->sealed && board->accepted != 0;
	return board->accepted == 0 || (!board->sealed && board->accepted == SEATS_OF(1));
}

static bool board_read(const char *text, XoBoard *board)
{
	if (strncmp(text, "xo:", 3) != 0)
		return false;
	text = size_read(text + 3, true, board);
	if (text == NULL || *text++ != ' ')
		return false;
	for (int rank = board->ranks - 1; rank >= 0; rank--) {
		text = rank_read(text, rank, board);
		if (text == NULL || *text++ != (rank > 0 ? '/' : ' '))
			return false;
	}
	return state_read(text, board) && armies_fit(board) && (!board->setup || setup_fits(board));
}

bool xo_board_parse(const char *text, Position *position_r, Refusal *refusal_r)
{
	XoBoard board;

	if (!board_read(text, &board)) {
		refusal_set(refusal_r, REFUSAL_BAD_BOARD, 0);
		return false;
	}
	xo_board_store(&board, position_r);
	return true;
}

static char *piece_write(char *text, const XoBoard *board, Cell cell, bool lower)
{
	XoPiece piece = xo_board_piece(board, cell);
	char letter = piece_letters[2 * (int)piece.kind + piece.turned];

	if (piece.chief && piece.kind != XO_GIRO)
		*text++ = '+';
	*text++ = !lower && bits_have(board->of[0], cell) ? (char)(letter - 32) : letter;
	return text;
}

static char *rank_write(char *text, const XoBoard *board, int rank, bool lower)
{
	int empties = 0;

	for (int file = 0; file < board->files; file++) {
		Cell cell = xo_cell(board, file, rank);

		if (!bits_have(board->of[0] | board->of[1], cell)) {
			empties++;
			continue;
		}
		if (empties > 0)
			text = number_write(text, empties);
		empties = 0;
		text = piece_write(text, board, cell, lower);
	}
	return empties > 0 ? number_write(text, empties) : text;
}

char *xo_board_ranks_write(char *text, const XoBoard *board, int first, int last, bool lower)
{
	for (int rank = first; rank >= last; rank--) {
		text = rank_write(text, board, rank, lower);
		if (rank > last)
			*text++ = '/';
	}
	*text = '\0';
	return text;
}

static char *numbers_write(char *text, const int *numbers, int count)
{
	for (int i = 0; i < count; i++) {
		*text++ = ' ';
		text = number_write(text, numbers[i]);
	}
	return text;
}

/* The size, the ranks and a blank. */
static char *squares_write(char *text, const XoBoard *board)
{
	*text++ = 'x';
	*text++ = 'o';
	*text++ = ':';
	text = number_write(text, board->files);
	*text++ = 'x';
	text = number_write(text, board->ranks);
	*text++ = ':';
	text = number_write(text, board->territory);
	*text++ = ' ';
	text = xo_board_ranks_write(text, board, board->ranks - 1, 0, false);
	*text++ = ' ';
	return text;
}

bool xo_board_shows(const XoBoard *board, int side, Seat viewer)
{
	return !board->sealed || viewer == VIEWER_REFEREE || viewer == side + 1;
}

static void viewer_hide(XoBoard *board, Seat viewer)
{
	for (int side = 0; side < 2; side++) {
		if (xo_board_shows(board, side, viewer))
			continue;
		for (Bits left = board->of[side]; left != 0;)
			xo_board_clear(board, bits_take(&left));
	}
}

void xo_board_format(const Position *position, Seat viewer, char *text_r)
{
	XoBoard board = xo_board_load(position);

	viewer_hide(&board, viewer);
	text_r = squares_write(text_r, &board);
	*text_r++ = board.setup ? 's' : "br"[board.mover];
	if (board.setup) {
		int numbers[] = {board.round, board.sealed, board.accepted, board.changes[0],
				 board.changes[1]};

		text_r = numbers_write(text_r, numbers, 5);
	} else if (board.quiet != 0 || board.passes != 0) {
		int numbers[] = {board.quiet, board.passes};

		text_r = numbers_write(text_r, numbers, 2);
	}
	*text_r = '\0';
}

void xo_board_format_bare(const Position *position, char *text_r)
{
	XoBoard board = xo_board_load(position);

	text_r = squares_write(text_r, &board);
	*text_r++ = "br"[board.mover];
	*text_r = '\0';
}
