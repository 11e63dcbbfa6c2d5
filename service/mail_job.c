#include "service/mail_job.h"

#include "db/letter.h"
#include "service/mail_out.h"
#include "service/setup.h"

#include <string.h>

enum { FINISH_TRIES = 600, FINISH_PAUSE_MS = 500, FINISH_TRIES_STOPPING = 4 };

char *mail_job_reply(const char *reply)
{
	g_autoptr(GRegex) addresses = g_regex_new("[^\\s<>\"'(),;:]+@[^\\s<>\"'(),;]+", 0, 0, NULL);
	g_autofree char *line = g_strstrip(g_strdelimit(g_strdup(reply), "\r\n\t", ' '));
	return g_regex_replace_literal(addresses, line, -1, 0, "…@…", 0, NULL);
}

/* What is known about the mail must be written down although the database may be away just now:
 * else a mail that was sent would be sent again. */
static void job_finish(MailJob *job, const DeliveryClaim *claim, const DeliveryResult *result)
{
	for (int tries = 1;; tries++) {
		g_autoptr(GError) error = NULL;
		if (delivery_finish(job->db, claim, result, &error))
			return;
		const int most =
			job->stopping(job->user_data) ? FINISH_TRIES_STOPPING : FINISH_TRIES;
		const bool again = g_error_matches(error, DB_ERROR, DB_ERROR_UNAVAILABLE) ||
				   g_error_matches(error, DB_ERROR, DB_ERROR_CONFLICT);
		if (!again || tries >= most) {
			g_warning("event=mail_lost_track delivery=%" G_GINT64_FORMAT " why=\"%s\"",
				  claim->id, error->message);
			return;
		}
		g_usleep(FINISH_PAUSE_MS * 1000);
		/* Does not wait for the connection's own back-off. */
		db_connect(job->db, NULL);
	}
}

/* A row that can never be a mail: buried, so that the others go on. */
static void job_bury(MailJob *job, const DeliveryClaim *claim, const GError *error)
{
	g_warning("event=mail_poison delivery=%" G_GINT64_FORMAT " why=\"%s\"", claim->id,
		  error->message);
	const DeliveryResult result = {.outcome = DELIVERY_DEAD, .reply = error->message};
	job_finish(job, claim, &result);
}

static const char *const outcome_names[] = {
	[DELIVERY_SENT] = "mail_sent",       [DELIVERY_RETRY] = "mail_retry",
	[DELIVERY_DEAD] = "mail_dead",       [DELIVERY_UNKNOWN] = "mail_unknown",
	[DELIVERY_DROPPED] = "mail_dropped",
};

static void job_log(const Letter *letter, const DeliveryClaim *claim, const DeliveryResult *result,
		    int64_t began)
{
	const bool good = result->outcome == DELIVERY_SENT || result->outcome == DELIVERY_DROPPED;
	g_log(G_LOG_DOMAIN, good ? G_LOG_LEVEL_INFO : G_LOG_LEVEL_WARNING,
	      "event=%s delivery=%" G_GINT64_FORMAT " game=%" G_GINT64_FORMAT
	      " template=%s attempt=%d code=%d cause=%s ms=%" G_GINT64_FORMAT,
	      outcome_names[result->outcome], claim->id, letter->game_id, letter->template,
	      claim->attempts + 1, result->code, result->cause != NULL ? result->cause : "none",
	      (g_get_monotonic_time() - began) / 1000);
}

static DeliveryOutcome outcome_of(SmtpClass class)
{
	switch (class) {
	case SMTP_SENT:
		return DELIVERY_SENT;
	case SMTP_PERMANENT:
		return DELIVERY_DEAD;
	case SMTP_AMBIGUOUS:
		return DELIVERY_UNKNOWN;
	case SMTP_TEMPORARY:
	case SMTP_CONFIG:
		break;
	}
	return DELIVERY_RETRY;
}

/* Whether the mail server itself is in trouble, rather than this one mail. */
static bool server_in_trouble(const SmtpResult *sent)
{
	return sent->class == SMTP_CONFIG ||
	       (sent->class == SMTP_TEMPORARY && (sent->code == 0 || sent->code == 421));
}

