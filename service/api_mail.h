/* The door through which providers of mail bring what came in. */
#ifndef SERVICE_API_MAIL_H
#define SERVICE_API_MAIL_H

#include "service/request.h"

/* service/api_mail.c */
Response *api_mail_post(Request *request, GError **error);

#endif
