-- Reading a game asks for each player whether mails come back; hardly any do.
CREATE INDEX address_dead ON address (player_id)
    WHERE is_primary AND state = 'dead';
