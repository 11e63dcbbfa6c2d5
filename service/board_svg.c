#include "service/board.h"
#include "service/board_draw.h"

/* Numbers are written by g_ascii_dtostr and friends: a decimal point whatever the locale. */
static void number_append(GString *out, const char *before, double number, const char *after)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	g_ascii_formatd(text, sizeof(text), "%.6g", number);
	g_string_append_printf(out, "%s%s%s", before, text, after);
}

static void colour_append(GString *out, const char *attribute, Paint paint)
{
	if (paint == PAINT_NONE) {
		g_string_append_printf(out, " %s=\"none\"", attribute);
		return;
	}
	PaintColour colour = board_paint(paint);
	g_string_append_printf(
		out, " %s=\"#%02x%02x%02x\"", attribute, (unsigned)(colour.red * 255 + 0.5),
		(unsigned)(colour.green * 255 + 0.5), (unsigned)(colour.blue * 255 + 0.5));
}

static void brush_append(GString *out, const Brush *brush)
{
	g_string_append_printf(out, " class=\"%s\"", brush->name);
	colour_append(out, "fill", brush->fill);
	if (brush->stroke != PAINT_NONE) {
		colour_append(out, "stroke", brush->stroke);
		number_append(out, " stroke-width=\"", brush->width, "\"");
		if (brush->dashed)
			g_string_append(out, " stroke-dasharray=\"5 4\"");
	}
	g_string_append(out, "/>\n");
}

static void svg_polygon(void *surface, const Point *corners, int count, const Brush *brush)
{
	GString *out = surface;
	g_string_append(out, "<polygon points=\"");
	for (int i = 0; i < count; i++) {
		number_append(out, i == 0 ? "" : " ", corners[i].x, ",");
		number_append(out, "", corners[i].y, "");
	}
	g_string_append_c(out, '"');
	brush_append(out, brush);
}

static void svg_circle(void *surface, Point centre, double radius, const Brush *brush)
{
	GString *out = surface;
	number_append(out, "<circle cx=\"", centre.x, "\"");
	number_append(out, " cy=\"", centre.y, "\"");
	number_append(out, " r=\"", radius, "\"");
	brush_append(out, brush);
}

static void svg_label(void *surface, Point centre, double size, const char *text)
{
	GString *out = surface;
	number_append(out, "<text x=\"", centre.x, "\"");
	/* Half the height of a digit below the centre, for fonts whose digits are 0.73 em high. */
	number_append(out, " y=\"", centre.y + size * 0.36, "\"");
	number_append(out, " font-size=\"", size, "\">");
	g_string_append_printf(out, "%s</text>\n", text);
}

static void svg_begin(GString *out, const Picture *picture, const BoardStyle *style)
{
	g_autofree char *title = g_markup_escape_text(style->title, -1);
	number_append(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ",
		      board_width(picture), " ");
	number_append(out, "", board_height(picture), "\" role=\"img\"");
	g_string_append_printf(out, " aria-label=\"%s\">\n<title>%s</title>\n", title, title);
	if (style->detail != NULL) {
		g_autofree char *detail = g_markup_escape_text(style->detail, -1);
		g_string_append_printf(out, "<desc>%s</desc>\n", detail);
	}
	g_string_append(out, "<g font-family=\"DejaVu Sans, Verdana, sans-serif\" "
			     "text-anchor=\"middle\" fill=\"#29292e\">\n");
}

char *board_svg(const Picture *picture, const BoardStyle *style)
{
	g_assert(style->title != NULL);
	GString *out = g_string_new(NULL);
	Canvas canvas = {out, 14, svg_polygon, svg_circle, svg_label};
	svg_begin(out, picture, style);
	board_draw(picture, style->below, &canvas);
	g_string_append(out, "</g>\n</svg>\n");
	return g_string_free(out, FALSE);
}
