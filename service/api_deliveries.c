#include "db/delivery.h"
#include "service/api_game.h"
#include "service/cursor.h"
#include "service/json_text.h"
#include "service/view.h"

enum { DELIVERIES_LIMIT = 50, DELIVERIES_LIMIT_MAX = 200 };

/* What the caller was sent about a game, and nobody else's mails. */
Response *api_deliveries_list(Request *request, GError **error)
{
	g_autoptr(Game) game = api_game_next(request, error);
	int64_t after = 0;
	int limit = DELIVERIES_LIMIT;
	if (game == NULL || !cursor_read(request, DELIVERIES_LIMIT_MAX, &after, &limit, error))
		return NULL;
	g_autoptr(DbResult) rows = delivery_list(request_db(request), game->id,
						 request_player(request), after, limit + 1, error);
	if (rows == NULL)
		return NULL;
	GString *body = g_string_sized_new(4096);
	json_text_first(body, "game_id", game->id);
	g_string_append(body, ",\"deliveries\":[");
	for (int row = 0; row < MIN(db_rows(rows), limit); row++) {
		if (row > 0)
			g_string_append_c(body, ',');
		view_delivery(body, rows, row);
	}
	g_string_append_c(body, ']');
	const int64_t last = db_rows(rows) > limit ? db_int(rows, limit - 1, DELIVERY_ID) : 0;
	return cursor_answer(request, body, last);
}
