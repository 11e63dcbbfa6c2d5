/* `ludopost migrate`: brings the schema up to date, as the owner of the tables. */
#ifndef SERVICE_COMMAND_MIGRATE_H
#define SERVICE_COMMAND_MIGRATE_H

#include "service/command.h"

int command_migrate(int argc, char **argv);

#endif
