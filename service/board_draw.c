#include "service/board_draw.h"

#include <math.h>

static const PaintColour colours[PAINT_COUNT] = {
	[PAINT_PAPER] = {1.0, 1.0, 1.0},           [PAINT_INK] = {0.16, 0.16, 0.18},
	[PAINT_SQUARE_LIGHT] = {0.93, 0.87, 0.76}, [PAINT_SQUARE_DARK] = {0.86, 0.78, 0.63},
	[PAINT_LEFT] = {0.73, 0.82, 0.88},         [PAINT_REACHED] = {0.55, 0.72, 0.85},
	[PAINT_MARK] = {0.05, 0.25, 0.50},         [PAINT_STONE_LIGHT] = {1.0, 1.0, 1.0},
	[PAINT_STONE_DARK] = {0.13, 0.13, 0.15},
};

PaintColour board_paint(Paint paint)
{
	g_assert(paint > PAINT_NONE && paint < PAINT_COUNT);
	return colours[paint];
}

double board_width(const Picture *picture)
{
	return picture->files * BOARD_UNIT + 2 * BOARD_MARGIN;
}

double board_height(const Picture *picture)
{
	return picture->ranks * BOARD_UNIT + 2 * BOARD_MARGIN;
}

/* The centre of a square; the board is turned by half for the second seat. */
static Point square_centre(const Picture *picture, Seat below, int file, int rank)
{
	int column = below == 2 ? picture->files - 1 - file : file;
	int row = below == 2 ? rank : picture->ranks - 1 - rank;
	return (Point){BOARD_MARGIN + (column + 0.5) * BOARD_UNIT,
		       BOARD_MARGIN + (row + 0.5) * BOARD_UNIT};
}

static void draw_box(const Canvas *canvas, Point centre, double half, const Brush *brush)
{
	Point corners[4] = {{centre.x - half, centre.y - half},
			    {centre.x + half, centre.y - half},
			    {centre.x + half, centre.y + half},
			    {centre.x - half, centre.y + half}};
	canvas->polygon(canvas->surface, corners, 4, brush);
}

static void draw_diamond(const Canvas *canvas, Point centre, double half, const Brush *brush)
{
	Point corners[4] = {{centre.x, centre.y - half},
			    {centre.x + half, centre.y},
			    {centre.x, centre.y + half},
			    {centre.x - half, centre.y}};
	canvas->polygon(canvas->surface, corners, 4, brush);
}

static void draw_cross(const Canvas *canvas, Point centre, double half, const Brush *brush)
{
	Point falling[2] = {{centre.x - half, centre.y - half}, {centre.x + half, centre.y + half}};
	Point rising[2] = {{centre.x - half, centre.y + half}, {centre.x + half, centre.y - half}};
	canvas->polygon(canvas->surface, falling, 2, brush);
	canvas->polygon(canvas->surface, rising, 2, brush);
}

/* Seat 1: a light disc with a ring; seat 2: a dark disc with a diamond. */
static void draw_stone(const Canvas *canvas, Point centre, Seat seat)
{
	static const Brush light = {"stone seat-1", PAINT_STONE_LIGHT, PAINT_INK, 1.8, false};
	static const Brush ring = {"ring", PAINT_NONE, PAINT_INK, 1.2, false};
	static const Brush dark = {"stone seat-2", PAINT_STONE_DARK, PAINT_INK, 1.8, false};
	static const Brush diamond = {"diamond", PAINT_STONE_LIGHT, PAINT_NONE, 0, false};
	if (seat == 1) {
		canvas->circle(canvas->surface, centre, 14.5, &light);
		canvas->circle(canvas->surface, centre, 9.5, &ring);
	} else {
		canvas->circle(canvas->surface, centre, 14.5, &dark);
		draw_diamond(canvas, centre, 5.5, &diamond);
	}
}

/* A bar through a point, half as long as given, at so many eighths of a full turn from upright. */
static void draw_bar(const Canvas *canvas, Point centre, double half, int eighths,
		     const Brush *brush)
{
	static const Point along[] = {
		{0, 1}, {-M_SQRT1_2, M_SQRT1_2}, {1, 0}, {M_SQRT1_2, M_SQRT1_2}};
	Point line = along[eighths];
	double x = line.x * half, y = line.y * half, across = 2.6;
	Point corners[4] = {{centre.x + x - line.y * across, centre.y + y + line.x * across},
			    {centre.x + x + line.y * across, centre.y + y - line.x * across},
			    {centre.x - x + line.y * across, centre.y - y - line.x * across},
			    {centre.x - x - line.y * across, centre.y - y + line.x * across}};
	canvas->polygon(canvas->surface, corners, 4, brush);
}

