-- Games of ten turns with all the rows the service writes while they are played: a challenge,
-- two seats, and for each turn an event, its place in the feed, and a mail that was sent. Every
-- third game is over (resigned), every tenth private, every fifth Ordo X.
-- Parameters: :games, :players. Table bench_script: rules, variant, ply, seat, text, board, key,
-- data. Parts are run in their order, those with the same number at the same time; each fills
-- tables that it emptied in the same transaction, which with wal_level minimal spares the WAL.

-- part 1
CREATE UNLOGGED TABLE bench_plan AS
SELECT
    game,
    CASE WHEN mod(game, 5) = 0 THEN 'ordox' ELSE 'ordo' END AS rules,
    CASE WHEN mod(game, 5) = 0 THEN mod(game, 2) ELSE mod(game, 6) END AS variant,
    1 + mod(game * 7919, :players) AS first,
    1 + mod(1 + mod(game * 7919, :players) + mod(game, :players - 1), :players) AS second,
    mod(game, 3) = 0 AS over,
    clock_now() - interval '40 days' - (:games - game) * interval '1 second' AS created
FROM generate_series(1::bigint, :games) AS game;
ANALYZE bench_plan;
ANALYZE bench_script;

INSERT INTO game (id, rules, phase, visibility, start_board, start_key, board, ply, awaiting,
    version, winner, reason, created_at, changed_at, ended_at)
OVERRIDING SYSTEM VALUE
SELECT game, bench_plan.rules, CASE WHEN over THEN 'over' ELSE 'play' END,
    CASE WHEN mod(game, 10) = 0 THEN 'private' ELSE 'public' END,
    start.board, start.key, last.board, last.ply, CASE WHEN over THEN 0 ELSE 1 END, last.ply + 1,
    CASE WHEN over THEN 2 END, CASE WHEN over THEN 'resign' END,
    created, created + interval '10 hours', CASE WHEN over THEN created + interval '11 hours' END
FROM bench_plan
JOIN bench_script AS start ON (start.rules, start.variant, start.ply) = (bench_plan.rules, bench_plan.variant, 0)
JOIN bench_script AS last ON (last.rules, last.variant, last.ply) = (bench_plan.rules, bench_plan.variant, 10)
ORDER BY game;

INSERT INTO challenge (id, challenger_id, kind, opponent_id, rules, seat, state, game_id,
    created_at, closed_at)
OVERRIDING SYSTEM VALUE
SELECT game, first, 'player', second, rules, 'first', 'accepted', game,
    created - interval '1 hour', created
FROM bench_plan
ORDER BY game;

CREATE VIEW bench_turn AS
SELECT (game - 1) * 10 + ply AS event, game, ply, seat, text, board, key, data,
    CASE seat WHEN 1 THEN first ELSE second END AS player,
    CASE seat WHEN 1 THEN second ELSE first END AS reader,
    created + ply * interval '1 hour' AS played
FROM bench_plan
JOIN bench_script USING (rules, variant)
WHERE ply BETWEEN 1 AND 10;

-- part 2
TRUNCATE seat, turn;

INSERT INTO seat (game_id, seat, player_id)
SELECT game, seat, CASE seat WHEN 1 THEN first ELSE second END
FROM bench_plan, generate_series(1, 2) AS seat
ORDER BY game, seat;

INSERT INTO turn (game_id, ply, seat, player_id, text, board, board_key, channel, played_at)
SELECT game, ply, seat, player, text, board, key, 'rest', played
FROM bench_turn;

-- part 2
TRUNCATE event, feed, feed_pending, delivery;

INSERT INTO event (id, kind, game_id, ply, player_id, data, at)
OVERRIDING SYSTEM VALUE
SELECT event, 'turn.played', game, ply, player, data, played
FROM bench_turn;

INSERT INTO feed (position, event_id)
OVERRIDING SYSTEM VALUE
SELECT event, event
FROM bench_turn;

INSERT INTO delivery (id, event_id, address_id, template, player_id, game_id, state, due_at,
    attempts, created_at, changed_at, sent_at, reply_code, reply)
OVERRIDING SYSTEM VALUE
SELECT event, event, reader, 'your-turn', reader, game, 'sent', 'infinity',
    1, played, played, played, 250, '250 taken'
FROM bench_turn;

-- part 3
DROP VIEW bench_turn;
DROP TABLE bench_plan;
DROP TABLE bench_script;
