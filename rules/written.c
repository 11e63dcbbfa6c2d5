#include "written.h"

#include <string.h>

/* A text as squares (sign 0) and signs: '-' 'x' ':' '='; ',' for every explicit mark between two
 * steps; '\n', and ' ' only between two squares; SIGN_END after the last. */
typedef struct {
	char sign;
	Square square;
} Token;

enum { TOKENS_MAX = WRITTEN_TEXT_MAX + 2, SIGN_END = '.' };

typedef struct {
	Token token[TOKENS_MAX];
	int count;
	char blank; /* ' ' or '\n' seen since the last token, else 0 */
	WrittenReadings *readings;
} Reader;

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads a square whose letter and first digit were seen: SQUARE_NONE if no board has it. No rank is
 * written with a zero in front. */
static Square square_take(const char **text)
{
	int file = **text - 'a', rank = 0;
	bool zero = (*text)[1] == '0';

	for (++*text; is_digit(**text); ++*text) {
		if (rank < 100)
			rank = rank * 10 + (**text - '0');
	}
	if (file >= 16 || zero || rank < 1 || rank > 16)
		return SQUARE_NONE;
	return SQUARE_OF(file, rank - 1);
}

static bool square_fits(Square square)
{
	return square != SQUARE_NONE && stones_on_board(square);
}

static char sign_of(char c)
{
	if (c == ';' || c == '+')
		return ',';
	return c != '\0' && strchr("-x:=,", c) != NULL ? c : '\0';
}

static void token_add(Reader *reader, char sign, Square square)
{
	char before = reader->count > 0 ? reader->token[reader->count - 1].sign : ',';
	bool beside_comma = before == ',' || sign == ',' || sign == SIGN_END;

	if (reader->blank == '\n' && !beside_comma)
		reader->token[reader->count++] = (Token){'\n', SQUARE_NONE};
	if (reader->blank == ' ' && before == 0 && sign == 0)
		reader->token[reader->count++] = (Token){' ', SQUARE_NONE};
	reader->blank = 0;
	reader->token[reader->count++] = (Token){sign, square};
}

static bool tokens_read(Reader *reader, const char *text)
{
	while (*text != '\0') {
		if (*text == ' ' || *text == '\n') {
			if (reader->blank != '\n')
				reader->blank = *text;
			text++;
		} else if (*text >= 'a' && *text <= 'z' && is_digit(text[1])) {
			token_add(reader, 0, square_take(&text));
		} else if (sign_of(*text) != '\0') {
			token_add(reader, sign_of(*text++), SQUARE_NONE);
		} else {
			return false;
		}
	}
	token_add(reader, SIGN_END, SQUARE_NONE);
	return true;
}

static bool is_square(const Reader *reader, int at)
{
	return reader->token[at].sign == 0;
}

/* Does this token part two steps beyond doubt? A blank may also stand within a step. */
static bool is_mark(const Reader *reader, int at)
{
	return reader->token[at].sign == ',' || reader->token[at].sign == '\n';
}

/* Skips one of these signs if it stands at *at; '\0' if none does. */
static char sign_skip(const Reader *reader, int *at, const char *signs)
{
	char sign = reader->token[*at].sign;

	if (sign == 0 || strchr(signs, sign) == NULL)
		return '\0';
	++*at;
	return sign;
}

static void steps_read(Reader *reader, int at, bool apart, WrittenTurn *turn);

/* Reads what may follow a step: "=" and a square, then the end or the next step. */
static void step_end_read(Reader *reader, int at, WrittenTurn *turn)
{
	char sign = sign_skip(reader, &at, "=");

	if (sign == '=') {
		if (!is_square(reader, at))
			return;
		turn->step[turn->count - 1].choice = reader->token[at++].square;
	}
	if (reader->token[at].sign == SIGN_END) {
		if (reader->readings->count < WRITTEN_READINGS_MAX)
			reader->readings->turn[reader->readings->count++] = *turn;
		return;
	}
	sign = sign_skip(reader, &at, ", \n");
	if (sign != '\0')
		steps_read(reader, at, sign != ',', turn);
}

/* Reads a step at a square both as a single move and as an ordo move, and all that follows. */
static void steps_read(Reader *reader, int at, bool apart, WrittenTurn *turn)
{
	WrittenStep step = {.from2 = SQUARE_NONE, .choice = SQUARE_NONE, .apart = apart};
	int count = turn->count;
	char sign;

	if (count == WRITTEN_STEPS_MAX || !is_square(reader, at))
		return;
	step.from = reader->token[at++].square;
	sign = sign_skip(reader, &at, "-x: ");
	if (!is_square(reader, at))
		return;
	step.to = reader->token[at++].square;
	step.sign = sign == ' ' ? '\0' : sign;
	turn->step[count] = step;
	turn->count = count + 1;
	step_end_read(reader, at, turn);

	step.from2 = step.to;
	step.sign = sign_skip(reader, &at, "-x: ");
	if (sign != 'x' && is_square(reader, at)) {
		step.to = reader->token[at++].square;
		if (step.sign == ' ')
			step.sign = '\0';
		turn->step[count] = step;
		turn->count = count + 1;
		step_end_read(reader, at, turn);
	}
	turn->count = count;
}

