#include "strip_words.h"

#include <string.h>

#include <glib.h>

enum { LABEL_MAX = 40 };

bool words_begin(const char *key, const char *const *words)
{
	for (; *words != NULL; words++) {
		if (g_str_has_prefix(key, *words)) {
			return true;
		}
	}
	return false;
}

bool words_stand_in(const char *key, const char *const *words)
{
	for (; *words != NULL; words++) {
		if (strstr(key, *words) != NULL) {
			return true;
		}
	}
	return false;
}

/* A line of nothing but one sign, at least so many. */
static bool is_row_of(const char *key, gunichar sign, long least)
{
	long count = 0;
	for (; *key != '\0'; key = g_utf8_next_char(key)) {
		gunichar c = g_utf8_get_char(key);
		if (c != sign && c != ' ') {
			return false;
		}
		count += c == sign;
	}
	return count >= least;
}

bool words_are_rule(const char *key)
{
	static const struct {
		gunichar sign;
		long least;
	} rules[] = {{'-', 2},    {'_', 3},    {'=', 5},    {'*', 5},    {'~', 5},    {'#', 5},
		     {0x2014, 1}, {0x2013, 1}, {0x2015, 1}, {0x2500, 3}, {0x2501, 3}, {0x2e3a, 1}};
	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
		if (is_row_of(key, rules[i].sign, rules[i].least)) {
			return true;
		}
	}
	return false;
}

static Words from_labels = {
	"from",        "von",        "de",          "da",        "van",        "fra",
	"från",        "od",         "от",          "от кого",   "від",        "від кого",
	"отправитель", "відправник", "差出人",      "送信者",    "送信元",     "发件人",
	"寄件者",      "寄件人",     "發件人",      "发信人",    "보낸 사람",  "보낸사람",
	"מאת",         "من",         "المرسل",      "lähettäjä", "expéditeur", "expediteur",
	"odesílatel",  "feladó",     "gönderen",    "kimden",    "από",        "remitente",
	"remetente",   "mittente",   "absender",    "nadawca",   "afzender",   "afsender",
	"avsender",    "avsändare",  "șters de la", "de la",     "pengirim",   "จาก",
	"kirjutas",    "từ",         "người gửi",   "از",        "فرستنده",    NULL,
};
static Words date_labels = {
	"sent",
	"date",
	"gesendet",
	"gesendet am",
	"datum",
	"envoyé",
	"envoyé le",
	"date d'envoi",
	"enviado",
	"enviado el",
	"enviado em",
	"enviada em",
	"enviada",
	"fecha",
	"data",
	"inviato",
	"inviato il",
	"data invio",
	"verzonden",
	"verzonden op",
	"sendt",
	"dato",
	"skickat",
	"wysłano",
	"wysłane",
	"data wysłania",
	"отправлено",
	"дата",
	"дата отправки",
	"надіслано",
	"відправлено",
	"送信日時",
	"日付",
	"日時",
	"送信日",
	"发送时间",
	"发送日期",
	"日期",
	"時間",
	"时间",
	"寄件日期",
	"傳送時間",
	"寄送日期",
	"보낸 날짜",
	"보낸날짜",
	"날짜",
	"נשלח",
	"תאריך",
	"تاريخ الإرسال",
	"التاريخ",
	"تم الإرسال",
	"أرسلت",
	"lähetetty",
	"päiväys",
	"odesláno",
	"küldve",
	"elküldve",
	"tarih",
	"gönderme tarihi",
	"ημερομηνία",
	"отправлен",
	"received",
	"data:",
	"trimis",
	"dátum",
	"sendt dato",
	"đã gửi",
	"gửi",
	"ngày",
	"ส่ง",
	"ส่งเมื่อ",
	"วันที่",
	"ارسال شده",
	"ارسالشده",
	"تاریخ",
	NULL,
};
static Words to_labels = {
	"to",        "an",         "à",    "a",     "para",          "aan",          "til",
	"till",      "do",         "кому", "宛先",  "收件人",        "收件者",       "받는 사람",
	"받는사람",  "אל",         "إلى",  "إلي",   "vastaanottaja", "komu",         "címzett",
	"kime",      "alıcı",      "προς", "către", "pour",          "destinataire", "destinatario",
	"empfänger", "получатель", "til:", "al",    "per",           "đến",          "tới",
	"ถึง",        "به",         NULL,
};
static Words cc_labels = {
	"cc",   "kopie", "copie", "copia", "cópia", "копия", "копія", "kopi", "kopia", "dw", "udw",
	"抄送", "副本",  "참조",  "עותק",  "نسخة",  "bcc",   "kopio", "c.c.", "cci",   NULL,
};
static Words subject_labels = {
	"subject", "betreff", "objet",  "asunto", "assunto", "oggetto", "onderwerp",
	"emne",    "ämne",    "temat",  "тема",   "件名",    "主题",    "主題",
	"標題",    "题目",    "제목",   "נושא",   "الموضوع", "aihe",    "předmět",
	"predmet", "tárgy",   "konu",   "θέμα",   "subiect", "perihal", "chủ đề",
	"tiêu đề", "เรื่อง",    "หัวเรื่อง", "موضوع",  NULL,
};
static Words reply_labels = {
	"reply-to",     "reply to", "antwort an",   "répondre à", "responder a",    "rispondi a",
	"antwoord aan", "svar til", "odpowiedz do", "ответить",   "回复",           "返信先",
	"importance",   "priority", "attachments",  "anlagen",    "pièces jointes", NULL,
};

