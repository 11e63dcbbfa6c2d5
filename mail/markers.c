#include "markers.h"

#include <stdbool.h>
#include <string.h>

static const struct {
	const char *element;
	MarkerEffect effect;
} elements[] = {
	{"blockquote", MARKER_QUOTE}, {"s", MARKER_DROP},        {"strike", MARKER_DROP},
	{"del", MARKER_DROP},         {"head", MARKER_DROP},     {"object", MARKER_DROP},
	{"template", MARKER_DROP},    {"svg", MARKER_DROP},      {"math", MARKER_DROP},
	{"select", MARKER_DROP},      {"button", MARKER_DROP},   {"iframe", MARKER_DROP},
	{"audio", MARKER_DROP},       {"video", MARKER_DROP},    {"canvas", MARKER_DROP},
	{"map", MARKER_DROP},         {"datalist", MARKER_DROP}, {"includetail", MARKER_QUOTE},
	{"signature", MARKER_DROP},   {"pre", MARKER_KEEP},
};

typedef enum Comparison { WORD, WORD_START, WORD_END } Comparison;

static const struct {
	const char *attribute;
	const char *value;
	Comparison comparison;
	MarkerEffect effect;
} attributes[] = {
	{"class", "gmail_attr", WORD, MARKER_QUOTE},
	{"class", "gmail_signature", WORD_START, MARKER_DROP},
	{"data-smartmail", "gmail_signature", WORD, MARKER_DROP},
	{"class", "moz-cite-prefix", WORD, MARKER_QUOTE},
	{"class", "moz-email-headers-table", WORD, MARKER_CUT},
	{"class", "moz-forward-container", WORD, MARKER_QUOTE},
	{"class", "moz-signature", WORD, MARKER_DROP},
	{"class", "yahoo_quoted", WORD_END, MARKER_QUOTE},
	{"id", "yahoo_quoted", WORD_START, MARKER_QUOTE},
	{"class", "protonmail_quote", WORD, MARKER_QUOTE},
	{"class", "protonmail_signature_block", WORD, MARKER_DROP},
	{"class", "tutanota_quote", WORD, MARKER_QUOTE},
	{"class", "zmail_extra", WORD_START, MARKER_QUOTE},
	{"id", "zmail_extra", WORD_START, MARKER_QUOTE},
	{"data-marker", "__headers__", WORD, MARKER_CUT},
	{"data-marker", "__quoted_text__", WORD, MARKER_QUOTE},
	{"data-marker", "__sig_", WORD_START, MARKER_DROP},
	{"name", "quote", WORD, MARKER_QUOTE},
	{"name", "messagereplysection", WORD, MARKER_QUOTE},
	{"name", "messagesignaturesection", WORD, MARKER_DROP},
	{"id", "olk_src_body_section", WORD, MARKER_QUOTE},
	{"id", "divrplyfwdmsg", WORD, MARKER_CUT},
	{"id", "appendonsend", WORD, MARKER_CUT},
	{"id", "stopspelling", WORD, MARKER_CUT},
	{"id", "mail-editor-reference-message-container", WORD, MARKER_CUT},
	{"class", "ms-outlook-mobile-reference-message", WORD, MARKER_CUT},
	{"class", "outlookmessageheader", WORD, MARKER_CUT},
	{"id", "signature", WORD, MARKER_DROP},
	{"id", "ms-outlook-mobile-signature", WORD, MARKER_DROP},
	{"id", "ms-outlook-mobile-body-separator-line", WORD, MARKER_DROP},
	{"class", "k9mail-signature", WORD, MARKER_DROP},
	{"id", "composer_signature", WORD, MARKER_DROP},
	{"id", "applemailsignature", WORD, MARKER_DROP},
	{"id", "ymail_android_signature", WORD, MARKER_DROP},
	{"id", "zm-_id_-sgn", WORD, MARKER_DROP},
	{"id", "mac_outlook_signature", WORD, MARKER_DROP},
	{"id", "ntes-pcmac-signature", WORD, MARKER_DROP},
	{"id", "aqm-signature", WORD, MARKER_DROP},
	{"id", "bloop_sign", WORD_START, MARKER_DROP},
	{"class", "zmail_signature_below", WORD, MARKER_DROP},
	{"class", "front-signature", WORD, MARKER_DROP},
	{"class", "nine_body_signature", WORD, MARKER_DROP},
	{"class", "io-ox-signature", WORD, MARKER_DROP},
	{"class", "sh-signature", WORD, MARKER_DROP},
	{"class", "xmail_sign", WORD_START, MARKER_DROP},
	{"class", "signature", WORD, MARKER_DROP},
	{"id", "isreplycontent", WORD, MARKER_QUOTE},
	{"class", "isreplycontent", WORD, MARKER_QUOTE},
	{"class", "ntes_not_fresh_font_sign_quote", WORD, MARKER_QUOTE},
	{"class", "mailquote", WORD, MARKER_QUOTE},
	{"class", "mail-quote-collapse", WORD, MARKER_QUOTE},
	{"id", "reply-intro", WORD, MARKER_QUOTE},
	{"id", "replywithquote", WORD, MARKER_QUOTE},
	{"class", "quoted-mail", WORD, MARKER_QUOTE},
	{"class", "front-blockquote", WORD, MARKER_QUOTE},
	{"class", "hs_reply", WORD, MARKER_QUOTE},
};

