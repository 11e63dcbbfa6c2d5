#include "service/mail_rules.h"

#include "service/board.h"
#include "service/link.h"
#include "service/mail_answer.h"
#include "service/mail_name.h"
#include "service/rule_book.h"
#include "service/text.h"
#include "service/turn_words.h"

#include <jansson.h>
#include <string.h>

/* What is worth a picture; a game without any row shows but its start. */
static const struct {
	const char *rules, *board, *turn;
} examples[] = {
	{"ordo", NULL, "c2-c4"},
	{"ordo", NULL, "c2:d2-c4"},
	{"ordo", "10/10/3bbb4/3www4/10/10/10/10 w", "d5xd6"},
	{"ordox", NULL, "c2-c4"},
	{"ordox", "9b/10/10/10/10/10/4w5/10 w", "e2-f2,f2-f4"},
	{"ordox", "10/10/2bbbbbb2/10/4w5/10/10/10 w", "e4xe6"},
	{"xo", NULL, "a1~,c3-e5"},
	{"xo", "xo:7x12:3 4g2/+z4v1/2z1+v2/7/7/7/7/7/7/2V4/3N2G/+V+Z2H2 b",
	 "c3xc10,c10~,d2~,e1-g1"},
	{"xo", "xo:7x12:3 4g2/+z6/4+v2/7/3v3/7/7/3V3/7/7/6G/+V+Z5 b", "d5*d8"},
};

/* The names of the values of examples. */
static const struct {
	const char *picture, *caption;
} places[] = {
	{"board_1", "caption_1"},
	{"board_2", "caption_2"},
	{"board_3", "caption_3"},
};

bool mail_rules_example(const GameRules *rules, int n, const char **board_r, const char **turn_r)
{
	for (size_t i = 0; i < G_N_ELEMENTS(examples); i++) {
		if (strcmp(examples[i].rules, rules->key) != 0 || n-- > 0)
			continue;
		*board_r = examples[i].board;
		*turn_r = examples[i].turn;
		return true;
	}
	return false;
}

/* A mail with rules on its way. */
typedef struct {
	MailWords *words;
	const Config *config;
	const Letter *letter;
	const GameRules *rules;
	Language language;
	MailPicture *last; /* where the next picture hangs */
} RulesMail;

static void position_read(const RulesMail *mail, const char *board, Position *position_r)
{
	Refusal refusal;
	const bool read = board == NULL ? mail->rules->start("", position_r, &refusal)
					: mail->rules->parse(board, position_r, &refusal);
	g_assert(read);
}

/* Adds a picture under its name, as drawing and as text. */
static void picture_add(RulesMail *mail, const char *name, const Picture *picture)
{
	const BoardStyle style = {.below = 1, .square_size = 28};
	g_autofree char *id = mail_name_picture(mail->config, mail->letter->delivery_id);
	MailPicture *made = mail->last;
	if (made->png != NULL) {
		made = g_new0(MailPicture, 1);
		mail->last->next = made;
		mail->last = made;
	}
	made->name = name;
	made->png = board_png(picture, &style);
	made->content_id = g_strdup_printf("%s.%s", name, id);
	made->alt = board_alt(mail->rules, picture, mail->language);
	mail_words_take(mail->words, name, board_text(mail->rules, picture, mail->language, 1));
}

static void start_add(RulesMail *mail)
{
	Position position;
	Picture picture;
	position_read(mail, NULL, &position);
	mail->rules->picture(&position, 0, NULL, NULL, &picture);
	picture_add(mail, "board", &picture);
}

static void example_add(RulesMail *mail, int n, const char *board, const char *turn)
{
	Position before, after;
	Picture picture;
	Refusal refusal;
	char canonical[RULES_TURN_MAX];
	position_read(mail, board, &before);
	const bool played = mail->rules->play(&before, turn, &after, canonical, &refusal);
	g_assert(played);
	mail->rules->picture(&after, 0, &before, canonical, &picture);
	picture_add(mail, places[n].picture, &picture);
	g_autofree char *told = turn_words_explain(mail->rules, &before, canonical, mail->language);
	mail_words_take(mail->words, places[n].caption,
			text_format(mail->language, "answer.rules_picture", "turn", canonical,
				    "words", told, NULL));
}

