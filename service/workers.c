#include "service/workers.h"

#include "service/bell.h"

void workers_wake(void)
{
	bell_ring();
}
