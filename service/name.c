#include "service/name.h"

#include "service/problem.h"

#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

/* Nobody shall speak for the service, nor bear the local part of one of its mail addresses. */
static const char *const reserved[] = {
	"ludopost",  "admin",      "administrator", "system",   "service",   "server",
	"support",   "help",       "helpdesk",      "staff",    "team",      "moderator",
	"root",      "owner",      "official",      "security", "abuse",     "postmaster",
	"webmaster", "hostmaster", "mailer-daemon", "noreply",  "no-reply",  "info",
	"board",     "play",       "move",          "bounce",   "invite",    "unsubscribe",
	"fbl",       "sparring",   "anonymous",     "nobody",   "everybody", "anybody",
	"me",        "null",       "undefined",     "deleted",
};

enum {
	RAW_MAX = 4 * NAME_LENGTH_MAX, /* characters that normalisation may still make fewer of */
	UNITS_MAX = 4096,              /* room for these: a compatibility mapping has 18 at most */
	MARKS_MAX = 3,                 /* combining marks on one letter */
};

typedef struct {
	UChar units[UNITS_MAX];
	int32_t length;
} Units;

/* All of ICU's objects below are shared and constant, so any thread may use them. */
static const USpoofChecker *checker_get(void)
{
	static size_t once;
	static USpoofChecker *checker;
	if (g_once_init_enter(&once)) {
		UErrorCode status = U_ZERO_ERROR;
		checker = uspoof_open(&status);
		uspoof_setRestrictionLevel(checker, USPOOF_SINGLE_SCRIPT_RESTRICTIVE);
		uspoof_setChecks(checker, USPOOF_RESTRICTION_LEVEL | USPOOF_MIXED_NUMBERS, &status);
		g_assert(U_SUCCESS(status));
		g_once_init_leave(&once, 1);
	}
	return checker;
}

static void units_read(const char *text, Units *units_r)
{
	UErrorCode status = U_ZERO_ERROR;
	u_strFromUTF8(units_r->units, UNITS_MAX, &units_r->length, text, -1, &status);
	g_assert(U_SUCCESS(status));
}

static char *units_text(const Units *units)
{
	char text[UNITS_MAX * 3 + 1];
	UErrorCode status = U_ZERO_ERROR;
	u_strToUTF8(text, sizeof text, NULL, units->units, units->length, &status);
	g_assert(U_SUCCESS(status));
	return g_strdup(text);
}

static void units_normalise(const UNormalizer2 *form, const Units *from, Units *to_r)
{
	UErrorCode status = U_ZERO_ERROR;
	to_r->length =
		unorm2_normalize(form, from->units, from->length, to_r->units, UNITS_MAX, &status);
	g_assert(U_SUCCESS(status));
}

static void units_compose(const Units *from, Units *to_r)
{
	UErrorCode status = U_ZERO_ERROR;
	units_normalise(unorm2_getNFKCInstance(&status), from, to_r);
}

static void units_fold(const Units *from, Units *to_r)
{
	UErrorCode status = U_ZERO_ERROR;
	units_normalise(unorm2_getNFKCCasefoldInstance(&status), from, to_r);
}

/* Folded once more, since a look-alike may be a capital: "0" becomes "O". */
static char *units_skeleton(const Units *units)
{
	Units skeleton, folded;
	UErrorCode status = U_ZERO_ERROR;
	skeleton.length = uspoof_getSkeleton(checker_get(), 0, units->units, units->length,
					     skeleton.units, UNITS_MAX, &status);
	g_assert(U_SUCCESS(status));
	units_fold(&skeleton, &folded);
	return units_text(&folded);
}

static char *units_key(const Units *units)
{
	Units folded;
	units_fold(units, &folded);
	return units_skeleton(&folded);
}

char *name_key(const char *text)
{
	Units raw, units;
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	g_autofree char *start = g_utf8_substring(valid, 0, MIN(g_utf8_strlen(valid, -1), RAW_MAX));
	units_read(start, &raw);
	units_compose(&raw, &units);
	return units_key(&units);
}

static bool is_separator(UChar32 character)
{
	return character == ' ' || character == '-' || character == '_';
}

/* Letters, digits, separators, and the marks that some scripts write letters with. Invisible
 * letters (the Hangul fillers) are none. */
