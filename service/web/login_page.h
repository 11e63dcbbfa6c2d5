/* Forms for getting in, which the start page shows too. */
#ifndef SERVICE_WEB_LOGIN_PAGE_H
#define SERVICE_WEB_LOGIN_PAGE_H

#include "service/web/page.h"

/* The form of a new account; error: what was wrong with what was sent, NULL: nothing. */
void login_page_sign_up_form(Page *page, const GError *error);
/* The form that asks for a login mail; next: where to go afterwards, NULL: anywhere. */
void login_page_form(Page *page, const char *next, const GError *error);
/* The form for a code that was mailed. */
void login_page_code_form(Page *page, const GError *error);

/* Whether a path leads to one of our own pages. NULL: no. */
bool login_page_is_own(const char *path);

#endif
