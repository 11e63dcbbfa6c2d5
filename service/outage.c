#include "service/outage.h"

#include <glib.h>

enum { FIRST_MS = 500, LAST_MS = 30000, LOG_EVERY_S = 60 };

void outage_name(Outage *outage, const char *name)
{
	outage->name = name;
}

int64_t outage_begin(Outage *outage, const char *why)
{
	const int64_t now = g_get_monotonic_time();
	if (outage->failures == 0)
		outage->began = now;
	outage->failures++;
	if (outage->failures == 1 || now - outage->logged >= LOG_EVERY_S * G_USEC_PER_SEC) {
		g_autofree char *words = g_strdelimit(g_strdup(why), "\"", '\'');
		g_warning("event=%s_unavailable failures=%d why=\"%s\"", outage->name,
			  outage->failures, words);
		outage->logged = now;
	}
	const int doublings = MIN(outage->failures - 1, 6);
	const int pause_ms = MIN(FIRST_MS << doublings, LAST_MS);
	return g_random_int_range(pause_ms * 3 / 4, pause_ms * 5 / 4);
}

void outage_end(Outage *outage)
{
	if (outage->failures == 0)
		return;
	g_message("event=%s_available failures=%d away_s=%" G_GINT64_FORMAT, outage->name,
		  outage->failures, (g_get_monotonic_time() - outage->began) / G_USEC_PER_SEC);
	outage->failures = 0;
}
