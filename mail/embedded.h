#ifndef MAIL_EMBEDDED_H
#define MAIL_EMBEDDED_H

#include <stddef.h>

/* The files the build carries inside the program (service/embed.sh writes the table). */
typedef struct EmbeddedFile {
	const char *path;
	const unsigned char *bytes; /* followed by a NUL */
	size_t size;
} EmbeddedFile;

extern const EmbeddedFile mail_template_files[]; /* ends with a NULL path */

#endif
