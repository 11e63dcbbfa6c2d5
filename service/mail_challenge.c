#include "service/mail_challenge.h"

#include "service/mail_command_words.h"
#include "service/text.h"

#include <string.h>

void mail_challenge_clear(MailChallenge *challenge)
{
	g_clear_pointer(&challenge->opponent, g_free);
	g_clear_pointer(&challenge->fault_word, g_free);
}

/* The wishes: what each is called everywhere; its words stand under "challenge.<name>". */
static const struct {
	const char *name;
	bool is_seat;
} options[] = {
	{"first", true}, {"second", true}, {"random", true}, {"public", false}, {"private", false},
};

static bool means(const char *word, const char *name)
{
	g_autofree char *key = g_strconcat("challenge.", name, NULL);
	for (int i = 0; i < LANGUAGE_COUNT; i++) {
		g_autofree char *small = g_utf8_strdown(text_get((Language)i, key), -1);
		if (strcmp(word, small) == 0)
			return true;
	}
	return false;
}

/* Sets a wish unless another one stands there. */
static bool wish_set(const char **wish, const char *name)
{
	const bool free = *wish == NULL || strcmp(*wish, name) == 0;
	*wish = name;
	return free;
}

/* "Ordo X" may be written as its name, too. */
static bool name_continue(MailChallenge *challenge, const char *word)
{
	g_autofree char *both = g_strdup_printf("%s %s", challenge->rules->name, word);
	for (size_t i = 0; rules_at(i) != NULL; i++) {
		if (g_ascii_strcasecmp(rules_at(i)->name, both) != 0)
			continue;
		challenge->rules = rules_at(i);
		return true;
	}
	return false;
}

static bool language_read(MailChallenge *challenge, const char *word, bool *twice_r)
{
	const char *code = mail_command_words_language(word);
	Language language;
	if (code == NULL || !language_parse(code, &language))
		return false;
	*twice_r = challenge->has_language && challenge->language != language;
	challenge->has_language = true;
	challenge->language = language;
	return true;
}

static MailChallengeFault option_read(MailChallenge *challenge, const char *word)
{
	bool twice = false;
	for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
		if (!means(word, options[i].name))
			continue;
		const char **wish = options[i].is_seat ? &challenge->seat : &challenge->visibility;
		return wish_set(wish, options[i].name) ? MAIL_CHALLENGE_GOOD : MAIL_CHALLENGE_TWICE;
	}
	if (!language_read(challenge, word, &twice))
		return MAIL_CHALLENGE_OPTION;
	return twice ? MAIL_CHALLENGE_TWICE : MAIL_CHALLENGE_GOOD;
}

static void options_read(MailChallenge *challenge, char *const *words)
{
	for (int i = 0; words[i] != NULL && challenge->fault == MAIL_CHALLENGE_GOOD; i++) {
		if (words[i][0] == '\0' || (i == 0 && name_continue(challenge, words[i])))
			continue;
		challenge->fault = option_read(challenge, words[i]);
		if (challenge->fault != MAIL_CHALLENGE_GOOD)
			challenge->fault_word = g_strdup(words[i]);
	}
}

void mail_challenge_read(const char *arguments, MailChallenge *challenge_r)
{
	g_auto(GStrv) words = g_strsplit(arguments, " ", -1);
	g_assert(words[0] != NULL && words[1] != NULL);
	*challenge_r = (MailChallenge){
		.opponent = g_strdup(words[0]),
		.is_address = strchr(words[0], '@') != NULL,
		.rules = rules_find(words[1]),
	};
	if (challenge_r->rules != NULL)
		options_read(challenge_r, words + 2);
	if (challenge_r->seat == NULL)
		challenge_r->seat = "random";
	if (challenge_r->visibility == NULL)
		challenge_r->visibility = "public";
}

char *mail_challenge_options(Language language)
{
	GString *list = g_string_new(NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
		g_autofree char *key = g_strconcat("challenge.", options[i].name, NULL);
		g_string_append_printf(list, "%s%s", i > 0 ? ", " : "", text_get(language, key));
	}
	return g_string_free(list, FALSE);
}
