/* How one setting is read, checked and shown. The settings themselves stand in config.c. */
#ifndef SERVICE_SETTING_H
#define SERVICE_SETTING_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum {
	SETTING_TEXT,
	SETTING_SECRET,   /* as text, at least low bytes, never shown */
	SETTING_CONNINFO, /* a connection string of libpq, shown without its password */
	SETTING_INT,      /* low..high */
	SETTING_BOOL,     /* yes, no */
	SETTING_CHOICE,   /* "auto|required|none", stored as its place */
	SETTING_DURATION, /* "30s", "5m", "2h", "3d", stored in seconds, low..high */
	SETTING_RATE,     /* "100/1m", stored as ConfigRate */
	SETTING_URL, /* begins with one of choices ("http://|https://"), has a host, no user, query
		      * or fragment; stored without end slash */
	SETTING_ADDRESS,   /* one numeric IPv4 or IPv6 address */
	SETTING_ADDRESSES, /* several, separated by blanks */
	SETTING_MAILBOX,   /* "Name <address>" or an address */
	SETTING_DOMAIN,    /* a domain name in ASCII */
	SETTING_FILE       /* the path of a file that can be read */
} SettingKind;

typedef struct {
	const char *name;
	SettingKind kind;
	size_t offset;        /* of its field in Config */
	const char *initial;  /* NULL: not set */
	const char *what_for; /* one sentence for people who run the service */
	int low, high;        /* INT, DURATION: range; SECRET: low = fewest bytes */
	const char *choices;  /* CHOICE, URL */
} Setting;

/* Reads text into the setting's field of config (a Config). An empty text means "not set" where the
 * kind allows it. False, nothing written, when the text does not fit. */
bool setting_parse(const Setting *setting, const char *text, void *config);
/* The value as text, secrets as "(hidden)", "" when not set. The caller frees. */
char *setting_format(const Setting *setting, const void *config);
/* Whether a text that does not fit may be repeated to whoever reads the log. */
bool setting_may_show(const Setting *setting, const char *text);
/* "a whole number from 1 to 65535". The caller frees. */
char *setting_allowed(const Setting *setting);
/* Whether a text-like setting is set at all; numbers always are. */
bool setting_given(const Setting *setting, const void *config);
/* Frees what the field holds. */
void setting_clear(const Setting *setting, void *config);

#endif
