#include "service/mail_answer.h"

#include "service/link.h"
#include "service/mail_answer_kinds.h"
#include "service/mail_help.h"
#include "service/mail_words.h"
#include "service/text.h"

#include <string.h>

enum { KEYS_MAX = 4 };

/* A kind whose texts say it all needs but their keys. */
static const struct {
	const char *kind;
	MailAnswerFn *write; /* NULL: the texts */
	const char *keys[KEYS_MAX];
} kinds[] = {
	{"turn-played", mail_answer_turn_played, {NULL}},
	{"resigned", NULL, {"resigned"}},
	{"words-passed", mail_answer_words_passed, {NULL}},
	{"refused", mail_answer_refused, {NULL}},
	{"board", NULL, {"board"}},
	{"legal", mail_answer_legal, {NULL}},
	{"history", mail_answer_history, {NULL}},
	{"record", mail_answer_record, {NULL}},
	{"clock", mail_answer_clock, {NULL}},
	{"draw", NULL, {"draw"}},
	{"accept-none", NULL, {"accept_none"}},
	{"accept-unknown", NULL, {"accept_unknown"}},
	{"accepted", NULL, {"accepted"}},
	{"decline-none", NULL, {"decline_none"}},
	{"decline-unknown", NULL, {"decline_unknown"}},
	{"declined", NULL, {"declined"}},
	{"choose", mail_answer_choose, {NULL}},
	{"rematch", NULL, {"rematch"}},
	{"rematch-not-over", NULL, {"rematch_not_over"}},
	{"rematch-repeated", NULL, {"rematch_repeated"}},
	{"rematch-accepted", NULL, {"rematch_accepted"}},
	{"reply-two", NULL, {"reply_two"}},
	{"layout-missing", mail_answer_setup, {NULL}},
	{"layout-not-taken", NULL, {"layout-not-taken"}},
	{"layout-repeated", mail_answer_setup, {NULL}},
	{"layout-sealed", mail_answer_setup, {NULL}},
	{"layout-opened", mail_answer_setup, {NULL}},
	{"layout-changed", mail_answer_setup, {NULL}},
	{"setup-accepted", mail_answer_setup, {NULL}},
	{"setup-accepted-repeated", mail_answer_setup, {NULL}},
	{"setup-began", mail_answer_setup, {NULL}},
	{"setup-which", mail_answer_setup, {NULL}},
	{"setup-decline", mail_answer_setup, {NULL}},
	{"paused", NULL, {"paused"}},
	{"stopped-game", mail_answer_stopped_game, {NULL}},
	{"stopped-all", NULL, {"stopped_all", "stopped_all_how"}},
	{"games", mail_answer_games, {NULL}},
	{"challenged", mail_answer_challenged, {NULL}},
	{"challenge-fault", mail_answer_challenge_fault, {NULL}},
	{"player-unknown", mail_answer_player_unknown, {NULL}},
	{"language", NULL, {"language"}},
	{"away", mail_answer_away, {NULL}},
	{"away-backwards", NULL, {"away_backwards"}},
	{"away-past", NULL, {"away_past"}},
	{"away-long", NULL, {"away_long"}},
	{"rules-which", mail_answer_rules_which, {NULL}},
	{"rules", NULL, {"rules"}},
	{"example", mail_answer_example, {NULL}},
	{"help", mail_answer_help, {NULL}},
	{"invitation-declined", NULL, {"invitation-declined"}},
	{"silenced", NULL, {"silenced"}},
	{"followed", NULL, {"followed"}},
	{"followed-day", NULL, {"followed-day"}},
	{"unfollowed", NULL, {"unfollowed"}},
	{"follow-own", NULL, {"follow-own"}},
};

const char *mail_answer_data(const MailAnswer *answer, const char *name)
{
	return json_string_value(json_object_get(answer->data, name));
}

bool mail_answer_is(const MailAnswer *answer, const char *name)
{
	return json_is_true(json_object_get(answer->data, name));
}

int64_t mail_answer_number(const MailAnswer *answer, const char *name)
{
	return json_integer_value(json_object_get(answer->data, name));
}

const char *mail_answer_player(const MailAnswer *answer, int64_t player_id)
{
	g_autofree char *key = g_strdup_printf("%" G_GINT64_FORMAT, player_id);
	const char *name = json_string_value(json_object_get(answer->names, key));
	return name == NULL ? "" : name;
}

char *mail_answer_item(const MailAnswer *answer, const char *text)
{
	return text_format(answer->language, "answer.bullet", "item", text, NULL);
}

/* ---- what is known ---- */

typedef struct {
	GPtrArray *pairs;  /* name, value, name, value, … */
	GPtrArray *values; /* those that are owned */
} Known;

static void known_add(Known *known, const char *name, char *value)
{
	g_ptr_array_add(known->values, value);
	g_ptr_array_add(known->pairs, (void *)(uintptr_t)name);
	g_ptr_array_add(known->pairs, value);
}

/* The other one of the challenge it is about, else of the game. */
static const char *opponent_of(const Letter *letter)
{
	const LetterChallenge *challenge = &letter->challenge;
	const char *name = NULL;
	if (letter->has_challenge)
		name = challenge->challenger_id == letter->reader_id ? challenge->opponent
								     : challenge->challenger;
	else if (letter->has_game && letter->game.seat != 0)
		name = letter->game.names[letter->game.seat == 1 ? 1 : 0];
	return name == NULL ? "" : name;
}

