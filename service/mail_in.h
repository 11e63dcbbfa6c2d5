/*
 * What a mail that came in means: the whole order of work from raw bytes to a decision, as one
 * function without database, clock or sending. Who asks brings his own knowledge of secrets, games
 * and what was seen before.
 */
#ifndef SERVICE_MAIL_IN_H
#define SERVICE_MAIL_IN_H

#include "mail/auth_results.h"
#include "mail/bounce.h"
#include "mail/recipient.h"
#include "rules/rules.h"
#include "service/mail_addressee.h"
#include "service/mail_command.h"

#include <glib.h>

/* What to do with a mail, and how it is called. */
#define MAIL_DISPOSITIONS(X)      \
	X(ACCEPT, "accept")       \
	X(HOLD, "hold")           \
	X(REJECT, "reject")       \
	X(IGNORE, "ignore")       \
	X(BOUNCE, "bounce")       \
	X(COMPLAINT, "complaint") \
	X(UNSUBSCRIBE, "unsubscribe")
/* ACCEPT: act on it. HOLD: understood, but the sender must confirm it first. REJECT: answer with a
 * short explanation, if may_answer. IGNORE: no answer at all. */
typedef enum MailDisposition {
#define X(code, name) MAIL_IN_##code,
	MAIL_DISPOSITIONS(X)
#undef X
} MailDisposition;

const char *mail_disposition_name(MailDisposition disposition);

/* Why, as a word; NULL: no reason. */
#define MAIL_REASONS(X)                           \
	X(NONE, NULL)                             \
	/* HOLD */                                \
	X(FROM_MISMATCH, "from-mismatch")         \
	X(AUTH_FAIL, "auth-fail")                 \
	X(NO_SECRET, "no-secret")                 \
	/* REJECT */                              \
	X(EMPTY_REPLY, "empty-reply")             \
	X(AMBIGUOUS_COMMAND, "ambiguous-command") \
	X(NO_TEXT, "no-text")                     \
	X(BAD_SECRET, "bad-secret")               \
	X(STALE_TURN, "stale-turn")               \
	X(MALFORMED_HEADERS, "malformed-headers") \
	X(MIME_TOO_DEEP, "mime-too-deep")         \
	X(TOO_MANY_PARTS, "too-many-parts")       \
	X(HEADER_TOO_LARGE, "header-too-large")   \
	X(MESSAGE_TOO_LARGE, "message-too-large") \
	X(UNKNOWN_SENDER, "unknown-sender")       \
	/* IGNORE */                              \
	X(AUTO_REPLY, "auto-reply")               \
	X(MAILING_LIST, "mailing-list")           \
	X(LOOP, "loop")                           \
	X(MDN, "mdn")                             \
	X(DSN_DELAYED, "dsn-delayed")             \
	X(DSN_SUCCESS, "dsn-success")             \
	X(DUPLICATE, "duplicate")                 \
	X(ALREADY_PLAYED, "already-played")       \
	/* BOUNCE */                              \
	X(HARD, "hard")                           \
	X(SOFT, "soft")
typedef enum MailReason {
#define X(code, name) MAIL_REASON_##code,
	MAIL_REASONS(X)
#undef X
} MailReason;

/* NULL for NONE. */
const char *mail_reason_name(MailReason reason);

/* Things to record, as a set. */
enum {
	MAIL_FLAG_HOMOGLYPH = 1,         /* look-alike letters were read as Latin ones */
	MAIL_FLAG_BASE64_TAIL = 2,       /* something hung behind the base64 */
	MAIL_FLAG_CHAT_LOSSY = 4,        /* the remark is not whole */
	MAIL_FLAG_SUBJECT_SANITISED = 8, /* control characters went */
	MAIL_FLAG_NO_MESSAGE_ID = 16,
	MAIL_FLAG_FROM_MISMATCH = 32,
};

enum { MAIL_CHAT_MAX = 2000 }; /* characters of a remark */

/* What is known about an addressee. */
typedef struct MailSituation {
	const GameRules *rules; /* of its game; NULL: none or unknown */
	const Position
		*position;  /* of its game; NULL: unknown, turns are judged by notation only */
	bool past;          /* its turn is no longer awaited */
	bool asked;         /* the game waits for the addressee's yes */
	const char *played; /* the turn played for it, canonical; NULL: none or unknown */
} MailSituation;

typedef enum MailMemory {
	MAIL_MEMORY_NEW,
	MAIL_MEMORY_DUPLICATE, /* this very mail was seen */
	MAIL_MEMORY_PLAYED,    /* this turn was played by another mail */
} MailMemory;

/* What the decision needs to ask. Each gets user_data last. */
typedef struct MailInSource {
	/* Whether the secret of an addressee is right. */
	bool (*secret_fits)(const MailAddressee *addressee, void *user_data);
	/* Fills in the addressee that one of our mails was about, by its Message-ID (without
	 * brackets, as written); its secret stays "". False if it is none of ours. */
	bool (*locate)(const char *message_id, MailAddressee *addressee_r, void *user_data);
	/* What is known about an addressee whose secret is right or that was located. */
	void (*look_up)(const MailAddressee *addressee, MailSituation *situation_r,
			void *user_data);
	/* Whether an address is that of the addressee's player, or a verified one of his. For
	 * MAIL_TO_PLAY: of any player. */
	bool (*sender_fits)(const MailAddressee *addressee, const char *address, void *user_data);
	/* Whether commands from an address to MAIL_TO_PLAY need no confirmation any more. */
	bool (*sender_trusted)(const char *address, void *user_data);
	/* Whether a mail to an addressee whose secret is right was seen: first with its Message-ID
	 * (NULL: it has none) and command NULL, then with the turn. */
	MailMemory (*remember)(const MailAddressee *addressee, const char *message_id,
			       const char *command, void *user_data);
} MailInSource;

typedef struct MailInContext {
	const char *domain;      /* right of the "@" in our addresses */
	const char *authserv_id; /* by which our own mail server signs what it found out */
	const char *sender;      /* of the envelope, "" for none; NULL: unknown, see Return-Path */
	const char *recipient;   /* of the envelope; NULL: unknown, see the header */
	const MailInSource *source;
	void *user_data;
} MailInContext;

typedef struct MailDecision {
	MailDisposition disposition;
	MailReason reason;
	MailCommand command;         /* ACCEPT, HOLD: id NONE if there is but a remark */
	char *command_text;          /* as written, lines parted by "\n"; NULL: none */
	GPtrArray *candidates;       /* AMBIGUOUS_COMMAND: what it could mean; else NULL */
	char *chat;                  /* the remark; NULL: none */
	RecipientSource secret_from; /* ACCEPT, HOLD: where the turn was found */
	MailAddressee addressee;     /* kind NOBODY: none was found */
	Bounce *bounce;              /* BOUNCE, COMPLAINT, IGNORE of reports; else NULL */
	unsigned flags;
	bool may_answer;  /* a person wrote it, and it is the addressee's player */
	char *from;       /* NULL: none, or not exactly one */
	char *message_id; /* without brackets; NULL: none */
} MailDecision;

/* Decides about one message. Never fails. The caller owns the result. */
MailDecision *mail_in_decide(const MailInContext *context, const uint8_t *bytes, size_t size);
void mail_decision_free(MailDecision *decision);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MailDecision, mail_decision_free)

#endif
