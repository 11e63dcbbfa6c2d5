#ifndef MAIL_LIBRARY_H
#define MAIL_LIBRARY_H

/* Makes GMime ready; whoever calls it calls this before. Does nothing from the second time on; from
 * any thread. */
void library_prepare(void);

#endif
