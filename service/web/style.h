/* The style sheet and the icon: the only files pages fetch. */
#ifndef SERVICE_WEB_STYLE_H
#define SERVICE_WEB_STYLE_H

#include "service/request.h"

/* Where the style sheet is; the address changes with its bytes, so that browsers keep it. */
const char *style_url(void);

/* Handlers. */
Response *style_sheet(Request *request, GError **error);
Response *style_icon(Request *request, GError **error);

#endif
