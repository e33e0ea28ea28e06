-- Issuers whose tokens sign users of a company in to the host.
create table issuers (
  issuer_id uuid primary key,
  -- The claims iss and aud.
  issuer text not null,
  audience text not null,
  -- Where the keys come from; without either, the issuer's discovery document says it.
  jwks_url text,
  pem text check (jwks_url is null or pem is null),
  algorithms text[] not null,
  -- The claim that each property of a user comes from.
  claims jsonb not null,
  -- Seconds.
  clock_tolerance integer not null,
  ctime bigint not null,
  unique (issuer, audience)
);

-- Users of a company are known by their issuer's name and subject, which stay when the issuer is removed.
alter table users
  add column issuer text,
  add column subject text,
  add column locale text,
  add column disabled_time bigint,
  add constraint users_by_subject unique (issuer, subject),
  add check ((issuer is null) = (subject is null));

-- Ids of tokens that were exchanged, until they expire by real time.
create table used_token_ids (
  issuer text not null,
  -- SHA-256 of the claim jti.
  token_id bytea not null,
  valid_until bigint not null,
  primary key (issuer, token_id)
);
create index used_token_ids_by_expiry on used_token_ids (valid_until);

-- A family of refresh tokens, each of which replaces the one before.
create table host_refresh_tokens (
  family_id uuid primary key,
  issuer_id uuid not null references issuers on delete cascade,
  uid bigint not null references users,
  -- SHA-256 of the newest token.
  token_hash bytea not null,
  valid_until bigint not null,
  ctime bigint not null
);
create index host_refresh_tokens_by_user on host_refresh_tokens (uid, ctime);
create index host_refresh_tokens_by_issuer on host_refresh_tokens (issuer_id);

alter table host_sessions add column family_id uuid references host_refresh_tokens on delete cascade;
create index host_sessions_by_family on host_sessions (family_id) where family_id is not null;
