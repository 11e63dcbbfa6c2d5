-- The first schema. Time is the database's alone: nothing but clock_now() reads the clock.
-- Tests replace clock_now() (only the owner can) by one that adds an offset.
CREATE FUNCTION clock_now() RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
AS 'SELECT statement_timestamp()';

-- An instant as JSON carries it, "2026-11-30T02:00:00Z".
CREATE FUNCTION rfc3339(instant timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
AS $$SELECT to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')$$;

CREATE DOMAIN language_code AS text
    CHECK (VALUE IN ('en', 'es', 'fr', 'ru', 'de'));

-- People. Nobody can pass for somebody else: name_key is equal for names that differ in case only
-- (or look alike without regard to case), name_look for names that look alike as they are written.
CREATE TABLE player (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL CHECK (char_length(name) BETWEEN 2 AND 30),
    name_key text NOT NULL CONSTRAINT player_name_key UNIQUE,
    name_look text NOT NULL CONSTRAINT player_name_look UNIQUE,
    language language_code NOT NULL,
    time_zone text NOT NULL,
    mail_stopped_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_now()
);

-- An address is a thing of its own: invited people have no account, players have several, and a
-- delivery's recipient is an address. state never = "never write to me again".
CREATE TABLE address (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email text NOT NULL CHECK (char_length(email) <= 254),
    email_key text NOT NULL CONSTRAINT address_email_key UNIQUE,
    player_id bigint REFERENCES player,
    state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'confirmed', 'dead', 'never')),
    is_primary boolean NOT NULL DEFAULT false,
    language language_code NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_now(),
    confirmed_at timestamptz,
    dead_at timestamptz,
    dead_reason text,
    CHECK (NOT is_primary OR player_id IS NOT NULL)
);
CREATE UNIQUE INDEX address_primary ON address (player_id)
    WHERE is_primary;
CREATE INDEX address_player ON address (player_id)
    WHERE player_id IS NOT NULL;

-- Whom a mail reaches. hindrance says why it must not be sent; null: nothing hinders.
CREATE VIEW recipient AS
SELECT
    address.id AS address_id,
    address.player_id,
    address.is_primary,
    address.state,
    CASE
        WHEN address.state = 'never' THEN 'this address asked never to be written to'
        WHEN address.state = 'dead' THEN 'address cannot be reached'
        WHEN player.mail_stopped_at IS NOT NULL THEN 'mails are stopped by the reader'
    END AS hindrance
FROM address
LEFT JOIN player ON player.id = address.player_id;

-- A code that was mailed, as link and as text. The code itself is never stored: it is recomputed
-- from key and nonce when the mail is rendered, and found by its hash when it comes back.
CREATE TABLE mail_code (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('signup', 'login', 'address', 'revert')),
    address_id bigint NOT NULL REFERENCES address,
    player_id bigint REFERENCES player,
    -- signup: {"name", "language", "time_zone"} wanted; address: {"primary": whether it becomes the
    -- primary one}; revert: {"change": the address_change it undoes}
    data jsonb NOT NULL DEFAULT '{}',
    key_id integer NOT NULL,
    nonce bytea NOT NULL,
    hash bytea NOT NULL CONSTRAINT mail_code_hash UNIQUE,
    created_at timestamptz NOT NULL DEFAULT clock_now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);
CREATE INDEX mail_code_address ON mail_code (address_id);

-- A change of the primary address: told to both, undone from the old one within seven days.
CREATE TABLE address_change (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id bigint NOT NULL REFERENCES player,
    old_address_id bigint NOT NULL REFERENCES address,
    new_address_id bigint NOT NULL REFERENCES address,
    changed_at timestamptz NOT NULL DEFAULT clock_now(),
    revert_until timestamptz NOT NULL,
    reverted_at timestamptz
);
CREATE INDEX address_change_player ON address_change (player_id);

CREATE TABLE token (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id bigint NOT NULL REFERENCES player,
    name text NOT NULL CHECK (char_length(name) <= 60),
    prefix text NOT NULL,
    hash bytea NOT NULL CONSTRAINT token_hash UNIQUE,
    scopes text[] NOT NULL
        CHECK (scopes <@ ARRAY['read', 'play', 'challenge', 'chat', 'tournament', 'webhook']),
    created_at timestamptz NOT NULL DEFAULT clock_now(),
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz
);
CREATE INDEX token_player ON token (player_id);

