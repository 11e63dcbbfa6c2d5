#include "service/mail_source.h"

#include "db/address.h"
#include "db/challenge.h"
#include "db/turn.h"
#include "service/email.h"
#include "service/mail_name.h"
#include "service/secret.h"

#include <string.h>

enum { NUMBER_LENGTH_MAX = 18, ADDRESS_DAYS = 30 /* an address works after its game */ };

void mail_source_clear(MailSource *source)
{
	g_clear_error(&source->error);
	g_clear_pointer(&source->game, game_free);
}

/* Where to put a fault: the first one counts. */
static GError **fault(MailSource *source)
{
	return source->error == NULL ? &source->error : NULL;
}

/* ---- secrets ---- */

/* The seat whose secret an address of a game carries for a ply, 0 if it is none's. */
static int seat_find(const Config *config, const MailAddressee *addressee, SecretPurpose purpose,
		     int ply)
{
	int found = 0;

	for (int seat = 1; seat <= GAME_SEATS; seat++) {
		if (secret_check(config, addressee->secret, purpose,
				 SECRET_FIELDS(addressee->game_id, seat, ply)))
			found = seat;
	}
	return found;
}

/* The same of an address that is for moves: in set-up its secret tells the stage. */
static void seat_and_stage_find(MailSource *source, const MailAddressee *addressee)
{
	const int last = addressee->ply == 0 ? MAIL_NAME_STAGES : 0;

	for (int stage = 0; stage <= last && source->seat == 0; stage++) {
		source->seat =
			seat_find(source->config, addressee, SECRET_MOVE, addressee->ply - stage);
		if (source->seat != 0 && addressee->ply == 0)
			source->stage = stage;
	}
}

/* Whether an address of a game works, and whose it is. */
static bool move_fits(MailSource *source, const MailAddressee *addressee)
{
	bool expired = false;

	seat_and_stage_find(source, addressee);
	return source->seat != 0 &&
	       game_expired(source->db, addressee->game_id, ADDRESS_DAYS, &expired,
			    fault(source)) &&
	       !expired;
}

static bool secret_fits(const MailAddressee *addressee, void *user_data)
{
	MailSource *source = user_data;
	const Config *config = source->config;
	const char *secret = addressee->secret;

	source->seat = 0;
	source->stage = MAIL_STAGE_NONE;
	switch (addressee->kind) {
	case MAIL_TO_MOVE:
		return move_fits(source, addressee);
	case MAIL_TO_BOUNCE:
		if (addressee->delivery_id != 0)
			return secret_check(config, secret, SECRET_BOUNCE_DELIVERY,
					    SECRET_FIELDS(addressee->delivery_id));
		source->seat = seat_find(config, addressee, SECRET_BOUNCE_GAME, addressee->ply);
		return source->seat != 0;
	case MAIL_TO_INVITE:
		return secret_check(config, secret, SECRET_INVITE,
				    SECRET_FIELDS(addressee->challenge_id));
	case MAIL_TO_UNSUBSCRIBE:
		return secret_check(config, secret, SECRET_UNSUBSCRIBE,
				    SECRET_FIELDS(addressee->player_id));
	case MAIL_TO_NOBODY:
	case MAIL_TO_FEEDBACK:
	case MAIL_TO_PLAY:
		break;
	}
	return false;
}

/* ---- what one of our mails was about ---- */

/* The delivery in "g7.t13.d4711@play.example.org" or "d4711@…", 0 if it is no name of our mails. */
static int64_t delivery_read(const char *message_id, const char *domain)
{
	const char *at = strrchr(message_id, '@');
	g_autofree char *local =
		at == NULL ? NULL : g_ascii_strdown(message_id, (ssize_t)(at - message_id));
	const char *dot = local == NULL ? NULL : strrchr(local, '.');
	const char *last = dot == NULL ? local : dot + 1;

	if (last == NULL || g_ascii_strcasecmp(at + 1, domain) != 0 || last[0] != 'd' ||
	    strlen(last) > NUMBER_LENGTH_MAX || !g_ascii_isdigit(last[1]) ||
	    last[1 + strspn(last + 1, "0123456789")] != '\0')
		return 0;
	return g_ascii_strtoll(last + 1, NULL, 10);
}

