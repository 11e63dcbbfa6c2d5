#include "db/delivery.h"
#include "service/json_text.h"
#include "service/view.h"

static void number_append(GString *out, const char *name, const DbResult *rows, int row, int column)
{
	if (db_null(rows, row, column))
		json_text_member(out, name, NULL);
	else
		json_text_number(out, name, db_int(rows, row, column));
}

void view_delivery(GString *out, const DbResult *rows, int row)
{
	static const struct {
		const char *name;
		int column;
	} texts[] = {{"event", DELIVERY_EVENT},
		     {"template", DELIVERY_TEMPLATE},
		     {"email", DELIVERY_EMAIL},
		     {"state", DELIVERY_STATE},
		     {"reply", DELIVERY_REPLY}},
	  times[] = {{"created_at", DELIVERY_CREATED},
		     {"changed_at", DELIVERY_CHANGED},
		     {"sent_at", DELIVERY_SENT_AT},
		     {"due_at", DELIVERY_DUE}};
	json_text_first(out, "id", db_int(rows, row, DELIVERY_ID));
	json_text_member(out, "channel", "mail");
	number_append(out, "ply", rows, row, DELIVERY_PLY);
	number_append(out, "attempts", rows, row, DELIVERY_ATTEMPTS);
	number_append(out, "reply_code", rows, row, DELIVERY_REPLY_CODE);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		json_text_member(out, texts[i].name, db_text(rows, row, texts[i].column));
	for (size_t i = 0; i < G_N_ELEMENTS(times); i++)
		json_text_time(out, times[i].name, db_text(rows, row, times[i].column));
	g_string_append_c(out, '}');
}
