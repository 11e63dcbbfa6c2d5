/*
 * Settings. One table (config.c) names each with its kind, range, default and what it is for. Later
 * sources win: defaults, the file (--config FILE, else /etc/ludopost.conf if it exists: lines
 * "name = value", "#" starts a comment line), LUDOPOST_NAME in the environment, and
 * LUDOPOST_NAME_FILE, which names a file that holds the value (secrets of containers).
 *
 * To add a setting: one field here, one row in the table.
 */
#ifndef SERVICE_CONFIG_H
#define SERVICE_CONFIG_H

#include <glib.h>
#include <stdbool.h>

#define CONFIG_ERROR (config_error_quark())
GQuark config_error_quark(void);

enum { CONFIG_SECRET_KEYS = 9 };

/* "100/1m": quota requests in window_s seconds. */
typedef struct {
	int quota;
	int window_s;
} ConfigRate;

typedef enum { CONFIG_TLS_AUTO, CONFIG_TLS_REQUIRED, CONFIG_TLS_NONE } ConfigTls;
typedef enum { CONFIG_LOG_ERROR, CONFIG_LOG_WARNING, CONFIG_LOG_INFO, CONFIG_LOG_DEBUG } ConfigLog;

/* Texts that have no default and are not set are NULL. */
typedef struct Config {
	char *database;       /* libpq connection string of the service's role */
	char *database_owner; /* the same of the owner: migrate, admin */

	char *listen;          /* numeric address, "127.0.0.1" */
	int port;              /* 0: any free one */
	char *public_url;      /* "https://play.example.org", no slash at the end */
	int workers;           /* threads that answer requests, each with one database connection */
	char *trusted_proxies; /* addresses, separated by blanks, whose X-Forwarded-For counts */
	int body_limit;        /* bytes of a request's body */
	int header_timeout_s, body_timeout_s, idle_timeout_s, stop_delay_s, stop_timeout_s;
	int connections; /* at most, at the same time */
	char *heartbeat; /* NULL: none */
	int tokens_per_player, addresses_per_player;
	int connections_per_address;                  /* not counted for trusted proxies */
	ConfigRate rate_read, rate_write, rate_login; /* per token, and per address without one */
	ConfigRate rate_mail_address,
		rate_mail_client; /* mails to one address; caused by one client */
	ConfigRate rate_invitation,
		rate_invitation_same; /* of one player; of one player to one address */

	bool run_workers; /* serve sends mail too */
	int mail_workers; /* threads that send mail */
	char *smtp_url;   /* "smtp://localhost:25" */
	char *smtp_user, *smtp_password;
	ConfigTls smtp_tls;
	char *smtp_ca_file;
	int smtp_timeout_s;       /* for each answer of the mail server */
	int mail_brake;           /* mails about games to one address within an hour */
	char *mail_from;          /* "Ludopost <play@example.org>" */
	char *mail_domain;        /* right of the @ in reply addresses and Message-IDs */
	bool inbound;             /* replies by mail are read (mails invite to reply only then) */
	char *mail_authserv_id;   /* whose Authentication-Results count */
	char *mail_trusted_hosts; /* names, separated by blanks, whose Received lines count */
	int inbox_days;           /* how long raw messages are kept */

	/* Numbered keys; [0] is secret_key_1. NULL where not set. */
	char *secret_key[CONFIG_SECRET_KEYS];

	ConfigLog log_level;
} Config;

/* Reads all sources. path: of --config, or NULL. NULL with CONFIG_ERROR, whose message names
 * setting, file and line, and the allowed values. */
Config *config_load(const char *path, GError **error);
void config_free(Config *config);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Config, config_free)

/* Refuses a configuration in which one of the NULL-terminated settings is not set. */
bool config_need(const Config *config, GError **error, ...) G_GNUC_NULL_TERMINATED;
/* Refuses a configuration without any secret key. */
bool config_need_key(const Config *config, GError **error);
/* The number (1…) of the newest secret key, the one to make new secrets with; 0 if there is none.
 */
int config_newest_key(const Config *config);
/* The key with a number; NULL if there is none. */
const char *config_key(const Config *config, int number);

/* Prints "name = value  # origin" for every setting, secrets hidden ("ludopost config"). */
void config_print(const Config *config);
/* Prints the table of settings: name, allowed values, default, what for ("config --table"). */
void config_print_table(void);

#endif