static bool locate(const char *message_id, MailAddressee *addressee_r, void *user_data)
{
	MailSource *source = user_data;
	const int64_t delivery_id = delivery_read(message_id, source->config->mail_domain);
	g_auto(InboxTrace) trace = {0};

	if (delivery_id == 0 || !inbox_trace(source->db, delivery_id, &trace, fault(source)) ||
	    trace.template == NULL)
		return false;
	const bool invites = strcmp(trace.template, "invitation") == 0 ||
			     strcmp(trace.template, "challenge") == 0;
	if (trace.game_id == 0 && !invites)
		return false;
	*addressee_r = (MailAddressee){.kind = invites ? MAIL_TO_INVITE : MAIL_TO_MOVE,
				       .game_id = trace.game_id,
				       .ply = trace.game_id == 0 ? 0 : trace.ply + 1,
				       .challenge_id = invites ? trace.challenge_id : 0};
	source->player_id = trace.player_id;
	return true;
}

/* ---- the game ---- */

/* The turn that the addressee's player played where it was awaited; false with an error. */
static bool played_load(MailSource *source, const MailAddressee *addressee)
{
	g_autoptr(Turn) turn = NULL;

	if (!turn_find(source->db, addressee->game_id, addressee->ply, &turn, fault(source)))
		return false;
	if (turn != NULL && turn->player_id == source->player_id)
		g_strlcpy(source->played, turn->text, sizeof source->played);
	return true;
}

/* Whether the set-up waits for the seat's yes to the pair that lies open. */
static bool is_asked(const MailSource *source, const GameRules *rules)
{
	SetupState state;

	return source->seat != 0 && rules->setup != NULL &&
	       rules->setup->state(&source->position, &state) && !state.sealed &&
	       (source->game->awaiting & SEATS_OF(source->seat)) != 0;
}

static void look_up(const MailAddressee *addressee, MailSituation *situation_r, void *user_data)
{
	MailSource *source = user_data;
	Refusal refusal;

	*situation_r = (MailSituation){.rules = NULL};
	g_clear_pointer(&source->game, game_free);
	if (addressee->game_id == 0 ||
	    !game_lock(source->db, addressee->game_id, &source->game, fault(source)) ||
	    source->game == NULL)
		return;
	const Game *game = source->game;
	if (source->seat != 0)
		source->player_id = game->seat[source->seat - 1].player_id;
	const GameRules *rules = rules_find(game->rules);
	situation_r->rules = rules;
	/* No turn is past before the first one can be played. */
	situation_r->past = addressee->ply <= game->ply && strcmp(game->phase, "setup") != 0;
	if (rules != NULL && rules->parse(game->board, &source->position, &refusal)) {
		situation_r->position = &source->position;
		situation_r->asked = is_asked(source, rules);
	}
	if (situation_r->past && played_load(source, addressee) && source->played[0] != '\0')
		situation_r->played = source->played;
}

/* ---- who writes ---- */

/* Whether an address is a player's. A dead one whose owner writes from it counts. */
static bool is_owned(const Address *address)
{
	return address != NULL && address->player_id != 0 &&
	       (strcmp(address->state, "confirmed") == 0 || strcmp(address->state, "dead") == 0);
}

/* NULL: nobody's, or a fault. */
static Address *owned_find(MailSource *source, const char *email)
{
	g_autoptr(Address) address = NULL;

	if (!email_find(source->db, email, &address, fault(source)) || !is_owned(address))
		return NULL;
	return g_steal_pointer(&address);
}

