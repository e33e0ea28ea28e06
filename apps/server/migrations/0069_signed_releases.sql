-- Ed25519 public keys that sign releases. Those without an account were first used with the admin token.
create table signing_keys (
  -- The first 16 bytes of the SHA-256 of the public key.
  key_id uuid primary key,
  public_key bytea not null unique check (octet_length(public_key) = 32),
  account_id uuid references accounts,
  state text not null check (state in ('pending', 'approved', 'revoked')),
  ctime bigint not null,
  last_used_at bigint
);
create index signing_keys_by_account on signing_keys (account_id);

-- What was signed, so that the signature can be verified again: the SHA-256 of the archive, with appid and version.
alter table releases
  add column archive_hash bytea,
  add column signature bytea,
  add column signed_by uuid references signing_keys,
  add check ((signature is null) = (signed_by is null));
