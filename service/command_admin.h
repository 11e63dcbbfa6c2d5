/* `ludopost admin WORD`: work of the operator's, done as the owner of the tables; and `ludopost
 * queries`, which prints every statement of the program for tools. */
#ifndef SERVICE_COMMAND_ADMIN_H
#define SERVICE_COMMAND_ADMIN_H

#define COMMAND_ADMIN_ARGUMENTS                                                 \
	"announce FILE | prune | deliveries [--dead] | retry NUMBER | inbox | " \
	"reread NUMBER | mail-token PLAYER"
int command_admin(int argc, char **argv);
int command_queries(int argc, char **argv);

#endif
