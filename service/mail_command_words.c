#include "service/mail_command_words.h"

#include "service/language.h"
#include "service/mail_act.h"
#include "service/mail_command.h"

#include <string.h>

#define GAME MAIL_PLACE_GAME
#define PLAY MAIL_PLACE_PLAY
#define INVITE MAIL_PLACE_INVITE

/* en, es, fr, ru, de. A noun alone is no order to give up. */
const MailCommandRow mail_commands[] = {
	{MAIL_MOVE,
	 "move",
	 {{"move"}, {"jugada", "mover"}, {"coup", "jouer"}, {"ход"}, {"zug", "ziehe"}},
	 MAIL_ARGUMENTS_TURN,
	 true,
	 PLAY,
	 mail_act_move},
	{MAIL_LAYOUT,
	 "layout",
	 {{"layout"},
	  {"colocación", "colocacion", "disposición", "disposicion"},
	  {"placement", "disposition"},
	  {"расстановка"},
	  {"aufstellung"}},
	 MAIL_ARGUMENTS_LAYOUT,
	 true,
	 GAME | PLAY,
	 mail_act_layout},
	{MAIL_RESIGN,
	 "resign",
	 {{"resign", "i resign"},
	  {"me rindo", "rindo"},
	  {"j'abandonne", "abandonne"},
	  {"сдаюсь"},
	  {"ich gebe auf", "aufgeben"}},
	 MAIL_ARGUMENTS_NONE,
	 true,
	 GAME | PLAY,
	 mail_act_resign},
	{MAIL_DRAW,
	 "draw",
	 {{"draw", "offer draw"},
	  {"tablas", "ofrezco tablas"},
	  {"nulle", "je propose nulle"},
	  {"ничья", "предлагаю ничью"},
	  {"remis", "ich biete remis"}},
	 MAIL_ARGUMENTS_NONE,
	 true,
	 GAME | PLAY,
	 mail_act_draw},
	{MAIL_ACCEPT,
	 "accept",
	 {{"accept", "i accept"},
	  {"acepto", "aceptar"},
	  {"j'accepte", "accepter"},
	  {"принимаю", "принять"},
	  {"annehmen", "ich nehme an"}},
	 MAIL_ARGUMENTS_NONE,
	 true,
	 GAME | PLAY,
	 mail_act_accept},
	{MAIL_DECLINE,
	 "decline",
	 {{"decline", "i decline"},
	  {"rechazo", "rechazar"},
	  {"je refuse", "refuser"},
	  {"отклоняю", "отклонить"},
	  {"ablehnen", "ich lehne ab"}},
	 MAIL_ARGUMENTS_NONE,
	 true,
	 GAME | PLAY,
	 mail_act_decline},
	{MAIL_BOARD,
	 "board",
	 {{"board"}, {"tablero"}, {"plateau"}, {"доска"}, {"brett"}},
	 MAIL_ARGUMENTS_NONE,
	 true,
	 GAME | PLAY,
	 mail_act_board},
	{MAIL_LEGAL,
	 "legal",
	 {{"legal"}, {"legales", "legal"}, {"légal", "legal"}, {"можно"}, {"erlaubt", "legal"}},
	 MAIL_ARGUMENTS_TURN_START,
	 true,
	 GAME | PLAY,
	 mail_act_legal},
	{MAIL_HISTORY,
	 "history",
	 {{"history"}, {"historial"}, {"historique"}, {"ходы"}, {"verlauf"}},
	 MAIL_ARGUMENTS_NONE,
	 true,
	 GAME | PLAY,
	 mail_act_history},
	{MAIL_RECORD,
	 "record",
	 {{"record"}, {"registro"}, {"notation"}, {"запись"}, {"aufzeichnung"}},
	 MAIL_ARGUMENTS_NONE,
	 true,
	 GAME | PLAY,
	 mail_act_record},
	{MAIL_CLOCK,
	 "clock",
	 {{"clock"}, {"reloj"}, {"pendule"}, {"часы"}, {"uhr"}},
	 MAIL_ARGUMENTS_NONE,
	 true,
	 GAME | PLAY,
	 mail_act_clock},
	{MAIL_GAMES,
	 "games",
	 {{"games"}, {"partidas"}, {"parties"}, {"партии"}, {"partien"}},
	 MAIL_ARGUMENTS_NONE,
	 false,
	 GAME | PLAY,
	 mail_act_games},
	{MAIL_CHALLENGE,
	 "challenge",
	 {{"challenge"},
	  {"desafiar", "reto"},
	  {"défier", "défi"},
	  {"вызвать", "вызов"},
	  {"herausfordern", "fordere"}},
	 MAIL_ARGUMENTS_CHALLENGE,
	 false,
	 GAME | PLAY,
	 mail_act_challenge},
	{MAIL_REMATCH,
	 "rematch",
	 {{"rematch"}, {"revancha"}, {"revanche"}, {"реванш"}, {"revanche"}},
	 MAIL_ARGUMENTS_NONE,
	 true,
	 GAME | PLAY,
	 mail_act_rematch},
	{MAIL_SAY,
	 "say",
	 {{"say"}, {"decir", "digo"}, {"dire"}, {"сказать"}, {"sagen", "sage"}},
	 MAIL_ARGUMENTS_TEXT,
	 true,
	 GAME | PLAY,
	 mail_act_say},
	{MAIL_LANGUAGE,
	 "language",
	 {{"language"}, {"idioma"}, {"langue"}, {"язык"}, {"sprache"}},
	 MAIL_ARGUMENTS_LANGUAGE,
	 false,
	 GAME | PLAY,
	 mail_act_language},
	{MAIL_AWAY,
	 "away",
	 {{"away"}, {"ausente"}, {"absent"}, {"отсутствую"}, {"abwesend"}},
	 MAIL_ARGUMENTS_DATES,
	 false,
	 GAME | PLAY,
	 mail_act_away},
	{MAIL_RULES,
	 "rules",
	 {{"rules"}, {"reglas"}, {"règles"}, {"правила"}, {"regeln"}},
	 MAIL_ARGUMENTS_RULES,
	 false,
	 GAME | PLAY,
	 mail_act_rules},
	{MAIL_EXAMPLE,
	 "example",
	 {{"example"}, {"ejemplo"}, {"exemple"}, {"пример"}, {"beispiel"}},
	 MAIL_ARGUMENTS_NONE,
	 false,
	 GAME | PLAY,
	 mail_act_example},
	{MAIL_FOLLOW,
	 "follow",
	 {{"follow"}, {"seguir"}, {"suivre"}, {"следить"}, {"folgen"}},
	 MAIL_ARGUMENTS_GAME_RHYTHM,
	 false,
	 GAME | PLAY,
	 mail_act_follow},
	{MAIL_UNFOLLOW,
	 "unfollow",
	 {{"unfollow"}, {"no seguir"}, {"ne plus suivre"}, {"не следить"}, {"nicht mehr folgen"}},
	 MAIL_ARGUMENTS_GAME,
	 false,
	 GAME | PLAY,
	 mail_act_unfollow},
	{MAIL_PAUSE,
	 "pause",
	 {{"pause"}, {"pausa"}, {"pause"}, {"пауза"}, {"pause"}},
	 MAIL_ARGUMENTS_NONE,
	 true,
	 GAME | PLAY,
	 mail_act_pause},
	{MAIL_STOP,
	 "stop",
	 {{"stop", "unsubscribe"},
	  {"parar", "alto"},
	  {"arrêter", "stop"},
	  {"стоп"},
	  {"stopp", "stop"}},
	 MAIL_ARGUMENTS_ALL,
	 false,
	 GAME | PLAY | INVITE,
	 mail_act_stop},
	{MAIL_HELP,
	 "help",
	 {{"help"}, {"ayuda"}, {"aide"}, {"помощь", "справка"}, {"hilfe"}},
	 MAIL_ARGUMENTS_NONE,
	 false,
	 GAME | PLAY | INVITE,
	 mail_act_help},
	{MAIL_YES,
	 "yes",
	 {{"yes", "accept", "i accept"},
	  {"sí", "si", "acepto", "aceptar"},
	  {"oui", "j'accepte", "accepter"},
	  {"да", "принимаю", "принять"},
	  {"ja", "ich nehme an", "annehmen"}},
	 MAIL_ARGUMENTS_NONE,
	 false,
	 INVITE,
	 mail_act_yes},
	{MAIL_NO,
	 "no",
	 {{"no", "decline", "i decline", "no thanks"},
	  {"no", "rechazo", "rechazar"},
	  {"non", "je refuse", "refuser"},
	  {"нет", "отклоняю", "отклонить"},
	  {"nein", "ich lehne ab", "ablehnen"}},
	 MAIL_ARGUMENTS_NONE,
	 false,
	 INVITE,
	 mail_act_no},
	{MAIL_NEVER,
	 "never",
	 {{"never"}, {"nunca"}, {"jamais"}, {"никогда"}, {"nie", "niemals", "nie wieder"}},
	 MAIL_ARGUMENTS_NONE,
	 false,
	 INVITE,
	 mail_act_never},
	{MAIL_COMMAND_NONE,
	 "",
	 {{NULL}, {NULL}, {NULL}, {NULL}, {NULL}},
	 MAIL_ARGUMENTS_NONE,
	 false,
	 0,
	 NULL},
};

