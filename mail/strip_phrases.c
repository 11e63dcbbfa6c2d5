#include "strip_words.h"

#include <string.h>

#include <glib.h>

static Words announcements = {
	"original message",
	"originalnachricht",
	"ursprüngliche nachricht",
	"ursprungliche nachricht",
	"message original",
	"message d'origine",
	"message d’origine",
	"mail original",
	"message initial",
	"courriel original",
	"mensaje original",
	"mensagem original",
	"messaggio originale",
	"messaggio inoltrato",
	"oorspronkelijk bericht",
	"origineel bericht",
	"oprindelig meddelelse",
	"opprinnelig melding",
	"original meddelelse",
	"originalmeddelande",
	"ursprungligt meddelande",
	"wiadomość oryginalna",
	"oryginalna wiadomość",
	"wiadomość pierwotna",
	"исходное сообщение",
	"исходное письмо",
	"оригинальное сообщение",
	"пересылаемое сообщение",
	"пересланное сообщение",
	"конец пересылаемого",
	"вихідне повідомлення",
	"оригінальне повідомлення",
	"переслане повідомлення",
	"元のメッセージ",
	"元のメール",
	"転送メッセージ",
	"原始邮件",
	"邮件原件",
	"原邮件",
	"原始郵件",
	"原始信件",
	"原件",
	"转发邮件",
	"轉寄郵件",
	"원본 메시지",
	"원본 메일",
	"הודעה מקורית",
	"הודעה מועברת",
	"الرسالة الأصلية",
	"رسالة أصلية",
	"alkuperäinen viesti",
	"původní zpráva",
	"eredeti üzenet",
	"özgün ileti",
	"orijinal mesaj",
	"αρχικό μήνυμα",
	"mesaj original",
	"forwarded message",
	"weitergeleitete nachricht",
	"message transféré",
	"mensaje reenviado",
	"mensagem encaminhada",
	"doorgestuurd bericht",
	"videresendt meddelelse",
	"vidarebefordrat meddelande",
	"przekazana wiadomość",
	"begin forwarded message",
	"anfang der weitergeleiteten",
	"début du message",
	"inicio del mensaje",
	"inizio messaggio",
	"início da mensagem",
	"begin doorgestuurd",
	"start på videresendt",
	"reply above this line",
	"original appointment",
	NULL,
};

bool words_announce_message(const char *key)
{
	return words_stand_in(key, announcements);
}

static Words device_beginnings = {
	"sent from",
	"sent with",
	"sent via",
	"sent using",
	"sent by",
	"get outlook",
	"get bluemail",
	"get the app",
	"download outlook",
	"typed on",
	"sent on the go",
	"von meinem",
	"von meiner",
	"gesendet von",
	"gesendet mit",
	"gesendet über",
	"gesendet aus",
	"hol dir outlook",
	"diese nachricht wurde",
	"diese e-mail wurde",
	"outlook für",
	"holen sie sich",
	"laden sie",
	"envoyé de",
	"envoyé depuis",
	"envoyé à partir",
	"envoyé avec",
	"envoyé par",
	"envoyée depuis",
	"télécharge",
	"obtenir outlook",
	"obtenez outlook",
	"obtenez bluemail",
	"provenance : courrier",
	"outlook pour",
	"provenant de",
	"enviado desde",
	"enviado con",
	"enviado do",
	"enviado a partir",
	"enviado de",
	"enviado via",
	"enviado com",
	"enviado pelo",
	"enviado por",
	"obtener outlook",
	"obtener bluemail",
	"obtén outlook",
	"descargar outlook",
	"obter o outlook",
	"obter outlook",
	"baixar o",
	"obtenha o outlook",
	"baixe o",
	"outlook para",
	"inviato da",
	"inviato dal",
	"inviata da",
	"inviato con",
	"inviato tramite",
	"ottieni outlook",
	"scarica outlook",
	"outlook per",
	"verzonden vanaf",
	"verzonden vanuit",
	"verzonden met",
	"verzonden via",
	"verstuurd vanaf",
	"verstuurd met",
	"outlook voor",
	"download de",
	"wysłano z",
	"wysłane z",
	"wysłano przy",
	"wysłano za",
	"wysłano przez",
	"pobierz",
	"uzyskaj",
	"outlook dla",
	"sendt fra",
	"sendt med",
	"sendt via",
	"hent outlook",
	"få outlook",
	"outlook til",
	"skickat från",
	"skickades från",
	"skickat med",
	"hämta outlook",
	"отправлено с",
	"отправлено из",
	"отправлено через",
	"отправлено от",
	"отправлено при",
	"скачать",
	"загрузи",
	"получить outlook",
	"послано с",
	"надіслано з",
	"надіслано за",
	"відправлено з",
	"завантажити",
	"отримати outlook",
	"从我的",
	"发自我的",
	"发自",
	"来自我的",
	"寄自",
	"從我的",
	"傳送自",
	"從 ",
	"获取",
	"取得",
	"下载",
	"נשלח מ",
	"נשלח ב",
	"קבל את outlook",
	"קבלו את outlook",
	"השג את outlook",
	"نُشر",
	"أرسلت من",
	"الحصول على outlook",
	"احصل على outlook",
	"أُرسلت من",
	"تم الإرسال من",
	"مرسل من",
	"أرسل من",
	"أُرسل من",
	"lähetetty",
	"odesláno z",
	"odoslané z",
	"odoslané pomocou",
	"elküldve",
	"yahoo mail:",
	"yahoo mail :",
	"von samsung",
	"consigue bluemail",
	"trimis de pe",
	"στάλθηκε από",
	"enviat des",
	"poslano z",
	"poslané z",
	"iphone'umdan",
	"secured with",
	"created with",
	"от моего",
	"с моего",
	NULL,
};