static MailJobEnd job_send(MailJob *job, const DeliveryClaim *claim, const Letter *letter,
			   const MailOut *mail)
{
	const int64_t began = g_get_monotonic_time();
	g_autoptr(SmtpResult) sent =
		smtp_send(job->session, mail->envelope_from, mail->envelope_to, mail->message);
	const bool replied = *sent->reply != '\0' && sent->code != 354;
	g_autofree char *reply = mail_job_reply(replied ? sent->reply : sent->problem);
	const bool permanent = sent->class == SMTP_PERMANENT;
	/* Refusals for reasons of policy are our fault and never the address's. */
	const DeliveryResult result = {
		.outcome = outcome_of(sent->class),
		.code = sent->code,
		.reply = reply,
		.cause = sent->cause == SMTP_CAUSE_NONE ? NULL : smtp_cause_name(sent->cause),
		.put_off = sent->class == SMTP_TEMPORARY && !server_in_trouble(sent) &&
			   sent->cause != SMTP_CAUSE_FULL,
		.hard = permanent && sent->cause != SMTP_CAUSE_POLICY,
		.address_dead = permanent && smtp_cause_suppresses(sent->cause),
	};
	job_finish(job, claim, &result);
	job_log(letter, claim, &result, began);
	if (!server_in_trouble(sent))
		return MAIL_JOB_SERVED;
	job->trouble = smtp_class_name(sent->class);
	return MAIL_JOB_UNREACHABLE;
}

static void job_drop(MailJob *job, const DeliveryClaim *claim, const Letter *letter,
		     const char *hindrance)
{
	const DeliveryResult result = {.outcome = DELIVERY_DROPPED, .reply = hindrance};
	job_finish(job, claim, &result);
	job_log(letter, claim, &result, g_get_monotonic_time());
}

/* During set-up a player sees what is sealed from others, which the game's row does not hold. */
static bool setup_see(Db *db, Letter *letter, SetupView *view_r, GError **error)
{
	if (!letter->has_game || letter->game.seat == 0 ||
	    g_strcmp0(letter->game.phase, "setup") != 0)
		return true;
	g_autoptr(Game) game = NULL;
	if (!game_find(db, letter->game_id, &game, error))
		return false;
	if (game == NULL)
		return true;
	if (!setup_view(db, game, letter->reader_id, view_r, error))
		return false;
	letter->game.board = view_r->board;
	letter->game.awaiting = (int)view_r->awaited;
	return true;
}

/* The row is "sending" from here on, whatever happens. */
static MailJobEnd job_work(MailJob *job, const DeliveryClaim *claim)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Letter) letter = letter_load(job->db, claim->id, &error);
	SetupView view;
	if (letter == NULL || !setup_see(job->db, letter, &view, &error)) {
		const DeliveryResult later = {.outcome = DELIVERY_RETRY,
					      .reply = "the database was away"};
		job_finish(job, claim, &later);
		return MAIL_JOB_DONE;
	}
	g_autoptr(MailOut) mail = mail_out_make(job->config, letter, &error);
	if (mail == NULL) {
		job_bury(job, claim, error);
		return MAIL_JOB_DONE;
	}
	if (mail->dropped != NULL) {
		job_drop(job, claim, letter, mail->dropped);
		return MAIL_JOB_DONE;
	}
	return job_send(job, claim, letter, mail);
}

MailJobEnd mail_job_do(MailJob *job, const DeliveryClaim *claim)
{
	g_autoptr(GError) error = NULL;
	DeliveryStart start = DELIVERY_LOST;
	if (!delivery_start(job->db, claim, job->config->mail_brake, &start, &error)) {
		g_warning("event=mail_not_started delivery=%" G_GINT64_FORMAT " why=\"%s\"",
			  claim->id, error->message);
		return MAIL_JOB_DONE;
	}
	if (start == DELIVERY_CLOSED)
		g_info("event=mail_domain_closed delivery=%" G_GINT64_FORMAT, claim->id);
	if (start == DELIVERY_BRAKED)
		g_warning("event=mail_braked delivery=%" G_GINT64_FORMAT " mails_an_hour=%d",
			  claim->id, job->config->mail_brake);
	return start == DELIVERY_STARTED ? job_work(job, claim) : MAIL_JOB_DONE;
}