bool mail_command_words_day(const char *word)
{
	static const char *const words[] = {"day",  "daily",     "día",  "diario",
					    "jour", "quotidien", "день", "ежедневно",
					    "tag",  "täglich",   NULL};

	return g_strv_contains(words, word);
}

bool mail_command_words_all(const char *word)
{
	static const char *const words[] = {"all", "todo", "todos", "tout", "всё",
					    "все", "alle", "alles", NULL};

	return g_strv_contains(words, word);
}

bool mail_command_words_random(const char *words)
{
	static const char *const all[] = {
		"random",    "at random", "al azar",   "azar",      "aleatoria",  "aleatorio",
		"au hasard", "hasard",    "aléatoire", "aleatoire", "случайная",  "случайно",
		"наугад",    "zufall",    "zufällig",  "zufaellig", "per zufall", NULL};

	return g_strv_contains(all, words);
}

const char *mail_command_words_like(const char *words)
{
	/* Longer ones first. */
	static const char *const all[] = {"like game ",
					  "like ",
					  "as in game ",
					  "as in ",
					  "como en la partida ",
					  "como en ",
					  "como ",
					  "comme dans la partie ",
					  "comme dans ",
					  "comme ",
					  "как в партии ",
					  "как в ",
					  "как ",
					  "wie in partie ",
					  "wie in ",
					  "wie "};

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		if (g_str_has_prefix(words, all[i]))
			return words + strlen(all[i]);
	}
	return NULL;
}

const char *mail_command_words_language(const char *word)
{
	static const struct {
		const char *name;
		Language language;
	} names[] = {
		{"english", LANGUAGE_EN}, {"español", LANGUAGE_ES}, {"français", LANGUAGE_FR},
		{"русский", LANGUAGE_RU}, {"deutsch", LANGUAGE_DE},
	};
	Language language;

	if (language_parse(word, &language))
		return language_code(language);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (strcmp(word, names[i].name) == 0)
			return language_code(names[i].language);
	}
	return NULL;
}
