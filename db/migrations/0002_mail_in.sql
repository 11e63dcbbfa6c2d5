-- Mail that comes in: kept as it came, before anything else is done with it. The raw message goes
-- after inbox_days; what was decided stays.
CREATE TABLE inbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    arrived_at timestamptz NOT NULL DEFAULT clock_now(),
    via text NOT NULL CHECK (via IN ('deliver', 'rest')),
    -- the envelope; null: unknown
    sender text,
    recipient text,
    raw bytea,
    state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'done', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    -- somebody is at it until then
    lease_until timestamptz,
    -- when our own mail server received it; null: not known
    received_at timestamptz,
    decided_at timestamptz,
    disposition text,
    reason text,
    -- the command's name, and as it was written
    command text,
    written text,
    -- the problem it was refused with
    problem text,
    message_id text,
    game_id bigint REFERENCES game,
    ply integer,
    challenge_id bigint REFERENCES challenge,
    -- whose mail it is, and the address that is answered; null: nobody's
    player_id bigint REFERENCES player,
    address_id bigint REFERENCES address,
    -- what the answer says: {"kind", …} of ids, numbers and notation
    answer jsonb,
    CHECK ((state = 'done') = (disposition IS NOT NULL AND decided_at IS NOT NULL))
);
CREATE INDEX inbox_new ON inbox (arrived_at)
    WHERE state = 'new';
CREATE INDEX inbox_raw ON inbox (arrived_at)
    WHERE raw IS NOT NULL;

-- What was seen before, in the scope of a turn (or of an invitation, or of an address): the
-- Message-ID's hash, or the command's.
CREATE TABLE mail_seen (
    scope text NOT NULL,
    key bytea NOT NULL,
    inbox_id bigint NOT NULL REFERENCES inbox,
    at timestamptz NOT NULL DEFAULT clock_now(),
    CONSTRAINT mail_seen_once PRIMARY KEY (scope, key)
);
CREATE INDEX mail_seen_age ON mail_seen (at);

-- The mail an event answers.
ALTER TABLE event ADD COLUMN inbox_id bigint REFERENCES inbox;

-- A mailed code may let a mail act that was held.
ALTER TABLE mail_code DROP CONSTRAINT mail_code_kind_check;
ALTER TABLE mail_code ADD CONSTRAINT mail_code_kind_check
    CHECK (kind IN ('signup', 'login', 'address', 'revert', 'mail'));
ALTER TABLE mail_code ADD COLUMN inbox_id bigint REFERENCES inbox;

-- A provider of mail may bring what came in; only the admin command makes such a token.
ALTER TABLE token DROP CONSTRAINT token_scopes_check;
ALTER TABLE token ADD CONSTRAINT token_scopes_check
    CHECK (scopes <@ ARRAY['read', 'play', 'challenge', 'chat', 'tournament', 'webhook', 'mail']);

-- Commands without a game's secret are trusted from this address since then.
ALTER TABLE address ADD COLUMN mail_trusted_at timestamptz;

-- A guest answered an invitation and has not chosen a name yet. remarks: whether words around a
-- turn reach the opponent.
ALTER TABLE player ADD COLUMN guest boolean NOT NULL DEFAULT false;
ALTER TABLE player ADD COLUMN remarks boolean NOT NULL DEFAULT true;

-- This player wants no mails about this game.
ALTER TABLE seat ADD COLUMN mail_stopped_at timestamptz;

-- Words to the opponent; not part of turn or event, so that they can be erased.
CREATE TABLE remark (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    game_id bigint NOT NULL REFERENCES game,
    -- of the last turn when it was said
    ply integer NOT NULL,
    player_id bigint NOT NULL REFERENCES player,
    text text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 2000),
    -- said with the turn of that ply (or the end of the game): told in the mail about it
    with_turn boolean NOT NULL,
    said_at timestamptz NOT NULL DEFAULT clock_now()
);
CREATE INDEX remark_game ON remark (game_id, id);