CREATE TABLE session (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id bigint NOT NULL REFERENCES player,
    hash bytea NOT NULL CONSTRAINT session_hash UNIQUE,
    created_at timestamptz NOT NULL DEFAULT clock_now(),
    last_used_at timestamptz,
    expires_at timestamptz NOT NULL
);
CREATE INDEX session_player ON session (player_id);

-- One row has everything a move needs; whoever writes about a game locks this row first.
CREATE TABLE game (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    rules text NOT NULL,
    options text NOT NULL DEFAULT '',
    phase text NOT NULL CHECK (phase IN ('setup', 'play', 'over')),
    visibility text NOT NULL CHECK (visibility IN ('public', 'private')),
    start_board text NOT NULL,
    start_key bigint NOT NULL,
    board text NOT NULL,
    -- the number of the last turn; the next one gets ply + 1
    ply integer NOT NULL DEFAULT 0 CHECK (ply >= 0),
    -- the seats awaited, bit 0 for seat 1
    awaiting smallint NOT NULL CHECK (awaiting BETWEEN 0 AND 3),
    version integer NOT NULL DEFAULT 1,
    clock jsonb NOT NULL DEFAULT '{"kind": "none"}',
    deadline timestamptz,
    winner smallint CHECK (winner BETWEEN 0 AND 2),
    reason text,
    created_at timestamptz NOT NULL DEFAULT clock_now(),
    changed_at timestamptz NOT NULL DEFAULT clock_now(),
    ended_at timestamptz,
    CHECK ((phase = 'over') = (winner IS NOT NULL AND reason IS NOT NULL AND ended_at IS NOT NULL)),
    CHECK (phase <> 'over' OR awaiting = 0)
) WITH (fillfactor = 75);
CREATE INDEX game_public ON game (id DESC)
    WHERE visibility = 'public';
CREATE INDEX game_public_rules ON game (rules, id DESC)
    WHERE visibility = 'public';
CREATE INDEX game_public_phase ON game (phase, id DESC)
    WHERE visibility = 'public';

-- Who sits where, from which ply on; left_ply is null for the one who sits there now.
CREATE TABLE seat (
    game_id bigint NOT NULL REFERENCES game,
    seat smallint NOT NULL CHECK (seat IN (1, 2)),
    player_id bigint NOT NULL REFERENCES player,
    from_ply integer NOT NULL DEFAULT 1,
    left_ply integer,
    PRIMARY KEY (game_id, seat, from_ply)
);
CREATE UNIQUE INDEX seat_taken ON seat (game_id, seat) INCLUDE (player_id)
    WHERE left_ply IS NULL;
CREATE INDEX seat_player ON seat (player_id, game_id DESC) INCLUDE (seat)
    WHERE left_ply IS NULL;

-- Append only. A ply is never used twice: a take-back is a row of its own that names the ply it
-- goes back to.
CREATE TABLE turn (
    game_id bigint NOT NULL REFERENCES game,
    ply integer NOT NULL CHECK (ply >= 1),
    kind text NOT NULL DEFAULT 'turn' CHECK (kind IN ('turn', 'takeback')),
    back_to_ply integer,
    seat smallint NOT NULL CHECK (seat IN (1, 2)),
    player_id bigint NOT NULL REFERENCES player,
    text text NOT NULL,
    board text NOT NULL,
    board_key bigint NOT NULL,
    channel text NOT NULL CHECK (channel IN ('rest', 'web', 'mail')),
    played_at timestamptz NOT NULL DEFAULT clock_now(),
    PRIMARY KEY (game_id, ply) INCLUDE (text, board_key),
    CHECK ((kind = 'takeback') = (back_to_ply IS NOT NULL))
);

CREATE TABLE challenge (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    challenger_id bigint NOT NULL REFERENCES player,
    kind text NOT NULL CHECK (kind IN ('player', 'address', 'open')),
    opponent_id bigint REFERENCES player,
    address_id bigint REFERENCES address,
    -- of the invitation to an address
    language language_code,
    rules text NOT NULL,
    options text NOT NULL DEFAULT '',
    visibility text NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'private')),
    -- the seat its maker wants
    seat text NOT NULL CHECK (seat IN ('first', 'second', 'random')),
    clock jsonb NOT NULL DEFAULT '{"kind": "none"}',
    message text CHECK (char_length(message) <= 500),
    state text NOT NULL DEFAULT 'open'
        CHECK (state IN ('open', 'accepted', 'declined', 'cancelled')),
    game_id bigint REFERENCES game,
    created_at timestamptz NOT NULL DEFAULT clock_now(),
    closed_at timestamptz,
    CHECK (kind <> 'player' OR opponent_id IS NOT NULL),
    CHECK ((kind = 'address') = (address_id IS NOT NULL)),
    CHECK ((state = 'open') = (closed_at IS NULL)),
    CHECK ((state = 'accepted') = (game_id IS NOT NULL))
);
CREATE INDEX challenge_open ON challenge (id DESC)
    WHERE kind = 'open' AND state = 'open';
