#include "letter.h"

#include <string.h>

enum { LETTER_FIND, LETTER_GAME, LETTER_CHALLENGE, LETTER_CODE, LETTER_INBOX };
enum { PART_GAME = 1, PART_CHALLENGE, PART_CODE, PART_INBOX };

static const DbQuery queries[] = {
	[LETTER_FIND] =
		{"letter_find",
		 "SELECT delivery.event_id, delivery.template, event.kind,"
		 " floor(EXTRACT(EPOCH FROM delivery.created_at))::bigint, event.ply, "
		 "event.game_id,"
		 " event.challenge_id, event.mail_code_id, address.email, address.state,"
		 " address.language, address.player_id, player.id, player.name, player.language,"
		 " player.time_zone, player.mail_stopped_at IS NOT NULL, event.inbox_id,"
		 " announcement.subject, announcement.body, (event.data ->> 'round')::integer"
		 " FROM delivery"
		 " JOIN event ON event.id = delivery.event_id"
		 " JOIN address ON address.id = delivery.address_id"
		 " LEFT JOIN player ON player.id = delivery.player_id"
		 " LEFT JOIN announcement ON announcement.id = event.announcement_id"
		 " WHERE delivery.id = $1::bigint"},
	[LETTER_GAME] = {"letter_game",
			 "SELECT game.rules, game.options, game.phase, game.awaiting, game.ply,"
			 " game.winner, game.reason, "
			 " EXTRACT(EPOCH FROM game.deadline)::bigint,"
			 " COALESCE(turn.board, game.start_board), turn.text,"
			 " CASE WHEN turn.ply IS NOT NULL"
			 " THEN COALESCE(before.board, game.start_board) END,"
			 " turn.seat, first.id, first.name, second.id, "
			 "second.name,"
			 " reader.seat, challenge.message, ("
			 " SELECT string_agg(id || '/' || ply, ' ' ORDER BY id)"
			 " FROM ("
			 " SELECT delivery.id, event.ply"
			 " FROM delivery"
			 " JOIN event ON event.id = delivery.event_id"
			 " WHERE delivery.game_id = game.id"
			 " AND delivery.player_id = $3::bigint"
			 " AND delivery.id < $4::bigint"
			 " ORDER BY delivery.id DESC"
			 " LIMIT 10) AS earlier), ("
			 " SELECT string_agg(remark.text, chr(10) ORDER BY remark.id)"
			 " FROM remark"
			 " JOIN event ON event.id = $6::bigint"
			 " AND event.player_id = remark.player_id"
			 " WHERE remark.game_id = game.id AND remark.player_id <> $3::bigint"
			 " AND (remark.with_turn AND remark.ply = $2::integer"
			 " AND event.kind <> 'remark.said'"
			 " OR remark.id = (event.data ->> 'remark')::bigint)),"
			 " first_dead.id IS NULL, second_dead.id IS NULL, EXISTS ("
			 " SELECT"
			 " FROM follow"
			 " WHERE follow.game_id = game.id AND follow.player_id = $3::bigint), ("
			 " SELECT string_agg(played.ply || '. ' || player.name || ': '"
			 " || played.text, chr(10) ORDER BY played.ply)"
			 " FROM event"
			 " JOIN turn AS played ON played.game_id = event.game_id"
			 " AND played.kind = 'turn' AND played.ply <= event.ply"
			 " AND played.ply > (event.data ->> 'since')::integer"
			 " JOIN player ON player.id = played.player_id"
			 " WHERE event.id = $6::bigint),"
			 " reader.mail_stopped_at IS NOT NULL, challenge.challenger_id"
			 " FROM game"
			 " JOIN seat AS one ON one.game_id = game.id AND one.seat "
			 "= 1"
			 " AND one.left_ply IS NULL"
			 " JOIN player AS first ON first.id = one.player_id"
			 " JOIN seat AS two ON two.game_id = game.id AND two.seat "
			 "= 2"
			 " AND two.left_ply IS NULL"
			 " JOIN player AS second ON second.id = two.player_id"
			 " LEFT JOIN address AS first_dead"
			 " ON first_dead.player_id = first.id AND first_dead.is_primary"
			 " AND first_dead.state = 'dead'"
			 " LEFT JOIN address AS second_dead"
			 " ON second_dead.player_id = second.id AND second_dead.is_primary"
			 " AND second_dead.state = 'dead'"
			 " LEFT JOIN turn ON turn.game_id = game.id"
			 " AND turn.ply = $2::integer"
			 " LEFT JOIN turn AS before ON before.game_id = game.id"
			 " AND before.ply = $2::integer - 1"
			 " LEFT JOIN seat AS reader ON reader.game_id = game.id"
			 " AND reader.player_id = $3::bigint"
			 " AND reader.left_ply IS NULL"
			 " LEFT JOIN challenge ON challenge.id = $5::bigint"
			 " WHERE game.id = $1::bigint"},
	[LETTER_CHALLENGE] =
		{"letter_challenge",
		 "SELECT challenge.kind, challenge.state, challenge.rules, challenge.options,"
		 " challenge.seat, challenge.clock ->> 'kind', challenge.message,"
		 " challenge.language, challenger.id, challenger.name,"
		 /* Whose address it is its maker need not know: only what was typed. */
		 " CASE challenge.kind WHEN 'address' THEN address.email"
		 " ELSE opponent.name END"
		 " FROM challenge"
		 " JOIN player AS challenger ON challenger.id = challenge.challenger_id"
		 " LEFT JOIN player AS opponent ON opponent.id = challenge.opponent_id"
		 " LEFT JOIN address AS invited ON invited.id = challenge.address_id"
		 " LEFT JOIN address ON address.id = challenge.address_id"
		 " WHERE challenge.id = $1::bigint"},
	[LETTER_CODE] = {"letter_code", "SELECT kind, key_id, encode(nonce, 'hex'), "
					" EXTRACT(EPOCH FROM expires_at)::bigint,"
					" used_at IS NULL AND expires_at > clock_now(),"
					" data ->> 'name',"
					" COALESCE(data ->> 'time_zone', ("
					" SELECT player.time_zone"
					" FROM player"
					" WHERE player.id = mail_code.player_id), 'UTC'), ("
					" SELECT address.email"
					" FROM address_change"
					" JOIN address"
					" ON address.id = address_change.new_address_id"
					" WHERE address_change.old_address_id ="
					" mail_code.address_id"
					" ORDER BY address_change.id DESC"
					" LIMIT 1), data ->> 'from', data ->> 'game'"
					" FROM mail_code"
					" WHERE id = $1::bigint"},
	[LETTER_INBOX] = {"letter_inbox", "SELECT disposition, reason, command, written, problem,"
					  " message_id, answer, ("
					  " SELECT json_object_agg(player.id, player.name)"
					  " FROM player"
					  " JOIN jsonb_array_elements_text("
					  "answer -> 'players') AS told (id)"
					  " ON player.id = told.id::bigint)"
					  " FROM inbox"
					  " WHERE id = $1::bigint"},
};
const DbQueryTable letter_queries = {queries, G_N_ELEMENTS(queries)};

