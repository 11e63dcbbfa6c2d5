/* What the database knows about a mail that came in: the MailInSource of the running service. Works
 * inside the mail's transaction; a game that is looked up is locked. */
#ifndef SERVICE_MAIL_SOURCE_H
#define SERVICE_MAIL_SOURCE_H

#include "db/game.h"
#include "db/inbox.h"
#include "service/config.h"
#include "service/mail_in.h"

enum { MAIL_STAGE_NONE = -1 };

/* The first four are set by who uses it, the rest by what is asked. */
typedef struct {
	Db *db;
	const Config *config;
	const InboxMail *mail;
	bool confirmed;    /* the player said that it is his mail: memory is not asked again */
	GError *error;     /* the first fault; what is decided after it counts for nothing */
	int64_t player_id; /* of the secret, or who got the mail that this one answers; 0: nobody */
	int seat;          /* the player's, by the secret; 0: none */
	int stage;         /* of the set-up, by the secret: 0 while sealed, then the pair's number;
			    * MAIL_STAGE_NONE: the address tells none */
	Game *game;        /* locked; NULL: none */
	Position position;
	char played[RULES_TURN_MAX];
} MailSource;

void mail_source_clear(MailSource *source);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MailSource, mail_source_clear)

/* Wants a MailSource as user_data. */
extern const MailInSource mail_source;

/* Whether a mail was seen before where its addressee counts, by its Message-ID, or by its date and
 * text if it has none (NULL); from now on it was. For mails without a secret, whose decision does
 * not ask. */
MailMemory mail_source_remember(MailSource *source, const MailAddressee *addressee,
				const char *message_id);

#endif