CREATE INDEX challenge_challenger ON challenge (challenger_id, id DESC);
CREATE INDEX challenge_opponent ON challenge (opponent_id, id DESC)
    WHERE opponent_id IS NOT NULL;
CREATE INDEX challenge_address ON challenge (address_id)
    WHERE address_id IS NOT NULL;

-- Everything that happened: ids, numbers and notation only. Kinds that begin with "mail." cause a
-- mail and nothing else; no feed shows them.
CREATE TABLE event (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    game_id bigint REFERENCES game,
    ply integer,
    challenge_id bigint REFERENCES challenge,
    mail_code_id bigint,
    -- who did it; null for the service itself
    player_id bigint REFERENCES player,
    data jsonb NOT NULL DEFAULT '{}',
    at timestamptz NOT NULL DEFAULT clock_now()
);
CREATE INDEX event_game ON event (game_id, id)
    WHERE game_id IS NOT NULL;
CREATE INDEX event_mail ON event (at)
    WHERE kind LIKE 'mail.%';

-- The order of commit, filled from feed_pending by one process at a time. Readers' cursors are
-- positions.
CREATE TABLE feed_pending (
    event_id bigint PRIMARY KEY REFERENCES event
);
CREATE TABLE feed (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id bigint NOT NULL CONSTRAINT feed_event UNIQUE REFERENCES event
);

-- One event, one recipient, one channel: one notification.
CREATE TABLE delivery (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id bigint NOT NULL REFERENCES event,
    address_id bigint NOT NULL REFERENCES address,
    channel text NOT NULL DEFAULT 'mail' CHECK (channel IN ('mail')),
    -- what the mail is: a name of mail/templates
    template text NOT NULL,
    -- the reader and the game; null where there is no account or no game
    player_id bigint REFERENCES player,
    game_id bigint REFERENCES game,
    state text NOT NULL DEFAULT 'pending'
        CHECK (state IN ('pending', 'sending', 'sent', 'retry', 'dead', 'unknown', 'dropped')),
    due_at timestamptz NOT NULL DEFAULT clock_now(),
    lease_until timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    -- how often nobody knew whether the mail server took it
    doubts integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_now(),
    -- when it was last tried or given up
    changed_at timestamptz,
    sent_at timestamptz,
    -- what the mail server said last, or why it was dropped; hard: it counts against the address
    reply_code integer,
    reply text,
    cause text,
    hard boolean NOT NULL DEFAULT false,
    CONSTRAINT delivery_once UNIQUE (event_id, address_id, channel)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX delivery_due ON delivery (due_at, id)
    WHERE state IN ('pending', 'retry', 'sending', 'unknown');
CREATE INDEX delivery_game ON delivery (game_id, player_id, id)
    WHERE game_id IS NOT NULL;
CREATE INDEX delivery_address ON delivery (address_id, sent_at);
CREATE INDEX delivery_dead ON delivery (id)
    WHERE state = 'dead';

-- The answer to a request that carried an Idempotency-Key. A turn's answer is rebuilt from its
-- row (game_id, ply), which never changes; body is null then.
CREATE TABLE idempotency (
    player_id bigint NOT NULL REFERENCES player,
    key text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 255),
    request_hash bytea NOT NULL,
    status integer NOT NULL,
    location text,
    body text,
    game_id bigint,
    ply integer,
    created_at timestamptz NOT NULL DEFAULT clock_now(),
    CONSTRAINT idempotency_once PRIMARY KEY (player_id, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

-- Buckets of whatever sends mail: they count for all processes together.
CREATE TABLE mail_rate (
    kind text NOT NULL,
    key bytea NOT NULL,
    window_start timestamptz NOT NULL,
    taken integer NOT NULL,
    PRIMARY KEY (kind, key)
);
