/* Layouts in mails: which lines are meant as such, and which words would give one away. */
#include "service/mail_layout.h"

#include "service/mail_command.h"

#include <glib.h>
#include <string.h>

static void lines_that_are_ranks_of_a_layout(void)
{
	static const struct {
		const char *line;
		bool is;
	} rows[] = {
		{"vhzvhzv", true},
		{"n+vznhng", true},
		{"v h z v h z v", true},
		{"|-/\\+|g", true},
		{"7", true},
		{"vhz/n+v/g", true},
		{"vhzvhxv", true},
		{"vhzvhzv anna", false},
		{"anna", false},
		{"hans", false},
		{"is nice", false},
		{"random", false},
		{"hanging", false},
		{"", false},
		{"c2-c4", false},
		{"sent from my phone", false},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_test_message("%s", rows[i].line);
		g_assert_cmpint(mail_layout_is(rows[i].line), ==, rows[i].is);
	}
}

static void ranks_with_slips_are_told_from_names(void)
{
	static const struct {
		const char *line;
		bool is;
	} rows[] = {
		{"n + vznhng", true},      {"v z + z h n h z", true},
		{"vz+zhnha", true},        {"vz + zhnha", true},
		{"v z + z h n h a", true}, {"vhzvhzv / n + vznhng / vz+zhnha", true},
		{"vz+zhnhü", true},        {"vz+zhno0", true},
		{"vz+zaahz", true},        {"vhyvhyv", true},
		{"vy+yhnhy", true},        {"│-/│-/│", true},
		{"\\+│/\\-\\g", true},     {"l-/l-/l", true},
		{"↕↔⤢↕↔⤢↕", true},         {"вхзвхзв", true},
		{"hannah", false},         {"henning", false},
		{"zhang", false},          {"johnny", false},
		{"thanks", false},         {"grüße", false},
		{"viele grüße", false},    {"nguyen", false},
		{"геннадий", false},       {"-hannah-", false},
		{"______", false},         {"──────", false},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_test_message("%s", rows[i].line);
		g_assert_cmpint(mail_layout_is(rows[i].line), ==, rows[i].is);
	}
}

static const char *const telling[] = {
	"vhz",
	"My army: vhzvhzv/n+vznhng/vz+zhnhz.",
	"(VHZVHZV)",
	"hello\n| - /\nbye",
	"ｖｈｚｖｈ and so on",
	"look: vhzvhzx",
	"vНzvhzv",
	"layuot v h z v h z v / n +v z n h n g / v z +z h n h z",
	"Meine Aufstelung: v h z v h z v",
	"my layout is v h z v h z v, n +v z n h n g",
	"here it is: V H Z V",
	"3: v h z v h z v",
	"3. v h z v h z v",
	"3) v h z v h z v",
	"Rank 3: v h z v h z v",
	"3： ｖ ｈ ｚ ｖ ｈ ｚ ｖ",
	"* v h z v h z v",
	"# v h z v h z v",
	"-> v h z v h z v",
	"👉 v h z v h z v",
	"\"v h z v h z v\"",
	"« v h z v h z v »",
	"v,h,z,v,h,z,v",
	"row v; h; z; v; h; z; v",
	"v.h.z.v.h.z.v",
	"row v_h_z_v_h_z_v",
	"[v][h][z][v][h][z][v]",
	"row ['v','h','z','v','h','z','v']",
	"row 0 | v | h | z | v | h | z | v |",
	"row: v v v v v v v",
	"row: vvvvvvv\nrow: zzzzzzz\nrow: hhhh+v+zg",
	"3: | - / | - / |",
	"row |-/|-/| then \\+|/\\-\\g",
	"row |\nrow -\nrow /\nrow \\\nrow |\nrow -\nrow /\nrow \\",
	"Army: vh zv hz v",
	"x: vhz vhzv",
	"row vh.z.hvh",
	"v\nh\nz\nv\nh\nz\nv\nn",
	"a3v b3h c3z",
	"a3=v b3=h c3=z",
	"a3: v\nb3: h\nc3: z",
	"Va3 Hb3 Zc3",
	"v a3, h b3, z c3",
	"v at a, h at b, z at c, v at d, h at e, z at f, v at g, n and v and z and n and h",
	"the first is vhzahzv",
	"then n+vzohng",
	"then vz+zhnaz",
	"Rank three v h\nRank two n +v z\nRank one z h n",
};

