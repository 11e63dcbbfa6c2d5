#include "xo_layout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Lines after this one are only counted. */
enum { LINES_MAX = 16, KINDS = 5 };

/* The kinds of pieces of an army, as faults name them. */
static const struct {
	XoKind kind;
	bool chief;
	PieceKind piece;
} kinds[KINDS] = {
	{XO_HOVE, false, PIECE_HOVE_UPRIGHT},      {XO_DIAGO, false, PIECE_DIAGO_RISING},
	{XO_HOVE, true, PIECE_HOVE_CHIEF_UPRIGHT}, {XO_DIAGO, true, PIECE_DIAGO_CHIEF_RISING},
	{XO_GIRO, true, PIECE_GIRO_CHIEF},
};

/* A text being read line by line. */
typedef struct {
	XoBoard board; /* the pieces seen */
	Seat seat;
	Layout *layout;
	bool in_lines; /* new lines part the ranks, and "/" is a drawn Diago */
	int lines;     /* in all */
	int line;      /* this one, from 1 */
	int rank;      /* where it stands; not always on the board */
	int file;
	LayoutFault unknown, outside; /* of this line, count = how many */
} Reader;

static LayoutFault *fault_add(Layout *layout, FaultCode code, int line, int count, int wanted)
{
	LayoutFault *fault = &layout->fault[layout->fault_count++];

	assert(layout->fault_count <= RULES_FAULTS_MAX);
	*fault = (LayoutFault){.code = code, .line = line, .count = count, .wanted = wanted};
	return fault;
}

/* One more thing of the fault's kind, with its name if it has one. */
static void fault_extend(LayoutFault *fault, const char *name)
{
	size_t length = strlen(fault->text), more = strlen(name);

	fault->count++;
	if (more == 0 || length + more + 3 > sizeof fault->text)
		return;
	if (length > 0) {
		memcpy(fault->text + length, ", ", 2);
		length += 2;
	}
	memcpy(fault->text + length, name, more + 1);
}

static bool is_break(const Reader *reader, char c)
{
	return c == '\0' || c == '\n' || (c == '/' && !reader->in_lines);
}

static int lines_count(const Reader *reader, const char *text)
{
	int count = 1;

	for (; *text != '\0'; text++)
		count += is_break(reader, *text);
	return count;
}

/* Reads a piece in letters or, in lines, in the signs that are drawn. NULL if it is none. */
static const char *piece_read(const Reader *reader, const char *text, XoPiece *piece_r)
{
	static const char signs[] = "|-/\\";
	bool chief = *text == '+';
	char sign = text[chief];
	const char *found = sign == '\0' ? NULL : strchr(signs, sign);
	Seat seat;

	if (found == NULL)
		return xo_board_piece_read(text, piece_r, &seat);
	if (!reader->in_lines)
		return NULL;
	*piece_r = (XoPiece){(XoKind)((found - signs) / 2), chief, (found - signs) % 2 != 0};
	return text + chief + 1;
}

/* The kind as pictures know it, by piece and axis. */
PieceKind xo_layout_piece_kind(XoPiece piece)
{
	if (piece.kind == XO_GIRO)
		return PIECE_GIRO_CHIEF;
	if (piece.kind == XO_HOVE)
		return (PieceKind)((piece.chief ? PIECE_HOVE_CHIEF_UPRIGHT : PIECE_HOVE_UPRIGHT) +
				   piece.turned);
	return (PieceKind)((piece.chief ? PIECE_DIAGO_CHIEF_RISING : PIECE_DIAGO_RISING) +
			   piece.turned);
}

/* Puts a piece where it was written, if that is on the board. */
static void piece_take(Reader *reader, XoPiece piece)
{
	bool on_board = xo_board_has(&reader->board, reader->file, reader->rank);
	Cell cell = xo_cell(&reader->board, reader->file, reader->rank);
	char name[4] = "";

	if (on_board)
		xo_board_put(&reader->board, cell, reader->seat - 1, piece);
	else
		reader->layout->beyond[xo_layout_piece_kind(piece)]++;
	if (!on_board || xo_territory(&reader->board, cell) != reader->seat) {
		if (reader->file < XO_FILES_MAX && reader->rank >= 0 && reader->rank < XO_RANKS_MAX)
			rules_square_name(SQUARE_OF(reader->file, reader->rank), name);
		fault_extend(&reader->outside, name);
	}
	reader->file++;
}

