/* Files carried inside the program, made by service/embed.sh (see "embedded" in the Makefile). */
#ifndef SERVICE_EMBEDDED_H
#define SERVICE_EMBEDDED_H

#include <stddef.h>

/* One file: its path in the source tree and its bytes. A NUL follows the bytes (not counted in
 * size), so that a text can be used as a string. */
typedef struct {
	const char *path;
	const unsigned char *bytes;
	size_t size;
} EmbeddedFile;

/* The texts, pages and the API description of service/; ends with a NULL path. */
extern const EmbeddedFile service_files[];

#endif