static void examples_add(RulesMail *mail)
{
	for (int n = 0; n < (int)G_N_ELEMENTS(places); n++) {
		const char *board = NULL, *turn = NULL;
		if (mail_rules_example(mail->rules, n, &board, &turn)) {
			example_add(mail, n, board, turn);
			continue;
		}
		mail_words_add(mail->words, places[n].picture, NULL);
		mail_words_add(mail->words, places[n].caption, NULL);
	}
}

/* Headings stand out; each statement has its mark, and its grounds behind it. Takes them over. */
static char *statements_text(GArray *statements, Language language)
{
	GString *text = g_string_new(NULL);
	for (unsigned i = 0; i < statements->len; i++) {
		const RuleStatement *statement = &g_array_index(statements, RuleStatement, i);
		if (statement->heading) {
			g_string_append_printf(text, "%s■\u00a0%s\n", i > 0 ? "\n" : "",
					       statement->text);
			continue;
		}
		g_autofree char *item =
			text_format(language, "answer.bullet", "item", statement->text, NULL);
		g_string_append(text, item);
		g_string_append_printf(text, *statement->ground ? " [%s]\n" : "%s\n",
				       statement->ground);
	}
	g_array_unref(statements);
	return g_strchomp(g_string_free(text, FALSE));
}

static char *grounds_text(Language language)
{
	static const char letters[] = RULE_GROUNDS;
	GString *text = g_string_new(NULL);
	g_string_append_printf(text, "■\u00a0%s\n", text_get(language, "answer.grounds"));
	for (const char *letter = letters; *letter != '\0'; letter++) {
		const char name[] = {*letter, '\0'};
		g_autofree char *row =
			text_format(language, "answer.ground_row", "letter", name, "text",
				    rule_book_ground(*letter, language), NULL);
		g_string_append_printf(text, "%s\n", row);
	}
	return g_strchomp(g_string_free(text, FALSE));
}

static void texts_add(RulesMail *mail)
{
	const Language language = mail->language;
	g_autofree char *url = link_rules(mail->config, mail->rules->key);
	g_autofree char *notation =
		statements_text(rule_book_notation(mail->rules, language), language);
	mail_words_take(mail->words, "answer",
			mail_answer_text(mail->config, mail->letter, mail->rules, NULL));
	mail_words_take(mail->words, "rules_text",
			statements_text(rule_book_rules(mail->rules, language), language));
	mail_words_take(
		mail->words, "notation_text",
		g_strdup_printf("■\u00a0%s\n%s", text_get(language, "answer.notation"), notation));
	mail_words_take(mail->words, "grounds_text", grounds_text(language));
	mail_words_add(mail->words, "start",
		       text_get(language, mail->rules->setup == NULL ? "answer.rules_start"
								     : "answer.rules_start_setup"));
	mail_words_add(mail->words, "rules_url", url);
	mail_words_add(mail->words, "rules", mail->rules->name);
}

/* In a game's thread the subject is the game's. */
static void subject_add(RulesMail *mail)
{
	const Letter *letter = mail->letter;
	mail_words_part(mail->words, "rules_subject",
			letter->has_game ? "game-subject" : "rules-title");
	if (!letter->has_game)
		return;
	mail_words_take(mail->words, "game", g_strdup_printf("%" G_GINT64_FORMAT, letter->game_id));
	mail_words_add(mail->words, "first", letter->game.names[0]);
	mail_words_add(mail->words, "second", letter->game.names[1]);
}

static const GameRules *rules_wanted(const Letter *letter)
{
	json_t *data =
		json_loads(letter->inbox.answer == NULL ? "{}" : letter->inbox.answer, 0, NULL);
	const char *key = json_string_value(json_object_get(data, "rules"));
	const GameRules *rules = key == NULL ? NULL : rules_find(key);
	json_decref(data);
	return rules;
}

bool mail_rules_words(MailWords *words, const Config *config, const Letter *letter,
		      MailPicture *picture_r, GError **error)
{
	RulesMail mail = {
		.words = words,
		.config = config,
		.letter = letter,
		.rules = rules_wanted(letter),
		.language = mail_words_language(letter),
		.last = picture_r,
	};
	if (mail.rules == NULL) {
		g_set_error_literal(error, MAIL_OUT_ERROR, 0, "unknown rules");
		return false;
	}
	texts_add(&mail);
	subject_add(&mail);
	start_add(&mail);
	examples_add(&mail);
	return true;
}