static void words_that_show_a_layout(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(telling); i++) {
		g_test_message("%s", telling[i]);
		g_assert_true(mail_layout_shows(telling[i]));
	}
}

/* Meant as parts of a layout: look-alikes, other keyboards, slips. */
static const char *const slipped[] = {
	"l-/l-/l",
	"\\+l/\\-\\g",
	"l/+/-\\-/",
	"I-/I-/I",
	"1-/1-/1",
	"\\+1/\\-\\g",
	"1/+/-\\-/",
	"vнzвнzv",
	"п+vzпнпg",
	"vz+zнпнz",
	"вхзвхзв",
	"ВХЗВХЗВ",
	"н+взнхнг",
	"мрямрям",
	"т+мятртп",
	"vhyvhyv",
	"vy+yhnhy",
	"vhwvhwv",
	"↕↔⤢↕↔⤢↕",
	"⬆️➡️↗️⬆️➡️↗️⬆️",
	"│-/│-/│",
	"│─╱│─╱│",
	"╲+│╱╲─╲g",
	"|_/|_/|",
	"\\+|/\\_\\g",
	"\\+|/\\-\\q",
	"\\+|/\\q\\q",
	"say l-/l-/l",
	"say │-/│-/│",
	"say ∣─╱∣─╱∣",
	"say ǀ-/ǀ-/ǀ",
	"say ¦-/¦-/¦",
	"say ❘–∕❘–∕❘",
	"say l - / l - / l",
	"row 1 - / 1 - / 1",
	"row \\ +l / \\ - \\ g",
	"|,-,/,|,-,/,|",
	"my |, -, /, |, -, /, |",
	"l\n-\n/\nl\n-\n/\nl",
	"ll-l/-l",
	"(l-/l-/l)",
	"3:l-/l-/l",
	"x ꟾ-/ꟾ-/ꟾ",
	"vнzвюzv",
	"в н з в н з в",
	"row v н z в н z v",
	"say !-/!-/!",
	"say |~/|~/|",
	"νηζνηζν",
	"say |-2/\\",
	"vzzhaha",
};

static void words_that_show_a_layout_with_slips(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(slipped); i++) {
		g_test_message("%s", slipped[i]);
		g_assert_true(mail_layout_shows(slipped[i]));
	}
}