void letter_free(Letter *letter)
{
	if (!letter)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(letter->rows); i++)
		PQclear(letter->rows[i]);
	g_free(letter);
}

static void head_read(Letter *letter, const DbResult *row)
{
	letter->event_id = db_int(row, 0, 0);
	letter->template = db_text(row, 0, 1);
	letter->kind = db_text(row, 0, 2);
	letter->created = db_int(row, 0, 3);
	letter->ply = (int)db_int(row, 0, 4);
	letter->game_id = db_int(row, 0, 5);
	letter->challenge_id = db_int(row, 0, 6);
	letter->mail_code_id = db_int(row, 0, 7);
	letter->email = db_text(row, 0, 8);
	letter->address_state = db_text(row, 0, 9);
	letter->address_language = db_text(row, 0, 10);
	letter->address_player_id = db_int(row, 0, 11);
	letter->reader_id = db_int(row, 0, 12);
	letter->reader = db_text(row, 0, 13);
	letter->reader_language = db_text(row, 0, 14);
	letter->reader_time_zone = db_text(row, 0, 15);
	letter->mail_stopped = db_bool(row, 0, 16);
	letter->inbox_id = db_int(row, 0, 17);
	letter->subject = db_text(row, 0, 18);
	letter->body = db_text(row, 0, 19);
	letter->round = (int)db_int(row, 0, 20);
}

