#include "service/field.h"
#include "service/lobby.h"

#include <string.h>

enum { CLOCK_SECONDS_MAX = 366 * 24 * 60 * 60 };

/* Which numbers a kind of clock needs; the others must be 0 or absent. */
static const struct {
	const char *kind;
	bool initial, increment, cap;
} kinds[] = {
	{"none", false, false, false},
	{"per_move", true, false, false},
	{"bank", true, true, true},
	{"total", true, false, false},
};

static bool seconds_check(const json_t *clock, const char *field, bool needed, GError **error)
{
	int64_t seconds = 0;
	if (needed)
		return field_int(clock, field, 1, CLOCK_SECONDS_MAX, &seconds, error);
	return field_int_optional(clock, field, 0, 0, &seconds, error);
}

/* No kind has options yet. */
static bool options_check(const json_t *clock, GError **error)
{
	const json_t *options = NULL;
	return field_object_optional(clock, "clock.options", &options, error) &&
	       (options == NULL || field_none(options, "clock.options", error));
}

static bool clock_read(const json_t *clock, int *kind_r, GError **error)
{
	static const char *const names[] = {"kind",  "initial_s", "increment_s",
					    "cap_s", "options",   NULL};
	static const char *const choices[] = {"none", "per_move", "bank", "total", NULL};
	bool good = field_only_in(clock, "clock", names, error);
	good = options_check(clock, error) && good;
	if (!field_choice(clock, "clock.kind", choices, kind_r, error))
		return false;
	const bool initial = kinds[*kind_r].initial, increment = kinds[*kind_r].increment;
	good = seconds_check(clock, "clock.initial_s", initial, error) && good;
	good = seconds_check(clock, "clock.increment_s", increment, error) && good;
	return seconds_check(clock, "clock.cap_s", kinds[*kind_r].cap, error) && good;
}

bool lobby_clock_check(const json_t *clock, GError **error)
{
	int kind = 0;
	return clock == NULL || clock_read(clock, &kind, error);
}

char *lobby_clock(const json_t *clock, GError **error)
{
	int kind = 0;
	if (clock != NULL && !clock_read(clock, &kind, error))
		return NULL;
	if (strcmp(kinds[kind].kind, "none") == 0)
		return g_strdup("{\"kind\":\"none\"}");
	problem_set(error, PROBLEM_CLOCK_NOT_YET, NULL);
	return NULL;
}
