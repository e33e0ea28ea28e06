-- Signs of uploads and activity messages are remembered too. An upload has its file in content, which is not signed.
alter table notification_requests rename to used_signs;
alter table used_signs rename constraint notification_requests_pkey to used_signs_pkey;
alter index notification_requests_by_age rename to used_signs_by_age;
alter table used_signs add column content uuid;

-- The sessions of a user are limited, and ended ones are deleted at each sign-in.
create index host_sessions_by_user on host_sessions (uid, ctime);
