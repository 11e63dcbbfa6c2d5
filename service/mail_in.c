#include "service/mail_in.h"

#include "mail/automatic.h"
#include "mail/incoming.h"
#include "mail/strip.h"
#include "service/mail_in_text.h"
#include "service/mail_layout.h"

#include <string.h>

const char *mail_disposition_name(MailDisposition disposition)
{
	static const char *const names[] = {
#define X(code, name) name,
		MAIL_DISPOSITIONS(X)
#undef X
	};

	g_assert((size_t)disposition < G_N_ELEMENTS(names));
	return names[disposition];
}

const char *mail_reason_name(MailReason reason)
{
	static const char *const names[] = {
#define X(code, name) name,
		MAIL_REASONS(X)
#undef X
	};

	g_assert((size_t)reason < G_N_ELEMENTS(names));
	return names[reason];
}

void mail_decision_free(MailDecision *decision)
{
	if (decision == NULL)
		return;
	mail_command_clear(&decision->command);
	g_free(decision->command_text);
	if (decision->candidates != NULL)
		g_ptr_array_unref(decision->candidates);
	g_free(decision->chat);
	bounce_free(decision->bounce);
	g_free(decision->from);
	g_free(decision->message_id);
	g_free(decision);
}

/* A mail on its way to a decision. */
typedef struct {
	const MailInContext *context;
	const IncomingMail *mail;
	MailDecision *decision;
	bool null_sender;
	bool secret_fits;
	RecipientSource source; /* of the addressee */
	MailSituation situation;
} Work;

/* Ends the work: nothing but the reason is told. Always true. */
static bool work_end(Work *work, MailDisposition disposition, MailReason reason)
{
	work->decision->disposition = disposition;
	work->decision->reason = reason;
	return true;
}

/* An address at our domain: taken if it names something, kept in mind if it names but its kind. */
static bool recipient_try(const char *address, void *user_data)
{
	MailAddressee *best = user_data;
	MailAddressee addressee;

	mail_addressee_read(address, &addressee);
	if (addressee.kind == MAIL_TO_NOBODY)
		return false;
	if (best->kind == MAIL_TO_NOBODY)
		*best = addressee;
	if (addressee.secret[0] == '\0' && !addressee.broken)
		return false;
	*best = addressee;
	return true;
}

static void addressee_find(Work *work)
{
	const MailInContext *context = work->context;
	MailAddressee *addressee = &work->decision->addressee;

	work->source = recipient_find(work->mail->fields, context->recipient, context->domain,
				      recipient_try, addressee);
	work->secret_fits = addressee->secret[0] != '\0' &&
			    context->source->secret_fits(addressee, context->user_data);
	if (work->secret_fits)
		context->source->look_up(addressee, &work->situation, context->user_data);
}

/* Finds the game by the mail that this one answers; that proves nothing. */
static bool addressee_locate(Work *work)
{
	static const struct {
		const char *field;
		RecipientSource source;
	} fields[] = {{"in-reply-to", RECIPIENT_IN_REPLY_TO}, {"references", RECIPIENT_REFERENCES}};
	const MailInContext *context = work->context;

	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		g_auto(GStrv) ids = fields_ids(work->mail->fields, fields[i].field);
		MailAddressee addressee = {.kind = MAIL_TO_NOBODY};

		/* The newest stands last. */
		for (size_t j = g_strv_length(ids); j > 0; j--) {
			if (!context->source->locate(ids[j - 1], &addressee, context->user_data))
				continue;
			work->decision->addressee = addressee;
			work->source = fields[i].source;
			context->source->look_up(&addressee, &work->situation, context->user_data);
			return true;
		}
	}
	return false;
}

static bool limits_judge(Work *work)
{
	static const MailReason reasons[] = {
		[INCOMING_TOO_LARGE] = MAIL_REASON_MESSAGE_TOO_LARGE,
		[INCOMING_HEADER_TOO_LARGE] = MAIL_REASON_HEADER_TOO_LARGE,
		[INCOMING_TOO_DEEP] = MAIL_REASON_MIME_TOO_DEEP,
		[INCOMING_TOO_MANY_PARTS] = MAIL_REASON_TOO_MANY_PARTS,
	};

	if (work->mail->fault == INCOMING_GOOD)
		return false;
	return work_end(work, MAIL_IN_REJECT, reasons[work->mail->fault]);
}