/* Whether the address is the invited one, or one of the player who is challenged. */
static bool invited_fits(MailSource *source, int64_t challenge_id, const char *email)
{
	g_autoptr(Challenge) challenge = NULL;
	g_autoptr(Address) address = NULL;

	if (!challenge_find(source->db, challenge_id, &challenge, fault(source)) ||
	    challenge == NULL || !email_find(source->db, email, &address, fault(source)) ||
	    address == NULL)
		return false;
	return address->id == challenge->address_id ||
	       (is_owned(address) && address->player_id == challenge_invited(challenge));
}

static bool sender_fits(const MailAddressee *addressee, const char *email, void *user_data)
{
	MailSource *source = user_data;

	if (addressee->kind == MAIL_TO_INVITE)
		return invited_fits(source, addressee->challenge_id, email);
	g_autoptr(Address) address = owned_find(source, email);
	if (address == NULL)
		return false;
	if (addressee->kind == MAIL_TO_PLAY)
		source->player_id = address->player_id;
	return address->player_id == source->player_id;
}

static bool sender_trusted(const char *email, void *user_data)
{
	g_autoptr(Address) address = owned_find(user_data, email);

	return address != NULL && address->mail_trusted;
}

/* ---- what was seen before ---- */

/* Where a mail counts once. */
static char *scope_make(const MailSource *source, const MailAddressee *addressee)
{
	if (addressee->game_id != 0)
		return g_strdup_printf("g%" G_GINT64_FORMAT ".t%d.s%d", addressee->game_id,
				       addressee->ply, source->seat);
	if (addressee->challenge_id != 0)
		return g_strdup_printf("c%" G_GINT64_FORMAT, addressee->challenge_id);
	return g_strdup_printf("u%" G_GINT64_FORMAT, addressee->player_id != 0
							     ? addressee->player_id
							     : source->player_id);
}

/* What stands behind the header: with the Date field it stands for a Message-ID that is missing. */
static void body_hash(const InboxMail *mail, GChecksum *checksum)
{
	size_t body = 0;
	g_autoptr(Fields) fields = fields_read(mail->raw, mail->raw_size, &body);
	const char *date = fields == NULL ? NULL : fields_first(fields, "date");

	if (date != NULL)
		g_checksum_update(checksum, (const unsigned char *)date, (ssize_t)strlen(date) + 1);
	g_checksum_update(checksum, mail->raw + body, (ssize_t)(mail->raw_size - body));
}

static char *key_make(const InboxMail *mail, const char *message_id)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	uint8_t hash[SECRET_HASH_SIZE];
	size_t size = sizeof hash;

	if (message_id != NULL)
		g_checksum_update(checksum, (const unsigned char *)message_id,
				  (ssize_t)strlen(message_id));
	else
		body_hash(mail, checksum);
	g_checksum_get_digest(checksum, hash, &size);
	return db_hex(hash, size);
}

MailMemory mail_source_remember(MailSource *source, const MailAddressee *addressee,
				const char *message_id)
{
	if (source->confirmed || source->mail->raw == NULL)
		return MAIL_MEMORY_NEW;
	g_autofree char *scope = scope_make(source, addressee);
	g_autofree char *key = key_make(source->mail, message_id);
	bool first = true;
	if (!inbox_remember(source->db, source->mail->id, scope, key, &first, fault(source)))
		return MAIL_MEMORY_NEW;
	return first ? MAIL_MEMORY_NEW : MAIL_MEMORY_DUPLICATE;
}

/* Of a turn the game itself knows whether it was played (look_up), under the game's lock. */
static MailMemory remember(const MailAddressee *addressee, const char *message_id,
			   const char *command, void *user_data)
{
	return command != NULL ? MAIL_MEMORY_NEW
			       : mail_source_remember(user_data, addressee, message_id);
}

const MailInSource mail_source = {
	.secret_fits = secret_fits,
	.locate = locate,
	.look_up = look_up,
	.sender_fits = sender_fits,
	.sender_trusted = sender_trusted,
	.remember = remember,
};
