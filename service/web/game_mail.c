#include "db/address.h"
#include "db/delivery.h"
#include "service/text.h"
#include "service/web/game_page.h"

#include <string.h>

enum { MAILS_READ = 1000, MAILS_SHOWN = 30 };

/* Columns of delivery_list and address_list. */
enum { MAIL_TEMPLATE = 2, MAIL_PLY = 3, MAIL_STATE = 4, MAIL_CREATED = 5, MAIL_SENT = 7 };
enum { MAIL_REPLY = 11, MAIL_EMAIL = 12 };
enum { ADDRESS_STATE = 2, ADDRESS_PRIMARY = 3 };

static const char *const heads[] = {"page.mail.what",
				    "page.game.ply",
				    "page.mail.to",
				    "page.mail.state",
				    "page.mail.when",
				    "page.mail.reply",
				    NULL};

static void cell_begin(Page *page, int column)
{
	markup_begin(page->markup, "td", "data-head", text_get(page->language, heads[column]),
		     NULL);
}

static void cell_text(Page *page, int column, const char *text)
{
	cell_begin(page, column);
	if (text != NULL)
		markup_text(page->markup, text);
	markup_end(page->markup);
}

static void cell_key(Page *page, int column, const char *prefix, const char *word)
{
	g_autofree char *key = g_strconcat(prefix, word, NULL);
	const char *text = text_find(page->language, key);
	cell_text(page, column, text == NULL ? word : text);
}

static void mail_row(Page *page, const DbResult *mails, int row)
{
	const char *sent = db_text(mails, row, MAIL_SENT);
	const char *instant = sent != NULL ? sent : db_text(mails, row, MAIL_CREATED);
	markup_begin(page->markup, "tr", NULL);
	cell_key(page, 0, "page.mail.", db_text(mails, row, MAIL_TEMPLATE));
	cell_text(page, 1, db_text(mails, row, MAIL_PLY));
	cell_text(page, 2, db_text(mails, row, MAIL_EMAIL));
	cell_key(page, 3, "page.mail.state.", db_text(mails, row, MAIL_STATE));
	cell_begin(page, 4);
	page_time(page, instant);
	markup_end(page->markup);
	cell_begin(page, 5);
	if (db_text(mails, row, MAIL_REPLY) != NULL)
		markup_line(page->markup, "span", db_text(mails, row, MAIL_REPLY), "lang", "en",
			    NULL);
	markup_end(page->markup);
	markup_end(page->markup);
}

static void table_write(Page *page, const DbResult *mails)
{
	page_table_begin(page, "page.mail.title", "scroll cards", heads);
	const int last = db_rows(mails) - 1;
	for (int row = last; row >= MAX(0, last - MAILS_SHOWN + 1); row--)
		mail_row(page, mails, row);
	page_table_end(page);
}

bool game_mail_write(const GameView *view, GError **error)
{
	if (view->seat == 0)
		return true;
	Page *page = view->page;
	g_autoptr(DbResult) mails =
		delivery_list(request_db(page->request), view->game->id,
			      request_player(page->request), 0, MAILS_READ, error);
	if (mails == NULL)
		return false;
	page_say(page, "h2", "page.mail.title");
	if (db_rows(mails) == 0)
		page_say(page, "p", "page.mail.none");
	else
		table_write(page, mails);
	return true;
}

static bool is_dead(const DbResult *addresses)
{
	for (int row = 0; row < db_rows(addresses); row++)
		if (db_bool(addresses, row, ADDRESS_PRIMARY) &&
		    strcmp(db_text(addresses, row, ADDRESS_STATE), "dead") == 0)
			return true;
	return false;
}

bool game_mail_unreachable(const GameView *view, GError **error)
{
	if (view->seat == 0 || view->game->reason != NULL)
		return true;
	const int other = view->seat == 1 ? 1 : 0;
	g_autoptr(DbResult) addresses = address_list(request_db(view->page->request),
						     view->game->seat[other].player_id, error);
	if (addresses == NULL)
		return false;
	if (is_dead(addresses)) {
		g_autofree char *text = text_format(view->page->language, "page.game.unreachable",
						    "player", view->game->seat[other].name, NULL);
		markup_line(view->page->markup, "p", text, "class", "warning", NULL);
	}
	return true;
}
