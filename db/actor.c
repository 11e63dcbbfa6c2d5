#include "actor.h"

static const char *const scope_names[] = {
#define X(code, name) name,
	SCOPES(X)
#undef X
};

void actor_free(Actor *actor)
{
	if (actor == NULL)
		return;
	g_free(actor->name);
	g_free(actor->language);
	g_free(actor->time_zone);
	g_free(actor);
}

bool actor_next(Db *db, Actor **actor_r, GError **error)
{
	*actor_r = NULL;
	g_autoptr(DbResult) result = db_next(db, error);
	if (result == NULL)
		return false;
	if (db_rows(result) == 0)
		return true;
	const char *scopes = db_text(result, 0, 6);
	Actor *actor = g_new0(Actor, 1);
	actor->player_id = db_int(result, 0, 0);
	actor->token_id = db_int(result, 0, 1);
	actor->session_id = db_int(result, 0, 2);
	actor->name = g_strdup(db_text(result, 0, 3));
	actor->language = g_strdup(db_text(result, 0, 4));
	actor->time_zone = g_strdup(db_text(result, 0, 5));
	actor->scopes = scopes == NULL ? SCOPE_ALL : scopes_parse(scopes);
	actor->touch_due = db_bool(result, 0, 7);
	actor->guest = db_bool(result, 0, 8);
	actor->unreachable = db_bool(result, 0, 9);
	*actor_r = actor;
	return true;
}

const char *scope_name(ScopeIndex scope)
{
	g_assert((int)scope >= 0 && scope < SCOPE_COUNT);
	return scope_names[scope];
}

Scopes scope_parse(const char *name)
{
	for (unsigned i = 0; i < SCOPE_COUNT; i++)
		if (g_strcmp0(name, scope_names[i]) == 0)
			return 1u << i;
	return SCOPE_NONE;
}

char *scopes_text(Scopes scopes)
{
	GString *text = g_string_new(NULL);
	for (unsigned i = 0; i < SCOPE_COUNT; i++)
		if (scopes & 1u << i)
			g_string_append_printf(text, "%s%s", text->len ? " " : "", scope_names[i]);
	return g_string_free(text, FALSE);
}

Scopes scopes_parse(const char *text)
{
	g_auto(GStrv) names = g_strsplit(text, " ", -1);
	Scopes scopes = SCOPE_NONE;
	for (char **name = names; *name; name++)
		scopes |= scope_parse(*name);
	return scopes;
}
