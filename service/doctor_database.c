#include "db/checkup.h"
#include "db/migrate.h"
#include "service/doctor.h"

#include <sys/timex.h>

/* Seconds between two clocks: from there on it is worth a word, and games are wronged. */
#define SKEW_WARNING_S 1.0
#define SKEW_FAILURE_S 30.0

/* This host's clock, microseconds since 1970. Nothing is timed by it: it is what is examined. */
static int64_t host_clock(bool *kept_r)
{
	struct ntptimeval now;
	*kept_r = ntp_gettime(&now) != TIME_ERROR;
	return (int64_t)now.time.tv_sec * G_USEC_PER_SEC + now.time.tv_usec;
}

static void clock_examine(Doctor *doctor, int64_t before_us, int64_t after_us, int64_t database_us)
{
	/* The answer was made at some time between question and answer. */
	const int64_t late = database_us - after_us, early = before_us - database_us;
	const double skew_s = (double)MAX(0, MAX(late, early)) / G_USEC_PER_SEC;
	if (skew_s > SKEW_WARNING_S)
		doctor_say(doctor, skew_s > SKEW_FAILURE_S ? DOCTOR_FAILURE : DOCTOR_WARNING,
			   "clock",
			   "this host's clock and the database's are %.1f seconds apart: let "
			   "chrony or systemd-timesyncd keep both",
			   skew_s);
	else
		doctor_say(doctor, DOCTOR_OK, "clock",
			   "this host's clock and the database's agree within %.3f seconds",
			   skew_s + (double)(after_us - before_us) / G_USEC_PER_SEC);
}

static void queues_examine(Doctor *doctor, const CheckupServer *server)
{
	if (server->mails_late > 0)
		doctor_say(doctor, DOCTOR_WARNING, "outbox",
			   "%" G_GINT64_FORMAT " mails have been due for ten minutes: does "
			   "`ludopost work` (or serve with run_workers) run? "
			   "`ludopost admin deliveries` lists them",
			   server->mails_late);
	else
		doctor_say(doctor, DOCTOR_OK, "outbox", "no mail is late");
	if (server->inbox_failed > 0 || server->inbox_late > 0)
		doctor_say(doctor, DOCTOR_WARNING, "inbox",
			   "%" G_GINT64_FORMAT
			   " mails that came in could not be decided, %" G_GINT64_FORMAT
			   " wait: `ludopost admin inbox` lists them, the log's event=mail_in "
			   "lines say why",
			   server->inbox_failed, server->inbox_late);
	else
		doctor_say(doctor, DOCTOR_OK, "inbox", "every mail that came in was decided");
}

/* What zones were ahead of UTC at some times, each of which older data gets wrong. */
static const struct {
	const char *zone;
	int64_t at;
	int offset_s;
} zones[] = {
	{"Europe/Berlin", 1784548800, 7200},         /* July 2026 */
	{"America/Sao_Paulo", 1768478400, -10800},   /* no summer time since 2019 */
	{"America/Mexico_City", 1784548800, -21600}, /* none since 2022 */
	{"Africa/Cairo", 1784548800, 10800},         /* again since 2023 */
	{"Asia/Almaty", 1768478400, 18000},          /* since March 2024 */
	{"Australia/Lord_Howe", 1768478400, 39600},  /* half an hour of summer time */
};

/* This host's data; false if it has no such zone. */
static bool host_zone(const char *name, int64_t at, int *offset_s_r)
{
	g_autoptr(GTimeZone) zone = g_time_zone_new_identifier(name);
	if (zone == NULL)
		return false;
	*offset_s_r = (int)g_time_zone_get_offset(
		zone, g_time_zone_find_interval(zone, G_TIME_TYPE_UNIVERSAL, at));
	return true;
}

static void zone_verdict(Doctor *doctor, const char *whose, const char *missing, const char *old)
{
	if (missing != NULL)
		doctor_say(doctor, DOCTOR_FAILURE, "time zones",
			   "%s time-zone data lacks %s: install the package tzdata", whose,
			   missing);
	else if (old != NULL)
		doctor_say(doctor, DOCTOR_WARNING, "time zones",
			   "%s time-zone data is old, it gets %s wrong: upgrade the package tzdata",
			   whose, old);
	else
		doctor_say(doctor, DOCTOR_OK, "time zones", "%s time-zone data is recent", whose);
}

static void zones_examine(Doctor *doctor)
{
	const char *missing[2] = {NULL, NULL}, *old[2] = {NULL, NULL};
	for (size_t i = 0; i < G_N_ELEMENTS(zones); i++) {
		g_autoptr(GError) error = NULL;
		bool known[2] = {false, false};
		int offsets[2] = {0, 0};
		known[0] = host_zone(zones[i].zone, zones[i].at, &offsets[0]);
		if (!checkup_zone(doctor->db, zones[i].zone, zones[i].at, &known[1], &offsets[1],
				  &error)) {
			doctor_say(doctor, DOCTOR_FAILURE, "time zones", "%s", error->message);
			return;
		}
		for (int side = 0; side < 2; side++) {
			if (!known[side])
				missing[side] = zones[i].zone;
			else if (offsets[side] != zones[i].offset_s)
				old[side] = zones[i].zone;
		}
	}
	zone_verdict(doctor, "this host's", missing[0], old[0]);
	zone_verdict(doctor, "the database's", missing[1], old[1]);
}

static void server_examine(Doctor *doctor, const CheckupServer *server)
{
	if (server->read_only)
		doctor_say(doctor, DOCTOR_FAILURE, "database",
			   "PostgreSQL %s answers, but only reads: name the primary, with "
			   "target_session_attrs=read-write in `database`",
			   server->version);
	else
		doctor_say(doctor, DOCTOR_OK, "database", "PostgreSQL %s answers", server->version);
	if (server->migration > migrate_newest())
		doctor_say(doctor, DOCTOR_WARNING, "migrations",
			   "the database has migration %d, this program knows %d: upgrade it",
			   server->migration, migrate_newest());
	else
		doctor_say(doctor, DOCTOR_OK, "migrations", "all %d are there", server->migration);
}

static void database_failed(Doctor *doctor, const GError *error)
{
	if (g_error_matches(error, DB_ERROR, DB_ERROR_SCHEMA)) {
		doctor_say(doctor, DOCTOR_OK, "database", "PostgreSQL answers");
		doctor_say(doctor, DOCTOR_FAILURE, "migrations", "%s", error->message);
		return;
	}
	doctor_say(doctor, DOCTOR_FAILURE, "database",
		   "%s: start PostgreSQL, or correct the setting `database`", error->message);
}

void doctor_database(Doctor *doctor)
{
	g_autoptr(GError) error = NULL;
	if (!db_connect(doctor->db, &error)) {
		database_failed(doctor, error);
		return;
	}
	g_auto(CheckupServer) server = {0};
	bool kept = false;
	const int64_t before = host_clock(&kept);
	if (!checkup_server(doctor->db, &server, &error)) {
		database_failed(doctor, error);
		return;
	}
	const int64_t after = host_clock(&kept);
	doctor->database_fine = true;
	doctor->now_s = server.now_us / G_USEC_PER_SEC;
	server_examine(doctor, &server);
	clock_examine(doctor, before, after, server.now_us);
	if (!kept)
		doctor_say(doctor, DOCTOR_WARNING, "clock",
			   "no time service keeps this host's clock: install chrony or "
			   "systemd-timesyncd");
	zones_examine(doctor);
	queues_examine(doctor, &server);
}
