#include "service/mail_out.h"

#include "mail/address.h"
#include "mail/compose.h"
#include "mail/template.h"
#include "service/language.h"
#include "service/link.h"
#include "service/mail_answer.h"
#include "service/mail_game.h"
#include "service/mail_guard.h"
#include "service/mail_name.h"
#include "service/mail_rules.h"
#include "service/mail_setup.h"
#include "service/mail_true.h"
#include "service/mail_words.h"
#include "service/secret.h"

#include <string.h>

void mail_out_free(MailOut *mail)
{
	if (mail == NULL)
		return;
	g_free(mail->dropped);
	g_free(mail->envelope_from);
	g_free(mail->envelope_to);
	g_clear_pointer(&mail->message, g_bytes_unref);
	g_free(mail);
}

/* Everything of one mail that has to live until it is composed. */
typedef struct {
	MailWords *words;
	MailText *text;
	MailPicture picture;
	GPtrArray *texts; /* strings of the headers */
	GPtrArray *references;
} Draft;

static void draft_clear(Draft *draft)
{
	mail_words_free(draft->words);
	mail_text_free(draft->text);
	mail_game_picture_clear(&draft->picture);
	g_ptr_array_unref(draft->texts);
	g_ptr_array_unref(draft->references);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Draft, draft_clear)

/* Keeps a text as long as the draft. */
static const char *draft_keep(Draft *draft, char *text)
{
	g_ptr_array_add(draft->texts, text);
	return text;
}

/* The mails there are and what their events are about; a mail with a new template is one row. */
static const struct {
	const char *template;
	enum {
		ABOUT_ACCOUNT,
		ABOUT_CODE,
		ABOUT_CHALLENGE,
		ABOUT_GAME,
		ABOUT_MAIL,
		ABOUT_ALL,
		ABOUT_RULES,
	} about;
} mails[] = {
	{"confirm", ABOUT_CODE},
	{"login", ABOUT_CODE},
	{"known-address", ABOUT_CODE},
	{"address-change-old", ABOUT_CODE},
	{"address-change-new", ABOUT_CODE},
	{"address-primary", ABOUT_ACCOUNT},
	{"held", ABOUT_CODE},
	{"challenge", ABOUT_CHALLENGE},
	{"challenge-declined", ABOUT_CHALLENGE},
	{"invitation", ABOUT_CHALLENGE},
	{"game-started", ABOUT_GAME},
	{"setup-round", ABOUT_GAME},
	{"your-turn", ABOUT_GAME},
	{"game-over", ABOUT_GAME},
	{"remark", ABOUT_GAME},
	{"watch", ABOUT_GAME},
	{"watch-day", ABOUT_GAME},
	{"announcement", ABOUT_ALL},
	{"answer-game", ABOUT_GAME},
	{"answer", ABOUT_MAIL},
	{"rules", ABOUT_RULES},
};

static char *unsubscribe_link(const Config *config, const Letter *letter)
{
	if (letter->reader_id == 0)
		return NULL;
	g_autofree char *secret = secret_make(config, config_newest_key(config), SECRET_UNSUBSCRIBE,
					      SECRET_FIELDS(letter->reader_id));
	return link_unsubscribe(config, letter->reader_id, secret);
}

static bool words_fill(Draft *draft, const Config *config, const Letter *letter, GError **error)
{
	MailWords *words = draft->words;
	mail_words_take(words, "site_url", link_home(config));
	mail_words_part(words, "write_above", config->inbound ? "write-above-line" : NULL);
	mail_words_take(words, "unsubscribe_url", unsubscribe_link(config, letter));
	for (size_t i = 0; i < G_N_ELEMENTS(mails); i++) {
		if (strcmp(mails[i].template, letter->template) != 0)
			continue;
		if (mails[i].about == ABOUT_GAME && letter->has_game)
			return mail_game_words(words, config, letter, &draft->picture, error);
		if (mails[i].about == ABOUT_RULES && letter->has_inbox)
			return mail_rules_words(words, config, letter, &draft->picture, error);
		if (mails[i].about == ABOUT_MAIL && letter->has_inbox) {
			mail_words_add(words, "player", letter->reader);
			mail_words_take(words, "answer",
					mail_answer_text(config, letter, NULL, NULL));
			return true;
		}
		if (mails[i].about == ABOUT_ALL && letter->subject != NULL) {
			mail_words_add(words, "player", letter->reader);
			mail_words_add(words, "subject", letter->subject);
			mail_words_add(words, "body", letter->body);
			return true;
		}
		if (mails[i].about == ABOUT_ACCOUNT && letter->reader_id != 0) {
			mail_words_add(words, "player", letter->reader);
			mail_words_take(words, "url", link_settings(config));
			return true;
		}
		if (mails[i].about == ABOUT_CODE && letter->has_code)
			return mail_words_code(words, config, letter, error);
		if (mails[i].about == ABOUT_CHALLENGE && letter->has_challenge)
			return mail_words_challenge(words, config, letter, error);
	}
	g_set_error(error, MAIL_OUT_ERROR, 0, "the event cannot be told by the template %s",
		    letter->template);
	return false;
}