static const char *const innocent[] = {
	"Good luck!",
	"2026-12-24",
	"On 2026-12-24 at 12:30/13:00 I am away.",
	"http://example.org/zhng",
	"https://www.example.org/games/41/steps?from=3&to=7#h2",
	"+49 30 1234567",
	"Tel. 030 / 123-45 | Fax 030 / 123-46",
	"see you -- Hn",
	"Zhang",
	"Hangzhou, hanging, Nguyen, VHS, 50 Hz, 5 GHz",
	"1-2",
	"24/12 and 31/12 - 1/1",
	"-----",
	":-) :-/ ;-)",
	"zzz",
	"Nice game! I have a cold (h.n.o. doctor tomorrow), so I will be slow until g. knows when.",
	"I will play g2-g4 or h3-h4 next; in our other game n5 is yours, and g2:h2-g4 too.",
	"In chess I like Nf3, Ng5 and Nh4. Do you?",
	"You and/or me - either/or - win | lose | draw.",
	"Vitamins: 5 g, 3 g. Sleep 8 h, then 9 h, then 10 h. Hz? No.",
	"¡Suerte! Nos vemos a las 20 h, o a las 21 h, o y a ver qué pasa; n.º 3, pág. 5, v. gr.",
	"Yo juego a/b y tú e/o c: no hay prisa, hasta el 24/12 no puedo - saludos.",
	"Je n'ai pas le temps : ce n'est pas grave, je n'y peux rien, il n'a qu'à jouer à 8 h",
	"ou à 9 h 30, ou à 10 h. L'hiver n’est pas fini, n’est-ce pas ?",
	"Rendez-vous à 18 h, 19 h, 20 h, 21 h ou 22 h, c'est-à-dire v. page 5.",
	"Удачи! В субботу я в отъезде, а с понедельника - снова за доской. Н. Новгород, г. Вена.",
	"И в этой партии, и в той - н. э. и до н. э. - я у края; х и з не в счёт, ч. 3, г. 5.",
	"Ich bin z. B. am 3. und am 4. nicht da, d. h. v. a. abends; u. a. g. T. z. T.",
	"v. Chr., n. Chr., v. H., z. Hd. Anna.",
	"Hm, z.B. um 9 h oder 10 h, d.h. zw. 9-10 h, i. d. R. später. Gruß, H. G.",
	"Viel Glück! Grüße von V. H. aus Hamburg.",
	"¯\\_(ツ)_/¯ well",
	"^_^ :-/ :-| :-\\ ;-/ -_- o_O \\o/ (-_-) \\m/ </3 <3",
	":-/",
	"^_^",
	"On 3/4/2026 or 1/1-3/1, 1/2-1/2, ½-½, 11/1-1/1",
	"3/4/2026",
	"1/2-1/2",
	"I/O and and/or, n/a, w/o, c/o, km/h, 24/7, b/w",
	"a3-a4",
	"a3-a4/b3-b4/c3-c4",
	"a3-a4, b3-b4, c3-c4, d3-d4, e3-e4",
	"│ Name │ Elo │\n├──────┼─────┤\n│ Anna │ 1500 │",
	"┌─────┐\n│ Hi! │\n└─────┘",
	"-- \nAnna",
	"-----\nAnna Müller\nTel. +49-30/123-45-67",
	"______________________________",
	"+49 (30) 1234-5678 / +49-171-1234567",
	"https://a.b/c-d/e_f/g-h?x=1|2",
	"C:\\Users\\anna\\my-files_x|y",
	"2026-12-24/2027-01-03",
	"Привет! Я прям щас не могу, я в г. Москва, и т. п., и т. д. В г. Н. Новгород - тоже.",
	"прям я не знаю",
	"Пингвин внезапно взлетел, завхоз изгнан, признание, взгляд, взвинтить",
	"Трепят прямо тряпку, прямота",
	"хз",
	"ПВХ и НПЗ, ННГУ, ВВП",
	"Spain y Francia: voy y vengo y ya, y no hay prisa; y v. y h.",
	"Z. w. g. - w z w Polsce, z nim",
	"Hannah",
	"Henning is away; hanging out with Zhang Heng and Nguyen in Hangzhou, envying you",
	"I'll be back - or not / maybe | who knows",
	"Let me see: x - y / z",
	"<-- see above -->",
	"=== News ===",
	"*** great *** game !!!",
	"5,-/6,-/7,- EUR",
	"← → ↑ ↓ arrows",
	"a → b → c",
	"↗ up ↘ down",
	"| Name | Elo | +/- |\n| Anna | 1500 | - |\n| Bert | 1400 | - |",
	"x/y: 7, km/h: 5, Elo +/-: 3 | 4",
};

static void words_that_show_none(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(innocent); i++) {
		g_test_message("%s", innocent[i]);
		g_assert_false(mail_layout_shows(innocent[i]));
	}
}

/* What a line or a block is read as: the command's one form; NULL: a remark. */
static void assert_read(unsigned where, const char *text, const char *expected)
{
	const MailPlace place = {where, rules_find("xo"), false};
	g_auto(MailCommand) command = {.id = MAIL_COMMAND_NONE};
	g_test_message("%s", text);
	const MailReading reading = mail_command_read(text, &place, &command);
	g_assert_cmpstr(reading == MAIL_READING_REMARK ? NULL : command.text, ==, expected);
}

