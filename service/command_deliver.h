/* `ludopost deliver`: takes one mail from standard input, as a mail server's delivery program does,
 * or a mail program's sendmail. */
#ifndef SERVICE_COMMAND_DELIVER_H
#define SERVICE_COMMAND_DELIVER_H

/* Exit codes of sysexits.h: 0 the mail is kept (and mostly answered by then), 64 arguments that
 * make no sense, 65 no mail, 67 a recipient that is none of ours (then nothing is kept), 75
 * whatever may pass: nothing is kept, give the mail again later. */
int command_deliver(int argc, char **argv);

#endif