/* Seat 1: a light disc with dark signs; seat 2: a dark box with light signs. */
static void draw_body(const Canvas *canvas, Point centre, Seat seat)
{
	static const Brush light = {"piece seat-1", PAINT_STONE_LIGHT, PAINT_INK, 1.8, false};
	static const Brush dark = {"piece seat-2", PAINT_STONE_DARK, PAINT_INK, 1.8, false};
	if (seat == 1)
		canvas->circle(canvas->surface, centre, 15.5, &light);
	else
		draw_box(canvas, centre, 14, &dark);
}

static const Brush *sign_brush(Seat seat)
{
	static const Brush dark = {"axis", PAINT_INK, PAINT_NONE, 0, false};
	static const Brush light = {"axis", PAINT_STONE_LIGHT, PAINT_NONE, 0, false};
	return seat == 1 ? &dark : &light;
}

/* A piece whose bar shows its axis; a chief's bar has a big knob in its middle. */
static void draw_axis(const Canvas *canvas, Point centre, Seat seat, int eighths, bool chief)
{
	draw_body(canvas, centre, seat);
	draw_bar(canvas, centre, 11.5, eighths, sign_brush(seat));
	if (chief)
		canvas->circle(canvas->surface, centre, 6.5, sign_brush(seat));
}

/* How a piece that lies on an axis is drawn. */
static const struct {
	int eighths; /* "|", "/", "-", "\\": see draw_bar */
	bool chief;
} axes[PIECE_KINDS] = {
	[PIECE_HOVE_UPRIGHT] = {0, false},      [PIECE_HOVE_LYING] = {2, false},
	[PIECE_DIAGO_RISING] = {1, false},      [PIECE_DIAGO_FALLING] = {3, false},
	[PIECE_HOVE_CHIEF_UPRIGHT] = {0, true}, [PIECE_HOVE_CHIEF_LYING] = {2, true},
	[PIECE_DIAGO_CHIEF_RISING] = {1, true}, [PIECE_DIAGO_CHIEF_FALLING] = {3, true},
};

/* A Giro chief has all four bars: a star. */
static void draw_giro(const Canvas *canvas, Point centre, Seat seat)
{
	draw_body(canvas, centre, seat);
	for (int eighths = 0; eighths < 4; eighths++)
		draw_bar(canvas, centre, 11.5, eighths, sign_brush(seat));
}

static void draw_piece(const Canvas *canvas, Point centre, const PictureSquare *square)
{
	if (square->kind == PIECE_STONE)
		draw_stone(canvas, centre, square->seat);
	else if (square->kind == PIECE_GIRO_CHIEF)
		draw_giro(canvas, centre, square->seat);
	else
		draw_axis(canvas, centre, square->seat, axes[square->kind].eighths,
			  axes[square->kind].chief);
}

/* A small stone's outline where a stone of that seat would win. */
static void draw_goal(const Canvas *canvas, Point centre, Seat seat)
{
	static const Brush light = {"goal seat-1", PAINT_STONE_LIGHT, PAINT_INK, 0.8, false};
	static const Brush dark = {"goal seat-2", PAINT_STONE_DARK, PAINT_NONE, 0, false};
	if (seat == 1)
		canvas->circle(canvas->surface, centre, 3.2, &light);
	else
		draw_diamond(canvas, centre, 4.2, &dark);
}

static void draw_ground(const Canvas *canvas, const PictureSquare *square, Point centre, bool light)
{
	Brush brush = {"square", light ? PAINT_SQUARE_LIGHT : PAINT_SQUARE_DARK, PAINT_NONE, 0,
		       false};
	if (square->moved_to || square->rotated)
		brush.fill = PAINT_REACHED;
	else if (square->moved_from)
		brush.fill = PAINT_LEFT;
	draw_box(canvas, centre, BOARD_UNIT / 2.0, &brush);
}

/* Where something was taken off: a cross, or in the corner beside what stands there now. */
static void draw_capture(const Canvas *canvas, const PictureSquare *square, Point centre)
{
	static const Brush taken = {"captured", PAINT_NONE, PAINT_MARK, 3, false};
	static const Brush ground = {"captured-ground", PAINT_MARK, PAINT_PAPER, 1.2, false};
	static const Brush bite = {"captured", PAINT_NONE, PAINT_PAPER, 1.6, false};
	Point corner = {centre.x + 12.5, centre.y - 12.5};
	if (square->seat == 0) {
		draw_cross(canvas, centre, 8, &taken);
		return;
	}
	canvas->circle(canvas->surface, corner, 6, &ground);
	draw_cross(canvas, corner, 2.4, &bite);
}

/* The last turn: a full frame where something arrived, a dashed one where something left or turned
 * on its square, a cross where something was taken off. */