static void commands_for_a_layout_have_one_form(void)
{
	static const struct {
		const char *text, *expected;
	} rows[] = {
		{"layout", "layout"},
		{"Layout:", "layout"},
		{"layout random", "layout random"},
		{"Layout: random.", "layout random"},
		{"placement au hasard", "layout random"},
		{"расстановка случайно", "layout random"},
		{"Aufstellung wie in Partie 41", "layout like 41"},
		{"colocación como 41", "layout like 41"},
		{"layout like him", NULL},
		{"layout is fine", NULL},
		{"layout vhz/n+v", "layout vhz/n+v"},
		{"layout v h z", "layout vhz"},
		{"layout\nV H Z\nn+v", "layout vhz/n+v"},
		{"layout vhz\nn+v", "layout vhz/n+v"},
		{"layout\n|-/\n\\+|g", "layout |-/\n\\+|g"},
		{"layout\nvhz\nn+v.", "layout vhz/n+v"},
		{"layout\nhello there", NULL},
		{"layout\nvhzvhav\nvhz", "layout vhzvhav/vhz"},
		{"layout\nvhzvhzv\nvz+zhnha", "layout vhzvhzv/vz+zhnha"},
		{"layout\nn + v\nv z + z h n", "layout n+v/vz+zhn"},
		{"layout vhyvhyv/n+vynhng/vy+yhnhy", "layout vhyvhyv/n+vynhng/vy+yhnhy"},
		{"layout\n│-/│-/│\n\\+│/\\-\\g", "layout │-/│-/│\n\\+│/\\-\\g"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_read(MAIL_PLACE_GAME, rows[i].text, rows[i].expected);
	assert_read(MAIL_PLACE_PLAY, "layout 7\nvhz\nn+v", "layout vhz/n+v");
	assert_read(MAIL_PLACE_PLAY, "layout 7 random", "layout random");
	assert_read(MAIL_PLACE_PLAY, "layout random", NULL);
}

/* How many of the lines of a mail belong to the block that its first line begins. */
static int block_length(const char *text)
{
	const StripBlocks *blocks = mail_layout_blocks();
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	int at = 1;
	g_assert_true(blocks->begins(lines[0]));
	while (lines[at] != NULL &&
	       blocks->goes_on(lines[at], lines[at + 1] == NULL ? "" : lines[at + 1], false))
		at++;
	return at;
}

static void ranks_with_slips_belong_to_their_block_and_greetings_do_not(void)
{
	static const char *const blocks[] = {
		"vhzvhzv\nn+vznhng\nvz+zhnha",
		"vhzvhzv\nn+vznhng\nvz+zhnhy",
		"vhzvhzv\nn+vznhng\nvz+zhnhü",
		"vhzvhzv\nn+vznhng\nvz+zhno0",
		"vhzvhzv\nn + vznhng\nvz + zhnhz",
		"vhzvhzv\nn + vznhng\nvz + zhnha",
		"v h z v h z v\nn + v z n h n g\nv z + z h n h a",
		"vhyvhyv\nn+vynhng\nvy+yhnhy",
		"│-/│-/│\n\\+│/\\-\\g\n│/+/-\\-/",
		"l-/l-/l\n\\+l/\\-\\g\nl/+/-\\-/",
		"|_/|_/|\n\\+|/\\_\\g\n|/+/_\\_/",
		"вхзвхзв\nн+взнхнг\nвз+знхнз",
	};
	static const char *const below[] = {
		"Viele Grüße", "Thanks", "Thanks!", "Anna",    "Hannah",  "Henning", "Zhang",
		"Johnny",      "Nguyen", "Merci",   "Вован",   "Анна",    "______",  "-- ",
		"--Hanna",     "Jenny",  "Yannah",  "Hanging", "Пингвин",
	};
	for (size_t i = 0; i < G_N_ELEMENTS(blocks) * G_N_ELEMENTS(below); i++) {
		g_autofree char *text =
			g_strdup_printf("layout\n%s\n%s", blocks[i / G_N_ELEMENTS(below)],
					below[i % G_N_ELEMENTS(below)]);
		g_test_message("%s", text);
		g_assert_cmpint(block_length(text), ==, 4);
	}
}

static void two_dashes_are_no_turn_and_a_pass_is_a_word(void)
{
	assert_read(MAIL_PLACE_GAME, "pass", "pass");
	assert_read(MAIL_PLACE_GAME, "--", NULL);
	assert_read(MAIL_PLACE_GAME, "- -.", NULL);
	assert_read(MAIL_PLACE_PLAY, "move 7 pass", "pass");
	assert_read(MAIL_PLACE_PLAY, "move 7 b3~,c3xc10", "b3~,c3xc10");
	assert_read(MAIL_PLACE_PLAY, "move 7 --", NULL);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/mail_layout/lines_that_are_ranks_of_a_layout",
			lines_that_are_ranks_of_a_layout);
	g_test_add_func("/mail_layout/ranks_with_slips_are_told_from_names",
			ranks_with_slips_are_told_from_names);
	g_test_add_func("/mail_layout/words_that_show_a_layout", words_that_show_a_layout);
	g_test_add_func("/mail_layout/words_that_show_a_layout_with_slips",
			words_that_show_a_layout_with_slips);
	g_test_add_func("/mail_layout/words_that_show_none", words_that_show_none);
	g_test_add_func("/mail_layout/commands_for_a_layout_have_one_form",
			commands_for_a_layout_have_one_form);
	g_test_add_func("/mail_layout/ranks_with_slips_belong_to_their_block_and_greetings_do_not",
			ranks_with_slips_belong_to_their_block_and_greetings_do_not);
	g_test_add_func("/mail_layout/two_dashes_are_no_turn_and_a_pass_is_a_word",
			two_dashes_are_no_turn_and_a_pass_is_a_word);
	return g_test_run();
}
