#include "entity.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 14, DIGITS_MAX = 8 };

/* Letters 160 to 255 of Latin-1 by their names in HTML. */
static const char *const latin1_names[] = {
	"nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",
	"copy",   "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn",
	"sup2",   "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",
	"raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde",
	"Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave",
	"Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde",
	"Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",
	"szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
	"egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",
	"ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
	"uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml",
};

static const struct {
	const char *name;
	gunichar c;
} other_names[] = {
	{"amp", '&'},       {"lt", '<'},        {"gt", '>'},         {"quot", '"'},
	{"apos", '\''},     {"ndash", 0x2013},  {"mdash", 0x2014},   {"horbar", 0x2015},
	{"minus", 0x2212},  {"hyphen", 0x2010}, {"dash", 0x2010},    {"rarr", 0x2192},
	{"larr", 0x2190},   {"lsquo", 0x2018},  {"rsquo", 0x2019},   {"sbquo", 0x201a},
	{"ldquo", 0x201c},  {"rdquo", 0x201d},  {"bdquo", 0x201e},   {"lsaquo", 0x2039},
	{"rsaquo", 0x203a}, {"hellip", 0x2026}, {"bull", 0x2022},    {"euro", 0x20ac},
	{"trade", 0x2122},  {"ensp", 0x2002},   {"emsp", 0x2003},    {"thinsp", 0x2009},
	{"zwnj", 0x200c},   {"zwj", 0x200d},    {"lrm", 0x200e},     {"rlm", 0x200f},
	{"OElig", 0x152},   {"oelig", 0x153},   {"Scaron", 0x160},   {"scaron", 0x161},
	{"colon", ':'},     {"comma", ','},     {"period", '.'},     {"excl", '!'},
	{"num", '#'},       {"plus", '+'},      {"equals", '='},     {"lowbar", '_'},
	{"commat", '@'},    {"sol", '/'},       {"bsol", '\\'},      {"lpar", '('},
	{"rpar", ')'},      {"lsqb", '['},      {"rsqb", ']'},       {"ast", '*'},
	{"verbar", '|'},    {"NewLine", '\n'},  {"Tab", '\t'},       {"tilde", 0x2dc},
	{"AMP", '&'},       {"LT", '<'},        {"GT", '>'},         {"QUOT", '"'},
	{"hairsp", 0x200a}, {"numsp", 0x2007},  {"NoBreak", 0x2060}, {"ZeroWidthSpace", 0x200b},
};

static gunichar name_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(latin1_names); i++) {
		if (strcmp(name, latin1_names[i]) == 0) {
			return (gunichar)(160 + i);
		}
	}
	for (size_t i = 0; i < G_N_ELEMENTS(other_names); i++) {
		if (strcmp(name, other_names[i].name) == 0) {
			return other_names[i].c;
		}
	}
	return 0;
}

/* Bytes 128 to 159 were always meant as windows-1252. */
static gunichar number_mend(unsigned long number)
{
	static const gunichar windows[] = {
		0x20ac, 0,      0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
		0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0,      0x17d,  0,
		0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
		0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0,      0x17e,  0x178,
	};
	if (number >= 128 && number < 128 + G_N_ELEMENTS(windows)) {
		return windows[number - 128];
	}
	bool is_text = number == '\t' || number == '\n' || number == '\r' || number >= ' ';
	return is_text && number <= 0x10ffff && g_unichar_validate((gunichar)number)
		       ? (gunichar)number
		       : 0xfffd;
}

static gunichar number_read(const char *text, size_t *length_r)
{
	bool is_hex = text[2] == 'x' || text[2] == 'X';
	const char *digits = text + (is_hex ? 3 : 2);
	size_t count = strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
	*length_r = (size_t)(digits - text) + count;
	*length_r += digits[count] == ';' ? 1 : 0;
	if (count == 0) {
		return 0;
	}
	return count > DIGITS_MAX ? 0xfffd : number_mend(strtoul(digits, NULL, is_hex ? 16 : 10));
}

/* The oldest names end where they end, also without a semicolon: "c2&nbspc5". */
static gunichar unended_read(const char *text, size_t *length_r)
{
	static const char *const names[] = {"nbsp", "amp", "lt", "gt", "quot", "shy"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (g_str_has_prefix(text, names[i])) {
			*length_r = 1 + strlen(names[i]);
			return name_find(names[i]);
		}
	}
	return 0;
}

gunichar entity_read(const char *text, size_t *length_r)
{
	if (text[1] == '#') {
		return number_read(text, length_r);
	}
	char name[NAME_MAX_LENGTH + 1] = "";
	size_t length = 0;
	while (length < NAME_MAX_LENGTH && g_ascii_isalnum(text[1 + length])) {
		name[length] = text[1 + length];
		length++;
	}
	*length_r = 1 + length + (text[1 + length] == ';' ? 1 : 0);
	const gunichar found = name_find(name);
	return found != 0 ? found : unended_read(text + 1, length_r);
}
