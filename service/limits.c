#include "service/limits.h"

#include <glib.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define WITH_SANITIZER 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define WITH_SANITIZER 1
#endif
#ifndef WITH_SANITIZER
#define WITH_SANITIZER 0
#endif

/* What is slowed down by sanitizers may take longer, too. */
enum { CPU_S = WITH_SANITIZER ? LIMITS_CPU_S * 10 : LIMITS_CPU_S, STACK_SIZE = 65536 };

static volatile sig_atomic_t code_at_end;

static void process_end(int number)
{
	(void)number;
	_exit(code_at_end);
}

/* Crashes run on a stack of their own: the usual one may be what is full. */
static void signals_handle(const int *signals, size_t count)
{
	static char stack[STACK_SIZE];
	const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction action = {.sa_handler = process_end, .sa_flags = SA_ONSTACK};

	sigaltstack(&other, NULL);
	for (size_t i = 0; i < count; i++)
		sigaction(signals[i], &action, NULL);
}

static void limit_set(int resource, rlim_t soft, rlim_t hard)
{
	struct rlimit limit = {soft, hard};
	struct rlimit given;

	if (getrlimit((__rlimit_resource_t)resource, &given) == 0) {
		limit.rlim_max = MIN(hard, given.rlim_max);
		limit.rlim_cur = MIN(soft, limit.rlim_max);
	}
	setrlimit((__rlimit_resource_t)resource, &limit);
}

void limits_set(int exit_code)
{
	static const int ends[] = {SIGXCPU, SIGALRM, SIGTERM, SIGINT, SIGHUP};
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};

	code_at_end = exit_code;
	signals_handle(ends, G_N_ELEMENTS(ends));
	signal(SIGPIPE, SIG_IGN);
	limit_set(RLIMIT_CORE, 0, 0);
	limit_set(RLIMIT_CPU, CPU_S, CPU_S + 1);
	/* With a sanitizer crashes are bugs to be shown. */
	if (WITH_SANITIZER)
		return;
	signals_handle(crashes, G_N_ELEMENTS(crashes));
	limit_set(RLIMIT_AS, LIMITS_MEMORY, LIMITS_MEMORY);
}

void limits_exit_code(int exit_code)
{
	code_at_end = exit_code;
}

void limits_time(unsigned seconds)
{
	alarm(seconds);
}
