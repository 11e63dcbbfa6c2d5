#include "service/time_zone.h"

#include <glib.h>
#include <string.h>

#define ZONES "/usr/share/zoneinfo/"

bool time_zone_known(const char *name)
{
	static const char allowed[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "/_-+";
	/* What begins with a capital is a name: "posix/…" and "right/…" are other readings of the
	 * same zones. The file of the one name that stands for no zone must not count. */
	if (!g_ascii_isupper(name[0]) || name[strspn(name, allowed)] != '\0' ||
	    strcmp(name, "Factory") == 0)
		return false;
	/* Without a region, GLib would also take a rule ("ABC3"). */
	g_autofree char *path = g_strconcat(ZONES, name, NULL);
	if (strchr(name, '/') == NULL && !g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return false;
	g_autoptr(GTimeZone) zone = g_time_zone_new_identifier(name);
	return zone != NULL;
}
