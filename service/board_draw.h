/* One drawing of a Picture for all back ends: board_draw says what stands where, a Canvas draws it.
 */
#ifndef SERVICE_BOARD_DRAW_H
#define SERVICE_BOARD_DRAW_H

#include "service/board.h"

enum {
	BOARD_UNIT = 40,   /* side of a square in drawing units */
	BOARD_MARGIN = 24, /* room for coordinates on each side */
};

/* What a shape is painted for. Each paint differs from its neighbours in lightness too, so that
 * nothing is told by hue alone. */
typedef enum {
	PAINT_NONE,
	PAINT_PAPER,
	PAINT_INK,
	PAINT_SQUARE_LIGHT,
	PAINT_SQUARE_DARK,
	PAINT_LEFT,
	PAINT_REACHED,
	PAINT_MARK,
	PAINT_STONE_LIGHT,
	PAINT_STONE_DARK,
	PAINT_COUNT
} Paint;

typedef struct {
	double red, green, blue; /* 0 to 1 */
} PaintColour;

/* The colour of a paint other than PAINT_NONE. */
PaintColour board_paint(Paint paint);

typedef struct {
	double x, y; /* drawing units, from the upper left corner */
} Point;

/* How a shape looks, and what it is (the class attribute in SVG). */
typedef struct {
	const char *name;
	Paint fill, stroke;
	double width; /* of the stroke */
	bool dashed;
} Brush;

typedef struct {
	void *surface;
	double label_size; /* height of coordinates in drawing units */
	void (*polygon)(void *surface, const Point *corners, int count, const Brush *brush);
	void (*circle)(void *surface, Point centre, double radius, const Brush *brush);
	/* A short ASCII text centred on a point. */
	void (*label)(void *surface, Point centre, double size, const char *text);
} Canvas;

double board_width(const Picture *picture);
double board_height(const Picture *picture);
void board_draw(const Picture *picture, Seat below, const Canvas *canvas);

#endif