/* "4711/13 4715/15" */
static int earlier_read(const char *text, LetterEarlier *earlier_r)
{
	if (!text)
		return 0;
	g_auto(GStrv) words = g_strsplit(text, " ", LETTER_EARLIER_MAX);
	int count = 0;
	for (; words[count]; count++) {
		char *slash = NULL;
		earlier_r[count].delivery_id = g_ascii_strtoll(words[count], &slash, 10);
		earlier_r[count].ply = (int)g_ascii_strtoll(slash + 1, NULL, 10);
	}
	return count;
}

static void game_read(LetterGame *game, const DbResult *row)
{
	game->rules = db_text(row, 0, 0);
	game->options = db_text(row, 0, 1);
	game->phase = db_text(row, 0, 2);
	game->awaiting = (int)db_int(row, 0, 3);
	game->ply = (int)db_int(row, 0, 4);
	game->winner = (int)db_int(row, 0, 5);
	game->reason = db_text(row, 0, 6);
	game->deadline = db_text(row, 0, 7);
	game->board = db_text(row, 0, 8);
	game->turn = db_text(row, 0, 9);
	game->board_before = db_text(row, 0, 10);
	game->turn_seat = (int)db_int(row, 0, 11);
	game->player_ids[0] = db_int(row, 0, 12);
	game->names[0] = db_text(row, 0, 13);
	game->player_ids[1] = db_int(row, 0, 14);
	game->names[1] = db_text(row, 0, 15);
	game->seat = (int)db_int(row, 0, 16);
	game->message = db_text(row, 0, 17);
	game->earlier_count = earlier_read(db_text(row, 0, 18), game->earlier);
	game->remark = db_text(row, 0, 19);
	game->reachable[0] = db_bool(row, 0, 20);
	game->reachable[1] = db_bool(row, 0, 21);
	game->followed = db_bool(row, 0, 22);
	game->turns = db_text(row, 0, 23);
	game->mail_stopped = db_bool(row, 0, 24);
	game->challenger_id = db_int(row, 0, 25);
}

static void challenge_read(LetterChallenge *challenge, const DbResult *row)
{
	challenge->kind = db_text(row, 0, 0);
	challenge->state = db_text(row, 0, 1);
	challenge->rules = db_text(row, 0, 2);
	challenge->options = db_text(row, 0, 3);
	challenge->seat = db_text(row, 0, 4);
	challenge->clock_kind = db_text(row, 0, 5);
	challenge->message = db_text(row, 0, 6);
	challenge->language = db_text(row, 0, 7);
	challenge->challenger_id = db_int(row, 0, 8);
	challenge->challenger = db_text(row, 0, 9);
	challenge->opponent = db_text(row, 0, 10);
}

static void code_read(LetterCode *code, const DbResult *row)
{
	code->kind = db_text(row, 0, 0);
	code->key_id = (int)db_int(row, 0, 1);
	const char *digits = db_text(row, 0, 2);
	for (size_t i = 0; i < LETTER_NONCE_SIZE && strlen(digits) >= 2 * i + 2; i++)
		code->nonce[i] = (uint8_t)(g_ascii_xdigit_value(digits[2 * i]) * 16 +
					   g_ascii_xdigit_value(digits[2 * i + 1]));
	code->expires_at = db_text(row, 0, 3);
	code->valid = db_bool(row, 0, 4);
	code->name = db_text(row, 0, 5);
	code->time_zone = db_text(row, 0, 6);
	code->new_address = db_text(row, 0, 7);
	code->from = db_text(row, 0, 8);
	code->game = db_text(row, 0, 9);
}