static bool is_allowed(UChar32 character, bool mark_fits)
{
	if (u_hasBinaryProperty(character, UCHAR_DEFAULT_IGNORABLE_CODE_POINT))
		return false;
	const uint32_t class = U_GET_GC_MASK(character);
	return is_separator(character) || (class & (U_GC_L_MASK | U_GC_ND_MASK)) != 0 ||
	       (mark_fits && (class & (U_GC_MN_MASK | U_GC_MC_MASK)) != 0);
}

static bool refuse_character(UChar32 character, GError **error)
{
	char text[8] = "";
	g_unichar_to_utf8((gunichar)character, text);
	g_autofree char *shown = u_isprint(character)
					 ? g_strdup(text)
					 : g_strdup_printf("U+%04X", (unsigned)character);
	problem_set_field(error, "name", FIELD_CHARACTER_NOT_ALLOWED, "character", shown, NULL);
	return false;
}

static bool refuse(FieldFault fault, GError **error)
{
	problem_set_field(error, "name", fault, NULL);
	return false;
}

static bool characters_check(const Units *units, GError **error)
{
	bool letters = false, after_separator = true;
	int marks = MARKS_MAX;
	g_autofree char *text = units_text(units);
	for (const char *place = text; *place; place = g_utf8_next_char(place)) {
		const UChar32 character = (UChar32)g_utf8_get_char(place);
		if (!is_allowed(character, marks < MARKS_MAX))
			return refuse_character(character, error);
		if (is_separator(character) && after_separator)
			return refuse(FIELD_SEPARATOR_MISPLACED, error);
		after_separator = is_separator(character);
		const uint32_t class = U_GET_GC_MASK(character);
		const bool letter = (class & U_GC_L_MASK) != 0;
		letters |= letter;
		if (letter)
			marks = 0;
		else
			marks = (class & U_GC_M_MASK) != 0 ? marks + 1 : MARKS_MAX;
	}
	if (after_separator)
		return refuse(FIELD_SEPARATOR_MISPLACED, error);
	return letters || refuse(FIELD_NO_LETTER, error);
}

static bool script_check(const Units *units, GError **error)
{
	UErrorCode status = U_ZERO_ERROR;
	const int32_t faults =
		uspoof_check2(checker_get(), units->units, units->length, NULL, &status);
	g_assert(U_SUCCESS(status));
	return faults == 0 || refuse(FIELD_MIXED_SCRIPTS, error);
}

static bool refuse_too_long(GError **error)
{
	g_autofree char *max = g_strdup_printf("%d", NAME_LENGTH_MAX);
	problem_set_field(error, "name", FIELD_TOO_LONG, "max", max, NULL);
	return false;
}

static bool length_check(const Units *units, GError **error)
{
	const int32_t length = u_countChar32(units->units, units->length);
	if (length > NAME_LENGTH_MAX)
		return refuse_too_long(error);
	if (length >= NAME_LENGTH_MIN)
		return true;
	g_autofree char *min = g_strdup_printf("%d", NAME_LENGTH_MIN);
	problem_set_field(error, "name", FIELD_TOO_SHORT, "min", min, NULL);
	return false;
}

static bool reserved_check(const Name *name, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(reserved); i++) {
		g_autofree char *key = name_key(reserved[i]);
		if (strcmp(key, name->key) == 0 || strcmp(key, name->look) == 0)
			return refuse(FIELD_RESERVED, error);
	}
	return true;
}

void name_free(Name *name)
{
	if (name == NULL)
		return;
	g_free(name->text);
	g_free(name->key);
	g_free(name->look);
	g_free(name);
}

/* The text in NFKC, if it may be a name at all. */
static bool units_check(const char *text, Units *units_r, GError **error)
{
	if (text == NULL)
		return refuse(FIELD_MISSING, error);
	if (!g_utf8_validate(text, -1, NULL))
		return refuse(FIELD_BAD_FORMAT, error);
	if (g_utf8_strlen(text, -1) > RAW_MAX)
		return refuse_too_long(error);
	Units raw;
	units_read(text, &raw);
	units_compose(&raw, units_r);
	return length_check(units_r, error) && characters_check(units_r, error) &&
	       script_check(units_r, error);
}

Name *name_new(const char *text, GError **error)
{
	Units units;
	if (!units_check(text, &units, error))
		return NULL;
	g_autoptr(Name) name = g_new0(Name, 1);
	name->text = units_text(&units);
	name->key = units_key(&units);
	name->look = units_skeleton(&units);
	return reserved_check(name, error) ? g_steal_pointer(&name) : NULL;
}
