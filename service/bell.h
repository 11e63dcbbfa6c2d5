/* A bell that threads sleep by: one ring wakes one of them, and one that comes too late returns at
 * once. */
#ifndef SERVICE_BELL_H
#define SERVICE_BELL_H

#include <glib.h>
#include <stdint.h>

/* All zero is a good start for one that is static. */
typedef struct {
	GMutex mutex;
	GCond rung;
	uint64_t rings;
} Bell;

/* Wakes one of the threads that wait; bell_ring_all wakes all. */
void bell_ring(Bell *bell);
void bell_ring_all(Bell *bell);
/* How often it rang so far. */
uint64_t bell_count(Bell *bell);
/* Waits until it has rung more often than seen, at most timeout_ms. Returns how often it rang. */
uint64_t bell_wait(Bell *bell, uint64_t seen, int64_t timeout_ms);

#endif