static const struct {
	HeaderLabel label;
	const char *const *words;
} label_rows[] = {
	{HEADER_LABEL_FROM, from_labels},       {HEADER_LABEL_DATE, date_labels},
	{HEADER_LABEL_TO, to_labels},           {HEADER_LABEL_CC, cc_labels},
	{HEADER_LABEL_SUBJECT, subject_labels}, {HEADER_LABEL_REPLY_TO, reply_labels},
};

static char *label_before(const char *key, const char *colon)
{
	char *label = g_strndup(key, (size_t)(colon - key));
	g_strdelimit(label, "*_", ' '); /* bold in plain text */
	return g_strstrip(label);
}

static HeaderLabel label_find(const char *key, const char *end)
{
	g_autofree char *label = label_before(key, end);
	for (size_t i = 0; i < G_N_ELEMENTS(label_rows); i++) {
		if (g_strv_contains(label_rows[i].words, label)) {
			return label_rows[i].label;
		}
	}
	return HEADER_LABEL_NONE;
}

HeaderLabel words_table_label(const char *key)
{
	const char *end = key[0] == '|' ? strchr(key + 1, '|') : NULL;
	return end == NULL || end - key > LABEL_MAX ? HEADER_LABEL_NONE : label_find(key + 1, end);
}

HeaderLabel words_header_label(const char *key)
{
	const char *colon = strchr(key, ':'), *wide = strstr(key, "：");
	const char *end = colon == NULL || (wide != NULL && wide < colon) ? wide : colon;
	return end == NULL || end - key > LABEL_MAX ? HEADER_LABEL_NONE : label_find(key, end);
}

static Words wrote = {
	"wrote",        "writes",       "schrieb",    "schreibt", "a écrit",    "écrit",
	"écrivait",     "a ecrit",      "escribió",   "escribio", "ha escrito", "escribía",
	"ha scritto",   "scrisse",      "scrive",     "escreveu", "escreve",    "schreef",
	"geschreven",   "skrev",        "skriver",    "napisał",  "pisze",      "написал",
	"написав",      "пишет",        "пише",       "писал",    "сообщает",   "写道",
	"寫道",         "写到",         "書きました", "書いた",   "作成",       "작성",
	"썼습니다",     "כתב",          "מאת",        "كتب",      "كتابة",      "أرسل",
	"kirjoitti",    "napsal",       "napísal",    "a scris",  "írta",       "yazdı",
	"έγραψε",       "viết",         "เขียนว่า",     "napisao",  "написа",     "va escriure",
	"rašė",         "rakstīja",     "kirjutas",   "pisał",    "said",       "menulis",
	"が次のように", "のメッセージ", "より",       NULL,
};

bool words_have_wrote(const char *key)
{
	return words_stand_in(key, wrote);
}