/* A number of empty squares; false if it is none (a zero in front). */
static bool empties_take(Reader *reader, const char **text)
{
	int count = 0;

	if (**text < '1' || **text > '9')
		return false;
	for (; **text >= '0' && **text <= '9'; ++*text) {
		if (count < 100)
			count = count * 10 + (**text - '0');
	}
	reader->file += count;
	return true;
}

/* Notes a sign that means nothing and takes it for an empty square; a sign of several bytes is
 * one. */
static const char *unknown_take(Reader *reader, const char *text)
{
	char sign[8] = "";
	size_t length = 0;

	do
		sign[length++] = *text++;
	while (((unsigned char)*text & 0xc0) == 0x80 && length < sizeof sign - 1);
	fault_extend(&reader->unknown, sign);
	reader->file++;
	return text;
}

static void line_close(Reader *reader)
{
	Layout *layout = reader->layout;
	int wanted = reader->board.files;

	if (reader->file != wanted)
		fault_add(layout,
			  reader->file < wanted ? FAULT_LINE_TOO_SHORT : FAULT_LINE_TOO_LONG,
			  reader->line, reader->file, wanted);
	if (reader->unknown.count > 0)
		layout->fault[layout->fault_count++] = reader->unknown;
	if (reader->outside.count > 0)
		layout->fault[layout->fault_count++] = reader->outside;
}

/* A "/" between the ranks that a new line follows as well: one more sign than the rank has squares.
 */
static bool is_doubled_break(const Reader *reader, const char *text)
{
	if (*text != '/' || reader->file != reader->board.files)
		return false;
	text++;
	return text[strspn(text, " ")] == '\n';
}

/* Reads one line; returns its end. The line next to the own edge is on the edge, so that lines too
 * many are those farthest out. */
static const char *line_read(Reader *reader, const char *text)
{
	reader->file = 0;
	reader->rank = reader->seat == 1 ? reader->lines - reader->line
					 : reader->board.ranks - reader->line;
	reader->unknown = (LayoutFault){.code = FAULT_UNKNOWN_SIGN, .line = reader->line};
	reader->outside = (LayoutFault){.code = FAULT_OUTSIDE, .line = reader->line};
	while (!is_break(reader, *text)) {
		XoPiece piece;
		const char *end = piece_read(reader, text, &piece);

		if (*text == ' ' || is_doubled_break(reader, text)) {
			text++;
		} else if (end != NULL) {
			piece_take(reader, piece);
			text = end;
		} else if (!empties_take(reader, &text)) {
			text = unknown_take(reader, text);
		}
	}
	line_close(reader);
	return text;
}

void xo_layout_parse(const XoBoard *board, Seat seat, const char *text, Layout *layout_r)
{
	Reader reader = {.board = *board, .seat = seat, .layout = layout_r};
	int wanted = board->territory;

	memset(layout_r, 0, sizeof *layout_r);
	for (Bits left = board->of[0] | board->of[1]; left != 0;)
		xo_board_clear(&reader.board, bits_take(&left));
	reader.in_lines = strchr(text, '\n') != NULL;
	reader.lines = lines_count(&reader, text);
	if (reader.lines != wanted)
		fault_add(layout_r,
			  reader.lines < wanted ? FAULT_TOO_FEW_LINES : FAULT_TOO_MANY_LINES, 0,
			  reader.lines, wanted);
	for (reader.line = 1; reader.line <= reader.lines && reader.line <= LINES_MAX;
	     reader.line++) {
		text = line_read(&reader, text);
		text += *text != '\0';
	}
	xo_board_store(&reader.board, &layout_r->seen);
}

void xo_layout_signs(const char *line, LayoutSigns *signs_r)
{
	static const Reader reader = {.in_lines = true};

	*signs_r = (LayoutSigns){0};
	while (*line != '\0') {
		XoPiece piece;
		const char *end = piece_read(&reader, line, &piece);

		if (end != NULL)
			signs_r->pieces++;
		else if (*line >= '0' && *line <= '9')
			signs_r->empties++;
		else if (*line != ' ' && ((unsigned char)*line & 0xc0) != 0x80)
			signs_r->unknown++;
		line = end != NULL ? end : line + 1;
	}
}

static void army_check(const XoBoard *seen, Seat seat, Layout *layout)
{
	for (int i = 0; i < KINDS; i++) {
		PieceKind piece = kinds[i].piece;
		int count = xo_board_count(seen, seat - 1, kinds[i].kind, kinds[i].chief) +
			    layout->beyond[piece];
		int army = xo_board_army(kinds[i].kind, kinds[i].chief);

		if (piece != PIECE_GIRO_CHIEF)
			count += layout->beyond[piece + 1];
		if (count == army)
			continue;
		fault_add(layout, count < army ? FAULT_MISSING : FAULT_SURPLUS, 0,
			  abs(count - army), army)
			->piece = piece;
	}
}

