-- Signing keys of an account, and all of them, are read a page at a time.
lock table signing_keys in access exclusive mode;
create index signing_keys_by_time on signing_keys (ctime, key_id);
create index signing_keys_of_account on signing_keys (account_id, ctime, key_id);
