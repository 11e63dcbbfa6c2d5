/* The version of the program, in --version and /healthz. */
#ifndef SERVICE_VERSION_H
#define SERVICE_VERSION_H

#define LUDOPOST_VERSION "0.1.0"

#endif
