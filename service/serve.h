/* `ludopost serve`: answers requests, and sends mail unless told not to, until SIGTERM or SIGINT.
 */
#ifndef SERVICE_SERVE_H
#define SERVICE_SERVE_H

#include "service/command.h"

int command_serve(int argc, char **argv);

#endif
