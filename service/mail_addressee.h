/*
 * Whom a mail to us is for: the local part of the address, taken apart. What mail_name.h makes is
 * read here. Whether its secret is right is for somebody else to say.
 */
#ifndef SERVICE_MAIL_ADDRESSEE_H
#define SERVICE_MAIL_ADDRESSEE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum MailAddresseeKind {
	MAIL_TO_NOBODY,      /* not one of our addresses */
	MAIL_TO_MOVE,        /* move+g7.t14.SECRET; move alone */
	MAIL_TO_BOUNCE,      /* bounce+g7.t14.SECRET, bounce+d4711.SECRET */
	MAIL_TO_INVITE,      /* invite+c3.SECRET */
	MAIL_TO_UNSUBSCRIBE, /* unsubscribe+u5.SECRET */
	MAIL_TO_FEEDBACK,    /* fbl: complaints */
	MAIL_TO_PLAY,        /* play: commands without a game */
} MailAddresseeKind;

enum { MAIL_SECRET_LENGTH_MAX = 64 };

typedef struct MailAddressee {
	MailAddresseeKind kind;
	int64_t game_id; /* 0 where it has none, likewise the others */
	int ply;         /* of the turn awaited when the mail was made */
	int64_t delivery_id;
	int64_t challenge_id;
	int64_t player_id;
	char secret[MAIL_SECRET_LENGTH_MAX + 1]; /* small letters; "" if it has none */
	bool broken; /* something stood behind the "+" that is no address of ours */
} MailAddressee;

/* Reads an address ("move+g7.t14.abcd…@play.example.org", in any case); what follows the "@" is not
 * looked at. kind is NOBODY if it is none of ours. */
void mail_addressee_read(const char *address, MailAddressee *addressee_r);
/* Whether it is one of ours, at our domain; angle brackets around it change nothing. */
bool mail_addressee_is_ours(const char *address, const char *domain);

#endif
