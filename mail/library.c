#include "library.h"

#include <gmime/gmime.h>

void library_prepare(void)
{
	static size_t prepared = 0;
	if (g_once_init_enter(&prepared)) {
		g_mime_init();
		g_once_init_leave(&prepared, 1);
	}
}