static Words own_devices = {
	"sent from my",
	"enviado desde mi",
	"enviado do meu",
	"enviado a partir do meu",
	"envoyé de mon",
	"envoyé depuis mon",
	"inviato dal mio",
	"verzonden vanaf mijn",
	"verstuurd vanaf mijn",
	"skickat från min",
	"sendt fra min",
	"wysłano z mojego",
	"wysłane z mojego",
	"отправлено с моего",
	"надіслано з мого",
	"发自我的",
	"从我的",
	"從我的",
	"傳送自我的",
	"נשלח מה",
	NULL,
};

static Words products = {
	"iphon",    "ipad",       "ipod",      "android",     "samsung",   "galaxy",     "huawei",
	"xiaomi",   "redmi",      "oppo",      "oneplus",     "pixel",     "xperia",     "nokia",
	"motorola", "blackberry", "outlook",   "hotmail",     "yahoo",     "gmail",      "mail",
	"почт",     "пошт",       "windows",   "phone",       "mobil",     "móvil",      "handy",
	"tablet",   "gerät",      "device",    "celular",     "téléphone", "téléfon",    "telefon",
	"телефон",  "смартфон",   "устройств", "пристро",     "proton",    "tutanota",   "tuta",
	"k-9",      "spark",      "airmail",   "thunderbird", "canary",    "edison",     "fastmail",
	"zoho",     "gmx",        "web.de",    "mac",         "apple",     "computer",   "app",
	"メール",   "手机",       "手機",      "邮箱",        "信箱",      "אייפון",     "טלפון",
	"سامسونج",  "هاتف",       "آيفون",     "iphone",      "zimbra",    "superhuman", "bluemail",
	"aqua",     "nine",       "typapp",    "mailbox",     "posteo",    "orange",     "sfr",
	"honor",    "vivo",       "realme",    "lenovo",      "htc",       "lg ",        NULL,
};

static Words device_phrases = {"から送信",   "에서 보냄",     "で送信", "을 입수", "を入手",
			       "gönderildi", "készülékemről", "發送",   "发送",    NULL};

/* "Sent from my …" of a device whose name nobody knows, and no sentence that begins so. */
static bool names_own_device(const char *key)
{
	enum { LENGTH_MAX = 50 };
	static Words german = {"von meinem ", "von meiner ", NULL};
	bool is_german = words_begin(key, german) && g_str_has_suffix(key, "gesendet");
	return strlen(key) <= LENGTH_MAX && strpbrk(key, ",:!?") == NULL &&
	       (is_german || words_begin(key, own_devices));
}

/* "Get Outlook for Android<https://aka.ms/…>" in any language. */
static bool links_to_app(const char *key)
{
	return strstr(key, "outlook") != NULL && strstr(key, "https://aka.ms/") != NULL;
}

bool words_name_device(const char *key)
{
	enum { LENGTH_MAX = 200 };
	bool names_product =
		words_stand_in(key, products) &&
		(words_begin(key, device_beginnings) || words_stand_in(key, device_phrases));
	return strlen(key) <= LENGTH_MAX &&
	       (names_product || names_own_device(key) || links_to_app(key));
}

static Words scanner_phrases = {
	"virus-free",
	"virenfrei",
	"sans virus",
	"libre de virus",
	"livre de vírus",
	"privo di virus",
	"virusvrij",
	"wolny od wirusów",
	"без вирусов",
	"checked for viruses",
	"auf viren geprüft",
	"auf viren überprüft",
	"analysé par",
	"scanned by",
	"проверено на вирусы",
	"no virus found in this",
	"keine viren in dieser",
	"es wurden keine viren in",
	"aucun virus trouvé dans ce",
	"no se encontraron virus en",
	"no se ha encontrado ningún virus en",
	"вирусов не обнаружено",
	"вирусы не обнаружены",
	NULL,
};

/* What nobody writes by hand. */
static Words scanner_marks = {
	"avast.com",
	"avg.com",
	"www.avg.",
	"virus database:",
	"virendatenbank:",
	"base de données virale:",
	"base de données virale :",
	"base de datos de virus:",
	"база данных вирусов:",
	"вирусная база данных:",
	NULL,
};

/* A phrase alone may be a word among friends; with whose it is, or all there is, it is none. */
bool words_name_scanner(const char *key)
{
	enum { LENGTH_MAX = 200, ALONE_MAX = 60 };
	static Words scanners = {"avast", "avg.", "avg ", "www.", "antivirus", NULL};
	size_t length = strlen(key);
	bool is_phrase = words_stand_in(key, scanner_phrases);
	bool is_alone = is_phrase && words_begin(key, scanner_phrases) && length <= ALONE_MAX &&
			strchr(key, ',') == NULL;
	return length < LENGTH_MAX && (is_alone || words_stand_in(key, scanner_marks) ||
				       (is_phrase && words_stand_in(key, scanners)));
}

bool words_mark_end(const char *key)
{
	static Words beginnings = {"=-=-=", "##- ", "-=-=-", "=_=_=", NULL};
	static Words words = {
		"above this line",      "über dieser zeile",
		"über diese zeile",     "au-dessus de cette ligne",
		"encima de esta línea", "выше этой строки",
		"над этой строкой",     NULL,
	};
	return words_begin(key, beginnings) || (strlen(key) < 200 && words_stand_in(key, words));
}
