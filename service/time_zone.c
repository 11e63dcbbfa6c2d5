#include "service/time_zone.h"

#include <glib.h>
#include <string.h>

bool time_zone_known(const char *name)
{
	static const char allowed[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "/_-+";
	if (strcmp(name, "UTC") == 0)
		return true;
	/* A region's name begins with a capital; "posix/…" and "right/…" are other readings of
	 * the same zones, and names without a region may be rules or offsets. */
	if (!g_ascii_isupper(name[0]) || !strchr(name, '/') || name[strspn(name, allowed)] != '\0')
		return false;
	g_autoptr(GTimeZone) zone = g_time_zone_new_identifier(name);
	return zone != NULL;
}