-- Announced, both days included; enforced by the clocks.
CREATE TABLE absence (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id bigint NOT NULL REFERENCES player,
    first_day date NOT NULL,
    last_day date NOT NULL,
    announced_at timestamptz NOT NULL DEFAULT clock_now(),
    CONSTRAINT absence_once UNIQUE (player_id, first_day, last_day),
    CHECK (last_day >= first_day)
);

-- Spectators of public games.
CREATE TABLE follow (
    game_id bigint NOT NULL REFERENCES game,
    player_id bigint NOT NULL REFERENCES player,
    rhythm text NOT NULL CHECK (rhythm IN ('turn', 'day')),
    since timestamptz NOT NULL DEFAULT clock_now(),
    -- the last day, in the follower's zone, whose mail is done with, and the last turn told in one
    told_on date NOT NULL,
    told_ply integer NOT NULL,
    PRIMARY KEY (game_id, player_id)
);
CREATE INDEX follow_told ON follow (told_on)
    WHERE rhythm = 'day';
CREATE INDEX follow_player ON follow (player_id);

-- What the people who run the service told everybody, once.
CREATE TABLE announcement (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash bytea NOT NULL CONSTRAINT announcement_once UNIQUE,
    subject text NOT NULL,
    body text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_now()
);
ALTER TABLE event ADD COLUMN announcement_id bigint REFERENCES announcement;

-- What the service's role may take away though it can delete neither events nor deliveries nor
-- addresses: mails that no game caused, and addresses that nobody confirmed, both after 30 days.
-- Whoever is invited or asked for silence stays.
CREATE FUNCTION prune_mails(most integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
WITH old AS MATERIALIZED (
    SELECT id
    FROM event
    WHERE kind LIKE 'mail.%' AND at < clock_now() - INTERVAL '30 days'
        AND NOT EXISTS (
            SELECT
            FROM delivery
            WHERE event_id = event.id AND state IN ('pending', 'sending', 'retry'))
    ORDER BY at
    LIMIT most
), unsent AS (
    DELETE FROM delivery
    WHERE event_id IN (SELECT id FROM old)
), gone AS (
    DELETE FROM event
    WHERE id IN (SELECT id FROM old)
    RETURNING 1
)
SELECT count(*)
FROM gone
$$;
CREATE FUNCTION prune_addresses(most integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
WITH gone AS (
    DELETE FROM address
    WHERE id IN (
        SELECT id
        FROM address
        WHERE player_id IS NULL AND state = 'new' AND created_at < clock_now() - INTERVAL '30 days'
            AND NOT EXISTS (SELECT FROM mail_code WHERE address_id = address.id)
            AND NOT EXISTS (SELECT FROM delivery WHERE address_id = address.id)
            AND NOT EXISTS (SELECT FROM challenge WHERE address_id = address.id)
            AND NOT EXISTS (SELECT FROM inbox WHERE address_id = address.id)
            AND NOT EXISTS (
                SELECT
                FROM address_change
                WHERE address.id IN (old_address_id, new_address_id))
        LIMIT most)
    RETURNING 1
)
SELECT count(*)
FROM gone
$$;
REVOKE EXECUTE ON FUNCTION prune_mails, prune_addresses FROM PUBLIC;
CREATE INDEX inbox_address ON inbox (address_id)
    WHERE address_id IS NOT NULL;

-- Forms and requests of strangers that were acted upon: the hash of their one-time key.
CREATE TABLE request_once (
    key bytea PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT clock_now()
);
CREATE INDEX request_once_age ON request_once (created_at);

-- Domains whose mail server puts mails off: after some refusals in a row only one mail at a time is
-- tried, and none before closed_until. A mail that is taken opens the domain again.
CREATE TABLE mail_domain (
    domain text PRIMARY KEY,
    failures integer NOT NULL,
    closed_until timestamptz NOT NULL
);
