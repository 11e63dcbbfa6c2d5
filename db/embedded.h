/* Files carried inside the program (service/embed.sh). */
#ifndef DB_EMBEDDED_H
#define DB_EMBEDDED_H

#include <stddef.h>

typedef struct {
	const char *path;
	const unsigned char *bytes; /* a NUL follows */
	size_t size;
} EmbeddedFile;

/* db/migrations/NNNN_name.sql in order, then db/grants.sql; ends with a NULL path. */
extern const EmbeddedFile db_files[];

#endif
