#include "xo_written.h"

#include <string.h>

enum { TEXT_MAX = 200 };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_square(const char *text)
{
	return *text >= 'a' && *text <= 'z' && is_digit(text[1]);
}

/* Reads a square whose letter and first digit were seen: SQUARE_NONE if no board has it. No rank is
 * written with a zero in front. */
static const char *square_read(const char *text, Square *square_r)
{
	int file = *text - 'a', rank = 0;
	bool zero = text[1] == '0';

	for (text++; is_digit(*text); text++) {
		if (rank < 100)
			rank = rank * 10 + (*text - '0');
	}
	*square_r = SQUARE_NONE;
	if (file < XO_FILES_MAX && !zero && rank >= 1 && rank <= XO_RANKS_MAX)
		*square_r = SQUARE_OF(file, rank - 1);
	return text;
}

static const char *blanks_skip(const char *text)
{
	return text + strspn(text, " ");
}

/* What parts two steps: one mark, or a new line, or blanks. NULL if nothing does. */
static const char *separator_skip(const char *text)
{
	const char *begin = text;

	text += strspn(text, " \n");
	if (*text == ',' || *text == ';')
		text += 1 + strspn(text + 1, " \n");
	return text > begin ? text : NULL;
}

/* Reads "pass" or "--"; NULL if neither stands there. */
static const char *pass_read(const char *text)
{
	if (strncmp(text, "pass", 4) == 0)
		return text + 4;
	return strncmp(text, "--", 2) == 0 ? text + 2 : NULL;
}

/* Reads the square a move goes to, with the sign before it. NULL if there is none. */
static const char *destination_read(const char *text, XoWrittenStep *step)
{
	text = blanks_skip(text);
	if (*text != '\0' && strchr("-x*:", *text) != NULL) {
		step->sign = *text == ':' ? 'x' : *text;
		text = blanks_skip(text + 1);
	}
	return is_square(text) ? square_read(text, &step->to) : NULL;
}

static bool refuse(Refusal *refusal, RefusalCode code, int step)
{
	refusal_set(refusal, code, step);
	return false;
}

/* Is a step only begun here, so that just its destination is missing? */
static bool is_step_end(const char *text)
{
	text = blanks_skip(text);
	if (*text != '\0' && strchr("-x*:", *text) != NULL)
		text = blanks_skip(text + 1);
	return *text == '\0' || strchr(",;\n", *text) != NULL;
}

/* Reads one step at *text and moves it on. */
static bool step_read(const char **text, int number, XoWrittenStep *step_r, Refusal *refusal)
{
	const char *end = pass_read(*text), *from_end;

	*step_r = (XoWrittenStep){'\0', SQUARE_NONE, SQUARE_NONE};
	if (end != NULL) {
		step_r->sign = 'p';
		*text = end;
		return true;
	}
	if (!is_square(*text))
		return refuse(refusal, REFUSAL_UNREADABLE, number);
	from_end = square_read(*text, &step_r->from);
	if (*blanks_skip(from_end) == '~') {
		step_r->sign = '~';
		step_r->to = step_r->from;
		*text = blanks_skip(from_end) + 1;
	} else if ((end = destination_read(from_end, step_r)) != NULL) {
		*text = end;
	} else if (is_step_end(from_end) && step_r->from != SQUARE_NONE) {
		refuse(refusal, REFUSAL_DESTINATION_MISSING, number);
		refusal_add(refusal, step_r->from);
		return false;
	} else {
		return refuse(refusal, REFUSAL_UNREADABLE, number);
	}
	if (step_r->from == SQUARE_NONE || step_r->to == SQUARE_NONE)
		return refuse(refusal, REFUSAL_OFF_BOARD, number);
	return true;
}

bool xo_written_read(const char *text, XoWritten *written_r, Refusal *refusal_r)
{
	written_r->count = 0;
	if (strlen(text) > TEXT_MAX)
		return refuse(refusal_r, REFUSAL_TOO_LONG, 0);
	text += strspn(text, " \n");
	for (;;) {
		int number = written_r->count;
		XoWrittenStep step;

		if (!step_read(&text, number, &step, refusal_r))
			return false;
		if (number == XO_WRITTEN_STEPS_MAX)
			return refuse(refusal_r, REFUSAL_TURN_ALREADY_ENDED, XO_TURN_STEPS_MAX);
		written_r->step[written_r->count++] = step;
		if (text[strspn(text, " \n")] == '\0')
			return true;
		text = separator_skip(text);
		if (text == NULL)
			return refuse(refusal_r, REFUSAL_UNREADABLE, number);
	}
}

static char *square_append(char *end, Square square)
{
	rules_square_name(square, end);
	return end + strlen(end);
}

static char *step_append(char *end, const XoWrittenStep *step)
{
	if (step->sign == 'p') {
		memcpy(end, "pass", 5);
		return end + 4;
	}
	end = square_append(end, step->from);
	*end++ = step->sign == '\0' ? '-' : step->sign;
	if (step->sign != '~')
		return square_append(end, step->to);
	*end = '\0';
	return end;
}

char *xo_written_append(char *end, const XoBoard *board, const XoStep *step)
{
	static const char signs[] = {
		[XO_PASS] = 'p', [XO_ROTATION] = '~',      [XO_MOVE] = '-',
		[XO_KILL] = 'x', [XO_CONFRONTATION] = '*',
	};
	XoWrittenStep written = {signs[step->kind], SQUARE_NONE, SQUARE_NONE};

	if (step->kind != XO_PASS) {
		written.from = xo_square(board, step->from);
		written.to = xo_square(board, step->to);
	}
	return step_append(end, &written);
}

bool xo_written_turn(const char *text, char *written_r, Refusal *refusal_r)
{
	XoWritten written;

	if (!xo_written_read(text, &written, refusal_r))
		return false;
	if (written.count > XO_TURN_STEPS_MAX)
		return refuse(refusal_r, REFUSAL_TURN_ALREADY_ENDED, XO_TURN_STEPS_MAX);
	for (int i = 0; i < written.count; i++) {
		if (i > 0)
			*written_r++ = ',';
		written_r = step_append(written_r, &written.step[i]);
	}
	return true;
}
