#ifndef MAIL_STRIP_BLOCK_H
#define MAIL_STRIP_BLOCK_H

#include <stddef.h>

#include "strip.h"

/* Blocks among the lines of a mail (strip.h). */

/* The lines with those apart again that were joined because they were flowed, where a block may be
 * among them. The caller owns them. */
MailLines *strip_block_parts(const MailLines *lines, const StripBlocks *blocks);

/* Keeps the block that begins at a line: over how many lines it stretches, 0 if none begins there.
 */
size_t strip_block(const MailLines *lines, size_t at, const StripBlocks *blocks, GPtrArray *kept);

#endif
