/* The commands and the remark in what somebody wrote. */
#ifndef SERVICE_MAIL_IN_TEXT_H
#define SERVICE_MAIL_IN_TEXT_H

#include "service/mail_command.h"
#include "service/mail_in.h"

#include <glib.h>

typedef struct MailText {
	MailCommand command;   /* id NONE: no command, or ambiguous */
	char *written;         /* the command as written; NULL: none */
	GPtrArray *candidates; /* two different commands or more: ambiguous; else NULL */
	char *chat;            /* NULL: no remark */
	bool lossy;            /* the remark is too long */
} MailText;

void mail_text_clear(MailText *text);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MailText, mail_text_clear)

/* As much of a remark as may be passed on, with a mark where it ends. The caller frees. */
char *mail_text_cut(const char *chat);
/* Reads stripped lines (strings). With a position, several lines may be one turn of a game whose
 * turns have steps. */
void mail_text_read(const GPtrArray *lines, const MailPlace *place, const Position *position,
		    MailText *text_r);

#endif
