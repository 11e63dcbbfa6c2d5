/* The handlers of all pages, for route.c. */
#ifndef SERVICE_WEB_PAGES_H
#define SERVICE_WEB_PAGES_H

#include "service/request.h"

/* home_page.c: what this is, ways in, open challenges, public games */
Response *home_page_get(Request *request, GError **error);

/* login_page.c */
Response *login_page_sign_up_get(Request *request, GError **error);
Response *login_page_sign_up_post(Request *request, GError **error);
Response *login_page_get(Request *request, GError **error);
Response *login_page_post(Request *request, GError **error);
Response *login_page_logout(Request *request, GError **error);

/* confirm_page.c: mailed codes, by link and typed */
Response *confirm_page_get(Request *request, GError **error);
Response *confirm_page_post(Request *request, GError **error);
Response *confirm_page_type(Request *request, GError **error);
Response *confirm_page_typed(Request *request, GError **error);

/* games_page.c: the viewer's games and challenges */
Response *games_page_get(Request *request, GError **error);

/* game_page.c */
Response *game_page_get(Request *request, GError **error);
/* game_form.c */
Response *game_form_turn(Request *request, GError **error);
Response *game_form_resign(Request *request, GError **error);
/* game_setup_form.c */
Response *game_setup_form_post(Request *request, GError **error);

/* challenge_page.c */
Response *challenge_page_get(Request *request, GError **error);
Response *challenge_page_accept(Request *request, GError **error);
Response *challenge_page_decline(Request *request, GError **error);
Response *challenge_page_cancel(Request *request, GError **error);

/* challenge_form.c: making one */
Response *challenge_form_get(Request *request, GError **error);
Response *challenge_form_post(Request *request, GError **error);

/* invitation_page.c: of people who may have no account */
Response *invitation_page_get(Request *request, GError **error);
Response *invitation_page_post(Request *request, GError **error);

/* unsubscribe_page.c */
Response *unsubscribe_page_get(Request *request, GError **error);
Response *unsubscribe_page_post(Request *request, GError **error);

/* settings_page.c */
Response *settings_page_get(Request *request, GError **error);
Response *settings_page_profile(Request *request, GError **error);
Response *settings_page_language(Request *request, GError **error);
Response *settings_page_mail(Request *request, GError **error);
Response *settings_page_remarks(Request *request, GError **error);
Response *settings_page_sessions(Request *request, GError **error);
/* settings_address.c */
Response *settings_address_add(Request *request, GError **error);
Response *settings_address_primary(Request *request, GError **error);
Response *settings_address_remove(Request *request, GError **error);
/* settings_token.c */
Response *settings_token_make(Request *request, GError **error);
Response *settings_token_revoke(Request *request, GError **error);

/* rules_page.c */
Response *rules_page_list(Request *request, GError **error);
Response *rules_page_get(Request *request, GError **error);
Response *rules_page_board(Request *request, GError **error);

/* privacy_page.c: what is kept about people */
Response *privacy_page_get(Request *request, GError **error);

/* problem_page.c: what a problem's type means, for people */
Response *problem_page_list(Request *request);
Response *problem_page_get(Request *request, ProblemCode code);

#endif
