#include "service/board.h"
#include "service/board_draw.h"

#include <cairo.h>
#include <math.h>
#include <png.h>
#include <string.h>

enum { PALETTE_MAX = 256 };

static void paint_set(cairo_t *cairo, Paint paint)
{
	PaintColour colour = board_paint(paint);
	cairo_set_source_rgb(cairo, colour.red, colour.green, colour.blue);
}

/* Fills and strokes the path that was laid. */
static void path_paint(cairo_t *cairo, const Brush *brush)
{
	static const double dashes[2] = {5, 4};
	if (brush->fill != PAINT_NONE) {
		paint_set(cairo, brush->fill);
		cairo_fill_preserve(cairo);
	}
	if (brush->stroke != PAINT_NONE) {
		paint_set(cairo, brush->stroke);
		cairo_set_line_width(cairo, brush->width);
		cairo_set_dash(cairo, dashes, brush->dashed ? 2 : 0, 0);
		cairo_stroke_preserve(cairo);
	}
	cairo_new_path(cairo);
}

static void png_polygon(void *surface, const Point *corners, int count, const Brush *brush)
{
	cairo_t *cairo = surface;
	for (int i = 0; i < count; i++)
		cairo_line_to(cairo, corners[i].x, corners[i].y);
	cairo_close_path(cairo);
	path_paint(cairo, brush);
}

static void png_circle(void *surface, Point centre, double radius, const Brush *brush)
{
	cairo_t *cairo = surface;
	cairo_arc(cairo, centre.x, centre.y, radius, 0, 2 * G_PI);
	path_paint(cairo, brush);
}

static void png_label(void *surface, Point centre, double size, const char *text)
{
	cairo_t *cairo = surface;
	cairo_text_extents_t extents;
	cairo_set_font_size(cairo, size);
	cairo_text_extents(cairo, text, &extents);
	paint_set(cairo, PAINT_INK);
	cairo_move_to(cairo, centre.x - extents.x_advance / 2, centre.y + size * 0.36);
	cairo_show_text(cairo, text);
	cairo_new_path(cairo);
}

/* A mail carries the picture, so it must be small: drawn colours are rounded until they fit the
 * palette of an indexed PNG, a third of cairo's own. */
typedef struct {
	png_byte colour[PALETTE_MAX][3];
	int count;
	png_byte *index; /* one byte for each pixel */
} Palette;

/* Rounds a channel to so many bits and spreads it over 0..255 again. */
static png_byte channel_round(uint32_t channel, int bits)
{
	uint32_t most = (1u << bits) - 1;
	return (png_byte)(((channel * most + 127) / 255 * 255 + most / 2) / most);
}

/* The palette's number for a colour, added if it is new; -1 when the palette is full. */
static int palette_index(Palette *palette, uint32_t pixel, int bits)
{
	png_byte colour[3] = {channel_round(pixel >> 16 & 0xff, bits),
			      channel_round(pixel >> 8 & 0xff, bits),
			      channel_round(pixel & 0xff, bits)};
	for (int i = 0; i < palette->count; i++) {
		if (memcmp(palette->colour[i], colour, sizeof(colour)) == 0)
			return i;
	}
	if (palette->count == PALETTE_MAX)
		return -1;
	memcpy(palette->colour[palette->count], colour, sizeof(colour));
	return palette->count++;
}

/* False when the drawing has too many colours even with so few bits. */
static bool palette_fill(Palette *palette, cairo_surface_t *surface, int bits)
{
	int width = cairo_image_surface_get_width(surface);
	int height = cairo_image_surface_get_height(surface);
	const unsigned char *data = cairo_image_surface_get_data(surface);
	size_t stride = (size_t)cairo_image_surface_get_stride(surface);
	uint32_t last = 0;
	int index = -1;
	palette->count = 0;
	for (int y = 0; y < height; y++) {
		for (int x = 0; x < width; x++) {
			uint32_t pixel = 0;
			memcpy(&pixel, data + (size_t)y * stride + (size_t)x * 4, sizeof(pixel));
			if (index < 0 || pixel != last)
				index = palette_index(palette, pixel, bits);
			if (index < 0)
				return false;
			last = pixel;
			palette->index[(size_t)y * (size_t)width + (size_t)x] = (png_byte)index;
		}
	}
	return true;
}

static GBytes *palette_encode(const Palette *palette, int width, int height)
{
	png_image image = {.version = PNG_IMAGE_VERSION,
			   .width = (png_uint_32)width,
			   .height = (png_uint_32)height,
			   .format = PNG_FORMAT_RGB_COLORMAP,
			   .colormap_entries = (png_uint_32)palette->count};
	png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
	png_byte *bytes = g_malloc(size);
	int written = png_image_write_to_memory(&image, bytes, &size, 0, palette->index, 0,
						palette->colour);
	g_assert(written != 0);
	return g_bytes_new_take(g_realloc(bytes, size), size);
}

static GBytes *png_encode(cairo_surface_t *surface)
{
	int width = cairo_image_surface_get_width(surface);
	int height = cairo_image_surface_get_height(surface);
	g_autofree png_byte *index = g_malloc((size_t)width * (size_t)height);
	Palette palette = {.count = 0, .index = index};
	int bits = 5;
	/* Two bits a channel are 64 colours: the loop ends. */
	while (!palette_fill(&palette, surface, bits))
		bits--;
	return palette_encode(&palette, width, height);
}

/* Coordinates stay readable (9 pixels) on small boards, as far as the margin has room. */
static double label_size(double scale)
{
	return fmin(fmax(14, 9 / scale), BOARD_MARGIN - 2);
}

GBytes *board_png(const Picture *picture, const BoardStyle *style)
{
	int side = style->square_size == 0 ? BOARD_SQUARE_DEFAULT : style->square_size;
	double scale = (double)CLAMP(side, BOARD_SQUARE_MIN, BOARD_SQUARE_MAX) / BOARD_UNIT;
	int width = (int)ceil(board_width(picture) * scale);
	int height = (int)ceil(board_height(picture) * scale);
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	cairo_t *cairo = cairo_create(surface);
	paint_set(cairo, PAINT_PAPER);
	cairo_paint(cairo);
	cairo_scale(cairo, scale, scale);
	cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
			       CAIRO_FONT_WEIGHT_NORMAL);
	Canvas canvas = {cairo, label_size(scale), png_polygon, png_circle, png_label};
	board_draw(picture, style->below, &canvas);
	cairo_status_t status = cairo_status(cairo);
	g_assert(status == CAIRO_STATUS_SUCCESS);
	cairo_destroy(cairo);
	cairo_surface_flush(surface);
	GBytes *bytes = png_encode(surface);
	cairo_surface_destroy(surface);
	return bytes;
}