/* The mail that a report is about names whom it was for, where the report's own address does not.
 */
static void reported_find(Work *work)
{
	const MailInContext *context = work->context;
	const Bounce *bounce = work->decision->bounce;
	MailAddressee addressee = {.kind = MAIL_TO_NOBODY};

	if (work->secret_fits)
		return;
	if (bounce->return_path != NULL)
		mail_addressee_read(bounce->return_path, &addressee);
	if (addressee.kind != MAIL_TO_BOUNCE || addressee.secret[0] == '\0' ||
	    !context->source->secret_fits(&addressee, context->user_data))
		return;
	work->decision->addressee = addressee;
	work->secret_fits = true;
}

static bool bounce_judge(Work *work)
{
	MailDecision *decision = work->decision;
	MailAddresseeKind kind = decision->addressee.kind;
	bool to_bounces = kind == MAIL_TO_BOUNCE || kind == MAIL_TO_FEEDBACK;

	decision->bounce = bounce_read(work->mail, to_bounces || work->null_sender);
	if (decision->bounce->kind != BOUNCE_NONE) {
		if (decision->addressee.secret[0] != '\0' && !work->secret_fits)
			return work_end(work, MAIL_IN_REJECT, MAIL_REASON_BAD_SECRET);
		reported_find(work);
	}
	switch (decision->bounce->kind) {
	case BOUNCE_HARD:
		return work_end(work, MAIL_IN_BOUNCE, MAIL_REASON_HARD);
	case BOUNCE_SOFT:
		return work_end(work, MAIL_IN_BOUNCE, MAIL_REASON_SOFT);
	case BOUNCE_DELAYED:
		return work_end(work, MAIL_IN_IGNORE, MAIL_REASON_DSN_DELAYED);
	case BOUNCE_SUCCESS:
		return work_end(work, MAIL_IN_IGNORE, MAIL_REASON_DSN_SUCCESS);
	case BOUNCE_COMPLAINT:
		return work_end(work, MAIL_IN_COMPLAINT, MAIL_REASON_NONE);
	case BOUNCE_NONE:
		break;
	}
	bounce_free(decision->bounce);
	decision->bounce = NULL;
	return false;
}

/* Mails to leave: a program may have written them for its user. */
static bool unsubscribe_judge(Work *work)
{
	if (work->decision->addressee.kind != MAIL_TO_UNSUBSCRIBE)
		return false;
	if (automatic_kind(work->mail, work->context->domain) == AUTOMATIC_LOOP)
		return work_end(work, MAIL_IN_IGNORE, MAIL_REASON_LOOP);
	return work->secret_fits ? work_end(work, MAIL_IN_UNSUBSCRIBE, MAIL_REASON_NONE)
				 : work_end(work, MAIL_IN_REJECT, MAIL_REASON_BAD_SECRET);
}

static bool automatic_judge(Work *work)
{
	MailAddresseeKind kind = work->decision->addressee.kind;

	switch (automatic_kind(work->mail, work->context->domain)) {
	case AUTOMATIC_LOOP:
		return work_end(work, MAIL_IN_IGNORE, MAIL_REASON_LOOP);
	case AUTOMATIC_MDN:
		return work_end(work, MAIL_IN_IGNORE, MAIL_REASON_MDN);
	case AUTOMATIC_LIST:
		return work_end(work, MAIL_IN_IGNORE, MAIL_REASON_MAILING_LIST);
	case AUTOMATIC_REPLY:
		return work_end(work, MAIL_IN_IGNORE, MAIL_REASON_AUTO_REPLY);
	case AUTOMATIC_NO:
		break;
	}
	/* Nobody writes to where only reports are sent. */
	bool for_robots = kind == MAIL_TO_BOUNCE || kind == MAIL_TO_FEEDBACK;
	return (work->null_sender || for_robots) &&
	       work_end(work, MAIL_IN_IGNORE, MAIL_REASON_AUTO_REPLY);
}

