#include "base64.h"

#include <stdint.h>
#include <string.h>

enum {
	LINE_WHOLE = 60,    /* digits of a line that is as long as programs make them */
	STRANGE_MAX = 2,    /* signs between digits that are none */
	DIGITS_AROUND = 20, /* at least, of a line with such signs */
	DIGITS_OF_GROUP = 4,
};

static int digit_of(uint8_t c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789+/";
	const char *at = c == '\0' ? NULL : strchr(digits, c);
	return at == NULL ? -1 : (int)(at - digits);
}

static bool is_base64(uint8_t c)
{
	return digit_of(c) >= 0 || c == '=';
}

typedef struct State {
	GByteArray *out;
	size_t max;
	unsigned bits;
	int count; /* digits in `bits` */
	bool ended;
} State;

static void group_end(State *state)
{
	uint8_t bytes[3] = {(uint8_t)(state->bits >> 16), (uint8_t)(state->bits >> 8),
			    (uint8_t)state->bits};
	unsigned known = state->count >= 2 ? (unsigned)state->count - 1 : 0;
	g_byte_array_append(state->out, bytes, known);
	state->bits = 0;
	state->count = 0;
}

static void digit_add(State *state, int digit)
{
	state->bits |= (unsigned)digit << (18 - 6 * state->count);
	if (++state->count == DIGITS_OF_GROUP) {
		group_end(state);
	}
}

/* What a line is made of. */
typedef struct Line {
	size_t digits;  /* and padding */
	size_t strange; /* other signs between them */
	bool has_blank; /* among those */
	bool is_clean;  /* no other signs around them but blanks behind */
	bool is_padded;
} Line;

static Line line_look(const uint8_t *line, size_t length)
{
	size_t start = 0, end = length;
	Line look = {0};
	while (end > 0 && g_ascii_isspace(line[end - 1])) {
		end--;
	}
	const size_t written = end;
	while (start < end && !is_base64(line[start])) {
		start++;
	}
	while (end > start && !is_base64(line[end - 1])) {
		end--;
	}
	look.is_clean = start == 0 && end == written;
	look.is_padded = end > start && line[end - 1] == '=';
	for (size_t i = start; i < end; i++) {
		look.digits += is_base64(line[i]);
		look.strange += !is_base64(line[i]);
		look.has_blank = look.has_blank || line[i] == ' ';
	}
	return look;
}

/* Whether it is base64, be it with the odd sign that some program put in, and no words. */
static bool line_fits(const Line *line)
{
	if (line->strange == 0 && line->is_clean) {
		return true;
	}
	const bool is_whole = line->digits % DIGITS_OF_GROUP == 0 || line->digits >= LINE_WHOLE;
	const bool may_be_words = line->has_blank && line->digits < DIGITS_AROUND;
	return line->digits > 0 && is_whole && line->strange <= STRANGE_MAX &&
	       (!may_be_words || line->is_padded);
}

static void line_add(State *state, const uint8_t *line, size_t length)
{
	for (size_t i = 0; i < length && !state->ended; i++) {
		const int digit = digit_of(line[i]);
		const bool is_padding = line[i] == '=' && state->count > 0;
		if (is_padding || state->out->len >= state->max) {
			state->ended = true;
		} else if (digit >= 0) {
			digit_add(state, digit);
		}
	}
}

/* Whether the text goes on behind what broke it off, nobody knows, nor how its last line ends. */
static void last_line_drop(GByteArray *out)
{
	unsigned length = out->len;
	while (length > 0 && out->data[length - 1] != '\n') {
		length--;
	}
	g_byte_array_set_size(out, length);
}

/* Reads lines up to one that is no base64; how many bytes they were. */
static size_t lines_read(State *state, const GByteArray *raw)
{
	size_t at = 0;
	while (at < raw->len && !state->ended) {
		const uint8_t *end = memchr(raw->data + at, '\n', raw->len - at);
		size_t length = end == NULL ? raw->len - at : (size_t)(end - raw->data) - at + 1;
		const Line line = line_look(raw->data + at, length);
		if (!line_fits(&line)) {
			break;
		}
		line_add(state, raw->data + at, length);
		at += length;
	}
	return at;
}

GByteArray *base64_decode(const GByteArray *raw, size_t max, bool *tail_r, bool *cut_r)
{
	State state = {.out = g_byte_array_new(), .max = max};
	size_t at = lines_read(&state, raw);
	const bool has_ended = state.ended;
	group_end(&state);
	const bool is_cut = state.out->len >= max;
	while (at < raw->len && g_ascii_isspace(raw->data[at])) {
		at++;
	}
	const bool has_tail = at < raw->len && !is_cut;
	if (has_tail && !has_ended) {
		last_line_drop(state.out);
	}
	*tail_r = *tail_r || has_tail;
	*cut_r = *cut_r || is_cut;
	return state.out;
}