bool xo_layout_check(const XoBoard *board, Seat seat, Layout *layout)
{
	XoBoard seen = xo_board_load(&layout->seen);

	(void)board;
	army_check(&seen, seat, layout);
	return layout->fault_count == 0 && xo_layout_write(&seen, seat, layout->text);
}

bool xo_layout_put(XoBoard *board, Seat seat, const char *text)
{
	Layout layout;
	XoBoard seen;

	xo_layout_parse(board, seat, text, &layout);
	if (!xo_layout_check(board, seat, &layout))
		return false;
	seen = xo_board_load(&layout.seen);
	for (Bits left = seen.of[seat - 1]; left != 0;) {
		Cell cell = bits_take(&left);

		xo_board_put(board, cell, seat - 1, xo_board_piece(&seen, cell));
	}
	return true;
}

/* The highest rank of a seat's territory. */
static int first_rank(const XoBoard *board, Seat seat)
{
	return seat == 1 ? board->territory - 1 : board->ranks - 1;
}

bool xo_layout_write(const XoBoard *board, Seat seat, char *text_r)
{
	int first = first_rank(board, seat);

	if (bits_count(board->of[seat - 1]) != XO_PIECES)
		return false;
	xo_board_ranks_write(text_r, board, first, first - board->territory + 1, true);
	return true;
}

void xo_layout_copy(const XoBoard *board, const char *text, char *copy_r)
{
	XoBoard seen, copy;
	Layout layout;
	int last = board->files * board->ranks - 1;

	xo_layout_parse(board, 1, text, &layout);
	seen = xo_board_load(&layout.seen);
	copy = seen;
	for (Bits left = seen.of[0]; left != 0;)
		xo_board_clear(&copy, bits_take(&left));
	for (Bits left = seen.of[0]; left != 0;) {
		Cell cell = bits_take(&left);

		xo_board_put(&copy, last - cell, 1, xo_board_piece(&seen, cell));
	}
	xo_layout_write(&copy, 2, copy_r);
}

static void usual_blue(const XoBoard *board, char *text_r)
{
	static const char pieces[] = "vhzvhzvn+vznhngvz+zhnhz";
	const char *next = pieces;
	int spare = board->files * board->territory - XO_PIECES;
	XoBoard laid = *board;

	laid.of[0] = laid.of[1] = laid.hove = laid.diago = laid.chief = laid.turned = 0;
	for (int place = spare; place < spare + XO_PIECES; place++) {
		int rank = board->territory - 1 - place / board->files;
		XoPiece piece;
		Seat seat;

		next = xo_board_piece_read(next, &piece, &seat);
		xo_board_put(&laid, xo_cell(board, place % board->files, rank), 0, piece);
	}
	xo_layout_write(&laid, 1, text_r);
}

void xo_layout_usual(const XoBoard *board, Seat seat, char *text_r)
{
	char blue[RULES_LAYOUT_MAX] = "";

	usual_blue(board, blue);
	if (seat == 1)
		memcpy(text_r, blue, sizeof blue);
	else
		xo_layout_copy(board, blue, text_r);
}

void xo_layout_shuffle(const XoBoard *board, Seat seat, RandomFn *draw, void *user_data,
		       char *text_r)
{
	XoBoard laid = *board;
	Bits free_cells = 0;

	laid.of[0] = laid.of[1] = laid.hove = laid.diago = laid.chief = laid.turned = 0;
	for (Cell cell = 0; cell < board->files * board->ranks; cell++)
		free_cells |= xo_territory(board, cell) == seat ? bits_of(cell) : 0;
	for (int i = 0; i < KINDS; i++) {
		for (int left = xo_board_army(kinds[i].kind, kinds[i].chief); left > 0; left--) {
			uint32_t place = draw((uint32_t)bits_count(free_cells), user_data);
			XoPiece piece = {kinds[i].kind, kinds[i].chief, false};
			Bits rest = free_cells;
			Cell cell = bits_take(&rest);

			for (; place > 0; place--)
				cell = bits_take(&rest);
			piece.turned = piece.kind != XO_GIRO && draw(2, user_data) != 0;
			xo_board_put(&laid, cell, seat - 1, piece);
			free_cells &= ~bits_of(cell);
		}
	}
	xo_layout_write(&laid, seat, text_r);
}
