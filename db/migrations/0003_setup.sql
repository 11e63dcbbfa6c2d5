-- What the players of a game that begins with a set-up sent, in order: append only. Sealed layouts
-- stand here and nowhere else. round is the pair of layouts an order speaks of; a layout is
-- canonical, and null with an acceptance.
CREATE TABLE setup_step (
    game_id bigint NOT NULL REFERENCES game,
    step integer NOT NULL CHECK (step >= 1),
    seat smallint NOT NULL CHECK (seat IN (1, 2)),
    round integer NOT NULL CHECK (round >= 1),
    kind text NOT NULL CHECK (kind IN ('layout', 'accept')),
    layout text CHECK (char_length(layout) <= 143),
    player_id bigint NOT NULL REFERENCES player,
    channel text NOT NULL CHECK (channel IN ('rest', 'web', 'mail')),
    at timestamptz NOT NULL DEFAULT clock_now(),
    PRIMARY KEY (game_id, step),
    CHECK ((kind = 'layout') = (layout IS NOT NULL))
);
