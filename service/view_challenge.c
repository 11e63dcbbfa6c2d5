#include "service/json_text.h"
#include "service/link.h"
#include "service/lobby.h"
#include "service/view.h"

static void player_append(GString *out, const char *member, int64_t id, const char *name)
{
	g_string_append_printf(out, ",\"%s\":", member);
	if (id == 0) {
		g_string_append(out, "null");
		return;
	}
	json_text_first(out, "id", id);
	json_text_member(out, "name", name);
	g_string_append_c(out, '}');
}

static void number_or_null(GString *out, const char *member, int64_t number)
{
	if (number != 0)
		json_text_number(out, member, number);
	else
		json_text_member(out, member, NULL);
}

/* Whose an address is its maker learns when the game begins; the address itself is the maker's
 * knowledge and nobody else's. */
void view_challenge(GString *out, const Config *config, const Challenge *challenge,
		    int64_t viewer_id)
{
	const bool maker = viewer_id != 0 && challenge->challenger_id == viewer_id;
	const bool party = maker || (viewer_id != 0 && (challenge->opponent_id == viewer_id ||
							challenge->address_player_id == viewer_id));
	const bool named = challenge->address_id == 0 || challenge->game_id != 0 || !maker;
	g_autofree char *path = g_strdup_printf("/v1/challenges/%" G_GINT64_FORMAT, challenge->id);
	g_autofree char *self = link_path(config, path);
	g_autofree char *page = link_challenge(config, challenge->id);
	json_text_first(out, "id", challenge->id);
	json_text_member(out, "kind", challenge->kind);
	player_append(out, "challenger", challenge->challenger_id, challenge->challenger_name);
	player_append(out, "opponent", party && named ? challenge->opponent_id : 0,
		      challenge->opponent_name);
	json_text_member(out, "email", maker ? challenge->email : NULL);
	json_text_member(out, "language", maker ? challenge->language : NULL);
	json_text_member(out, "rules", challenge->rules);
	view_options(out, rules_find(challenge->rules), challenge->options);
	json_text_member(out, "seat", challenge->seat);
	json_text_member(out, "visibility", challenge->visibility);
	json_text_raw(out, "clock", challenge->clock);
	json_text_member(out, "message", challenge->message);
	json_text_member(out, "state", challenge->state);
	number_or_null(out, "game_id", party ? challenge->game_id : 0);
	json_text_time(out, "created_at", challenge->created_at);
	json_text_time(out, "closed_at", challenge->closed_at);
	g_string_append(out, ",\"links\":{\"self\":");
	json_text_string(out, self);
	json_text_member(out, "page", page);
	g_string_append(out, "}}");
}
