#include "service/route.h"

const Route routes[] = {
	{0},
};
