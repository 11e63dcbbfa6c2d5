#include "service/bell.h"

#include <glib.h>

static GMutex mutex;
static GCond rung;
static uint64_t rings;

void bell_ring(void)
{
	g_mutex_lock(&mutex);
	rings++;
	g_cond_broadcast(&rung);
	g_mutex_unlock(&mutex);
}

uint64_t bell_count(void)
{
	g_mutex_lock(&mutex);
	const uint64_t count = rings;
	g_mutex_unlock(&mutex);
	return count;
}

uint64_t bell_wait(uint64_t seen, int64_t timeout_ms)
{
	const int64_t until = g_get_monotonic_time() + timeout_ms * 1000;
	g_mutex_lock(&mutex);
	while (rings <= seen)
		if (!g_cond_wait_until(&rung, &mutex, until))
			break;
	const uint64_t count = rings;
	g_mutex_unlock(&mutex);
	return count;
}