static void draw_marks(const Canvas *canvas, const PictureSquare *square, Point centre)
{
	static const Brush left = {"moved-from", PAINT_NONE, PAINT_MARK, 2, true};
	static const Brush reached = {"moved-to", PAINT_NONE, PAINT_MARK, 3, false};
	static const Brush turned = {"rotated", PAINT_NONE, PAINT_MARK, 3, true};
	if (square->moved_to)
		draw_box(canvas, centre, BOARD_UNIT / 2.0 - 1.5, &reached);
	else if (square->rotated)
		draw_box(canvas, centre, BOARD_UNIT / 2.0 - 1.5, &turned);
	else if (square->moved_from)
		draw_box(canvas, centre, BOARD_UNIT / 2.0 - 2.5, &left);
	if (square->captured)
		draw_capture(canvas, square, centre);
}

/* A marked square: its corners are cut off, of a side each in its own shade. */
static void draw_territory(const Canvas *canvas, Point centre, Seat seat)
{
	static const Brush light = {"territory seat-1", PAINT_STONE_LIGHT, PAINT_INK, 0.8, false};
	static const Brush dark = {"territory seat-2", PAINT_STONE_DARK, PAINT_NONE, 0, false};
	const double half = BOARD_UNIT / 2.0, leg = 7;
	for (int corner = 0; corner < 4; corner++) {
		double x = corner % 2 == 0 ? -1 : 1, y = corner < 2 ? -1 : 1;
		Point corners[3] = {{centre.x + x * half, centre.y + y * half},
				    {centre.x + x * (half - leg), centre.y + y * half},
				    {centre.x + x * half, centre.y + y * (half - leg)}};
		canvas->polygon(canvas->surface, corners, 3, seat == 1 ? &light : &dark);
	}
}

static void draw_square(const Canvas *canvas, const Picture *picture, Seat below, int file,
			int rank)
{
	const PictureSquare *square = &picture->square[SQUARE_OF(file, rank)];
	Point centre = square_centre(picture, below, file, rank);
	draw_ground(canvas, square, centre, (file + rank) % 2 == 1);
	if (square->territory != 0)
		draw_territory(canvas, centre, square->territory);
	for (Seat seat = 1; seat <= 2; seat++) {
		if (square->goal[seat - 1] && square->seat == 0 && !square->captured)
			draw_goal(canvas, centre, seat);
	}
	if (square->seat != 0)
		draw_piece(canvas, centre, square);
	draw_marks(canvas, square, centre);
}

static void draw_file_names(const Canvas *canvas, const Picture *picture, Seat below)
{
	for (int file = 0; file < picture->files; file++) {
		const char name[2] = {(char)('a' + file), '\0'};
		double x = square_centre(picture, below, file, 0).x;
		double size = canvas->label_size;
		canvas->label(canvas->surface, (Point){x, BOARD_MARGIN / 2.0}, size, name);
		canvas->label(canvas->surface,
			      (Point){x, board_height(picture) - BOARD_MARGIN / 2.0}, size, name);
	}
}

static void draw_rank_names(const Canvas *canvas, const Picture *picture, Seat below)
{
	for (int rank = 0; rank < picture->ranks; rank++) {
		g_autofree char *name = g_strdup_printf("%d", rank + 1);
		double y = square_centre(picture, below, 0, rank).y;
		double size = canvas->label_size;
		canvas->label(canvas->surface, (Point){BOARD_MARGIN / 2.0, y}, size, name);
		canvas->label(canvas->surface,
			      (Point){board_width(picture) - BOARD_MARGIN / 2.0, y}, size, name);
	}
}

static void draw_box_around(const Canvas *canvas, const Picture *picture, double inset,
			    const Brush *brush)
{
	double right = board_width(picture) - inset;
	double bottom = board_height(picture) - inset;
	Point corners[4] = {{inset, inset}, {right, inset}, {right, bottom}, {inset, bottom}};
	canvas->polygon(canvas->surface, corners, 4, brush);
}

void board_draw(const Picture *picture, Seat below, const Canvas *canvas)
{
	static const Brush paper = {"paper", PAINT_PAPER, PAINT_NONE, 0, false};
	static const Brush frame = {"frame", PAINT_NONE, PAINT_INK, 1.5, false};
	draw_box_around(canvas, picture, 0, &paper);
	for (int rank = 0; rank < picture->ranks; rank++) {
		for (int file = 0; file < picture->files; file++)
			draw_square(canvas, picture, below, file, rank);
	}
	draw_box_around(canvas, picture, BOARD_MARGIN - 0.75, &frame);
	draw_file_names(canvas, picture, below);
	draw_rank_names(canvas, picture, below);
}
