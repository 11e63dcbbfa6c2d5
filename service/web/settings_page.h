/* The settings of a player, one section a file, also as the answer to a form that was refused. */
#ifndef SERVICE_WEB_SETTINGS_PAGE_H
#define SERVICE_WEB_SETTINGS_PAGE_H

#include "service/web/page.h"

/* The whole page with what was wrong with the form just sent; new_token: a secret that is shown
 * this once. Both may be NULL. */
Response *settings_page_show(Request *request, const GError *fault, const char *new_token,
			     GError **error);
/* A form of it that was refused: the page again, or the error. Takes fault over. */
Response *settings_page_refused(Request *request, GError *fault, GError **error);
/* A form that was done. */
Response *settings_page_done(const char *word);

/* settings_address.c */
bool settings_address_write(Page *page, const GError *fault, GError **error);
/* settings_token.c */
bool settings_token_write(Page *page, const GError *fault, GError **error);
/* Shows the secret of a token just made: this once. */
void settings_token_new(Page *page, const char *secret);

#endif
