/* Instants in words. The zone's offset comes from the system's zone files, which are kept up to
 * date (and are PostgreSQL's too); ICU's own copy is as old as the library and only lends the
 * names. */
#include "service/text.h"

#include <string.h>
#include <unicode/ucal.h>
#include <unicode/udat.h>
#include <unicode/udatpg.h>
#include <unicode/ustring.h>

enum { PHRASE_MAX = 256 };

static GDateTime *instant_parse(const char *instant)
{
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
	char *end = NULL;
	int64_t seconds = g_ascii_strtoll(instant, &end, 10);
	if (end != instant && *end == '\0')
		return g_date_time_new_from_unix_utc(seconds);
	return g_date_time_new_from_iso8601(instant, utc);
}

/* The reader's zone; NULL if it is UTC, none, or one the system does not know. */
static GTimeZone *zone_find(const char *zone)
{
	if (zone == NULL || strcmp(zone, "UTC") == 0 || strcmp(zone, "Etc/UTC") == 0)
		return NULL;
	return g_time_zone_new_identifier(zone);
}

static GDateTime *instant_in_zone(GDateTime *instant, GTimeZone *zone)
{
	return zone == NULL ? g_date_time_to_utc(instant) : g_date_time_to_timezone(instant, zone);
}

/* "GMT+05:30": a zone that ICU knows by its offset alone. */
static void offset_zone(GDateTime *time, UChar zone_r[PHRASE_MAX])
{
	int64_t minutes = g_date_time_get_utc_offset(time) / G_TIME_SPAN_MINUTE;
	int64_t size = minutes < 0 ? -minutes : minutes;
	g_autofree char *name = g_strdup_printf("GMT%c%02d:%02d", minutes < 0 ? '-' : '+',
						(int)(size / 60), (int)(size % 60));
	u_uastrncpy(zone_r, name, PHRASE_MAX);
}

static char *utf8_from(const UChar *text)
{
	return g_utf16_to_utf8((const gunichar2 *)text, -1, NULL, NULL, NULL);
}

/* Formats by an ICU pattern in a zone. */
static char *pattern_format(const char *locale, const UChar *pattern, const UChar *zone,
			    GDateTime *time)
{
	UErrorCode status = U_ZERO_ERROR;
	UChar text[PHRASE_MAX];
	UDateFormat *format =
		udat_open(UDAT_PATTERN, UDAT_PATTERN, locale, zone, -1, pattern, -1, &status);
	udat_format(format, (UDate)g_date_time_to_unix(time) * 1000.0, text, PHRASE_MAX, NULL,
		    &status);
	udat_close(format);
	g_assert(U_SUCCESS(status));
	return utf8_from(text);
}

/* The locale's own order and words for a skeleton such as "yMMMMd". */
static char *skeleton_format(Language language, const char *skeleton, const UChar *zone,
			     GDateTime *time)
{
	UErrorCode status = U_ZERO_ERROR;
	UChar wanted[PHRASE_MAX];
	UChar pattern[PHRASE_MAX];
	u_uastrncpy(wanted, skeleton, PHRASE_MAX);
	UDateTimePatternGenerator *generator = udatpg_open(language_locale(language), &status);
	udatpg_getBestPattern(generator, wanted, -1, pattern, PHRASE_MAX, &status);
	udatpg_close(generator);
	g_assert(U_SUCCESS(status));
	return pattern_format(language_locale(language), pattern, zone, time);
}

/* "Central European Summer Time" where ICU's idea of the zone agrees with the system's, else its
 * offset, "GMT+05:00". */
static char *zone_name(Language language, const char *zone, GDateTime *time)
{
	UErrorCode status = U_ZERO_ERROR;
	UChar id[PHRASE_MAX];
	u_uastrncpy(id, zone, PHRASE_MAX - 1);
	UCalendar *calendar = ucal_open(id, -1, language_locale(language), UCAL_GREGORIAN, &status);
	ucal_setMillis(calendar, (UDate)g_date_time_to_unix(time) * 1000.0, &status);
	int32_t offset = ucal_get(calendar, UCAL_ZONE_OFFSET, &status) +
			 ucal_get(calendar, UCAL_DST_OFFSET, &status);
	ucal_close(calendar);
	g_assert(U_SUCCESS(status));
	if ((int64_t)offset * 1000 != g_date_time_get_utc_offset(time))
		offset_zone(time, id);
	static const UChar long_name[] = {'z', 'z', 'z', 'z', 0};
	return pattern_format(language_locale(language), long_name, id, time);
}

static bool same_day(GDateTime *left, GDateTime *right)
{
	return g_date_time_get_day_of_year(left) == g_date_time_get_day_of_year(right) &&
	       g_date_time_get_year(left) == g_date_time_get_year(right);
}

char *text_time(Language language, const char *instant, const char *zone)
{
	g_autoptr(GDateTime) utc = instant_parse(instant);
	if (utc == NULL)
		return NULL;
	g_autoptr(GTimeZone) known = zone_find(zone);
	g_autoptr(GDateTime) local = instant_in_zone(utc, known);
	g_autoptr(GDateTime) universal = g_date_time_to_utc(utc);
	UChar local_zone[PHRASE_MAX];
	UChar utc_zone[PHRASE_MAX];
	offset_zone(local, local_zone);
	offset_zone(universal, utc_zone);
	g_autofree char *when = skeleton_format(language, "yMMMMEEEEdHm", local_zone, local);
	if (known == NULL)
		return g_strdup_printf("%s UTC", when);
	g_autofree char *name = zone_name(language, zone, local);
	const char *skeleton = same_day(local, universal) ? "Hm" : "MMMdHm";
	g_autofree char *there = skeleton_format(language, skeleton, utc_zone, universal);
	return g_strdup_printf("%s, %s (%s UTC)", when, name, there);
}

char *text_date(Language language, const char *instant, const char *zone)
{
	g_autoptr(GDateTime) utc = instant_parse(instant);
	if (utc == NULL)
		return NULL;
	g_autoptr(GTimeZone) known = zone_find(zone);
	g_autoptr(GDateTime) local = instant_in_zone(utc, known);
	UChar local_zone[PHRASE_MAX];
	offset_zone(local, local_zone);
	return skeleton_format(language, "yMMMMd", local_zone, local);
}
