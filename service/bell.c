#include "service/bell.h"

void bell_ring(Bell *bell)
{
	g_mutex_lock(&bell->mutex);
	bell->rings++;
	g_cond_signal(&bell->rung);
	g_mutex_unlock(&bell->mutex);
}

void bell_ring_all(Bell *bell)
{
	g_mutex_lock(&bell->mutex);
	bell->rings++;
	g_cond_broadcast(&bell->rung);
	g_mutex_unlock(&bell->mutex);
}

uint64_t bell_count(Bell *bell)
{
	g_mutex_lock(&bell->mutex);
	const uint64_t count = bell->rings;
	g_mutex_unlock(&bell->mutex);
	return count;
}

uint64_t bell_wait(Bell *bell, uint64_t seen, int64_t timeout_ms)
{
	const int64_t until = g_get_monotonic_time() + timeout_ms * 1000;
	g_mutex_lock(&bell->mutex);
	while (bell->rings <= seen)
		if (!g_cond_wait_until(&bell->rung, &bell->mutex, until))
			break;
	const uint64_t count = bell->rings;
	g_mutex_unlock(&bell->mutex);
	return count;
}
