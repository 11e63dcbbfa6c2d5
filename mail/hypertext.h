#ifndef MAIL_HYPERTEXT_H
#define MAIL_HYPERTEXT_H

#include "lines.h"

/* The lines of an HTML part (UTF-8) as its reader sees them: styles, scripts, comments, titles and
 * what is hidden or struck out are no text. The marks by which mail programs show what they quote
 * become depths and cuts, their signature boxes are left out. Linear in the length; nothing is
 * fetched. The caller owns them. */
MailLines *hypertext_lines(const char *html);

#endif
