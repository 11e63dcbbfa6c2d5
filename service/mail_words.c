#include "service/mail_words.h"

#include "rules/rules.h"
#include "service/game_option.h"
#include "service/link.h"
#include "service/rule_book.h"
#include "service/secret.h"
#include "service/text.h"
#include "service/turn_words.h"

#include <string.h>

struct MailWords {
	GArray *values; /* of MailValue, ends with a NULL name */
	GPtrArray *texts;
};

G_DEFINE_QUARK(mail - out - error - quark, mail_out_error)

MailWords *mail_words_new(void)
{
	MailWords *words = g_new0(MailWords, 1);
	words->values = g_array_new(TRUE, TRUE, sizeof(MailValue));
	words->texts = g_ptr_array_new_with_free_func(g_free);
	return words;
}

void mail_words_free(MailWords *words)
{
	if (words == NULL)
		return;
	g_array_unref(words->values);
	g_ptr_array_unref(words->texts);
	g_free(words);
}

void mail_words_take(MailWords *words, const char *name, char *text)
{
	if (text != NULL)
		g_ptr_array_add(words->texts, text);
	const MailValue value = {.name = name, .text = text};
	g_array_append_val(words->values, value);
}

void mail_words_add(MailWords *words, const char *name, const char *text)
{
	mail_words_take(words, name, g_strdup(text));
}

void mail_words_part(MailWords *words, const char *name, const char *part)
{
	const MailValue value = {.name = name, .part = part};
	g_array_append_val(words->values, value);
}

const MailValue *mail_words_values(const MailWords *words)
{
	return (const MailValue *)(void *)words->values->data;
}

Language mail_words_language(const Letter *letter)
{
	const char *codes[] = {letter->reader_language,
			       letter->has_challenge ? letter->challenge.language : NULL,
			       letter->address_language};
	Language language = LANGUAGE_EN;
	for (size_t i = 0; i < G_N_ELEMENTS(codes); i++)
		if (language_parse(codes[i], &language))
			break;
	return language;
}

char *mail_words_held(const char *game, const char *written, Language language)
{
	g_autofree char *what = written == NULL ? g_strdup(text_get(language, "mail.held_words"))
						: text_format(language, "mail.held_command",
							      "written", written, NULL);
	if (game == NULL || strcmp(game, "0") == 0)
		return g_steal_pointer(&what);
	return text_format(language, "mail.held_game", "game", game, "what", what, NULL);
}

bool mail_words_code(MailWords *words, const Config *config, const Letter *letter, GError **error)
{
	const LetterCode *code = &letter->code;
	if (config_key(config, code->key_id) == NULL) {
		g_set_error(error, MAIL_OUT_ERROR, 0, "secret key %d is not set", code->key_id);
		return false;
	}
	const Language language = mail_words_language(letter);
	g_autofree char *secret = secret_code(config, code->key_id, code->nonce);
	mail_words_add(words, "player", letter->reader != NULL ? letter->reader : code->name);
	mail_words_add(words, "new_address", code->new_address);
	mail_words_add(words, "from", code->from);
	mail_words_take(words, "what",
			mail_words_held(code->game,
					letter->has_inbox ? letter->inbox.written : NULL,
					language));
	mail_words_take(words, "code", secret_grouped(secret));
	mail_words_take(words, "url", link_confirm(config, secret));
	mail_words_take(
		words, "valid_until",
		text_time(language, code->expires_at,
			  letter->reader != NULL ? letter->reader_time_zone : code->time_zone));
	return true;
}

char *mail_words_seat(const GameRules *rules, const char *challenger_seat, Language language)
{
	if (strcmp(challenger_seat, "random") == 0)
		return g_strdup(text_get(language, "mail.seat_random"));
	const bool first = strcmp(challenger_seat, "second") == 0;
	return text_format(language, first ? "mail.seat_first" : "mail.seat_second", "side",
			   turn_words_side(rules, first ? 1 : 2, language), NULL);
}

/* A text whose key depends on data; empty where the catalogue has none. */
static const char *text_about(Language language, const char *prefix, const char *word)
{
	g_autofree char *key = g_strconcat(prefix, word, NULL);
	return text_find(language, key);
}

static void invitation_links(MailWords *words, const Config *config, const Letter *letter)
{
	g_autofree char *secret = secret_make(config, config_newest_key(config), SECRET_INVITE,
					      SECRET_FIELDS(letter->challenge_id));
	g_autofree char *url = link_invitation(config, letter->challenge_id, secret);
	mail_words_add(words, "accept_url", url);
	mail_words_take(words, "decline_url", g_strconcat(url, "#decline", NULL));
	mail_words_take(words, "never_url", g_strconcat(url, "#never", NULL));
}

bool mail_words_asks(const Letter *letter)
{
	return letter->has_challenge && !letter->has_game &&
	       strcmp(letter->challenge.state, "open") == 0 &&
	       letter->challenge.challenger_id != letter->reader_id;
}

/* Whoever has an account is not offered "never"; an invitation without replies says nothing. */
static const char *how_to_answer(const Config *config, const Letter *letter)
{
	if (strcmp(letter->template, "challenge") == 0)
		return config->inbound ? "how-to-answer-challenge" : "replies-not-read";
	return config->inbound ? "how-to-answer-invitation" : NULL;
}

bool mail_words_challenge(MailWords *words, const Config *config, const Letter *letter,
			  GError **error)
{
	const LetterChallenge *challenge = &letter->challenge;
	const GameRules *rules = rules_find(challenge->rules);
	if (rules == NULL) {
		g_set_error(error, MAIL_OUT_ERROR, 0, "unknown rules %s", challenge->rules);
		return false;
	}
	const Language language = mail_words_language(letter);
	const bool to_challenger = letter->reader_id == challenge->challenger_id;
	mail_words_add(words, "player", letter->reader);
	mail_words_add(words, "opponent",
		       to_challenger ? challenge->opponent : challenge->challenger);
	mail_words_add(words, "rules", rules->name);
	mail_words_take(words, "options", game_option_words(rules, challenge->options, language));
	mail_words_take(words, "seat", mail_words_seat(rules, challenge->seat, language));
	mail_words_add(words, "clock", text_about(language, "mail.clock_", challenge->clock_kind));
	mail_words_take(words, "challenge",
			g_strdup_printf("%" G_GINT64_FORMAT, letter->challenge_id));
	mail_words_add(words, "message", challenge->message);
	mail_words_add(words, "rules_summary", rule_book_summary(rules, language));
	mail_words_take(words, "rules_url", link_rules(config, rules->key));
	mail_words_take(words, "url", link_challenge(config, letter->challenge_id));
	mail_words_take(words, "privacy_url", link_privacy(config));
	invitation_links(words, config, letter);
	mail_words_part(words, "how_to_answer", how_to_answer(config, letter));
	return true;
}
