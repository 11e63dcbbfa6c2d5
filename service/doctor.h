/*
 * `ludopost doctor`: looks at everything the service leans on, one line each: OK, warning or
 * failure, and what to do about it. One file for each kind of things, none of which ends the run:
 * what cannot be looked at says so.
 */
#ifndef SERVICE_DOCTOR_H
#define SERVICE_DOCTOR_H

#include "db/db.h"
#include "service/config.h"

typedef enum { DOCTOR_OK, DOCTOR_WARNING, DOCTOR_FAILURE, DOCTOR_STATES } DoctorState;

typedef struct Doctor {
	const Config *config;
	Db *db;
	int wait_s;           /* how long a test mail may take to come back */
	const char *resolver; /* "ADDRESS[:PORT]" of a name server; NULL: the system's */
	int counts[DOCTOR_STATES];
	/* What one look finds out for the next: */
	bool database_fine;
	int64_t now_s;                     /* by the database's clock; 0: unknown */
	bool mail_out_fine;                /* the mail server takes mails */
	char *server_name;                 /* what the mail server calls itself; NULL: unknown */
	bool signature_sought;             /* a test mail came back */
	char *dkim_domain, *dkim_selector; /* of its signature; NULL: it had none */
} Doctor;

/* Prints and counts a line; what: one or two words. */
void doctor_say(Doctor *doctor, DoctorState state, const char *what, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

/* The settings, as far as they contradict each other. */
void doctor_settings(Doctor *doctor);
/* Database, migrations, what waits in it, clocks and time zones. */
void doctor_database(Doctor *doctor);
/* The mail server: connection, TLS, greeting, login, accepted sender. */
void doctor_mail_out(Doctor *doctor);
/* Whether a mail to move+…@ comes back into the inbox. */
void doctor_mail_in(Doctor *doctor);
/* MX, SPF, DKIM, DMARC and PTR records. */
void doctor_records(Doctor *doctor);

int command_doctor(int argc, char **argv);

#endif