static bool addressee_judge(Work *work)
{
	const MailInContext *context = work->context;
	const MailAddressee *addressee = &work->decision->addressee;

	if (work->mail->from == NULL)
		return work_end(work, MAIL_IN_REJECT, MAIL_REASON_MALFORMED_HEADERS);
	if (work->secret_fits) {
		MailMemory memory = context->source->remember(addressee, work->mail->message_id,
							      NULL, context->user_data);
		return memory == MAIL_MEMORY_DUPLICATE &&
		       work_end(work, MAIL_IN_IGNORE, MAIL_REASON_DUPLICATE);
	}
	if (addressee->secret[0] != '\0' || addressee->broken)
		return work_end(work, MAIL_IN_REJECT, MAIL_REASON_BAD_SECRET);
	if (addressee->kind == MAIL_TO_PLAY || addressee_locate(work))
		return false;
	return work_end(work, MAIL_IN_REJECT, MAIL_REASON_BAD_SECRET);
}

static unsigned place_of(const MailAddressee *addressee)
{
	if (addressee->kind == MAIL_TO_INVITE)
		return MAIL_PLACE_INVITE;
	return addressee->kind == MAIL_TO_PLAY ? MAIL_PLACE_PLAY : MAIL_PLACE_GAME;
}

/* Reads what was written into the decision. */
static bool text_judge(Work *work)
{
	MailDecision *decision = work->decision;
	const IncomingMail *mail = work->mail;
	const MailSituation *situation = &work->situation;
	const MailPlace place = {place_of(&decision->addressee), situation->rules,
				 situation->asked};
	g_auto(MailText) text = {.command = {.id = MAIL_COMMAND_NONE}};
	bool is_cut = false;

	if (mail->lines == NULL)
		return work_end(work, MAIL_IN_REJECT,
				mail->has_text ? MAIL_REASON_EMPTY_REPLY : MAIL_REASON_NO_TEXT);
	g_autoptr(GPtrArray) lines =
		strip_lines(mail->lines, work->context->domain, mail_layout_blocks(), &is_cut);
	mail_text_read(lines, &place, situation->position, &text);
	const bool ends_early = text.lossy || is_cut || mail->is_cut;
	const bool is_lossy = text.chat != NULL && (ends_early || mail->lossy);
	decision->flags |= is_lossy ? MAIL_FLAG_CHAT_LOSSY : 0;
	if (text.candidates != NULL) {
		decision->candidates = g_steal_pointer(&text.candidates);
		return work_end(work, MAIL_IN_REJECT, MAIL_REASON_AMBIGUOUS_COMMAND);
	}
	if (text.command.id == MAIL_COMMAND_NONE && text.chat == NULL)
		return work_end(work, MAIL_IN_REJECT, MAIL_REASON_EMPTY_REPLY);
	decision->flags |= text.command.homoglyph ? MAIL_FLAG_HOMOGLYPH : 0;
	decision->command = text.command;
	text.command = (MailCommand){.id = MAIL_COMMAND_NONE};
	decision->command_text = g_steal_pointer(&text.written);
	decision->chat =
		is_lossy && ends_early ? mail_text_cut(text.chat) : g_steal_pointer(&text.chat);
	return false;
}

/* A turn that is no longer awaited, or that was played. */
static bool turn_judge(Work *work)
{
	const MailInContext *context = work->context;
	const MailDecision *decision = work->decision;
	const MailSituation *situation = &work->situation;

	if (decision->command.id != MAIL_MOVE || decision->addressee.kind == MAIL_TO_PLAY)
		return false;
	MailMemory memory =
		!work->secret_fits
			? MAIL_MEMORY_NEW
			: context->source->remember(&decision->addressee, work->mail->message_id,
						    decision->command.text, context->user_data);
	bool is_played = g_strcmp0(situation->played, decision->command.text) == 0 ||
			 memory == MAIL_MEMORY_PLAYED;
	if (memory == MAIL_MEMORY_DUPLICATE)
		return work_end(work, MAIL_IN_IGNORE, MAIL_REASON_DUPLICATE);
	if (is_played)
		return work_end(work, MAIL_IN_IGNORE, MAIL_REASON_ALREADY_PLAYED);
	return situation->past && work_end(work, MAIL_IN_REJECT, MAIL_REASON_STALE_TURN);
}