/* The first square that is not on the board, its step told by the marks before it. */
static bool off_board_find(const Reader *reader, Refusal *refusal)
{
	int step = 0;

	for (int i = 0; i < reader->count; i++) {
		Square square = reader->token[i].square;

		step += is_mark(reader, i);
		if (!is_square(reader, i) || square_fits(square))
			continue;
		refusal_set(refusal, REFUSAL_OFF_BOARD, step);
		if (square != SQUARE_NONE)
			refusal_add(refusal, square);
		return true;
	}
	return false;
}

/* Are the steps before the mark at this place readable? Destroys the tokens from there on. */
static bool beginning_is_readable(Reader *reader, int mark)
{
	WrittenTurn turn = {.count = 0};
	bool readable;

	reader->token[mark].sign = SIGN_END;
	steps_read(reader, 0, false, &turn);
	readable = reader->readings->count > 0;
	reader->readings->count = 0;
	return readable;
}

/* Tells a text whose last step is but one square from one that is no turn at all. */
static void unreadable_tell(Reader *reader, Refusal *refusal)
{
	int last = reader->count - 2, step = 0;

	refusal_set(refusal, REFUSAL_UNREADABLE, 0);
	if (last < 0 || !is_square(reader, last))
		return;
	for (int i = 0; i < last; i++)
		step += is_mark(reader, i);
	if (last > 0 && (!is_mark(reader, last - 1) || !beginning_is_readable(reader, last - 1)))
		return;
	refusal_set(refusal, REFUSAL_DESTINATION_MISSING, step);
	refusal_add(refusal, reader->token[last].square);
}

bool written_read(const char *text, WrittenReadings *readings_r, Refusal *refusal_r)
{
	Reader reader = {.readings = readings_r};
	WrittenTurn turn = {.count = 0};

	readings_r->count = 0;
	if (strlen(text) > WRITTEN_TEXT_MAX) {
		refusal_set(refusal_r, REFUSAL_TOO_LONG, 0);
		return false;
	}
	if (!tokens_read(&reader, text)) {
		refusal_set(refusal_r, REFUSAL_UNREADABLE, 0);
		return false;
	}
	if (off_board_find(&reader, refusal_r))
		return false;
	steps_read(&reader, 0, false, &turn);
	if (readings_r->count == 0)
		unreadable_tell(&reader, refusal_r);
	return readings_r->count > 0;
}

static char *square_append(char *end, char sign, Square square)
{
	if (sign != '\0')
		*end++ = sign;
	rules_square_name(square, end);
	return end + strlen(end);
}

char *written_append(char *end, const Step *step)
{
	end = square_append(end, '\0', step->from);
	if (step->from2 != step->from)
		end = square_append(end, ':', step->from2);
	end = square_append(end, step->captures ? 'x' : '-', step->to);
	if (step->choice != SQUARE_NONE)
		end = square_append(end, '=', step->choice);
	return end;
}

/* The ends of an ordo in their canonical order, the destination moved along; unchanged if that
 * would leave the board. */
static WrittenStep ends_ordered(WrittenStep step)
{
	bool in_order = step.from % 16 < step.from2 % 16 ||
			(step.from % 16 == step.from2 % 16 && step.from <= step.from2);
	int to = step.to + step.from2 - step.from;

	if (step.from2 == SQUARE_NONE || in_order || to < 0 || to > UINT8_MAX ||
	    !square_fits((Square)to))
		return step;
	return (WrittenStep){step.from2, step.from, (Square)to, step.choice, step.sign, step.apart};
}

static void turn_write(const WrittenTurn *turn, char *written_r)
{
	for (int i = 0; i < turn->count; i++) {
		WrittenStep step = ends_ordered(turn->step[i]);
		bool single = step.from2 == SQUARE_NONE;
		bool captures = step.sign == 'x' || (single && step.sign == ':');

		if (i > 0)
			*written_r++ = ',';
		written_r =
			written_append(written_r, &(Step){
							  .from = step.from,
							  .from2 = single ? step.from : step.from2,
							  .to = step.to,
							  .choice = step.choice,
							  .captures = captures,
						  });
	}
}

bool written_turn(const char *text, int steps_max, char *written_r, Refusal *refusal_r)
{
	WrittenReadings readings;
	char written[RULES_TURN_MAX] = "";
	bool fits = false, differs = false;

	if (!written_read(text, &readings, refusal_r))
		return false;
	for (int i = 0; i < readings.count; i++) {
		if (readings.turn[i].count > steps_max)
			continue;
		turn_write(&readings.turn[i], fits ? written : written_r);
		differs = differs || (fits && strcmp(written, written_r) != 0);
		fits = true;
	}
	if (differs)
		refusal_set(refusal_r, REFUSAL_AMBIGUOUS, 0);
	else if (!fits)
		refusal_set(refusal_r,
			    steps_max == 1 ? REFUSAL_NO_SECOND_HALF : REFUSAL_TURN_ALREADY_ENDED,
			    steps_max);
	return fits && !differs;
}
