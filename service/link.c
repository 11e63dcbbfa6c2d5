#include "service/link.h"

char *link_path(const Config *config, const char *path)
{
	return g_strconcat(config->public_url, path, NULL);
}

char *link_home(const Config *config)
{
	return link_path(config, "/");
}

char *link_confirm(const Config *config, const char *code)
{
	return g_strconcat(config->public_url, "/confirm/", code, NULL);
}

char *link_login(const Config *config)
{
	return link_path(config, "/login");
}

char *link_settings(const Config *config)
{
	return link_path(config, "/settings");
}

char *link_privacy(const Config *config)
{
	return link_path(config, "/privacy");
}

char *link_game(const Config *config, int64_t game_id, int ply)
{
	g_autofree char *query = ply < 0 ? g_strdup("") : g_strdup_printf("?ply=%d", ply);
	return g_strdup_printf("%s/games/%" G_GINT64_FORMAT "%s", config->public_url, game_id,
			       query);
}

char *link_rules(const Config *config, const char *rules_key)
{
	return g_strconcat(config->public_url, "/rules/", rules_key, NULL);
}

char *link_challenge(const Config *config, int64_t challenge_id)
{
	return g_strdup_printf("%s/challenges/%" G_GINT64_FORMAT, config->public_url, challenge_id);
}

char *link_invitation(const Config *config, int64_t challenge_id, const char *secret)
{
	return g_strdup_printf("%s/invitations/%" G_GINT64_FORMAT "/%s", config->public_url,
			       challenge_id, secret);
}

char *link_unsubscribe(const Config *config, int64_t player_id, const char *secret)
{
	return g_strdup_printf("%s/unsubscribe/%" G_GINT64_FORMAT "/%s", config->public_url,
			       player_id, secret);
}

char *link_problem(const Config *config, const char *url)
{
	return link_path(config, url);
}
