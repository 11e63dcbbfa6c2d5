-- The rights of the service's role, given anew after every migration; its name comes in the
-- setting ludopost.service_role. It has no DDL, and turns and events are for it append only.
DO $$
DECLARE
    role text := current_setting('ludopost.service_role');
BEGIN
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA public FROM %I', role);
    EXECUTE format('REVOKE CREATE ON SCHEMA public FROM PUBLIC, %I', role);
    IF pg_has_role((SELECT datdba FROM pg_database WHERE datname = current_database()), 'MEMBER') THEN
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC, %I', current_database(), role);
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', role);
    EXECUTE format('GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO %I', role);
    EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO %I', role);
    EXECUTE format('REVOKE INSERT ON schema_migration FROM %I', role);
    EXECUTE format('GRANT UPDATE ON player, address, mail_code, address_change, token, session, '
        'game, seat, challenge, delivery, mail_rate, mail_domain, request_once, inbox, mail_seen '
        'TO %I', role);
    EXECUTE format('GRANT DELETE ON session, token, mail_code, idempotency, mail_rate, mail_seen, '
        'mail_domain, request_once, feed_pending, follow TO %I', role);
    EXECUTE format('GRANT UPDATE ON follow TO %I', role);
    EXECUTE format('GRANT EXECUTE ON FUNCTION prune_mails, prune_addresses TO %I', role);
END
$$;
