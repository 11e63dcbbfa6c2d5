/* A bell of this process: threads that wait for work sleep until it rings. */
#ifndef SERVICE_BELL_H
#define SERVICE_BELL_H

#include <stdint.h>

/* Rings: every thread that waits returns, and one that comes too late does too. */
void bell_ring(void);
/* How often it rang so far. */
uint64_t bell_count(void);
/* Waits until it has rung more often than seen, at most timeout_ms. Returns how often it rang. */
uint64_t bell_wait(uint64_t seen, int64_t timeout_ms);

#endif
