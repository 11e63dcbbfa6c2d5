#include "service/mail_challenge.h"

#include "service/game_option.h"
#include "service/mail_command_words.h"
#include "service/name.h"
#include "service/text.h"

#include <string.h>

void mail_challenge_clear(MailChallenge *challenge)
{
	g_clear_pointer(&challenge->opponent, g_free);
	g_clear_pointer(&challenge->options, g_free);
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

/* ---- the game's own options ---- */

/* What was said of them so far. */
typedef struct {
	const GameRules *rules;
	char *value[GAME_OPTIONS_MAX];
	int named; /* the one whose name was the word before; -1: none */
} Values;

static void values_clear(Values *values)
{
	for (int i = 0; i < GAME_OPTIONS_MAX; i++)
		g_free(values->value[i]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Values, values_clear)

/* The option that a word names in any language; -1 if none. */
static int option_named(const GameRules *rules, const char *word)
{
	for (int i = 0; i < game_option_count(rules); i++)
		for (int language = 0; language < LANGUAGE_COUNT; language++)
			if (strcmp(word, game_option_word(rules, i, (Language)language)) == 0)
				return i;
	return -1;
}

/* The first option without a value for which a value without a name can be meant: a number, or
 * something else that begins with a digit. -1 if there is none. */
static int option_for(const Values *values, const char *value)
{
	const bool number = value[strspn(value, "0123456789")] == '\0';
	for (int i = 0; i < game_option_count(values->rules); i++)
		if (values->value[i] == NULL && values->rules->options[i].number == number)
			return i;
	return -1;
}

static MailChallengeFault value_set(Values *values, int option, const char *value)
{
	if (option < 0 || values->value[option] != NULL)
		return MAIL_CHALLENGE_TWICE;
	values->value[option] = g_strdup(value);
	return MAIL_CHALLENGE_GOOD;
}

/* A word that is no wish may be the name of an option, or a value; "9x10:4" is two. */
static MailChallengeFault value_read(Values *values, const char *word)
{
	const int named = values->named;
	MailChallengeFault fault = MAIL_CHALLENGE_GOOD;
	values->named = -1;
	if (named >= 0)
		return value_set(values, named, word);
	values->named = option_named(values->rules, word);
	if (values->named >= 0)
		return MAIL_CHALLENGE_GOOD;
	if (game_option_count(values->rules) == 0 || !g_ascii_isdigit(word[0]))
		return MAIL_CHALLENGE_OPTION;
	g_auto(GStrv) parts = g_strsplit(word, ":", -1);
	for (int i = 0; parts[i] != NULL && fault == MAIL_CHALLENGE_GOOD; i++)
		fault = value_set(values, option_for(values, parts[i]), parts[i]);
	return fault;
}

static void values_finish(MailChallenge *challenge, const Values *values)
{
	g_autoptr(GError) fault = NULL;
	challenge->options =
		game_option_join(challenge->rules, (const char *const *)values->value, &fault);
	if (challenge->options == NULL)
		challenge->fault = MAIL_CHALLENGE_VALUES;
	else if (values->named >= 0)
		challenge->fault = MAIL_CHALLENGE_OPTION;
	if (challenge->fault == MAIL_CHALLENGE_OPTION)
		challenge->fault_word = g_strdup(challenge->rules->options[values->named].name);
}

static MailChallengeFault word_read(MailChallenge *challenge, Values *values, const char *word)
{
	const MailChallengeFault fault =
		values->named >= 0 ? MAIL_CHALLENGE_OPTION : option_read(challenge, word);
	return fault == MAIL_CHALLENGE_OPTION ? value_read(values, word) : fault;
}

static void options_read(MailChallenge *challenge, char *const *words)
{
	g_auto(Values) values = {.named = -1};
	for (int i = 0; words[i] != NULL && challenge->fault == MAIL_CHALLENGE_GOOD; i++) {
		if (words[i][0] == '\0' || (i == 0 && name_continue(challenge, words[i])))
			continue;
		values.rules = challenge->rules;
		challenge->fault = word_read(challenge, &values, words[i]);
		if (challenge->fault != MAIL_CHALLENGE_GOOD)
			challenge->fault_word = g_strdup(words[i]);
	}
	if (challenge->fault == MAIL_CHALLENGE_GOOD)
		values_finish(challenge, &values);
}

/* ---- whom ---- */

/* No name has one of these in it, so any of them ends what another one began. */
static bool is_quotation_mark(gunichar c)
{
	static const gunichar marks[] = {'"',    '\'',   0x00ab, 0x00bb, 0x2018, 0x2019, 0x201a,
					 0x201c, 0x201d, 0x201e, 0x2039, 0x203a, 0x300c, 0x300d};
	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++)
		if (c == marks[i])
			return true;
	return false;
}

/* What stands in quotation marks at the start, and what follows; NULL if nothing does. The caller
 * frees. */
static char *quoted_read(const char *arguments, const char **rest_r)
{
	if (!is_quotation_mark(g_utf8_get_char(arguments)))
		return NULL;
	const char *start = g_utf8_next_char(arguments);
	const char *end = start;
	while (*end != '\0' && !is_quotation_mark(g_utf8_get_char(end)))
		end = g_utf8_next_char(end);
	if (*end == '\0')
		return NULL;
	*rest_r = g_utf8_next_char(end);
	return g_strstrip(g_strndup(start, (size_t)(end - start)));
}

/* Several words may be a sentence: only what a player can be called is a name. */
static bool is_name(const char *words)
{
	g_autoptr(GError) fault = NULL;
	g_autoptr(Name) name = strchr(words, ' ') == NULL ? NULL : name_new(words, &fault);
	return name != NULL || strchr(words, ' ') == NULL;
}

/* The words up to the first that is the key of rules, from which *rest_r goes on; NULL if there is
 * none. The caller frees. */
static char *name_read(const char *arguments, const char **rest_r)
{
	for (const char *blank = strchr(arguments, ' '); blank != NULL;
	     blank = strchr(blank + 1, ' ')) {
		g_autofree char *word = g_strndup(blank + 1, strcspn(blank + 1, " "));
		if (rules_find(word) == NULL)
			continue;
		*rest_r = blank;
		return g_strndup(arguments, (size_t)(blank - arguments));
	}
	return NULL;
}

/* Whom the arguments name; the rest begins with a blank and the rules. NULL: nobody. */
static char *opponent_read(const char *arguments, const char **rest_r)
{
	g_autofree char *quoted = quoted_read(arguments, rest_r);
	if (quoted != NULL)
		return quoted[0] == '\0' ? NULL : g_steal_pointer(&quoted);
	g_autofree char *name = name_read(arguments, rest_r);
	return name != NULL && is_name(name) ? g_steal_pointer(&name) : NULL;
}

static const GameRules *rules_read(char *const *words)
{
	return words[0] == NULL || words[0][0] != '\0' || words[1] == NULL ? NULL
									   : rules_find(words[1]);
}

bool mail_challenge_is(const char *arguments)
{
	const char *rest = "";
	g_autofree char *opponent = opponent_read(arguments, &rest);
	g_auto(GStrv) words = g_strsplit(rest, " ", 3);
	return opponent != NULL && rules_read(words) != NULL;
}

void mail_challenge_read(const char *arguments, MailChallenge *challenge_r)
{
	const char *rest = "";
	g_autofree char *opponent = opponent_read(arguments, &rest);
	g_auto(GStrv) words = g_strsplit(rest, " ", -1);
	g_assert(opponent != NULL);
	*challenge_r = (MailChallenge){
		.is_address = strchr(opponent, '@') != NULL,
		.rules = rules_read(words),
	};
	challenge_r->opponent = g_steal_pointer(&opponent);
	if (challenge_r->rules != NULL)
		options_read(challenge_r, words + 2);
	if (challenge_r->seat == NULL)
		challenge_r->seat = "random";
	if (challenge_r->visibility == NULL)
		challenge_r->visibility = "public";
}

/* "board 7x12, territory 3"; a value never stands without its word, nor this as a line. */
static char *values_words(const GameRules *rules, Language language)
{
	GString *list = g_string_new(NULL);
	for (int i = 0; i < game_option_count(rules); i++)
		g_string_append_printf(list, "%s%s\u00a0%s", i > 0 ? ", " : "",
				       game_option_word(rules, i, language),
				       rules->options[i].usual);
	return g_string_free(list, FALSE);
}

static char *wishes_words(Language language)
{
	GString *list = g_string_new(NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
		g_autofree char *key = g_strconcat("challenge.", options[i].name, NULL);
		g_string_append_printf(list, "%s%s", i > 0 ? ", " : "", text_get(language, key));
	}
	return g_string_free(list, FALSE);
}

char *mail_challenge_options(Language language)
{
	char *list = wishes_words(language);
	for (size_t i = 0; rules_at(i) != NULL; i++) {
		g_autofree char *before = list;
		g_autofree char *values = values_words(rules_at(i), language);
		if (game_option_count(rules_at(i)) == 0)
			list = g_steal_pointer(&before);
		else
			list = text_format(language, "help.challenge.game", "options", before,
					   "rules", rules_at(i)->name, "values", values, NULL);
	}
	return list;
}

/* ---- the name as it was written ---- */

/* How many bytes of a text are the name, but for capitals; 0: it does not begin so. */
static size_t name_length(const char *text, const char *name)
{
	const char *at = text;
	for (; *name != '\0'; name = g_utf8_next_char(name)) {
		if (g_unichar_tolower(g_utf8_get_char(at)) != g_utf8_get_char(name))
			return 0;
		at = g_utf8_next_char(at);
	}
	return (size_t)(at - text);
}

char *mail_challenge_name(const char *line, const char *name)
{
	g_autofree char *normal = g_utf8_normalize(line, -1, G_NORMALIZE_NFKC);
	const char *at = normal == NULL ? "" : normal + strspn(normal, " ");
	for (at += strcspn(at, " "); *at != '\0'; at = g_utf8_next_char(at)) {
		const char *next = g_utf8_next_char(at);
		const bool starts = !g_unichar_isalnum(g_utf8_get_char(at));
		const size_t length = starts ? name_length(next, name) : 0;
		if (length > 0 && !g_unichar_isalnum(g_utf8_get_char(next + length)))
			return g_strndup(next, length);
	}
	return g_strdup(name);
}
