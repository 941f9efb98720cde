-- The mail server that an operator sets at the console, of the whole installation: where it has a row, and
-- the environment says nothing, mails leave by it.
create table bespeak.mail_server (
    is_the_one boolean primary key check (is_the_one),
    host text not null check (length(host) between 1 and 253),
    port integer not null check (port between 1 and 65535),
    encryption text not null check (encryption in ('starttls', 'tls', 'none')),
    username text not null check (length(username) <= 320),
    -- Sealed by a key of the installation's signing secret, for this host, port, encryption and user alone.
    password bytea check (length(password) <= 4096),
    -- Who writes; null: as the environment says it.
    sender text check (length(sender) <= 400),
    changed_at timestamptz not null,
    constraint mail_server_login check ((username = '') = (password is null)),
    constraint mail_server_secrecy check (password is null or encryption <> 'none')
);
