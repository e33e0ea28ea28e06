-- The sign of the request that exchanged the code; a repetition of that request gets the same answer.
alter table login_codes add column used_sign bytea;
