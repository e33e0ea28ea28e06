-- When a user was erased, ms. Its row stays, because trades name it.
alter table users add column erased_time bigint;
create index users_by_name on users (lower(nickname) text_pattern_ops, uid);
create index users_by_email on users (lower(email)) where email is not null;
