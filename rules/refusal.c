#include "refusal.h"

#include <assert.h>

void refusal_set(Refusal *refusal, RefusalCode code, int step)
{
	refusal->code = code;
	refusal->step = step;
	refusal->square_count = 0;
	refusal->reading[0][0] = '\0';
	refusal->reading[1][0] = '\0';
}

void refusal_add(Refusal *refusal, Square square)
{
	assert(refusal->square_count < RULES_SQUARES_MAX);
	refusal->squares[refusal->square_count++] = square;
}