bool words_end_in_wrote(const char *key)
{
	enum { LENGTH_MAX = 150 };
	size_t length = strlen(key);
	const char *const colons[] = {":", "：", NULL};
	if (length > LENGTH_MAX) {
		return false;
	}
	for (size_t i = 0; colons[i] != NULL; i++) {
		if (!g_str_has_suffix(key, colons[i])) {
			continue;
		}
		g_autofree char *before = g_strndup(key, length - strlen(colons[i]));
		g_strchomp(before);
		for (size_t j = 0; wrote[j] != NULL; j++) {
			if (g_str_has_suffix(before, wrote[j])) {
				return true;
			}
		}
	}
	return false;
}

/* Beginnings of weekdays' names; what may follow is told by day_ends. */
static Words weekdays = {
	"monday",      "tuesday",    "wednesday", "thursday", "friday",       "saturday",
	"sunday",      "mon",        "tue",       "tues",     "wed",          "thu",
	"thurs",       "fri",        "sat",       "sun",      "montag",       "dienstag",
	"mittwoch",    "donnerstag", "freitag",   "samstag",  "sonnabend",    "sonntag",
	"mo",          "di",         "mi",        "do",       "fr",           "sa",
	"so",          "lundi",      "mardi",     "mercredi", "jeudi",        "vendredi",
	"samedi",      "dimanche",   "lun",       "mar",      "mer",          "jeu",
	"ven",         "sam",        "dim",       "lunes",    "martes",       "miércoles",
	"jueves",      "viernes",    "sábado",    "domingo",  "mié",          "jue",
	"vie",         "sáb",        "dom",       "lunedì",   "martedì",      "mercoledì",
	"giovedì",     "venerdì",    "sabato",    "domenica", "gio",          "sab",
	"segunda",     "terça",      "quarta",    "quinta",   "sexta",        "seg",
	"ter",         "qua",        "qui",       "sex",      "maandag",      "dinsdag",
	"woensdag",    "donderdag",  "vrijdag",   "zaterdag", "zondag",       "ma",
	"wo",          "vr",         "za",        "zo",       "mandag",       "tirsdag",
	"onsdag",      "torsdag",    "fredag",    "lørdag",   "søndag",       "man",
	"tir",         "tirs",       "ons",       "tor",      "tors",         "fre",
	"lør",         "søn",        "måndag",    "tisdag",   "lördag",       "söndag",
	"mån",         "tis",        "lör",       "sön",      "poniedziałek", "wtorek",
	"środa",       "czwartek",   "piątek",    "sobota",   "niedziela",    "pon",
	"wt",          "śr",         "czw",       "pt",       "sob",          "niedz",
	"понедельник", "вторник",    "среда",     "четверг",  "пятница",      "суббота",
	"воскресенье", "пн",         "вт",        "ср",       "чт",           "пт",
	"сб",          "вс",         "понеділок", "вівторок", "середа",       "четвер",
	"п'ятниця",    "п’ятниця",   "субота",    "неділя",   "нд",           "ti",
	"ke",          "pe",         "la",        "su",       "út",           "st",
	"čt",          "pá",         "ne",        "po",       "paz",          "pzt",
	"sal",         "çar",        "per",       "cum",      "cmt",          NULL,
};

static bool starts_with_weekday(const char *key)
{
	for (size_t i = 0; weekdays[i] != NULL; i++) {
		size_t length = strlen(weekdays[i]);
		if (g_str_has_prefix(key, weekdays[i]) && key[length] != '\0' &&
		    strchr(" .,", key[length]) != NULL) {
			return true;
		}
	}
	return false;
}

bool words_start_attribution(const char *key)
{
	static Words words = {
		"on ",    "at ",        "am ",       "le ",         "el ",      "il ",
		"em ",    "op ",        "den ",      "w dniu ",     "dnia ",    "dne ",
		"в ",     "во ",        "от ",       "на ",         "у ",       "la ",
		"in ",    "no dia ",    "a las ",    "quoting ",    "citando ", "zitat von",
		"citat ", "wiadomość ", "cytowanie", "в сообщении", "----",     "--- ",
		"在",     "於",         "于",        "בתאריך",      "ב-",       "ביום",
		"في ",    "بتاريخ",     "à ",        "ter ",        "em ",      "---- on ",
		"dana ",  "dňa ",       "tanggal ",  "vào ",        "เมื่อ",      NULL,
	};
	return g_ascii_isdigit(key[0]) || words_begin(key, words) || starts_with_weekday(key);
}