static bool draft_render(Draft *draft, const Config *config, const Letter *letter, GError **error)
{
	const char *language = language_code(mail_words_language(letter));
	if (!words_fill(draft, config, letter, error))
		return false;
	const MailPicture *picture = draft->picture.png != NULL ? &draft->picture : NULL;
	draft->text = mail_template_render(language, letter->template,
					   mail_words_values(draft->words), picture);
	char *body = mail_guard_lines(draft->text->body);
	g_free(draft->text->body);
	draft->text->body = body;
	return true;
}

/* The answer to a mail that came in. */
static bool is_answer(const Letter *letter)
{
	return letter->has_inbox && strcmp(letter->kind, "mail.answer") == 0;
}

/* The thread's root, then what this reader was told of the game before, whatever became of it: an
 * answer to a mail that was never sent is none the worse for it, and retries stay the same. Last
 * the mail that is answered. */
static const char *const *references_make(Draft *draft, const Config *config, const Letter *letter)
{
	if (letter->has_game)
		g_ptr_array_add(draft->references, mail_name_thread(config, letter->game_id));
	for (int i = 0; letter->has_game && i < letter->game.earlier_count; i++) {
		const LetterEarlier *earlier = &letter->game.earlier[i];
		g_ptr_array_add(draft->references,
				mail_name_message(config, letter->game_id, earlier->ply,
						  earlier->delivery_id));
	}
	if (is_answer(letter) && letter->inbox.message_id != NULL)
		g_ptr_array_add(draft->references, g_strdup(letter->inbox.message_id));
	g_ptr_array_add(draft->references, NULL);
	return (const char *const *)draft->references->pdata;
}

/* What only mails that can be unsubscribed from have; codes that somebody asked for cannot. */
static void list_headers(MailMessage *message, Draft *draft, const Config *config,
			 const Letter *letter)
{
	if (letter->has_code || letter->reader_id == 0 || is_answer(letter))
		return;
	message->list_name = "Ludopost";
	message->list_id = draft_keep(draft, g_strconcat("turns.", config->mail_domain, NULL));
	message->unsubscribe_url = draft_keep(draft, unsubscribe_link(config, letter));
	if (config->inbound)
		message->unsubscribe_address =
			draft_keep(draft, mail_name_unsubscribe(config, letter->reader_id));
	message->feedback_id =
		draft_keep(draft, g_strdup_printf("%s:game::ludopost", letter->template));
}

static void thread_headers(MailMessage *message, Draft *draft, const Config *config,
			   const Letter *letter)
{
	if (letter->has_game || is_answer(letter))
		message->references = references_make(draft, config, letter);
	if (letter->has_game && letter->game.seat != 0)
		message->reply_to =
			draft_keep(draft, mail_name_move(config, letter->game_id, letter->game.seat,
							 mail_setup_ply(letter)));
	else if (mail_words_asks(letter)) /* "yes" must reach the challenge */
		message->reply_to =
			draft_keep(draft, mail_name_invite(config, letter->challenge_id));
	else if (letter->has_game || is_answer(letter))
		message->reply_to =
			draft_keep(draft, g_strconcat("play@", config->mail_domain, NULL));
}

static char *envelope_from(const Config *config, const Letter *letter)
{
	if (is_answer(letter))
		return g_strdup("");
	if (!letter->has_game || letter->game.seat == 0)
		return mail_name_bounce(config, letter->delivery_id);
	return mail_name_bounce_game(config, letter->game_id, letter->game.seat,
				     MAX(mail_setup_ply(letter), 0));
}

static GBytes *draft_compose(Draft *draft, const Config *config, const Letter *letter,
			     GError **error)
{
	g_autofree char *from_name = NULL;
	g_autofree char *from_address = NULL;
	if (!mail_address_split(config->mail_from, &from_name, &from_address, error))
		return NULL;
	MailMessage message = {
		.from_name = from_name,
		.from_address = from_address,
		.to_address = letter->email,
		.subject = draft->text->subject,
		.date = letter->created,
		.message_id =
			draft_keep(draft, mail_name_message(config, letter->game_id, letter->ply,
							    letter->delivery_id)),
		.cause = is_answer(letter) ? MAIL_AUTO_REPLIED : MAIL_AUTO_GENERATED,
		.loop_domain = config->mail_domain,
		.text = draft->text->body,
		.html = draft->text->html,
		.picture = draft->picture.png != NULL ? &draft->picture : NULL,
	};
	thread_headers(&message, draft, config, letter);
	list_headers(&message, draft, config, letter);
	return mail_compose(&message, error);
}

static bool mail_fill(MailOut *mail, const Config *config, const Letter *letter, GError **error)
{
	mail->dropped = g_strdup(mail_true_hindrance(letter));
	if (mail->dropped != NULL)
		return true;
	g_auto(Draft) draft = {.words = mail_words_new(),
			       .texts = g_ptr_array_new_with_free_func(g_free),
			       .references = g_ptr_array_new_with_free_func(g_free)};
	mail->envelope_to = mail_address_to_ascii(letter->email, error);
	if (mail->envelope_to == NULL || !draft_render(&draft, config, letter, error))
		return false;
	mail->envelope_from = envelope_from(config, letter);
	mail->message = draft_compose(&draft, config, letter, error);
	return mail->message != NULL;
}

MailOut *mail_out_make(const Config *config, const Letter *letter, GError **error)
{
	MailOut *mail = g_new0(MailOut, 1);
	if (mail_fill(mail, config, letter, error))
		return mail;
	mail_out_free(mail);
	return NULL;
}
