/* Limits that a process which reads what strangers wrote puts on itself, and an end in good order
 * whatever happens to it: a mail server must never take a crash for a refusal. */
#ifndef SERVICE_LIMITS_H
#define SERVICE_LIMITS_H

enum {
	LIMITS_CPU_S = 2,
	LIMITS_MEMORY =
		256 << 20, /* bytes of address space; not with sanitizers, which need more */
};

/* From now on a crash, too much time or memory, or a signal to end, ends the process with this exit
 * code. No core is dumped: it would hold the mail. */
void limits_set(int exit_code);
/* Another exit code for the same, from now on. */
void limits_exit_code(int exit_code);
/* Ends the process after so many seconds from now. */
void limits_time(unsigned seconds);

#endif