/* Why the sender is not believed, NONE if he is. */
static MailReason sender_doubt(const Work *work)
{
	const MailInContext *context = work->context;
	const MailAddressee *addressee = &work->decision->addressee;
	AuthVerdict verdict =
		auth_results_read(work->mail->fields, context->authserv_id, work->mail->from);
	bool is_known =
		context->source->sender_fits(addressee, work->mail->from, context->user_data);

	if (addressee->kind == MAIL_TO_PLAY) {
		bool is_trusted =
			is_known && verdict == AUTH_PASS &&
			context->source->sender_trusted(work->mail->from, context->user_data);
		if (!is_known)
			return MAIL_REASON_UNKNOWN_SENDER;
		return is_trusted ? MAIL_REASON_NONE : MAIL_REASON_NO_SECRET;
	}
	if (!work->secret_fits)
		return MAIL_REASON_NO_SECRET;
	if (!is_known)
		return MAIL_REASON_FROM_MISMATCH;
	return verdict == AUTH_FAIL ? MAIL_REASON_AUTH_FAIL : MAIL_REASON_NONE;
}

static bool sender_judge(Work *work)
{
	MailReason doubt = sender_doubt(work);

	if (doubt == MAIL_REASON_UNKNOWN_SENDER)
		return work_end(work, MAIL_IN_REJECT, doubt);
	work->decision->secret_from = work->source;
	if (doubt == MAIL_REASON_FROM_MISMATCH)
		work->decision->flags |= MAIL_FLAG_FROM_MISMATCH;
	return work_end(work, doubt == MAIL_REASON_NONE ? MAIL_IN_ACCEPT : MAIL_IN_HOLD, doubt);
}

static bool work_do(Work *work)
{
	return limits_judge(work) || bounce_judge(work) || unsubscribe_judge(work) ||
	       automatic_judge(work) || addressee_judge(work) || text_judge(work) ||
	       turn_judge(work) || sender_judge(work);
}

/* What a decision other than ACCEPT and HOLD must not carry. */
static void decision_prune(MailDecision *decision)
{
	if (decision->disposition == MAIL_IN_ACCEPT || decision->disposition == MAIL_IN_HOLD)
		return;
	mail_command_clear(&decision->command);
	g_clear_pointer(&decision->command_text, g_free);
	g_clear_pointer(&decision->chat, g_free);
}

/* An answer goes only to a person whose address is the addressee's player's. */
static bool may_answer(const Work *work)
{
	bool is_asked = work->decision->disposition == MAIL_IN_ACCEPT ||
			work->decision->disposition == MAIL_IN_REJECT;
	bool may_fit = work->secret_fits || work->decision->addressee.kind == MAIL_TO_PLAY;

	return is_asked && !work->null_sender && may_fit && work->mail->from != NULL &&
	       automatic_kind(work->mail, work->context->domain) == AUTOMATIC_NO &&
	       sender_doubt(work) == MAIL_REASON_NONE;
}

static bool has_null_sender(const MailInContext *context, const IncomingMail *mail)
{
	const char *returned = fields_first(mail->fields, "return-path");

	if (context->sender != NULL)
		return context->sender[0] == '\0' || strcmp(context->sender, "<>") == 0;
	return returned != NULL && strcmp(returned, "<>") == 0;
}

MailDecision *mail_in_decide(const MailInContext *context, const uint8_t *bytes, size_t size)
{
	MailDecision *decision = g_new0(MailDecision, 1);
	g_autoptr(IncomingMail) mail = incoming_read(bytes, size);
	Work work = {.context = context, .mail = mail, .decision = decision};

	work.null_sender = has_null_sender(context, mail);
	decision->from = g_strdup(mail->from);
	decision->message_id = g_strdup(mail->message_id);
	decision->flags = (mail->base64_tail ? MAIL_FLAG_BASE64_TAIL : 0u) |
			  (mail->subject_sanitised ? MAIL_FLAG_SUBJECT_SANITISED : 0u) |
			  (mail->message_id == NULL ? MAIL_FLAG_NO_MESSAGE_ID : 0u);
	addressee_find(&work);
	work_do(&work);
	decision->may_answer = may_answer(&work);
	decision_prune(decision);
	return decision;
}