static void inbox_read(LetterInbox *inbox, const DbResult *row)
{
	inbox->disposition = db_text(row, 0, 0);
	inbox->reason = db_text(row, 0, 1);
	inbox->command = db_text(row, 0, 2);
	inbox->written = db_text(row, 0, 3);
	inbox->problem = db_text(row, 0, 4);
	inbox->message_id = db_text(row, 0, 5);
	inbox->answer = db_text(row, 0, 6);
	inbox->names = db_text(row, 0, 7);
}

/* Queues what the event is about; an id of 0 finds no row. */
static bool parts_queue(Db *db, const Letter *letter, GError **error)
{
	DbParams game = DB_PARAMS_EMPTY;
	db_param_int(&game, letter->game_id);
	db_param_int(&game, letter->ply);
	db_param_int(&game, letter->reader_id);
	db_param_int(&game, letter->delivery_id);
	db_param_int(&game, letter->challenge_id);
	db_param_int(&game, letter->event_id);
	DbParams challenge = DB_PARAMS_EMPTY;
	db_param_int(&challenge, letter->challenge_id);
	DbParams code = DB_PARAMS_EMPTY;
	db_param_int(&code, letter->mail_code_id);
	DbParams inbox = DB_PARAMS_EMPTY;
	db_param_int(&inbox, letter->inbox_id);
	return db_queue(db, &queries[LETTER_GAME], &game, error) &&
	       db_queue(db, &queries[LETTER_CHALLENGE], &challenge, error) &&
	       db_queue(db, &queries[LETTER_CODE], &code, error) &&
	       db_queue(db, &queries[LETTER_INBOX], &inbox, error);
}

static bool parts_load(Db *db, Letter *letter, GError **error)
{
	if (!parts_queue(db, letter, error))
		return false;
	for (int part = PART_GAME; part <= PART_INBOX; part++) {
		letter->rows[part] = db_next(db, error);
		if (!letter->rows[part]) {
			db_drain(db);
			return false;
		}
	}
	letter->has_game = db_rows(letter->rows[PART_GAME]) > 0;
	letter->has_challenge = db_rows(letter->rows[PART_CHALLENGE]) > 0;
	letter->has_code = db_rows(letter->rows[PART_CODE]) > 0;
	letter->has_inbox = db_rows(letter->rows[PART_INBOX]) > 0;
	if (letter->has_game)
		game_read(&letter->game, letter->rows[PART_GAME]);
	if (letter->has_challenge)
		challenge_read(&letter->challenge, letter->rows[PART_CHALLENGE]);
	if (letter->has_code)
		code_read(&letter->code, letter->rows[PART_CODE]);
	if (letter->has_inbox)
		inbox_read(&letter->inbox, letter->rows[PART_INBOX]);
	return true;
}

Letter *letter_load(Db *db, int64_t delivery_id, GError **error)
{
	DbParams params = DB_PARAMS_EMPTY;
	db_param_int(&params, delivery_id);
	g_autoptr(DbResult) head = db_run(db, &queries[LETTER_FIND], &params, error);
	if (!head)
		return NULL;
	if (db_rows(head) == 0) {
		g_set_error(error, DB_ERROR, DB_ERROR_FAILED,
			    "there is no delivery %" G_GINT64_FORMAT, delivery_id);
		return NULL;
	}
	Letter *letter = g_new0(Letter, 1);
	letter->delivery_id = delivery_id;
	head_read(letter, head);
	letter->rows[0] = g_steal_pointer(&head);
	if (parts_load(db, letter, error))
		return letter;
	letter_free(letter);
	return NULL;
}
