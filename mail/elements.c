#include "elements.h"

#include <string.h>

#include <glib.h>

enum { OPEN_MAX = 1024, NAME_MAX_LENGTH = 40 };

/* What an element is for the tags that follow it: a set. */
enum {
	KIND_BLOCK = 1, /* no end tag of an inline element ends it */
	KIND_SCOPE = 2, /* end tags in it end nothing around it */
	KIND_P = 4,
	KIND_ITEM = 8,
	KIND_TERM = 16,
	KIND_LIST = 32,
	KIND_CELL = 64,
	KIND_ROW = 128,
	KIND_ROWS = 256,
	KIND_TABLE = 512,
	KIND_HEAD = 1024,
	KIND_PAGE = 2048,   /* of which there is only one: its tags open and end nothing */
	KIND_FORMAT = 4096, /* goes on behind the end of the block it began in */
};

/* Elements of which a start tag ends others (of the kinds `ends`), or an end tag more than inline
 * ones; all within the innermost one of the kinds `within`. */
typedef struct Rule {
	const char *name;
	unsigned kind, ends, within;
} Rule;

/* A head that nobody ended ends with the first block of text. */
#define P (KIND_P | KIND_HEAD)
/* clang-format off */
#define BLOCK(name) {name, KIND_BLOCK, P, KIND_SCOPE}
/* clang-format on */

static const Rule rules[] = {
	{"p", KIND_BLOCK | KIND_P, P, KIND_SCOPE},
	BLOCK("div"),
	BLOCK("blockquote"),
	BLOCK("pre"),
	BLOCK("center"),
	BLOCK("h1"),
	BLOCK("h2"),
	BLOCK("h3"),
	BLOCK("h4"),
	BLOCK("h5"),
	BLOCK("h6"),
	BLOCK("article"),
	BLOCK("section"),
	BLOCK("header"),
	BLOCK("footer"),
	BLOCK("address"),
	BLOCK("fieldset"),
	BLOCK("form"),
	BLOCK("figure"),
	BLOCK("details"),
	BLOCK("main"),
	BLOCK("aside"),
	BLOCK("nav"),
	{"ul", KIND_BLOCK | KIND_LIST, P, KIND_SCOPE},
	{"ol", KIND_BLOCK | KIND_LIST, P, KIND_SCOPE},
	{"dl", KIND_BLOCK | KIND_LIST, P, KIND_SCOPE},
	{"li", KIND_BLOCK | KIND_ITEM, KIND_ITEM | P, KIND_LIST | KIND_SCOPE},
	{"dt", KIND_BLOCK | KIND_TERM, KIND_TERM | P, KIND_LIST | KIND_SCOPE},
	{"dd", KIND_BLOCK | KIND_TERM, KIND_TERM | P, KIND_LIST | KIND_SCOPE},
	{"table", KIND_BLOCK | KIND_SCOPE | KIND_TABLE, P, KIND_SCOPE},
	{"tbody", KIND_BLOCK | KIND_ROWS, KIND_CELL | KIND_ROW | KIND_ROWS, KIND_TABLE},
	{"thead", KIND_BLOCK | KIND_ROWS, KIND_CELL | KIND_ROW | KIND_ROWS, KIND_TABLE},
	{"tfoot", KIND_BLOCK | KIND_ROWS, KIND_CELL | KIND_ROW | KIND_ROWS, KIND_TABLE},
	{"tr", KIND_BLOCK | KIND_ROW, KIND_CELL | KIND_ROW, KIND_TABLE},
	{"td", KIND_BLOCK | KIND_SCOPE | KIND_CELL, KIND_CELL, KIND_TABLE},
	{"th", KIND_BLOCK | KIND_SCOPE | KIND_CELL, KIND_CELL, KIND_TABLE},
	{"object", KIND_BLOCK | KIND_SCOPE, 0, KIND_SCOPE},
	{"template", KIND_BLOCK | KIND_SCOPE, 0, KIND_SCOPE},
	{"head", KIND_BLOCK | KIND_HEAD, 0, KIND_SCOPE},
	{"body", KIND_PAGE, KIND_HEAD, KIND_SCOPE},
	{"html", KIND_PAGE, 0, 0},
	{"s", KIND_FORMAT, 0, KIND_SCOPE},
	{"strike", KIND_FORMAT, 0, KIND_SCOPE},
	{"del", KIND_FORMAT, 0, KIND_SCOPE},
};

