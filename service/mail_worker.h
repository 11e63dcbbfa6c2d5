/* A thread that sends mails: claims deliveries, renders and sends them, writes down what became of
 * them; again and again until it is told to stop. */
#ifndef SERVICE_MAIL_WORKER_H
#define SERVICE_MAIL_WORKER_H

#include "mail/smtp.h"
#include "service/bell.h"
#include "service/config.h"

/* A session to the mail server of the settings; NULL when they contradict each other. The caller
 * owns it. */
SmtpSession *mail_worker_session(const Config *config, GError **error);

typedef struct MailWorker MailWorker;

/* bell rings when there are new deliveries; both must outlive the worker. NULL with an error when
 * the settings for sending mail contradict each other. */
MailWorker *mail_worker_start(const Config *config, Bell *bell, GError **error);
/* When it last came round to asking for work (monotonic microseconds): a while ago if it is
 * sending, long ago if it is stuck. */
int64_t mail_worker_round_at(MailWorker *worker);
/* Tells it to stop after the mail in hand; ring the bell (bell_ring_all) afterwards. */
void mail_worker_stop(MailWorker *worker);
/* Waits for its end until this monotonic time (microseconds), then breaks off what it is sending,
 * and frees it. */
void mail_worker_join(MailWorker *worker, int64_t until);

#endif
