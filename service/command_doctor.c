#include "mail/library.h"
#include "mail/smtp.h"
#include "service/command.h"
#include "service/doctor.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { WAIT_S = 60, WAIT_MAX_S = 3600 };

void doctor_say(Doctor *doctor, DoctorState state, const char *what, const char *format, ...)
{
	static const char *const words[] = {
		[DOCTOR_OK] = "OK", [DOCTOR_WARNING] = "warning", [DOCTOR_FAILURE] = "failure"};
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	/* What a server answered may have several lines. */
	g_strdelimit(text, "\r\n", ' ');
	printf("%-8s %-14s %s\n", words[state], what, text);
	fflush(stdout);
	doctor->counts[state]++;
}

/* Takes "--wait SECONDS" and "--resolver ADDRESS[:PORT]". */
static bool option_read(Doctor *doctor, const char *name, const char *value)
{
	guint64 seconds = 0;
	if (strcmp(name, "--resolver") == 0) {
		doctor->resolver = value;
		return true;
	}
	if (strcmp(name, "--wait") != 0 ||
	    !g_ascii_string_to_unsigned(value, 10, 1, WAIT_MAX_S, &seconds, NULL))
		return false;
	doctor->wait_s = (int)seconds;
	return true;
}

static int examine(Doctor *doctor)
{
	doctor_settings(doctor);
	doctor_database(doctor);
	doctor_mail_out(doctor);
	doctor_mail_in(doctor);
	doctor_records(doctor);
	const int warnings = doctor->counts[DOCTOR_WARNING],
		  failures = doctor->counts[DOCTOR_FAILURE];
	printf("%d OK, %d warning%s, %d failure%s\n", doctor->counts[DOCTOR_OK], warnings,
	       warnings == 1 ? "" : "s", failures, failures == 1 ? "" : "s");
	return doctor->counts[DOCTOR_FAILURE] > 0 ? COMMAND_FAILED : COMMAND_DONE;
}

int command_doctor(int argc, char **argv)
{
	g_autoptr(Config) config = command_config(&argc, argv);
	if (config == NULL)
		return COMMAND_FAILED;
	Doctor doctor = {.config = config, .wait_s = WAIT_S};
	for (int i = 1; i < argc; i += 2)
		if (i + 1 == argc || !option_read(&doctor, argv[i], argv[i + 1]))
			return command_usage(
				argv[0], "takes --wait SECONDS (how long a test mail may take, 60) "
					 "and --resolver ADDRESS[:PORT] (a name server)");
	signal(SIGPIPE, SIG_IGN);
	library_prepare();
	smtp_prepare();
	doctor.db = db_new(config->database);
	const int code = examine(&doctor);
	db_free(doctor.db);
	g_free(doctor.server_name);
	g_free(doctor.dkim_domain);
	g_free(doctor.dkim_selector);
	return code;
}