static const Rule inline_rule = {"", 0, 0, KIND_SCOPE};

typedef struct Element {
	char name[NAME_MAX_LENGTH];
	unsigned kind;
	unsigned effects; /* its own */
	unsigned all;     /* those of the elements around it, too */
} Element;

struct Elements {
	Element open[OPEN_MAX];
	size_t height;
};

Elements *elements_new(void)
{
	return g_new0(Elements, 1);
}

void elements_free(Elements *elements)
{
	g_free(elements);
}

static const Rule *rule_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
		if (strcmp(rules[i].name, name) == 0) {
			return &rules[i];
		}
	}
	return &inline_rule;
}

/* Sums up anew from an element on. */
static void effects_sum(Elements *elements, size_t from)
{
	for (size_t i = from; i < elements->height; i++) {
		unsigned around = i == 0 ? 0 : elements->open[i - 1].all;
		elements->open[i].all = around | elements->open[i].effects;
	}
}

/* Ends an element and all that is open in it, but for what goes on. */
static void element_end(Elements *elements, size_t at)
{
	size_t height = at;
	const bool is_bounded = (elements->open[at].kind & KIND_SCOPE) != 0;
	for (size_t i = at + 1; i < elements->height && !is_bounded; i++) {
		if ((elements->open[i].kind & KIND_FORMAT) != 0) {
			elements->open[height++] = elements->open[i];
		}
	}
	elements->height = height;
	effects_sum(elements, at);
}

/* What is open of these kinds ends, with all that is open in it. */
static void kinds_end(Elements *elements, unsigned kinds, unsigned within)
{
	for (size_t i = elements->height; i > 0; i--) {
		unsigned kind = elements->open[i - 1].kind;
		if ((kind & kinds) != 0) {
			element_end(elements, i - 1);
		} else if ((kind & within) != 0) {
			return;
		}
	}
}

bool elements_open(Elements *elements, const char *name, unsigned effects)
{
	const Rule *rule = rule_find(name);
	if (rule->ends != 0) {
		kinds_end(elements, rule->ends, rule->within);
	}
	if ((rule->kind & KIND_PAGE) != 0) {
		return true;
	}
	if (elements->height == OPEN_MAX) {
		return false;
	}
	Element *element = &elements->open[elements->height++];
	*element = (Element){.kind = rule->kind, .effects = effects};
	g_strlcpy(element->name, name, sizeof element->name);
	effects_sum(elements, elements->height - 1);
	return true;
}

/* An inline element may end while blocks in it go on. */
static void element_drop(Elements *elements, size_t at)
{
	memmove(&elements->open[at], &elements->open[at + 1],
		(elements->height - at - 1) * sizeof elements->open[0]);
	elements->height--;
	effects_sum(elements, at);
}

/* What an end tag does not reach beyond. */
static unsigned end_within(const Rule *rule)
{
	return (rule->kind & KIND_TABLE) != 0 ? 0 : rule->within;
}

void elements_close(Elements *elements, const char *name)
{
	const Rule *rule = rule_find(name);
	bool has_blocks = false;
	if ((rule->kind & KIND_PAGE) != 0) {
		return;
	}
	for (size_t i = elements->height; i > 0; i--) {
		const Element *element = &elements->open[i - 1];
		if (strcmp(element->name, name) == 0) {
			if (has_blocks && (rule->kind & KIND_BLOCK) == 0) {
				element_drop(elements, i - 1);
			} else {
				element_end(elements, i - 1);
			}
			return;
		}
		if ((element->kind & end_within(rule)) != 0) {
			return;
		}
		has_blocks = has_blocks || (element->kind & KIND_BLOCK) != 0;
	}
}

unsigned elements_effects(const Elements *elements)
{
	return elements->height == 0 ? 0 : elements->open[elements->height - 1].all;
}

unsigned elements_count(const Elements *elements, unsigned effect)
{
	unsigned count = 0;
	for (size_t i = 0; i < elements->height; i++) {
		count += (elements->open[i].effects & effect) != 0;
	}
	return count;
}
