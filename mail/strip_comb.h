#ifndef MAIL_STRIP_COMB_H
#define MAIL_STRIP_COMB_H

#include "lines.h"

/* Quotations that were wrapped again: a program puts marks before the lines and wraps them after
 * that, so that what was left of a line stands without a mark below it, as the gaps of a comb. */

/* Gives such remainders the depth of the line that they belong to. What can be an answer under a
 * line of the quotation stays one: a short line was not wrapped, nor one that is not longer than
 * another that stayed whole. */
void strip_comb_mark(MailLines *lines);

#endif