/* Styles, blanks taken out: what is not seen, and the bars and rules around quotes. */
static const struct {
	const char *style;
	const char *also; /* must stand in the rest of its value, too */
	MarkerEffect effect;
} styles[] = {
	{"display:none", "", MARKER_DROP},
	{"visibility:hidden", "", MARKER_DROP},
	{"visibility:collapse", "", MARKER_DROP},
	{"mso-hide:all", "", MARKER_DROP},
	{"font-size:0", "", MARKER_DROP},
	{"max-height:0", "", MARKER_DROP},
	{"opacity:0", "", MARKER_DROP},
	{"text-decoration:", "line-through", MARKER_DROP},
	{"text-decoration-line:", "line-through", MARKER_DROP},
	{"border-top:solid#e1e1e1", "1.0pt", MARKER_CUT},
	{"border-top:solid#b5c4df", "1.0pt", MARKER_CUT},
	{"border-top:1ptsolid", "", MARKER_CUT},
	{"border-top:1.0ptsolid", "", MARKER_CUT},
	{"border-style:solidnonenone", "", MARKER_CUT},
	{"border-left:", "solid", MARKER_QUOTE},
	{"white-space:pre", "", MARKER_KEEP},
	{"white-space-collapse:preserve", "", MARKER_KEEP},
};

unsigned marker_of_element(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(elements); i++) {
		if (strcmp(name, elements[i].element) == 0) {
			return elements[i].effect;
		}
	}
	return MARKER_NOTHING;
}

static bool word_fits(const char *word, const char *value, Comparison comparison)
{
	while (g_str_has_prefix(word, "x_")) { /* Outlook's web page renames what it quotes */
		word += 2;
	}
	switch (comparison) {
	case WORD:
		return strcmp(word, value) == 0;
	case WORD_START:
		return g_str_has_prefix(word, value);
	case WORD_END:
		return g_str_has_suffix(word, value);
	}
	return false;
}

static unsigned marker_of_words(const char *name, const char *value)
{
	unsigned effects = MARKER_NOTHING;
	g_auto(GStrv) words = g_strsplit_set(value, " \t\r\n\f", 40);
	for (size_t i = 0; i < G_N_ELEMENTS(attributes); i++) {
		if (strcmp(name, attributes[i].attribute) != 0) {
			continue;
		}
		for (size_t j = 0; words[j] != NULL; j++) {
			bool fits =
				word_fits(words[j], attributes[i].value, attributes[i].comparison);
			effects |= fits ? attributes[i].effect : 0;
		}
	}
	return effects;
}

static bool is_zero(const char *value)
{
	return *value == '0' && (value[1] == '\0' || strchr("0123456789.", value[1]) == NULL);
}

/* Whether a style that begins at `at` is one of the table: "font-size:0" but not "font-size:0.9em",
 * "border-left:1px solid" but not "border-left:0 solid". */
static bool style_fits(const char *at, size_t row)
{
	const size_t length = strlen(styles[row].style);
	const char *value = at + length;
	g_autofree char *rest = g_strndup(value, strcspn(value, ";"));
	const char last = styles[row].style[length - 1];
	return (last != '0' || is_zero(value - 1)) && (last != ':' || !is_zero(value)) &&
	       strstr(rest, styles[row].also) != NULL;
}

static unsigned marker_of_style(const char *value)
{
	unsigned effects = MARKER_NOTHING;
	GString *packed = g_string_new(NULL);
	for (; *value != '\0'; value++) {
		if (!g_ascii_isspace(*value)) {
			g_string_append_c(packed, *value);
		}
	}
	g_autofree char *style = g_string_free(packed, FALSE);
	for (size_t i = 0; i < G_N_ELEMENTS(styles); i++) {
		const char *at = strstr(style, styles[i].style);
		if (at != NULL && style_fits(at, i)) {
			effects |= styles[i].effect;
		}
	}
	return effects;
}

unsigned marker_of_attribute(const char *name, const char *value)
{
	if (strcmp(name, "hidden") == 0) {
		return MARKER_DROP;
	}
	return strcmp(name, "style") == 0 ? marker_of_style(value) : marker_of_words(name, value);
}
