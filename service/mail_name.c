#include "service/mail_name.h"

#include "service/secret.h"

#define ID "%" G_GINT64_FORMAT

static char *secret_new(const Config *config, SecretPurpose purpose,
			const int64_t fields[SECRET_FIELDS_MAX])
{
	return secret_make(config, config_newest_key(config), purpose, fields);
}

char *mail_name_message(const Config *config, int64_t game_id, int ply, int64_t delivery_id)
{
	if (game_id == 0)
		return g_strdup_printf("d" ID "@%s", delivery_id, config->mail_domain);
	return g_strdup_printf("g" ID ".t%d.d" ID "@%s", game_id, ply, delivery_id,
			       config->mail_domain);
}

char *mail_name_thread(const Config *config, int64_t game_id)
{
	return g_strdup_printf("g" ID "@%s", game_id, config->mail_domain);
}

char *mail_name_picture(const Config *config, int64_t delivery_id)
{
	return g_strdup_printf("board.d" ID "@%s", delivery_id, config->mail_domain);
}

char *mail_name_move(const Config *config, int64_t game_id, int seat, int ply)
{
	g_autofree char *secret =
		secret_new(config, SECRET_MOVE, SECRET_FIELDS(game_id, seat, ply));
	return g_strdup_printf("move+g" ID ".t%d.%s@%s", game_id, MAX(ply, 0), secret,
			       config->mail_domain);
}

char *mail_name_invite(const Config *config, int64_t challenge_id)
{
	g_autofree char *secret = secret_new(config, SECRET_INVITE, SECRET_FIELDS(challenge_id));
	return g_strdup_printf("invite+c" ID ".%s@%s", challenge_id, secret, config->mail_domain);
}

char *mail_name_bounce_game(const Config *config, int64_t game_id, int seat, int ply)
{
	g_autofree char *secret =
		secret_new(config, SECRET_BOUNCE_GAME, SECRET_FIELDS(game_id, seat, MAX(ply, 0)));
	return g_strdup_printf("bounce+g" ID ".t%d.%s@%s", game_id, MAX(ply, 0), secret,
			       config->mail_domain);
}

char *mail_name_bounce(const Config *config, int64_t delivery_id)
{
	g_autofree char *secret =
		secret_new(config, SECRET_BOUNCE_DELIVERY, SECRET_FIELDS(delivery_id));
	return g_strdup_printf("bounce+d" ID ".%s@%s", delivery_id, secret, config->mail_domain);
}

char *mail_name_unsubscribe(const Config *config, int64_t player_id)
{
	g_autofree char *secret = secret_new(config, SECRET_UNSUBSCRIBE, SECRET_FIELDS(player_id));
	return g_strdup_printf("unsubscribe+u" ID ".%s@%s", player_id, secret, config->mail_domain);
}
