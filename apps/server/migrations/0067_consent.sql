-- Consent is needed for the e-mail address and the phone number only, and user.info includes the e-mail address.
update consents set scopes = array(
  select distinct case scope when 'user.info' then 'user.email' else scope end from unnest(scopes) scope order by 1);

-- One row per user and mini app that knows the user's name and picture, whether or not the user has consented to more.
insert into consents (appid, uid, scopes, mtime)
select appid, uid, '{}', (extract(epoch from now()) * 1000)::bigint from open_ids
on conflict (appid, uid) do nothing;

alter table consents add column notice_dismissed_at bigint;
create index consents_by_user on consents (uid);
