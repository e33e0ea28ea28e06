-- One admin token per installation, which each of its processes accepts: the SHA-256 of the token. Null until a process
-- of this version has started. Processes of the version before accept the token in their own file.
alter table platform_settings add column admin_token_hash bytea check (length(admin_token_hash) = 32);