static const char *rules_of(const MailAnswer *answer)
{
	const char *key = mail_answer_data(answer, "rules");
	const GameRules *rules = key == NULL ? NULL : rules_find(key);
	if (rules == NULL && answer->letter->has_challenge)
		rules = rules_find(answer->letter->challenge.rules);
	if (rules == NULL)
		rules = answer->rules;
	return rules == NULL ? "" : rules->name;
}

static void data_add(Known *known, const MailAnswer *answer)
{
	const char *name;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)answer->data, name, value)
	{
		if (json_is_string(value))
			known_add(known, name, g_strdup(json_string_value(value)));
		if (json_is_integer(value))
			known_add(known, name,
				  g_strdup_printf("%" JSON_INTEGER_FORMAT,
						  json_integer_value(value)));
	}
}

static void letter_add(Known *known, const MailAnswer *answer)
{
	const Letter *letter = answer->letter;
	const LetterInbox *inbox = &letter->inbox;
	known_add(known, "opponent", g_strdup(opponent_of(letter)));
	known_add(known, "rules", g_strdup(rules_of(answer)));
	data_add(known, answer);
	known_add(known, "game", g_strdup_printf("%" G_GINT64_FORMAT, letter->game_id));
	known_add(known, "challenge", g_strdup_printf("%" G_GINT64_FORMAT, letter->challenge_id));
	known_add(known, "address", mail_help_address(answer->config));
	known_add(known, "settings", link_settings(answer->config));
	known_add(known, "layout_word", g_strdup(mail_help_word(MAIL_LAYOUT, answer->language)));
	char *written = g_strdup(inbox->written == NULL ? "" : inbox->written);
	known_add(known, "written", g_strdelimit(written, "\n", ' '));
}

char *mail_answer_say(const MailAnswer *answer, const char *const *keys)
{
	Known known = {.pairs = g_ptr_array_new(),
		       .values = g_ptr_array_new_with_free_func(g_free)};
	GString *text = g_string_new(NULL);
	letter_add(&known, answer);
	for (int i = 0; keys[i] != NULL; i++) {
		g_autofree char *key = g_strconcat("answer.", keys[i], NULL);
		g_autofree char *one = text_format_pairs(answer->language, key, known.pairs);
		g_string_append_printf(text, "%s%s", i > 0 ? "\n\n" : "", one);
	}
	g_ptr_array_unref(known.pairs);
	g_ptr_array_unref(known.values);
	return g_string_free(text, FALSE);
}

/* ---- the whole ---- */

static char *kind_write(const MailAnswer *answer, const char *kind)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (strcmp(kinds[i].kind, kind) != 0)
			continue;
		return kinds[i].write == NULL ? mail_answer_say(answer, kinds[i].keys)
					      : kinds[i].write(answer);
	}
	return NULL;
}

/* Takes both over; more may be NULL. */
static char *paragraph_add(char *text, char *more)
{
	if (more == NULL)
		return text;
	g_autofree char *before = text;
	g_autofree char *last = more;
	return g_strdup_printf("%s\n\n%s", before, last);
}

/* In a set-up: the layouts, to whoever looks at the game, does something, or was refused. */
static char *setup_told(const MailAnswer *answer, const char *kind)
{
	static const char *const looking[] = {"refused", "board", "legal",
					      "history", "clock", NULL};
	const bool tells = g_strv_contains(looking, kind) || g_str_has_prefix(kind, "layout-") ||
			   g_str_has_prefix(kind, "setup-");
	return tells ? mail_answer_layouts(answer) : NULL;
}

/* Who wrote more than is passed on knows it from the answer. */
static char *cut_told(const MailAnswer *answer)
{
	static const char *const keys[] = {"remark_cut", NULL};
	const bool passed = mail_answer_is(answer, "remark") || mail_answer_is(answer, "passed");
	return passed && mail_answer_is(answer, "remark_cut") ? mail_answer_say(answer, keys)
							      : NULL;
}

/* Who stopped all mails and goes on writing gets answers, but should know why nothing else. */
static char *stopped_told(const MailAnswer *answer, const char *kind)
{
	static const char *const keys[] = {"mail_is_stopped", NULL};
	const bool tells = answer->letter->mail_stopped && strcmp(kind, "stopped-all") != 0;
	return tells ? mail_answer_say(answer, keys) : NULL;
}

static json_t *object_read(const char *text)
{
	json_t *object = json_loads(text == NULL ? "{}" : text, 0, NULL);
	return object == NULL ? json_object() : object;
}

char *mail_answer_text(const Config *config, const Letter *letter, const GameRules *rules,
		       const Position *position)
{
	json_t *data = object_read(letter->inbox.answer);
	json_t *names = object_read(letter->inbox.names);
	const MailAnswer answer = {
		.config = config,
		.letter = letter,
		.language = mail_words_language(letter),
		.data = data,
		.names = names,
		.rules = rules,
		.position = position,
	};
	const char *kind = mail_answer_data(&answer, "kind");
	char *text = kind == NULL ? NULL : kind_write(&answer, kind);

	if (text != NULL) {
		text = paragraph_add(text, cut_told(&answer));
		text = paragraph_add(text, setup_told(&answer, kind));
		text = paragraph_add(text, stopped_told(&answer, kind));
	}
	json_decref(data);
	json_decref(names);
	return text == NULL ? g_strdup("") : text;
}
